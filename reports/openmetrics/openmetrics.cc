#include "reports/openmetrics/openmetrics.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ostream>
#include <string>

#include "framework/record/utc.h"
#include "reports/openmetrics/family.h"
#include "reports/text/describe.h"
#include "reports/text/totals.h"

namespace rigproof {
namespace {

constexpr const char* kEpoch = "1970-01-01T00:00:00.000Z";
constexpr std::array kVerdicts{"QUALIFIED", "NOT QUALIFIED", "ERROR", "NOT PROVEN"};
constexpr std::array kStatuses{Status::kRecorded,  Status::kPassed, Status::kWaived,
                               Status::kNotProven, Status::kFailed, Status::kError};

void write_run(const JudgedRun& run, std::ostream& out) {
  const RunStarted& start = run.start;
  MetricFamily info("rigproof_run", "info", "", "The run.");
  info.add({{"id", start.id},
            {"rig", start.rig},
            {"kind", start.rig_kind},
            {"profile", start.asked.profile},
            {"version", start.version()},
            {"stand_in", start.stand_in}},
           1, "_info");
  info.write(out);
  MetricFamily verdict("rigproof_verdict", "stateset", "", "The run's verdict.");
  for (const char* each : kVerdicts) verdict.add({{"rigproof_verdict", each}}, run.verdict() == each ? 1 : 0);
  verdict.write(out);
  MetricFamily code("rigproof_exit_code", "gauge", "", "What rigproof exits with for this record.");
  code.add({{"rig", start.rig}}, run.exit_code());
  code.write(out);
  MetricFamily began("rigproof_started_timestamp_seconds", "gauge", "seconds", "When the run started.");
  began.add({{"rig", start.rig}}, seconds_between(kEpoch, run.started));
  began.write(out);
  MetricFamily took("rigproof_duration_seconds", "gauge", "seconds",
                    "How long the run took, as far as it has ended.");
  if (run.end) took.add({{"rig", start.rig}}, run.end->seconds);
  took.write(out);
}

int count_of(const Totals& totals, Status status) {
  switch (status) {
    case Status::kRecorded:
      return totals.recorded;
    case Status::kPassed:
      return totals.passed;
    case Status::kWaived:
      return totals.waived;
    case Status::kNotProven:
      return totals.not_proven;
    case Status::kFailed:
      return totals.failed;
    case Status::kError:
      return totals.errors;
  }
  return totals.errors;
}

void write_counts(const JudgedRun& run, std::ostream& out) {
  MetricFamily counts("rigproof_cases", "gauge", "", "Cases by suite and what they came to.");
  for (const JudgedSuite& suite : run.suites)
    for (const Status status : kStatuses)
      counts.add({{"suite", suite.name}, {"status", name(status)}}, count_of(totals_of(suite), status));
  counts.write(out);
  MetricFamily cases("rigproof_case_status", "gauge", "", "1 for the status that a case came to.");
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& test : suite.cases)
      cases.add({{"suite", suite.name}, {"case", test.plan.name}, {"status", name(test.status())}}, 1);
  cases.write(out);
}

// A family for each dimension: a name ends in its unit.
class MeasuredFamily {
 public:
  void add(const JudgedCase& test) {
    const Attempt* attempt = test.deciding();
    if (attempt == nullptr) return;
    for (const JudgedMeasurement& m : attempt->measurements) add(test, m);
  }
  void write(std::ostream& out) {
    for (MetricFamily& family : families_) family.write(out);
    margins_.write(out);
  }

 private:
  void add(const JudgedCase& test, const JudgedMeasurement& m) {
    if (m.samples.values.empty()) return;
    families_[static_cast<std::size_t>(m.samples.dimension)].add({{"suite", test.suite},
                                                                  {"case", test.plan.name},
                                                                  {"id", m.id},
                                                                  {"node", m.node},
                                                                  {"detail", m.detail},
                                                                  {"statistic", name(m.statistic)},
                                                                  {"verdict", name(m.judgement.verdict)}},
                                                                 measured_value(m).value_or(NAN));
    if (m.judgement.margin)
      margins_.add({{"suite", test.suite},
                    {"case", test.plan.name},
                    {"id", m.id},
                    {"node", m.node},
                    {"detail", m.detail},
                    {"verdict", name(m.judgement.verdict)}},
                   *m.judgement.margin);
  }

  std::array<MetricFamily, 5> families_{
      MetricFamily{"rigproof_measured_bits_per_second", "gauge", "bits_per_second", "MeasuredFamily data rates."},
      MetricFamily{"rigproof_measured_bytes", "gauge", "bytes", "MeasuredFamily data sizes."},
      MetricFamily{"rigproof_measured_seconds", "gauge", "seconds", "MeasuredFamily times."},
      MetricFamily{"rigproof_measured_count", "gauge", "", "MeasuredFamily counts."},
      MetricFamily{"rigproof_measured_ratio", "gauge", "ratio", "MeasuredFamily ratios."}};
  MetricFamily margins_{
      "rigproof_margin_ratio", "gauge", "ratio",
      "Distance to the nearest bound of the limit, as a share of it; negative when missed."};
};

}  // namespace

void write_metrics(const JudgedRun& run, std::ostream& out) {
  write_run(run, out);
  write_counts(run, out);
  MeasuredFamily measured;
  JudgedCase buffer;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& test : suite.cases) measured.add(whole(run, test, buffer));
  measured.write(out);
  out << "# EOF\n";
}

}  // namespace rigproof
