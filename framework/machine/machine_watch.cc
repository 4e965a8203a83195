#include "framework/machine/machine_watch.h"

#include "framework/machine/look_often.h"

namespace rigproof {

MachineWatch::MachineWatch()
    : thread_([this](const std::stop_token& stop) {
        look_often(stop, [this] {
          const MachineTime now = read_machine_time();
          const std::lock_guard lock(mutex_);
          looks_.push_back(now);
        });
      }) {}

double MachineWatch::worst_taken() const {
  const std::lock_guard lock(mutex_);
  return rigproof::worst_taken(looks_);
}

}  // namespace rigproof
