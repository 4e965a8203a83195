#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "framework/compare/comparison.h"
#include "framework/units/printable.h"

namespace rigproof::compare {
namespace {

using Key = std::tuple<std::string, std::string, std::string, std::string>;  // case, id, node, detail

bool has_value(const judge::JudgedMeasurement& measurement) {
  return measurement.judgement.verdict != judge::Verdict::kError && !measurement.samples.values.empty() &&
         std::isfinite(measurement.judgement.value) &&
         std::ranges::all_of(measurement.samples.values, [](double value) { return std::isfinite(value); });
}

// What one case of one run says of one measurement.
struct CaseValues {
  const judge::JudgedMeasurement* example;
  std::vector<double> values;  // one an attempt
  bool missed = false;
};

std::map<Key, CaseValues> values_of(const judge::JudgedCase& test) {
  std::map<Key, CaseValues> said;
  for (const judge::Attempt& attempt : test.attempts) {
    if (attempt.status == judge::Status::kError || attempt.replaced) continue;
    for (const judge::JudgedMeasurement& m : attempt.measurements) {
      if (!has_value(m)) continue;
      CaseValues& entry =
          said.try_emplace(Key(test.full_name(), m.id, m.node, m.detail), CaseValues{&m, {}}).first->second;
      entry.values.push_back(m.judgement.value);
      entry.missed = entry.missed || (m.judgement.verdict == judge::Verdict::kFail &&
                                      attempt.status != judge::Status::kWaived);
    }
  }
  return said;
}

class Gathering {
 public:
  void add(const RunToCompare& run, ComparedSide ComparedMeasurement::*side) {
    judge::JudgedCase buffer;
    for (const judge::JudgedSuite& suite : run.record.suites)
      for (const judge::JudgedCase& test : suite.cases)
        for (const auto& [key, said] : values_of(whole(run.record, test, buffer)))
          add(key, said, side, run.folder);
  }
  [[nodiscard]] std::vector<ComparedMeasurement> take() { return std::move(measurements_); }

 private:
  void add(const Key& key, const CaseValues& said, ComparedSide ComparedMeasurement::*side,
           const std::string& folder) {
    const auto [known, fresh] = index_.try_emplace(key, measurements_.size());
    if (fresh) measurements_.push_back(fresh_measurement(key, *said.example));
    ComparedMeasurement& m = measurements_[known->second];
    if (m.dimension != said.example->samples.dimension) {
      throw Incomparable(
          fmt::format("{} of {} is a {} in {} and a {} in the runs before it: other units cannot be compared",
                      in_quotes(m.id), in_quotes(m.test), name(said.example->samples.dimension),
                      printable(folder), name(m.dimension)));
    }
    (m.*side).values.push_back(evaluate(Statistic::kMedian, said.values));
    (m.*side).missed += said.missed ? 1 : 0;
  }

  [[nodiscard]] static ComparedMeasurement fresh_measurement(const Key& key,
                                                             const judge::JudgedMeasurement& example) {
    ComparedMeasurement m;
    std::tie(m.test, m.id, m.node, m.detail) = key;
    m.dimension = example.samples.dimension;
    m.unit = example.unit;
    m.limit = example.judgement.limit;
    m.at_most = example.judgement.bounds.at_most;
    return m;
  }

  std::map<Key, std::size_t> index_;
  std::vector<ComparedMeasurement> measurements_;
};

// How often a case ended in what way besides its measurements: by a failed assertion, a skip, an error.
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

class Cases {
 public:
  void add(const RunToCompare& run, CaseOutcomes std::pair<CaseOutcomes, CaseOutcomes>::*side) {
    judge::JudgedCase buffer;
    for (const judge::JudgedSuite& suite : run.record.suites)
      for (const judge::JudgedCase& test : suite.cases) {
        const auto [known, fresh] = index_.try_emplace(test.full_name(), outcomes_.size());
        if (fresh) outcomes_.push_back({test.full_name(), {}});
        count(outcomes_[known->second].second.*side, whole(run.record, test, buffer));
      }
  }

  void report(std::vector<ComparedMeasurement>& out) const {
    for (const auto& [test, both] : outcomes_) {
      const auto& [base, candidate] = both;
      ComparedMeasurement m;
      m.test = test;
      m.reason = outcome_text(base, candidate);
      if (base.runs == 0 || candidate.runs == 0)
        m.verdict = Change::kMissing;
      else if (candidate.failed > 0)
        m.verdict = base.failed == 0 ? Change::kRegressed : Change::kInconclusive;
      else if (candidate.unproven == 0)
        continue;
      out.push_back(m);
    }
  }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<std::pair<std::string, std::pair<CaseOutcomes, CaseOutcomes>>> outcomes_;
};

}  // namespace

std::vector<ComparedMeasurement> gather(const std::vector<RunToCompare>& base,
                                        const std::vector<RunToCompare>& candidate) {
  Gathering gathering;
  Cases cases;
  for (const RunToCompare& run : base) {
    gathering.add(run, &ComparedMeasurement::base);
    cases.add(run, &std::pair<CaseOutcomes, CaseOutcomes>::first);
  }
  for (const RunToCompare& run : candidate) {
    gathering.add(run, &ComparedMeasurement::candidate);
    cases.add(run, &std::pair<CaseOutcomes, CaseOutcomes>::second);
  }
  std::vector<ComparedMeasurement> all = gathering.take();
  cases.report(all);
  return all;
}

}  // namespace rigproof::compare
