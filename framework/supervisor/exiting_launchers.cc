#include "framework/supervisor/exiting_launchers.h"

#include <fmt/format.h>

#include <utility>

namespace rigproof::supervisor {

void ExitingLaunchers::add(process::Process launcher, std::string what) {
  list_.push_back({std::move(launcher), std::move(what), std::chrono::steady_clock::now() + timeouts_.exit});
}

std::vector<std::string> ExitingLaunchers::poll(std::chrono::milliseconds patience) {
  if (!list_.empty()) (void)list_.front().launcher.wait_for(patience);
  const auto now = std::chrono::steady_clock::now();
  std::vector<std::string> faults;
  list_.remove_if([&](Exiting& one) {
    const std::optional<int> status = one.launcher.wait_for(std::chrono::milliseconds(0));
    if (status || (one.told && now >= one.deadline)) {  // the destructor kills it
      // A launcher that had to be stopped proves nothing about its suite.
      std::string fault = one.told ? std::string() : contradiction(one.what, *status);
      if (!fault.empty()) faults.push_back(std::move(fault));
      return true;
    }
    if (one.told || now < one.deadline) return false;
    one.launcher.terminate();
    one.told = true;
    one.deadline = now + timeouts_.terminate;
    return false;
  });
  return faults;
}

void ExitingLaunchers::stop() {
  for (const Exiting& one : list_) one.launcher.terminate();
  for (Exiting& one : list_) (void)one.launcher.stop(timeouts_.terminate);
  list_.clear();
}

std::string contradiction(const std::string& what, int wait_status) {
  if (wait_status == 0) return {};
  return fmt::format("{} {}, although the suite had reported its end", what,
                     process::describe_status(wait_status));
}

}  // namespace rigproof::supervisor
