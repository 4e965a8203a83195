#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/limits/limit.h"

namespace rigproof::judge {

enum class Verdict {
  kPass,
  kMarginal,  // inside the limit, but inside its marginal band too
  kAdvice,    // an advice limit is missed or not proven: shown with its remedy, never fails
  kFail,      // the limit is missed
  kError,     // cannot be judged: no samples, not finite, wrong dimension, no limit, an unknown fact
  kRecorded,  // an informative measurement: shown, never decides
};

[[nodiscard]] std::string_view name(Verdict verdict);  // "pass"

// A limit's bounds as numbers in base units, with the rig's facts filled in.
struct Bounds {
  std::optional<double> at_least = {}, at_most = {}, equals = {}, marginal = {};
};
// Resolves the bounds that these facts allow.
[[nodiscard]] Bounds bounds_of(const Limit& limit, const Facts& facts);

// A statistic that a limit judges, and the bounds of its value.
struct JudgedStatistic {
  Statistic statistic = Statistic::kMedian;
  double value = 0;
  Bounds bounds = {};
  bool is_missed = false;
};

struct Judgement {
  Verdict verdict;
  double value = 0;  // the limit's own statistic, in base units; 0 if there is none
  // Relative distance to the nearest bound of any statistic, negative if missed. nullopt: only `equals`, or a
  // bound of 0.
  std::optional<double> margin = {};
  std::string limit = {};   // ">= 170 Gbit/s", ">= 0.95 Gbit/s (95 % of half.rate)", "" without a limit
  std::string reason = {};  // one line; set for fail, advice and error
  Bounds bounds = {};       // the bounds that judged the value
  // All statistics of a limit with further ones (`also`); the limit's own is the first. Empty for other limits,
  // and if the samples could not be judged.
  std::vector<JudgedStatistic> statistics = {};
  // Index in `statistics` of the one with the missed bound, or with the nearest if all are met.
  std::size_t decided_by = 0;
  // The further statistic that decided; nullptr: the limit's own did.
  [[nodiscard]] const JudgedStatistic* further() const {
    return decided_by == 0 ? nullptr : &statistics.at(decided_by);
  }
};

// Judges samples against a limit. Pure. Bounds are inclusive: a value within 1e-12 (relative) of a bound
// equals the bound, because doubles round. `facts` resolves relative bounds; a fact that is not positive is
// an error. Samples that cannot be judged are an error even for an informative limit. A limit on a text
// cannot judge numbers.
[[nodiscard]] Judgement judge(const Limit& limit, const SampleSet& samples, const Facts& facts);

// True if the miss is slowness: a rate or ratio below at_least, or a time above at_most. False for a complete
// stop: a value of 0, or a median of 0 where the limit judges the minimum. Too little CPU explains no other
// miss.
[[nodiscard]] bool is_slowness(const Limit& limit, double value, std::span<const double> samples,
                               const Facts& facts);

// True if others' use of CPU time can explain a miss on an emulated rig: slowness; a rate above at_most,
// because delayed data arrives in a later interval; or a limit with `by_pause`, such as retransmissions after
// a late acknowledgement.
[[nodiscard]] bool is_disturbance(const Limit& limit, double value, std::span<const double> samples,
                                  const Facts& facts);

// Judges a text by the limit's rule: the value is 1 if met, else 0. A limit with bounds cannot judge a text.
[[nodiscard]] Judgement judge(const Limit& limit, std::string_view text);

}  // namespace rigproof::judge
