#pragma once

#include <map>
#include <string>
#include <vector>

#include "framework/limits/limit_table.h"
#include "framework/supervisor/run_cases.h"

namespace rigproof {

inline constexpr const char* kStateLimit = "run.state";

// What a node was at the start and the end of every suite: its facts on record must stay what they were, or
// the run says nothing about any one state of the rig. What was told of it besides, by no rank of its own (-1), is
// compared with nothing. A case for each node, judged by the limit "run.state"
// on the number of facts that changed; without that limit no case.
class SteadyState {
 public:
  void see(const EventBody& event);
  [[nodiscard]] std::vector<RunCase> cases(const LimitTable& limits) const;

 private:
  using Facts = std::map<std::string, std::string>;
  struct Node {
    Facts first;
    int readings = 0;
    std::map<std::string, std::string> changes;  // fact -> "mtu: 9000 B, then 1500 B"
  };
  std::map<std::string, Node> nodes_;
};

}  // namespace rigproof
