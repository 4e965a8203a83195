#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/limits/judge.h"
#include "framework/limits/limit.h"
#include "framework/stats/samples.h"

namespace rigproof {

// One measurement as judged: the raw samples, the limit that decided and what came out.
struct Measurement {
  std::string id;    // "tcp.rate.half"
  std::string node;  // the node that took the samples
  // Which of several in one case ("enp1s0f0np0 tx"); may be empty. (id, node, detail) is unique in an attempt.
  std::string detail;
  SampleSet samples;
  std::string text =
      {};            // what was found, of a fact that is no number; the samples then say whether it was met
  std::string unit;  // the unit to print in
  Statistic statistic = Statistic::kMedian;
  Facts facts;  // those that relative bounds were resolved with
  Judgement judgement;
  Basis basis;              // of the limit; empty for a recorded measurement
  std::string remedy;       // for this finding: the limit's, with its placeholders filled in
  std::string limit_where;  // "thresholds/model-rig.toml:12"
};

// Missed, or not to be judged.
[[nodiscard]] bool is_red(const Measurement& measurement);

// Something that went wrong in a case, on one rank.
struct Failure {
  enum class Kind { kFail, kError, kSkip };
  Kind kind;
  // Machine-readable: "assertion", "exception", "deadline", "lost-peer", "crash", "not-proven", "missing-limit",
  // "nothing-measured", "disturbed", ...
  std::string type;
  std::string message;  // for a person; names what, not where
  std::string node;     // empty when not one node's
  int rank = -1;        // -1 when not one rank's
  std::string phase;    // empty outside phases
  std::string where;    // "suites/tcp/many_streams.cc:40", or empty
};

// The type of a failure that voids its attempt: limits were missed while the machine under the rig was busy
// with something else.
inline constexpr std::string_view kDisturbed = "disturbed";
[[nodiscard]] bool is_void(const std::vector<Failure>& failures);

[[nodiscard]] std::string_view name(Failure::Kind kind);  // "fail", "error", "skip"

}  // namespace rigproof
