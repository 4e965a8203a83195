#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>

#include "framework/compare/comparison.h"
#include "framework/judge/declarations.h"
#include "framework/units/printable.h"

namespace rigproof::compare {
namespace {

// Identifies a measurement within one case: id, node, detail.
using Key = std::tuple<std::string_view, std::string_view, std::string_view>;

template <class Measurement>
Key key_of(const Measurement& m) {
  return {m.id, m.node, m.detail};
}

bool has_value(const judge::JudgedMeasurement& measurement) {
  return measurement.judgement.verdict != judge::Verdict::kError && !measurement.samples.values.empty() &&
         std::isfinite(measurement.judgement.value) &&
         std::ranges::all_of(measurement.samples.values, [](double value) { return std::isfinite(value); });
}

// False for figures that the plan calls optional, such as what NICs count under load.
bool is_owed(const judge::JudgedSuite& suite, const judge::JudgedCase& test, const std::string& id) {
  const record::PlannedTest* planned = suite.test_of(test.plan);
  const auto is_of = [&](const std::string& declared) { return judge::is_declared_by(declared, id); };
  return planned == nullptr || std::ranges::none_of(planned->may, is_of);
}

// The values of one measurement in one case of one run.
struct CaseValues {
  const judge::JudgedMeasurement* example;
  std::vector<double> values;  // one per attempt
  bool missed = false;
};

std::map<Key, CaseValues> values_of(const judge::JudgedCase& test) {
  std::map<Key, CaseValues> said;
  for (const judge::Attempt& attempt : test.attempts) {
    if (attempt.status == judge::Status::kError || attempt.replaced) continue;
    for (const judge::JudgedMeasurement& m : attempt.measurements) {
      if (!has_value(m)) continue;
      CaseValues& entry = said.try_emplace(key_of(m), CaseValues{&m, {}}).first->second;
      entry.values.push_back(m.judgement.value);
      entry.missed = entry.missed || (m.judgement.verdict == judge::Verdict::kFail &&
                                      attempt.status != judge::Status::kWaived);
    }
  }
  return said;
}

// Outcomes of a case apart from its measurements, in runs: failed assertions; skips and errors.
struct CaseOutcomes {
  std::size_t runs = 0, failed = 0, unproven = 0;
};

bool asserts(const judge::Attempt& attempt) {
  return attempt.status == judge::Status::kFailed &&
         std::ranges::any_of(attempt.failures,
                             [](const record::Failure& f) { return f.kind == record::Failure::Kind::kFail; });
}

void count(CaseOutcomes& outcomes, const judge::JudgedCase& test) {
  ++outcomes.runs;
  const judge::Attempt* deciding = test.deciding();
  if (deciding != nullptr && asserts(*deciding)) ++outcomes.failed;
  if (const judge::Status status = test.status();
      status == judge::Status::kError || status == judge::Status::kNotProven)
    ++outcomes.unproven;
}

std::string outcome_text(const CaseOutcomes& base, const CaseOutcomes& candidate) {
  const auto side = [](const CaseOutcomes& e) {
    return fmt::format("{} failed, {} not proven or in error", e.failed, e.unproven);
  };
  return fmt::format("of {} base runs {}; of {} candidate runs {}", base.runs, side(base), candidate.runs,
                     side(candidate));
}

// All runs of both sides. Keeps only the compared values, because each case is read from its journal once.
class Gathering {
 public:
  void add(const RunToCompare& run, bool is_base) {
    judge::JudgedCase buffer;
    for (const judge::JudgedSuite& suite : run.record.suites)
      for (const judge::JudgedCase& listed : suite.cases) {
        const judge::JudgedCase& test = whole(run.record, listed, buffer);
        const auto [known, fresh] = index_.try_emplace(test.full_name(), cases_.size());
        if (fresh) cases_.push_back({&known->first});
        Case& all = cases_[known->second];
        count(is_base ? all.base : all.candidate, test);
        for (const auto& [key, said] : values_of(test)) {
          ComparedMeasurement& m = measurement(all, key, *said.example);
          m.optional = m.optional || !is_owed(suite, test, m.id);
          require_same_dimension(m, *said.example, run.folder);
          ComparedSide& side = is_base ? m.base : m.candidate;
          side.values.push_back(evaluate(Statistic::kMedian, said.values));
          side.missed += said.missed ? 1 : 0;
        }
      }
  }

  [[nodiscard]] std::vector<ComparedMeasurement> take() && {
    for (const Case& all : cases_) report(all);
    return std::move(measurements_);
  }

 private:
  struct Case {
    const std::string* test;  // its full name, in index_
    CaseOutcomes base = {}, candidate = {};
    std::vector<std::uint32_t> measurements = {};  // indices in measurements_, sorted by key
  };

  ComparedMeasurement& measurement(Case& all, const Key& key, const judge::JudgedMeasurement& example) {
    const auto place = std::ranges::lower_bound(
        all.measurements, key, {}, [&](std::uint32_t index) { return key_of(measurements_[index]); });
    if (place != all.measurements.end() && key_of(measurements_[*place]) == key) return measurements_[*place];
    all.measurements.insert(place, static_cast<std::uint32_t>(measurements_.size()));
    ComparedMeasurement& fresh = measurements_.emplace_back();
    fresh.test = *all.test;
    fresh.id = example.id;
    fresh.node = example.node;
    fresh.detail = example.detail;
    fresh.dimension = example.samples.dimension;
    fresh.unit = example.unit;
    fresh.limit = example.judgement.limit;
    fresh.at_most = example.judgement.bounds.at_most;
    return fresh;
  }

  static void require_same_dimension(const ComparedMeasurement& m, const judge::JudgedMeasurement& example,
                                     const std::string& folder) {
    if (m.dimension == example.samples.dimension) return;
    throw Incomparable(
        fmt::format("{} of {} is a {} in {} and a {} in the runs before it: other units cannot be compared",
                    in_quotes(m.id), in_quotes(m.test), name(example.samples.dimension), printable(folder),
                    name(m.dimension)));
  }

  // Adds an entry if candidate runs fail an assertion or are not proven, or if a side lacks the case.
  void report(const Case& all) {
    ComparedMeasurement m;
    if (all.base.runs == 0 || all.candidate.runs == 0)
      m.verdict = Change::kMissing;
    else if (all.candidate.failed > 0)
      m.verdict = all.base.failed == 0 ? Change::kRegressed : Change::kInconclusive;
    else if (all.candidate.unproven == 0)
      return;
    m.test = *all.test;
    m.reason = outcome_text(all.base, all.candidate);
    measurements_.push_back(std::move(m));
  }

  std::map<std::string, std::size_t> index_;  // full name -> index in cases_
  std::vector<Case> cases_;
  std::vector<ComparedMeasurement> measurements_;
};

}  // namespace

std::vector<ComparedMeasurement> gather(const std::vector<RunToCompare>& base,
                                        const std::vector<RunToCompare>& candidate) {
  Gathering gathering;
  for (const RunToCompare& run : base) gathering.add(run, true);
  for (const RunToCompare& run : candidate) gathering.add(run, false);
  return std::move(gathering).take();
}

}  // namespace rigproof::compare
