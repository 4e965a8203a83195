#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/rig/rig.h"

namespace rigproof::judge {

enum class Acceptance {
  kAccepted,
  kNotProven,  // a case about the node is not proven or an error, or a case of a pair failed by either node
  kRejected,   // a case about the node alone failed, or the rates of its pairs name it as slow
};
[[nodiscard]] std::string_view name(Acceptance acceptance);  // "accepted", "not proven", "rejected"

// The verdict on one node of a rig, from all cases about it.
struct NodeVerdict {
  std::string node;
  Acceptance acceptance = Acceptance::kAccepted;
  std::string why = {};  // the first reason for the acceptance; empty: accepted
  std::size_t met = 0;   // other nodes that it was measured with
  int tries = 1;         // one more for each retest
};

// "9.9 % slower than the other nodes".
[[nodiscard]] std::string slowness_of(const Suspect& suspect);

// A verdict on each node that has cases, in the order of the rig file. A failed case of a pair is explained by a suspect
// that is one of its nodes or a part of one: it then does not count against the other node. Cases of more than two
// nodes, and of the whole run, count against none. Throws JournalError.
[[nodiscard]] std::vector<NodeVerdict> verdicts_of_nodes(const JudgedRun& run);
// The same without the rule that a sample which tells no nodes apart proves none.
[[nodiscard]] std::vector<NodeVerdict> verdicts_without_the_sample(const JudgedRun& run);

// The nodes that a case is about: those of its place, and for a failed case about one node a node of the rig that its
// missed measurements name (the sender, where many send to one). Throws JournalError.
[[nodiscard]] std::vector<std::string> nodes_concerned(const JudgedRun& run, const std::optional<Rig>& rig,
                                                       const JudgedCase& test);

}  // namespace rigproof::judge
