#include "framework/machine/machine_time.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <istream>
#include <stdexcept>

#include "framework/machine/process_stat.h"

namespace rigproof {
namespace {

namespace fs = std::filesystem;

std::uint64_t ticks_in(const fs::path& stat) {
  std::ifstream file(stat);
  std::string line;
  return std::getline(file, line) ? process_ticks(line) : 0;
}

std::uint64_t own_ticks() {
  std::uint64_t sum = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") == std::string::npos) sum += ticks_in(entry.path() / "stat");
  }
  return sum;
}

// A process that is gone takes its ticks along until its parent has waited for it: sums may go backwards.
std::uint64_t grown(std::uint64_t before, std::uint64_t after) { return after > before ? after - before : 0; }

}  // namespace

double worst_taken(std::span<const MachineTime> looks) {
  double worst = 0;
  for (std::size_t end = kLooksPerStretch; end < looks.size(); ++end) {
    const MachineTime &then = looks[end - kLooksPerStretch], &now = looks[end];
    const auto all = static_cast<double>(grown(then.all, now.all));
    if (all > 0) worst = std::max(worst, static_cast<double>(grown(then.taken, now.taken)) / all);
  }
  return worst;
}

std::uint64_t process_ticks(const std::string& stat) {
  const auto process = parse_process_stat(stat);
  return process && process->children ? process->own + *process->children : 0;
}

std::uint64_t process_ticks_of(pid_t process) {
  return ticks_in(fs::path("/proc") / std::to_string(process) / "stat");
}

MachineTime machine_time(std::istream& proc_stat, std::uint64_t own) {
  std::string word;
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  proc_stat >> word >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
  if (!proc_stat || word != "cpu") throw std::runtime_error("/proc/stat: can't read its first line");
  return {.all = user + nice + system + idle + iowait + irq + softirq + steal,
          .taken = grown(own, user + nice + system + steal)};
}

MachineTime read_machine_time(std::uint64_t own) {
  std::ifstream file("/proc/stat");
  return machine_time(file, own);
}

MachineTime read_machine_time() { return read_machine_time(own_ticks()); }

}  // namespace rigproof
