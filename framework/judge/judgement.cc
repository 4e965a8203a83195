#include "framework/judge/judgement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "framework/units/printable.h"

namespace rigproof::judge {
namespace {

// Reason why samples cannot be judged; becomes the reason of an error.
struct CannotJudge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool equal(double a, double b) {
  return a == b || (std::isfinite(a) && std::isfinite(b) &&
                    std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)));
}
bool below(double a, double b) { return a < b && !equal(a, b); }

std::string known_facts(const Facts& facts) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : facts) names.push_back(name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

double resolve(const RelativeBound& part, Dimension dimension, const Facts& facts) {
  const auto fact = facts.find(part.fact);
  if (fact == facts.end()) {
    throw CannotJudge(fmt::format("this case has no fact '{}' (it has: {})", part.fact, known_facts(facts)));
  }
  const auto [fact_dimension, value] = fact->second;
  if (fact_dimension != dimension) {
    throw CannotJudge(fmt::format("wrong dimension: the fact '{}' is a {}, expected a {}", part.fact,
                                  name(fact_dimension), name(dimension)));
  }
  if (!std::isfinite(value) || value <= 0) {
    throw CannotJudge(fmt::format("cannot take a percentage of '{}': it is {}", part.fact, value));
  }
  const double bound = part.factor * value;
  if (!std::isfinite(bound))
    throw CannotJudge(fmt::format("the bound is out of range: {} times '{}'", part.factor, part.fact));
  return bound;
}

// Negative samples of these are errors: after a reset or a clock step they would meet any at_most.
bool is_never_negative(Dimension dimension) {
  return dimension == Dimension::kDataRate || dimension == Dimension::kDataSize ||
         dimension == Dimension::kTime || dimension == Dimension::kRatio;
}

double value_of(const Bound& bound, Dimension dimension, const Facts& facts) {
  if (const auto* quantity = std::get_if<Quantity>(&bound.value)) return quantity->value;
  return resolve(std::get<RelativeBound>(bound.value), dimension, facts);
}

Verdict verdict_on_a_miss(const Limit& limit) {
  return limit.is_advice() ? Verdict::kAdvice : Verdict::kFail;
}

// One side of a limit, with the rig's facts filled in.
struct Side {
  std::string_view sign;
  double bound;
  std::string text;      // ">= 0.95 Gbit/s (95 % of half.rate)"
  Statistic statistic;   // compared with the bound
  std::size_t also = 0;  // 0: the limit's own statistic; 1: of its first table `also`
  double value = 0;      // the statistic's value

  [[nodiscard]] bool missed() const {
    if (sign == ">=") return below(value, bound);
    if (sign == "<=") return below(bound, value);
    return !equal(value, bound);
  }

  [[nodiscard]] std::optional<double> margin() const {
    if (sign == "=" || bound == 0) return std::nullopt;
    if (equal(value, bound)) return 0;
    return (sign == ">=" ? value - bound : bound - value) / bound;
  }

  void add_to(JudgedStatistic& judged) const {
    if (sign == ">=") judged.bounds.at_least = bound;
    if (sign == "<=") judged.bounds.at_most = bound;
    judged.is_missed = judged.is_missed || missed();
  }

  // Missed bounds go first, then the smaller margin.
  [[nodiscard]] bool decides_before(const Side& other) const {
    if (missed() != other.missed()) return missed();
    return margin().value_or(missed() ? -INFINITY : INFINITY) <
           other.margin().value_or(missed() ? -INFINITY : INFINITY);
  }
};

class Judge {
 public:
  Judge(const Limit& limit, const SampleSet& samples, const Facts& facts)
      : limit_(limit), samples_(samples), facts_(facts) {}

  // Throws CannotJudge; fills in all that is known before.
  void run(Judgement& judgement) const {
    std::vector<Side> sides = resolved_sides();
    for (const Side& side : sides)
      judgement.limit +=
          fmt::format("{}{}{}", judgement.limit.empty() ? "" : " and ",
                      side.also > 0 ? fmt::format("{} ", name(side.statistic)) : "", side.text);
    require_samples();
    judgement.value = value_of_all(limit_.statistic);
    if (!limit_.also.empty()) judgement.statistics.push_back({limit_.statistic, judgement.value});
    for (const FurtherBounds& more : limit_.also)
      judgement.statistics.push_back({more.statistic, value_of_all(more.statistic)});
    for (Side& side : sides) {
      side.value = side.also > 0 ? judgement.statistics[side.also].value : judgement.value;
      const auto margin = side.margin();
      if (margin && (!judgement.margin || *margin < *judgement.margin)) judgement.margin = margin;
      if (!limit_.also.empty()) side.add_to(judgement.statistics[side.also]);
    }
    decide(sides, judgement);
  }

 private:
  void require_samples() const {
    if (samples_.values.empty()) throw CannotJudge("no samples");
    if (samples_.dimension != limit_.dimension) {
      throw CannotJudge(fmt::format("wrong dimension: expected a {}, got a {}", name(limit_.dimension),
                                    name(samples_.dimension)));
    }
    const auto bad =
        std::ranges::find_if_not(samples_.values, [](double value) { return std::isfinite(value); });
    if (bad != samples_.values.end()) {
      throw CannotJudge(fmt::format("sample {} of {} is {}", bad - samples_.values.begin() + 1,
                                    samples_.values.size(), *bad));
    }
    if (const auto less = std::ranges::find_if(samples_.values, [](double value) { return value < 0; });
        is_never_negative(limit_.dimension) && less != samples_.values.end())
      throw CannotJudge(fmt::format("sample {} of {} is {}: a {} is never negative",
                                    less - samples_.values.begin() + 1, samples_.values.size(), *less,
                                    name(limit_.dimension)));
  }

  [[nodiscard]] double value_of_all(Statistic statistic) const {
    const double value = evaluate(statistic, samples_.values);
    if (!std::isfinite(value))
      throw CannotJudge(fmt::format("the {} of the samples is out of range", name(statistic)));
    return value;
  }

  [[nodiscard]] std::string text(double value) const {
    return to_text({limit_.dimension, value}, limit_.unit);
  }

  [[nodiscard]] double resolved(const Bound& bound) const {
    return value_of(bound, limit_.dimension, facts_);
  }

  [[nodiscard]] Side side(std::string_view sign, const Bound& bound, Statistic statistic,
                          std::size_t also = 0) const {
    const double value = resolved(bound);
    const bool relative = std::holds_alternative<RelativeBound>(bound.value);
    return {sign, value,
            fmt::format("{} {}{}", sign, text(value), relative ? fmt::format(" ({})", bound.text) : ""),
            statistic, also};
  }
  // Adds one side per bound that is set. Throws CannotJudge if the two contradict each other.
  void add_sides(std::vector<Side>& sides, const std::optional<Bound>& at_least,
                 const std::optional<Bound>& at_most, Statistic statistic, std::size_t also = 0) const {
    if (at_least) sides.push_back(side(">=", *at_least, statistic, also));
    if (at_most) sides.push_back(side("<=", *at_most, statistic, also));
    if (!at_least || !at_most) return;
    const Side &least = sides.end()[-2], &most = sides.end()[-1];
    if (below(most.bound, least.bound))
      throw CannotJudge(fmt::format("contradictory limit on this rig: {} and {}", least.text, most.text));
  }

  [[nodiscard]] std::vector<Side> resolved_sides() const {
    std::vector<Side> sides;
    add_sides(sides, limit_.at_least, limit_.at_most, limit_.statistic);
    if (limit_.equals) sides.push_back(side("=", *limit_.equals, limit_.statistic));
    for (std::size_t i = 0; i < limit_.also.size(); ++i) {
      const FurtherBounds& more = limit_.also[i];
      add_sides(sides, more.at_least, more.at_most, more.statistic, i + 1);
    }
    return sides;
  }

  void decide(const std::vector<Side>& sides, Judgement& judgement) const {
    const auto first = std::ranges::min_element(sides, &Side::decides_before);
    if (first != sides.end()) judgement.decided_by = first->also;
    if (limit_.enforce == Enforce::kInformative) {
      judgement.verdict = Verdict::kRecorded;
    } else if (first == sides.end() || !first->missed()) {
      judgement.verdict = marginal(judgement.value) ? Verdict::kMarginal : Verdict::kPass;
    } else {
      judgement.verdict = verdict_on_a_miss(limit_);
      judgement.reason = reason(*first);
    }
  }

  [[nodiscard]] bool marginal(double value) const {
    if (!limit_.marginal) return false;
    const double band = resolved(*limit_.marginal);
    return limit_.at_least ? below(value, band) : below(band, value);
  }

  [[nodiscard]] std::string reason(const Side& side) const {
    const auto margin = side.margin();
    if (!margin)
      return fmt::format("expected {}, got {} ({})", side.text, text(side.value), name(side.statistic));
    const std::string miss =
        fmt::format("{} {} misses {}", name(side.statistic), text(side.value), side.text);
    const double percent = -*margin * 100;
    return percent < 0.1 ? fmt::format("{} by {:.1g} %", miss, percent)
                         : fmt::format("{} by {:.1f} %", miss, percent);
  }

  const Limit& limit_;
  const SampleSet& samples_;
  const Facts& facts_;
};

}  // namespace

