#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <mutex>
#include <thread>

namespace rigproof {

// CPU time of this machine since it started, all CPUs, in the kernel's ticks. `taken`: what went neither to
// this PID namespace nor to interrupts: other processes, and what the hypervisor took (steal). What others
// use at low priority (nice) counts only where the kernel does not let it yield (sched_autogroup).
struct MachineTime {
  std::uint64_t all, taken;
};

[[nodiscard]] MachineTime read_machine_time();

// From what /proc/stat says and the ticks of the processes of this PID namespace. `yielding`: nice time is not
// taken. Throws std::runtime_error
// when the text is not what /proc/stat looks like.
[[nodiscard]] MachineTime machine_time(std::istream& proc_stat, std::uint64_t own, bool yielding);
// user + system time of a process and the children that it has waited for: a line of /proc/PID/stat. 0 when
// it is none.
[[nodiscard]] std::uint64_t process_ticks(const std::string& stat);

// Watches, from its making on, how much of the machine is taken from a rig whose nodes all live on it. A rig
// that was starved of CPU proves nothing about its wires.
class MachineWatch {
 public:
  // A stretch that long is judged as a whole: shorter ones are too few ticks to tell.
  static constexpr std::chrono::milliseconds kStretch{500};

  MachineWatch();

  // The largest share of the machine, 0 to 1, that was taken in any stretch so far; 0 when none has passed.
  [[nodiscard]] double worst_taken() const;

 private:
  void look();

  mutable std::mutex mutex_;
  std::deque<MachineTime> stretch_;
  double worst_ = 0;
  std::jthread thread_;
};

}  // namespace rigproof
