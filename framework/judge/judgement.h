#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "framework/limits/limit.h"

namespace rigproof::judge {

enum class Verdict {
  kPass,
  kMarginal,  // inside the limit, but inside its marginal band too
  kAdvice,    // a limit that is advice is missed, or could not be proven: shown with its remedy, never red
  kFail,      // the limit is missed
  kError,     // cannot be judged: no samples, not finite, wrong dimension, no limit, an unknown fact
  kRecorded,  // an informative measurement: shown, never decides
};

[[nodiscard]] std::string_view name(Verdict verdict);  // "pass"

// A limit's bounds as numbers, in base units, the rig's facts filled in.
struct Bounds {
  std::optional<double> at_least = {}, at_most = {}, equals = {}, marginal = {};
};
// Those that can be resolved with these facts.
[[nodiscard]] Bounds bounds_of(const Limit& limit, const Facts& facts);

struct Judgement {
  Verdict verdict;
  double value = 0;  // the limit's own statistic of the samples, base units; 0 for an error without one
  std::optional<double> margin =
      {};  // relative distance to the nearest bound of any statistic, negative when missed; absent
           // for an equals-only or zero bound
  std::string limit = {};   // ">= 170 Gbit/s", ">= 0.95 Gbit/s (95 % of half.rate)", "" without a limit
  std::string reason = {};  // one line for a person when the verdict is fail, advice or error
  Bounds bounds = {};       // that its value was held against
};

// Judges samples against a limit. Pure. Bounds are inclusive, and a value that differs from a bound by no
// more than 1e-12 of it (the noise of computing in doubles) is equal to it. `facts` resolves relative bounds;
// a fact that is not positive cannot. What cannot be judged is an error even when the limit is informative.
// A limit on a text can't judge numbers.
[[nodiscard]] Judgement judge(const Limit& limit, const SampleSet& samples, const Facts& facts);

// Whether a missed limit says "too slow": a rate or a ratio below what it must at least be, a time above what it
// may at most be, but not nothing at all: a value of 0, or, where the least of the samples is judged (a worst interval),
// samples whose median is 0. Too little CPU explains no other miss.
[[nodiscard]] bool is_slowness(const Limit& limit, double value, std::span<const double> samples,
                               const Facts& facts);

// Whether others who take CPU time from an emulated rig may explain a missed limit: too slow; a rate above what it may
// at most be, because what had to wait arrives in a later interval; or a count of what a pause brings about, which the
// limit says (`by_pause`): an acknowledgement that comes late is waited for in vain, and its message is sent again.
[[nodiscard]] bool is_disturbance(const Limit& limit, double value, std::span<const double> samples,
                                  const Facts& facts);

// Judges a text against the limit's rule: the value is 1 when it is met, else 0. A limit with bounds can't.
[[nodiscard]] Judgement judge(const Limit& limit, std::string_view text);

}  // namespace rigproof::judge
