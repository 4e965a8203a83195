#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <string>
#include <utility>

#include "framework/record/run_identity.h"
#include "framework/units/quantity.h"
#include "reports/figures/figures.h"
#include "reports/openmetrics/openmetrics.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::openmetrics {
namespace {

std::string label(std::string_view name, std::string_view value) {
  std::string text = fmt::format("{}=\"", name);
  for (const char character : text::shortened(text::one_line(value), 200)) {
    if (character == '\\' || character == '"') text += '\\';
    text += character;
  }
  return text + '"';
}

// A family of gauges for one rig and profile; its header is written with the first sample.
class Gauges {
 public:
  Gauges(std::ostream& out, const record::RunStarted& start, std::string name, std::string_view help)
      : out_(out),
        labels_(label("rig", start.rig) + "," + label("profile", start.asked.profile)),
        name_(std::move(name)),
        help_(help) {}

  void add(double value, const std::string& more = {}) {
    if (!std::isfinite(value)) return;
    if (!begun_) out_ << fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n", name_, help_);
    begun_ = true;
    out_ << fmt::format("{}{{{}{}{}}} {}\n", name_, labels_, more.empty() ? "" : ",", more, value);
  }

 private:
  std::ostream& out_;
  std::string labels_, name_;
  std::string_view help_;
  bool begun_ = false;
};

void write_run_gauges(const judge::JudgedRun& run, std::ostream& out) {
  const record::RunStarted& start = run.start;
  Gauges(out, start, "rigproof_run", "1, with the run's id")
      .add(1, label("run", start.id) + "," + label("kind", start.rig_kind) + "," +
                  label("stand_in", start.stand_in));
  Gauges(out, start, "rigproof_run_started_timestamp_seconds", "Start of the run, in Unix time")
      .add(record::seconds_between("1970-01-01T00:00:00.000Z", run.started));
  Gauges(out, start, "rigproof_run_ended", "1 when the run has ended").add(run.end ? 1 : 0);
  Gauges(out, start, "rigproof_run_exit_code",
         "0 qualified (rigproof_run_part 1: a part of it), 1 a limit missed, 2 error, 3 not proven, "
         "77 the rig was absent; 2 while it runs")
      .add(run.exit_code());
  Gauges(out, start, "rigproof_run_verdict", "1, with the verdict; ERROR while it runs")
      .add(1, label("verdict", run.verdict()));
  Gauges(out, start, "rigproof_run_part",
         "1 when the run has ended and covered only a part of the rig, which qualifies no rig")
      .add(run.end && !run.parts().empty() ? 1 : 0);
}

void write_cases(const judge::JudgedRun& run, std::ostream& out) {
  const text::Totals totals = text::totals_of(run);
  Gauges cases(out, run.start, "rigproof_run_cases", "Cases by status");
  for (const auto& [status, count] :
       {std::pair(judge::Status::kPassed, totals.passed),
        std::pair(judge::Status::kRecorded, totals.recorded),
        std::pair(judge::Status::kWaived, totals.waived),
        std::pair(judge::Status::kNotProven, totals.not_proven),
        std::pair(judge::Status::kFailed, totals.failed), std::pair(judge::Status::kError, totals.errors)})
    cases.add(count, label("status", name(status)));
}

}  // namespace

void write_prometheus(const judge::JudgedRun& run, std::ostream& out) {
  write_run_gauges(run, out);
  write_cases(run, out);
  figures::Figures figures(run, nullptr);
  judge::JudgedCase buffer;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) figures.add(whole(run, test, buffer));
  const auto lines = figures.headlines();
  Gauges values(
      out, run.start, "rigproof_headline_value",
      "The worst figure of a headline expectation, in its base unit; a further statistic of its limit "
      "only when missed");
  for (const figures::Headline& line : lines) {
    const auto add = [&](double value, std::string_view statistic) {
      values.add(value, fmt::format("{},{},{}", label("id", line.id),
                                    label("unit", base_unit(line.dimension)), label("statistic", statistic)));
    };
    if (line.own.value) add(*line.own.value, name(line.own.statistic));
    if (line.misses_further()) add(*line.value, line.statistic);
  }
  Gauges margins(
      out, run.start, "rigproof_headline_margin_ratio",
      "Distance of the worst figure from its limit, as a share of the limit; negative when missed");
  for (const figures::Headline& line : lines)
    if (line.margin) margins.add(*line.margin, label("id", line.id));
  Gauges missed(
      out, run.start, "rigproof_headline_missed",
      "Number of figures of the expectation that are not within the limit, and of cases without the figure "
      "that they owe");
  for (const figures::Headline& line : lines)
    missed.add(static_cast<double>(line.missed + line.lacking.cases), label("id", line.id));
}

}  // namespace rigproof::openmetrics
