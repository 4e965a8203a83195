#include "framework/machine/machine_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/machine/look_often.h"
#include "framework/machine/machine_time.h"

namespace rigproof {
namespace {

// A line of this length, whatever it holds: where the n-th begins is known.
constexpr int kDigits = 20;
constexpr std::size_t kLine = 2 * kDigits + 2;

std::vector<MachineTime> read_looks(const std::filesystem::path& path, std::size_t from) {
  std::ifstream file(path);
  file.seekg(static_cast<std::streamoff>(from * kLine));
  std::vector<MachineTime> looks;
  for (MachineTime look{}; file >> look.all >> look.taken && file.get() == '\n';) looks.push_back(look);
  return looks;
}

}  // namespace

MachineLog::MachineLog(const std::filesystem::path& file, const std::vector<pid_t>& rig) : file_(file) {
  for (const pid_t process : rig) ticks_[process] = 0;
  thread_ = std::jthread([this](const std::stop_token& stop) { look_often(stop, [this] { look(); }); });
}

void MachineLog::look() {
  std::uint64_t own = 0;
  for (auto& [process, ticks] : ticks_) own += ticks = std::max(ticks, process_ticks_of(process));
  const MachineTime now = read_machine_time(own);
  file_ << fmt::format("{:{}} {:{}}\n", now.all, kDigits, now.taken, kDigits) << std::flush;
}

LoggedMachine::LoggedMachine(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code unreadable;
  const auto size = std::filesystem::file_size(file_, unreadable);
  looks_before_ = unreadable ? 0 : size / kLine;
}

double LoggedMachine::worst_taken() const {
  const std::size_t stretch = std::min(looks_before_, kLooksPerStretch);
  return rigproof::worst_taken(read_looks(file_, looks_before_ - stretch));
}

}  // namespace rigproof
