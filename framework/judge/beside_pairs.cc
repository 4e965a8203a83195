#include "framework/judge/beside_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace rigproof::judge {
namespace {

// Busy share of the host's CPUs from which they limit the pairs of an emulated rig.
constexpr double kAllCpusBusy = 0.9;

bool is_rate(const JudgedMeasurement& m) { return m.samples.dimension == Dimension::kDataRate; }

// Returns only rates if a rate missed its limit: missed shares and stall times follow from the rate.
std::vector<const JudgedMeasurement*> slow_ones(const Attempt& beside) {
  std::vector<const JudgedMeasurement*> slow;
  for (const JudgedMeasurement& m : beside.measurements)
    if (m.judgement.verdict == Verdict::kFail) slow.push_back(&m);
  if (std::ranges::any_of(slow, [](const auto* m) { return is_rate(*m); }))
    std::erase_if(slow, [](const auto* m) { return !is_rate(*m); });
  return slow;
}

// Compares means: a median hides a rate that is slow for less than half of the time. nullopt: no valid ratio.
std::optional<double> part_of_alone(const JudgedMeasurement& beside, const JudgedMeasurement& alone) {
  if (beside.samples.values.empty() || alone.samples.values.empty()) return {};
  double there = evaluate(Statistic::kMean, beside.samples.values);
  double here = evaluate(Statistic::kMean, alone.samples.values);
  if (beside.samples.dimension == Dimension::kTime) std::swap(there, here);
  if (!(here > 0) || !(there >= 0)) return {};
  return there / here;
}

std::string mean_of(const JudgedMeasurement& m) {
  return to_text({m.samples.dimension, evaluate(Statistic::kMean, m.samples.values)}, m.unit);
}

bool is_short_of_cpus(const Attempt& attempt) {
  return std::ranges::any_of(attempt.measurements, [](const JudgedMeasurement& m) {
    return m.id.ends_with(".cpu_busy") && !m.samples.values.empty() &&
           std::ranges::max(m.samples.values) >= kAllCpusBusy;
  });
}

class Findings {
 public:
  Findings(Attempt& alone, const JudgedCase& test, const JudgeContext& context)
      : alone_(alone), subject_(context.subjects.find(test.plan.place)), context_(context) {
    for (std::size_t i = 0; i < alone.measurements.size(); ++i)
      index_.try_emplace(key_of(alone.measurements[i]), i);
  }

  void add(const Attempt& beside) {
    const bool excused = context_.emulated && is_short_of_cpus(beside);
    for (const JudgedMeasurement* slow : slow_ones(beside)) {
      const auto known = index_.find(key_of(*slow));
      if (known == index_.end()) continue;
      const JudgedMeasurement& same = alone_.measurements[known->second];
      if (const auto part = part_of_alone(*slow, same))
        found_.push_back(finding(*slow, same, *part, beside.beside, excused));
    }
  }
  void close() {
    for (JudgedMeasurement& finding : found_)
      if (index_.try_emplace(key_of(finding), alone_.measurements.size()).second)
        alone_.measurements.push_back(std::move(finding));
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  static Key key_of(const JudgedMeasurement& m) { return {m.id, m.node, m.detail}; }

  [[nodiscard]] JudgedMeasurement finding(const JudgedMeasurement& slow, const JudgedMeasurement& same,
                                          double part, const std::string& pairs, bool excused) const {
    JudgedMeasurement finding =
        judge_measurement({.id = std::string(kBesidePairs),
                           .node = slow.node,
                           .detail = slow.detail.empty() ? slow.id : slow.id + " " + slow.detail,
                           .samples = {Dimension::kRatio, {part}},
                           .role = record::Measured::Role::kFound},
                          context_, subject_);
    Judgement& judgement = finding.judgement;
    const bool has_limit = context_.limits->find(kBesidePairs) != nullptr;
    if (!has_limit || (excused && judgement.verdict == Verdict::kFail)) judgement.verdict = Verdict::kAdvice;
    judgement.reason +=
        fmt::format("{}{} was {} beside {} and is {} alone{}", judgement.reason.empty() ? "" : "; ", slow.id,
                    mean_of(slow), pairs, mean_of(same),
                    excused ? "; the CPUs of the machine under the emulated rig were all busy" : "");
    return finding;
  }

  Attempt& alone_;
  const Subject* subject_;
  const JudgeContext& context_;
  std::map<Key, std::size_t> index_;  // index into alone_.measurements
  std::vector<JudgedMeasurement> found_;
};

}  // namespace

std::vector<Attempt> attempts_beside(const JudgedCase& test, int iteration) {
  std::vector<Attempt> beside;
  for (const Attempt& attempt : test.attempts)
    if (!attempt.beside.empty() && attempt.iteration == iteration) beside.push_back(attempt);
  return beside;
}

void add_findings_beside(Attempt& alone, const std::vector<Attempt>& beside, const JudgedCase& test,
                         const JudgeContext& context) {
  Findings findings(alone, test, context);
  for (const Attempt& attempt : beside) findings.add(attempt);
  findings.close();
  set_status(alone, test.full_name(), context);
}

}  // namespace rigproof::judge
