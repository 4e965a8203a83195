#pragma once

#include <optional>

#include "framework/limits/limit_table.h"
#include "framework/record/run_record.h"

namespace rigproof {

// A limit's bounds as numbers, in base units.
struct Bounds {
  std::optional<double> at_least, at_most, equals, marginal;
};

// The limits that a run was judged by, from the thresholds in its own record. A record whose thresholds can't be
// read has none.
class RecordedLimits {
 public:
  explicit RecordedLimits(const RunRecord& run);

  [[nodiscard]] const Limit* find(const Measurement& measurement) const;  // nullptr: not judged by one
  // With the measurement's own facts filled in; empty without a limit.
  [[nodiscard]] Bounds bounds(const Measurement& measurement) const;

 private:
  std::optional<LimitTable> limits_;
};

}  // namespace rigproof
