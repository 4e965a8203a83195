#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/judge/judged_run.h"

namespace rigproof::judge {

inline constexpr const char* kStateLimit = "run.state";

// Checks that need the whole run: counters that moved, nodes that changed, limits that nothing reported. Each
// becomes a case of the suite kRunSuite.
class RunChecks {
 public:
  void see(const record::NodeSeen& seen);
  void see(const record::Observed& seen, record::MetricGroup group);
  // Excludes losses of a pulled cable, and what its switch port counted between the readings around the pull.
  void see(const record::CableMoved& moved);

  // Adds the suite "run" (if it has cases), problems, and the limits that do not apply. `time`: UTC, the
  // run's end.
  //   Steady.ID/NODE_SUBJECT  growth of a counter (last minus first reading) against the limit ID. A counter
  //                           that went back is an error. Not proven: read only once, or not readable first
  //                           or last (gaps between two readings are harmless); a carrier counter that grew
  //                           after an operator did not put a pulled cable back in time
  //   Steady.state/NODE       number of node facts that changed between start and end of any suite, against
  //                           kStateLimit. Facts that a reboot changes ("boot", a netdev's index) are
  //                           compared from the last resume on. On hardware the MACs, serial numbers and
  //                           GUIDs of nodes and switches, which preflight reads again after a resume, must
  //                           not change either
  //   Steady.ID/NODE          a metric of MetricGroup::kLoadDamage per NIC, summed over all loads that met
  //                           its limit, against that limit: small counts that are chance in one load must not
  //                           recur. The limit of any load metric is not proven if only other nodes' devices
  //                           report it (kLoadRdma: if the node has an RDMA device)
  //   Same.FIGURE/NODE        a figure relative to the best of all similar nodes: see same_nodes.h
  //   Sample.FindsSlowNodes   only if it failed: a run by sampling rejects a node, or finds slow nodes less often
  //                           than was asked for; see sampling.h
  //   Suites.Built/SUITE      not proven: this build lacks a suite whose limits the rig owes, or a requested
  //                           suite has no case
  //   Limits.Reported/ID      not proven: no case reported the limit (hardware or driver may lack it)
  // A limit that no suite declares is a problem ("unknown-limit"). A limit that no case of this rig can
  // report does not apply. A suite with errors or unproven cases excuses its own limits. A run of some suites
  // owes nothing of the others; a filtered run owes no unreported limit. For an advice limit, "not proven"
  // becomes a measurement with the verdict kAdvice.
  void judge(JudgedRun& run, const JudgeContext& context, const std::string& time) const;
  // Call when a stopped run goes on: nodes may have rebooted, and nodes of an emulated rig are new.
  void resume(bool emulated);
  // Call when these nodes are measured again: they were repaired, and their earlier counters and facts do not count.
  void forget(const std::set<std::string>& nodes);

 private:
  struct Counter {
    record::Observed first;
    record::MetricGroup group;
    std::vector<double> values;                // since the start or the last resume
    double grown = 0;                          // before the last resume
    double by_pulls = 0;                       // part of the growth that pulled cables caused
    int pulls = 0;                             // pulls of its cable until the last reading
    bool was_read = false, went_back = false;  // before the last resume: read twice; went back
    std::string unread;        // reason of the first failed reading, unless a later reading made it good
    bool read_before = false;  // read before `unread`: the next reading clears it
    std::string untold;        // why growth may or may not be a pulled cable's
  };
  using Changes = std::map<std::string, std::string>;  // fact -> "mtu: 9000 B, then 1500 B"
  struct Node {
    std::map<std::pair<std::string, std::string>, std::string> first;  // by part and property, if unchanged
    std::set<std::pair<std::string, std::string>> changed;
    int readings = 0;       // since the start or the last resume
    bool was_read = false;  // before the last resume, at least twice
    Changes changes;
  };

  // The inventory properties that identify one machine.
  struct Identity {
    std::map<std::string, std::string> first;  // by the fact's name
    Changes changes;
  };
  void see_identity(const record::NodeSeen& seen);
  [[nodiscard]] bool counts(const std::string& node, const std::string& id) const;  // a reading, or why not
  void hear_of_switch(const std::string& id, const std::string& name);

  std::vector<Counter> counters_;                                                   // in the order first seen
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> index_;  // index in counters_
  std::map<std::string, Node> nodes_;
  std::map<std::string, Identity> identities_;  // of nodes and switches
  std::set<std::size_t> counted_;  // counters (seen_: nodes) read since the start or the last resume
  std::set<std::string> seen_;
  using OfSwitch = std::pair<std::string, std::string>;    // counter id, switch name
  std::set<OfSwitch> read_of_switch_;                      // since the start or the last resume
  std::map<OfSwitch, std::set<std::size_t>> silent_ = {};  // counters that failed after a good reading
  // Carrier losses by node and netdev that no reading includes yet.
  std::map<std::pair<std::string, std::string>, double> pulled_;
  std::map<std::string, int> pulls_;  // cable -> number of pulls
  std::set<std::string> out_;         // cables pulled and not seen back: their losses are unknown
};

}  // namespace rigproof::judge
