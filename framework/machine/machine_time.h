#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>

namespace rigproof {

// CPU time of a machine since it started, all CPUs, in the kernel's ticks. `taken`: what went neither to the rig
// that lives on it nor to interrupts: other processes, nice ones too (they yield late, and share a core's units and
// caches), and what the hypervisor took (steal).
struct MachineTime {
  std::uint64_t all, taken;
};

// A rig's machine is looked at so often.
inline constexpr std::chrono::milliseconds kMachineLook{125};
// A stretch of so many looks is judged as a whole: shorter ones are too few ticks to tell.
inline constexpr std::size_t kLooksPerStretch = 4;

// The largest share of the machine, 0 to 1, that was taken in any stretch of these looks; 0 when none is whole.
[[nodiscard]] double worst_taken(std::span<const MachineTime> looks);

// Of this machine, when this PID namespace is the rig.
[[nodiscard]] MachineTime read_machine_time();
// Of this machine, when processes that used `own` ticks are the rig.
[[nodiscard]] MachineTime read_machine_time(std::uint64_t own);

// From what /proc/stat says and the ticks of the rig's processes. Throws std::runtime_error when the text is not
// what /proc/stat looks like.
[[nodiscard]] MachineTime machine_time(std::istream& proc_stat, std::uint64_t own);

// user + system time of a process and the children that it has waited for: of a line of /proc/PID/stat, 0 when
// it is none; of a process, 0 when it is gone.
[[nodiscard]] std::uint64_t process_ticks(const std::string& stat);
[[nodiscard]] std::uint64_t process_ticks_of(pid_t process);

}  // namespace rigproof
