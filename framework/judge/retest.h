#pragma once

#include <optional>
#include <set>
#include <string>

#include "framework/judge/judged_run.h"
#include "framework/rig/rig.h"

namespace rigproof::judge {

// Nodes of a complete run are measured again: which cases that repeats. Their earlier attempts no longer count. What may be
// the fault of a node that is not measured again stays. What all nodes did together is repeated only if a node that may have
// spoilt it is.
class Retest {
 public:
  // The run as it is before the retest; it must outlive this object. Throws JournalError.
  Retest(const JudgedRun& run, std::set<std::string> retested);

  [[nodiscard]] bool reopens(const JudgedCase& test) const;

 private:
  const JudgedRun& run_;
  std::optional<Rig> rig_;
  std::set<std::string> retested_;
  std::set<std::string> doubtful_;  // all nodes that are not accepted
};

// The first of these nodes for which no case would be repeated; nullopt: each has one.
[[nodiscard]] std::optional<std::string> without_cases(const JudgedRun& run,
                                                       const std::set<std::string>& retested);

}  // namespace rigproof::judge
