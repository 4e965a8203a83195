#include "framework/supervisor/exiting_launchers.h"

#include <utility>

namespace rigproof::supervisor {

void ExitingLaunchers::add(process::Process launcher) {
  list_.push_back({std::move(launcher), std::chrono::steady_clock::now() + timeouts_.exit});
}

void ExitingLaunchers::poll() {
  const auto now = std::chrono::steady_clock::now();
  list_.remove_if([&](Exiting& one) {
    if (one.launcher.wait_for(std::chrono::milliseconds(0))) return true;
    if (now < one.deadline) return false;
    if (one.told) return true;  // killed with the object
    one.launcher.terminate();
    one.told = true;
    one.deadline = now + timeouts_.terminate;
    return false;
  });
}

void ExitingLaunchers::wait(bool patient) {
  for (Exiting& one : list_)
    if (!patient && !one.told) one.deadline = {};
  for (poll(); !list_.empty(); poll()) (void)list_.front().launcher.wait_for(std::chrono::milliseconds(20));
}

}  // namespace rigproof::supervisor
