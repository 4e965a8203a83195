#include "reports/terminal/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/metrics.h"

namespace rigproof::terminal {
namespace {

bool is_void(const judge::Attempt& attempt) { return judge::is_void(attempt.failures); }

// True if an attempt before the latest has been counted, and counts no more.
bool is_counted_already(const judge::JudgedCase& test) {
  return std::any_of(test.attempts.begin(), test.attempts.end() - 1, [](const judge::Attempt& attempt) {
    return (attempt.replaced || attempt.lost) && !is_void(attempt);
  });
}

// The metric's title, with the test's own name if several tests of the suite are about that metric.
std::string title_of(const text::Metrics& metrics, const judge::JudgedSuite& suite,
                     const record::PlannedTest& test) {
  const std::string title = metrics.title_of(named_figure(test)), name = text::one_line(test.name);
  const auto alike = [&](const record::PlannedTest& other) {
    return named_figure(other) == named_figure(test);
  };
  if (title.empty()) return name;
  return std::ranges::count_if(suite.tests, alike) < 2
             ? title
             : fmt::format("{} ({})", title, name.substr(name.find('.') + 1));
}

// "0.9928 Gbit/s (>= 0.95 Gbit/s and <= 1.05 Gbit/s, +4.5 %)"
std::string figure_text(const judge::JudgedMeasurement& measurement) {
  const std::string limit = text::short_limit(measurement), margin = text::margin_text(measurement);
  if (limit.empty()) return text::value_text(measurement);
  return fmt::format("{} ({}{}{})", text::value_text(measurement), limit, margin.empty() ? "" : ", ", margin);
}

bool is_good(judge::Status status) {
  return status == judge::Status::kPassed || status == judge::Status::kRecorded;
}

}  // namespace

std::string_view named_figure(const record::PlannedTest& test) {
  if (!test.owes.empty()) return test.owes.front();
  return test.may.empty() ? std::string_view() : test.may.front();
}

Expectations::Expectations(Titles declared, Planned planned)
    : declared_(std::move(declared)), planned_(std::move(planned)) {}

void Expectations::note(Progress& progress, const judge::JudgedMeasurement& measurement) const {
  const std::optional<double> margin = measurement.judgement.margin;
  const std::string figure = figure_text(measurement);
  if (!margin && !progress.margin) {
    progress.differs = progress.differs || (!progress.figure.empty() && progress.figure != figure);
    progress.figure = figure;
  } else if (margin.value_or(INFINITY) < progress.margin.value_or(INFINITY)) {
    progress.margin = margin;
    progress.figure = figure;
  }
}

std::string Expectations::add(const judge::JudgedSuite& suite, const record::PlannedTest& test,
                              const judge::JudgedCase& ended, Colour colour) {
  const judge::Attempt& latest = ended.attempts.back();
  const std::string_view named = named_figure(test);
  if (is_counted_already(ended) || is_void(latest)) return case_line(ended, colour, named);
  Progress& progress = progress_[suite.name][test.name];
  if (progress.ended == 0) progress.title = title_of(text::Metrics(declared_), suite, test);
  ++progress.ended;
  progress.passed += latest.status == judge::Status::kPassed ? 1 : 0;
  progress.recorded += latest.status == judge::Status::kRecorded ? 1 : 0;
  progress.worst = std::max(progress.worst, latest.status);
  if (const judge::JudgedMeasurement* figure = text::decisive(latest, named)) note(progress, *figure);
  const std::size_t planned = planned_[suite.name][test.name];
  const bool says_more = planned > 1 || is_good(latest.status);  // than the line of the case
  const std::string all =
      progress.ended == planned && says_more ? line(suite.name, progress, planned, colour) : "";
  if (is_good(latest.status) && std::ranges::none_of(ended.attempts, is_void)) return all;
  const std::string own = case_line(ended, colour, named);
  return all.empty() ? own : own + '\n' + all;
}

std::vector<std::string> Expectations::unfinished(Colour colour) {
  std::vector<std::string> lines;
  for (const auto& [suite, tests] : std::exchange(progress_, {}))
    for (const auto& [name, progress] : tests)
      if (const std::size_t planned = planned_[suite][name]; progress.ended < planned)
        lines.push_back(line(suite, progress, planned, colour));
  return lines;
}

std::string Expectations::line(const std::string& suite, const Progress& progress, std::size_t planned,
                               Colour colour) const {
  const bool informs = progress.worst == judge::Status::kRecorded;
  const std::size_t other = progress.ended - progress.passed - progress.recorded;
  std::string text = fmt::format("{}  {:<10}  {:<42}  ", status_word(progress.worst, colour),
                                 text::one_line(suite), progress.title);
  text += informs ? fmt::format("{} of {}", progress.recorded, planned)
                  : fmt::format("{} of {}", progress.passed, planned - progress.recorded);
  if (other > 0) text += fmt::format(", {} did not pass", other);
  if (progress.figure.empty() || progress.differs) return text;
  const bool one = planned == 1 || !progress.margin;
  return text + (one ? "  " : "  worst ") + progress.figure;
}

}  // namespace rigproof::terminal
