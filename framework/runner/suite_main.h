#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "framework/process/name_lock.h"
#include "framework/record/events.h"
#include "framework/record/measured.h"
#include "framework/rig/rig.h"
#include "framework/runner/cable_puller.h"
#include "framework/runner/declare.h"

namespace rigproof::inline runner {

// One suite at a time on a node (a model rig's node is a network namespace of its own), of this user and of root: see
// NameLock.
class NodeLock {
 public:
  // Waits up to `timeout` for the one that holds it (a dead suite's ranks outlive it by a second or so).
  // Throws std::runtime_error naming that process and its user.
  explicit NodeLock(std::chrono::milliseconds timeout, const std::string& name = "rigproof/node",
                    uid_t user = geteuid());

  // Other users' processes that claim it, and block nobody.
  [[nodiscard]] const std::vector<std::string>& strangers() const { return lock_.strangers(); }

 private:
  process::NameLock lock_;
};

// What a suite adds to its cases; all members may stay empty. `facts` and `observe` are called on every rank for its own node.
struct SuiteHooks {
  std::function<record::NodeFacts(const Rig&, std::size_t node)> facts;
  // Cumulative counters that must not move during the run; called at the suite's start and end.
  std::function<std::vector<record::Observed>(const Rig&, std::size_t node)> observe;
  std::vector<Reports> observes;  // their ids
  // Called on every rank at its first measuring phase: watches the cards of its node from then on. What it returns is
  // called when all ranks have ended a measuring phase, of whatever suite; what has grown is the running case's.
  std::function<record::LookAtCards(const Rig&, std::size_t node)> watch_cards;
  std::vector<Reports> watches;  // the ids that they report
  // Called on rank 0 when a measurement begins: starts to watch what may disturb it. What it returns is called at
  // the measurement's end: the largest share (0 to 1) of the CPU time that others used meanwhile. Empty, or
  // returning an empty function (every hardware rig): nothing is watched, nothing is void.
  std::function<std::function<double()>(const Rig&)> watch_disturbance;
  MakeCablePuller make_cable_puller;  // of emulated rigs
};

// main() of a suite executable `rigproof-suite-NAME`. Own options, then GoogleTest's:
//   --report-to ADDRESS  the supervisor, which says all there is to say and keeps the record (framework/channel/)
//   --journal FILE  by hand: a journal; its first line says rig, limits, profile and snapshot, and the record goes there
//   --skip FILE     names of cases not to run, one per line
//   --launch N      of this suite in its run, for messages
//   --describe      prints a SuiteDescription and ends, with the cases on --rig if given; needs no MPI, nor does
//                   --gtest_list_tests
//   --rig FILE --thresholds FILE --profile NAME --facts DIR  without a journal: it runs and prints, and keeps no record
//   --hosts A/B,C/D  names and addresses of the ranks' hosts, for a launcher with an order of its own
//   --meet          for Slurm's steps: the ranks wait for each other at the supervisor first
//   --rounds K --seed N  with --describe: only the cases of pairs that meet in K rounds
//   --operator      somebody is there who pulls cables
//   --shared-host   for tests: several nodes are this one host: no lock, no check of who is who
// The exit code says only whether the suite reached its end (0) or not (2 when it refused to begin): the judge makes
// verdicts from the journal. A suite that ends its job early writes the running case's end with the reason to the
// journal where it can, and as record::last_words() to stderr.
int suite_main(int argc, char** argv, const std::string& suite, const SuiteHooks& hooks);

}  // namespace rigproof::inline runner
