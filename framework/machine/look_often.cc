#include "framework/machine/look_often.h"

#include <condition_variable>
#include <mutex>

#include "framework/machine/machine_time.h"

namespace rigproof {

void look_often(const std::stop_token& stop, const std::function<void()>& look) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    look();
    wake.wait_for(lock, stop, kMachineLook, [] { return false; });
  }
}

}  // namespace rigproof