std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 6> kNames = {"pass", "marginal", "advice",
                                                      "fail", "error",    "recorded"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

Bounds bounds_of(const Limit& limit, const Facts& facts) {
  const auto number = [&](const std::optional<Bound>& bound) -> std::optional<double> {
    if (!bound) return {};
    if (const auto* quantity = std::get_if<Quantity>(&bound->value)) return quantity->value;
    const auto& part = std::get<RelativeBound>(bound->value);
    const auto fact = facts.find(part.fact);
    if (fact == facts.end() || fact->second.dimension != limit.dimension) return {};
    return part.factor * fact->second.value;
  };
  return {number(limit.at_least), number(limit.at_most), number(limit.equals), number(limit.marginal)};
}

bool is_slowness(const Limit& limit, double value, std::span<const double> samples, const Facts& facts) {
  const bool of_the_least = limit.statistic == Statistic::kMin && samples.size() > 1;
  if ((of_the_least ? evaluate(Statistic::kMedian, samples) : value) <= 0) return false;
  const auto is_slow = [&](double seen, const std::optional<Bound>& least, const std::optional<Bound>& most) {
    switch (limit.dimension) {
      case Dimension::kDataRate:
      case Dimension::kRatio:
        return least && below(seen, value_of(*least, limit.dimension, facts));
      case Dimension::kTime:
        return most && below(value_of(*most, limit.dimension, facts), seen);
      default:
        return false;
    }
  };
  const auto is_slow_by = [&](const FurtherBounds& more) {
    return !samples.empty() && is_slow(evaluate(more.statistic, samples), more.at_least, more.at_most);
  };
  return is_slow(value, limit.at_least, limit.at_most) || std::ranges::any_of(limit.also, is_slow_by);
}

bool is_disturbance(const Limit& limit, double value, std::span<const double> samples, const Facts& facts) {
  const bool is_too_fast = limit.dimension == Dimension::kDataRate && limit.at_most &&
                           below(value_of(*limit.at_most, limit.dimension, facts), value);
  return limit.by_pause || is_too_fast || is_slowness(limit, value, samples, facts);
}

Judgement judge(const Limit& limit, const SampleSet& samples, const Facts& facts) {
  Judgement judgement{.verdict = Verdict::kError, .bounds = bounds_of(limit, facts)};
  if (limit.rule) {
    judgement.limit = to_text(*limit.rule);
    judgement.reason = fmt::format("wrong dimension: expected a text, got a {}", name(samples.dimension));
    return judgement;
  }
  try {
    Judge(limit, samples, facts).run(judgement);
  } catch (const CannotJudge& error) {
    judgement.statistics.clear();
    judgement.reason = error.what();
  }
  return judgement;
}

Judgement judge(const Limit& limit, std::string_view text) {
  Judgement judgement{.verdict = Verdict::kError};
  if (!limit.rule) {
    judgement.reason = fmt::format("wrong dimension: got the text {}, expected a {}", in_quotes(text),
                                   name(limit.dimension));
    return judgement;
  }
  const bool met = meets(*limit.rule, text);
  judgement.value = met ? 1 : 0;
  judgement.limit = to_text(*limit.rule);
  if (limit.enforce == Enforce::kInformative)
    judgement.verdict = Verdict::kRecorded;
  else
    judgement.verdict = met ? Verdict::kPass : verdict_on_a_miss(limit);
  if (!met && judgement.verdict != Verdict::kRecorded)
    judgement.reason = fmt::format("expected {}, got {}", judgement.limit, in_quotes(text));
  return judgement;
}

}  // namespace rigproof::judge
