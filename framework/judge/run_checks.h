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
inline constexpr const char* kLinkDownLimit = "link.down_events";  // its counters are the halves'
inline constexpr const char* kLoadLimits = "load.";                // of what the cards counted around a load
inline constexpr const char* kDamagedLimit = "load.damaged";

// What no single case can tell: counters that moved during the run, nodes that changed, limits that nothing reported.
// Each becomes a case of the suite kRunSuite.
class RunChecks {
 public:
  void see(const record::NodeSeen& seen);
  void see(const record::Observed& seen);
  // What a pulled cable lost is no drift, nor what the switch's port at it counted from the reading before it to the next.
  void see(const record::CableMoved& moved);

  // Adds the suite "run", where it has cases, problems, and the limits that do not apply:
  //   Steady.ID/NODE_SUBJECT  a counter, last reading minus first, by the limit with its id. One that went back is an
  //                           error; one that was read only once, or could not be read at first or at last, is not proven
  //                           (between two readings it counts on), nor is a carrier's that grew after an operator pulled a
  //                           cable that did not come back in time
  //   Steady.state/NODE       the node's facts at the start and end of every suite must stay what they were: the
  //                           number of those that changed, by the limit kStateLimit; in a run that has gone on what a
  //                           node's own start changes ("boot", a netdev's index) is compared from there on. On hardware the
  //                           MACs, serial numbers and GUIDs of the node's inventory, which preflight reads anew when the
  //                           run goes on, stay what they were, too, and so do a switch's
  //   Steady.ID/NODE          what came damaged to each card of the node in all loads together that met their limit, by
  //                           that limit (kDamagedLimit): what may be chance in one is none in each. Not proven, of any
  //                           limit of kLoadLimits: no card of the node shows what those of another do (of RDMA's:
  //                           where the node has an RDMA device)
  //   Same.FIGURE/NODE        a figure of the node beside the best of the nodes that are like it: see same_nodes.h
  //   Suites.Built/SUITE      not proven: this build lacks a suite whose limits the rig owes, or a suite that was
  //                           asked for has no case
  //   Limits.Reported/ID      not proven: a case may report it where the hardware has it, and none did
  // A limit that no suite declares is a problem ("unknown-limit"); one that no case of this rig can report does not
  // apply. A suite with errors or unproven cases excuses its own limits: those already stand. A run of some suites
  // owes nothing of the others, a filtered one no limit that it did not report. Where a limit is advice, a case that
  // would not be proven has a measurement with the verdict kAdvice instead.
  // `time` is UTC, of the run's end.
  void judge(JudgedRun& run, const JudgeContext& context, const std::string& time) const;
  // The run had stopped, and goes on: nodes may have been restarted meanwhile, and those of an emulated rig made anew.
  void resume(bool emulated);

 private:
  struct Counter {
    record::Observed first;
    std::vector<double> values;                // since the run began, or went on
    double grown = 0;                          // before that
    double by_pulls = 0;                       // of the growth that was read, in all
    int pulls = 0;                             // of its cable, before the last reading
    bool was_read = false, went_back = false;  // before that: twice at least; to a smaller value
    std::string unread;  // why, of the first time that it could not be read and that no reading has made good
    bool read_before = false;  // that time: then the next reading does
    std::string untold;        // why nobody can tell whether its growth is a pulled cable's
  };
  using Changes = std::map<std::string, std::string>;  // fact -> "mtu: 9000 B, then 1500 B"
  struct Node {
    std::map<std::pair<std::string, std::string>, std::string>
        first;  // by part and property; but for those that changed
    std::set<std::pair<std::string, std::string>> changed;
    int readings = 0;       // since the run began, or went on
    bool was_read = false;  // before that, twice at least
    Changes changes;
  };

  // The properties that tell one machine from another of its kind, as its inventory has them.
  struct Identity {
    std::map<std::string, std::string> first;  // by the fact's name
    Changes changes;
  };
  void see_identity(const record::NodeSeen& seen);
  void hear_of_switch(const std::string& id, const std::string& name);

  std::vector<Counter> counters_;  // in the order first seen
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t>
      index_;  // of them, by id, node and subject
  std::map<std::string, Node> nodes_;
  std::map<std::string, Identity> identities_;  // of nodes and switches
  std::set<std::size_t> counted_;               // counters, and nodes, read since the run began, or went on
  std::set<std::string> seen_;
  using OfSwitch = std::pair<std::string, std::string>;    // a counter's id, and the switch's name
  std::set<OfSwitch> read_of_switch_;                      // since the run began, or went on
  std::map<OfSwitch, std::set<std::size_t>> silent_ = {};  // counters that were read before they could not be
  // Carrier losses by node and netdev, of which no reading is there yet.
  std::map<std::pair<std::string, std::string>, double> pulled_;
  std::map<std::string, int> pulls_;  // by cable: how often it was out
  std::set<std::string> out_;  // cables that were pulled and not seen back: what they lost nobody has told
};

// The suites that Rigproof ships, in the order in which they run. One of them that is not installed is "not built".
[[nodiscard]] const std::vector<std::string>& known_suites();

}  // namespace rigproof::judge
