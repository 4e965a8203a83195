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

// Whose hands pull one cable of the rig under test out of a port, and plug it in again. Whether they did it, the carriers
// tell: see fixtures/cables/cable_pull.h. Local: of one rank, that at the cable's end.
class CablePuller {
 public:
  virtual ~CablePuller() = default;
  // At once, or as soon as a person does. Throw std::exception.
  virtual void pull() = 0;
  virtual void plug() = 0;
  [[nodiscard]] virtual std::string who() const = 0;               // "the emulated rig"
  [[nodiscard]] virtual std::chrono::seconds timeout() const = 0;  // until the carriers must have followed
  [[nodiscard]] virtual bool is_person() const = 0;
};

// A person was asked to pull a cable or to plug it in again, and the carriers say that nobody did. Within measure_pulled()
// the case is then not proven.
class NobodyDidIt : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One with its way to put on record what it does: RigTestBase::cable_puller().
struct RecordedPuller {
  std::unique_ptr<CablePuller> puller;
  std::function<void(record::CableMoved)> record;  // on rank 0
};

// Makes one for the cable in this port; null on rigs where this can't be done.
using MakeCablePuller = std::function<std::unique_ptr<CablePuller>(const Rig& rig, PortRef port)>;

// An operator, who is told by the supervisor what to do (record::CableMoved) and does it.
[[nodiscard]] std::unique_ptr<CablePuller> operator_as_puller();

// Whether somebody can pull cables of this rig in this run: an emulated rig can, on hardware an operator must be there.
[[nodiscard]] bool has_cable_puller(const Rig& rig);
// Before GoogleTest makes the cases: `rigproof run --operator`.
void set_with_operator(bool there);
[[nodiscard]] bool is_with_operator();

// Of what a look at a node's cards saw while the cable of this port was out all but what the port's own devices say: of
// them it is no fault. Pure.
[[nodiscard]] std::vector<record::Watched> seen_of_others(std::vector<record::Watched> seen,
                                                          const Port& pulled);

}  // namespace rigproof::inline runner
