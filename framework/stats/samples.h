#pragma once

#include <chrono>
#include <span>
#include <string_view>
#include <vector>

#include "framework/units/quantity.h"

namespace rigproof::inline stats {

// Raw samples of one quantity, in the order taken, in base units. Never averaged before they are recorded.
struct SampleSet {
  Dimension dimension;
  std::vector<double> values;

  bool operator==(const SampleSet&) const = default;
};

// Samples of a strong type, as fixtures return them; set() converts them for a report.
template <class Value>
class Samples {
 public:
  Samples() = default;
  explicit Samples(std::vector<Value> values) : values_(std::move(values)) {}

  void add(Value value) { values_.push_back(value); }
  [[nodiscard]] std::span<const Value> values() const { return values_; }
  [[nodiscard]] bool empty() const { return values_.empty(); }

  [[nodiscard]] SampleSet set() const {
    SampleSet set{dimension_of<Value>(), {}};
    set.values.reserve(values_.size());
    for (const Value& value : values_) set.values.push_back(to_quantity(value).value);
    return set;
  }

 private:
  std::vector<Value> values_;
};

// The statistic of the samples that a limit judges.
enum class Statistic { kMin, kMedian, kMean, kP90, kP99, kP999, kMax };

[[nodiscard]] std::string_view name(Statistic statistic);  // "median"
// Throws std::invalid_argument naming the known statistics.
[[nodiscard]] Statistic parse_statistic(std::string_view text);

// The median of an even count is the mean of the middle two. A percentile p is the smallest sample with at
// least p of all samples at or below it. NaN if a sample is NaN. Throws std::invalid_argument without values.
[[nodiscard]] double evaluate(Statistic statistic, std::span<const double> values);

// Confidence interval of a share, from `hits` in `trials` (Clopper and Pearson): contains the true share in
// at least 1 - `alpha` of all cases. Hits may be fractional. Without trials: 0 to 1.
struct ShareInterval {
  double low = 0, high = 1;
};
[[nodiscard]] ShareInterval share_interval(double hits, double trials, double alpha);

}  // namespace rigproof::inline stats
