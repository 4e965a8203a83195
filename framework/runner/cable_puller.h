#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/record/events.h"
#include "framework/record/measured.h"
#include "framework/rig/rig.h"

namespace rigproof::inline runner {

// Pulls one cable of the rig under test out of a port and plugs it in again. The carriers show whether that
// happened: see fixtures/cables/cable_pull.h. Local: used by the rank at the cable's end.
class CablePuller {
 public:
  virtual ~CablePuller() = default;
  // Acts at once, or waits for a person to act. Throws std::exception on failure.
  virtual void pull() = 0;
  virtual void plug() = 0;
  [[nodiscard]] virtual std::string who() const = 0;               // "the emulated rig"
  [[nodiscard]] virtual std::chrono::seconds timeout() const = 0;  // for the carriers to follow
  [[nodiscard]] virtual bool is_person() const = 0;
};

// A person was asked to pull or plug a cable, but no carrier changed: measure_pulled() is not proven.
class NobodyDidIt : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A puller and the function that records its actions: RigTestBase::cable_puller().
struct RecordedPuller {
  std::unique_ptr<CablePuller> puller;
  std::function<void(record::CableMoved)> record;  // on rank 0
};

// Makes a puller for the cable in this port; nullptr on rigs that cannot pull cables.
using MakeCablePuller = std::function<std::unique_ptr<CablePuller>(const Rig& rig, PortRef port)>;

// A person, asked by the supervisor (record::CableMoved).
[[nodiscard]] std::unique_ptr<CablePuller> operator_as_puller();

// True if this run can pull cables: on an emulated rig always, on hardware with an operator.
[[nodiscard]] bool has_cable_puller(const Rig& rig);
// Call before GoogleTest creates the cases: `rigproof run --operator`.
void set_with_operator(bool there);
[[nodiscard]] bool is_with_operator();

// Drops counters of the unplugged port: they show no fault of the other cards. Pure.
[[nodiscard]] std::vector<record::Watched> seen_of_others(std::vector<record::Watched> seen,
                                                          const Port& pulled);

}  // namespace rigproof::inline runner
