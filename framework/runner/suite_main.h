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

// Allows one suite at a time per node, for this user and root: see NameLock. A model rig's node is a network
// namespace of its own.
class NodeLock {
 public:
  // Waits up to `timeout` for the holder: ranks of a dead suite may live a second longer. Throws
  // std::runtime_error naming the holder's process and user.
  explicit NodeLock(std::chrono::milliseconds timeout, const std::string& name = "rigproof/node",
                    uid_t user = geteuid());

  // Processes of other users that use the lock's name; they block nobody.
  [[nodiscard]] const std::vector<std::string>& strangers() const { return lock_.strangers(); }

 private:
  process::NameLock lock_;
};

// Hooks of a suite; all may stay empty. `facts` and `observe` are called on every rank for its own node.
struct SuiteHooks {
  std::function<record::NodeFacts(const Rig&, std::size_t node)> facts;
  // Cumulative counters that must not move during the run; called at the suite's start and end.
  std::function<std::vector<record::Observed>(const Rig&, std::size_t node)> observe;
  std::vector<Reports> observes;  // their ids
  // Called on every rank at its first measuring phase: watches its node's NICs from then on. The returned
  // function is called when all ranks have ended a measuring phase; growth counts for the running case.
  std::function<record::LookAtCards(const Rig&, std::size_t node)> watch_cards;
  std::vector<Reports> watches;  // the ids that watch_cards reports
  // Called on rank 0 when a measurement begins: watches for disturbances. The returned function is called at
  // the end of the measurement and returns the largest share (0 to 1) of CPU time that others used. Empty, or
  // an empty result (hardware rigs): nothing is watched, nothing is void.
  std::function<std::function<double()>(const Rig&)> watch_disturbance;
  MakeCablePuller make_cable_puller;  // for emulated rigs
};

// main() of a suite executable `rigproof-suite-NAME`. Its own options, then GoogleTest's:
//   --report-to ADDRESS  the supervisor: gives all inputs and keeps the record (framework/channel/)
//   --journal FILE  by hand: a journal; its first line gives rig, limits, profile, snapshot; keeps the record
//   --skip FILE     names of cases not to run, one per line
//   --launch N      number of this launch in the run, for messages
//   --describe      prints a SuiteDescription, with the cases on --rig if given, and ends; needs no MPI (nor
//                   does --gtest_list_tests)
//   --rig FILE --thresholds FILE --profile NAME --facts DIR  without a journal: prints, keeps no record
//   --hosts A/B,C/D  names and addresses of the ranks' hosts, if the launcher chooses the order of ranks
//   --meet          for Slurm's steps: the ranks first wait for each other at the supervisor
//   --rounds K --seed N  with --describe: only the cases of pairs that meet in K rounds
//   --examples      with --describe: only the cases of a few nodes and pairs (rig/examples.h), whatever the filter
//   --operator      a person pulls cables
//   --shared-host   for tests: several nodes share this host: no lock, no check of the node
// Exit code: 0 if the suite reached its end, 2 if it refused to begin; the judge makes verdicts from the
// journal. A suite that ends its job early tries to write the running case's end, with the reason, to the
// journal, and writes record::last_words() to stderr.
int suite_main(int argc, char** argv, const std::string& suite, const SuiteHooks& hooks);

}  // namespace rigproof::inline runner
