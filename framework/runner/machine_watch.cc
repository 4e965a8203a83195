#include "framework/runner/machine_watch.h"

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>

namespace rigproof {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLooksPerStretch = 4;

std::uint64_t own_ticks() {
  std::uint64_t sum = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string line;
    if (std::getline(file, line)) sum += process_ticks(line);
  }
  return sum;
}

// With autogroups, processes of different sessions share the CPU evenly, however nice they are.
bool nice_yields() {
  std::ifstream file("/proc/sys/kernel/sched_autogroup_enabled");
  int enabled = 0;
  return !(file >> enabled) || enabled == 0;
}

// A process that is gone takes its ticks along until its parent has waited for it: sums may go backwards.
std::uint64_t grown(std::uint64_t before, std::uint64_t after) { return after > before ? after - before : 0; }

}  // namespace

std::uint64_t process_ticks(const std::string& stat) {
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  std::uint64_t ticks[4] = {};  // utime stime cutime cstime
  for (std::uint64_t& value : ticks) fields >> value;
  return fields ? std::accumulate(std::begin(ticks), std::end(ticks), std::uint64_t{0}) : 0;
}

MachineTime machine_time(std::istream& proc_stat, std::uint64_t own, bool yielding) {
  std::string word;
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  proc_stat >> word >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
  if (!proc_stat || word != "cpu") throw std::runtime_error("/proc/stat: can't read its first line");
  const std::uint64_t used = user + system + steal + (yielding ? 0 : nice);
  return {.all = user + nice + system + idle + iowait + irq + softirq + steal, .taken = grown(own, used)};
}

MachineTime read_machine_time() {
  std::ifstream file("/proc/stat");
  return machine_time(file, own_ticks(), nice_yields());
}

MachineWatch::MachineWatch()
    : thread_([this](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        while (!stop.stop_requested()) {
          look();
          wake.wait_for(lock, stop, kStretch / kLooksPerStretch, [] { return false; });
        }
      }) {}

void MachineWatch::look() {
  const MachineTime now = read_machine_time();
  const std::lock_guard lock(mutex_);
  stretch_.push_back(now);
  if (stretch_.size() <= kLooksPerStretch) return;
  const MachineTime& then = stretch_.front();
  const auto all = static_cast<double>(grown(then.all, now.all));
  if (all > 0) worst_ = std::max(worst_, static_cast<double>(grown(then.taken, now.taken)) / all);
  stretch_.pop_front();
}

double MachineWatch::worst_taken() const {
  const std::lock_guard lock(mutex_);
  return worst_;
}

}  // namespace rigproof
