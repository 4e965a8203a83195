#include "framework/ranks/watchdog.h"

#include <utility>

namespace rigproof::inline ranks {

Watchdog::Watchdog(std::function<void(const JobEnd&)> on_expired)
    : on_expired_(std::move(on_expired)), thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watchdog::arm(JobEnd end, Clock::time_point limit) {
  {
    const std::lock_guard lock(mutex_);
    watch_ = Watch{std::move(end), limit};
  }
  changed_.notify_one();
}

void Watchdog::disarm() {
  const std::lock_guard lock(mutex_);
  watch_.reset();
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (!watch_) {
      changed_.wait(lock);
    } else if (Clock::now() >= watch_->limit) {
      const JobEnd end = std::exchange(watch_, std::nullopt)->end;
      lock.unlock();
      on_expired_(end);
      lock.lock();
    } else {
      const Clock::time_point limit = watch_->limit;
      changed_.wait_until(lock, limit);
    }
  }
}

}  // namespace rigproof::inline ranks
