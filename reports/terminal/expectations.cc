#include "reports/terminal/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "framework/judge/declarations.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/metrics.h"

namespace rigproof::terminal {
namespace {

bool is_void(const judge::Attempt& attempt) { return judge::is_void(attempt.failures); }

std::size_t hash_of(const judge::JudgedCase& test) {
  return std::hash<std::string>()(fmt::format("{}#{}", test.full_name(), test.attempts.back().iteration));
}

// The metric's title, with the test's own name if another test of the suite is about that metric. Without a metric the
// test's name.
std::string title_of(const text::Metrics& metrics, const judge::JudgedSuite& suite,
                     const record::PlannedTest& test, std::string_view id) {
  const std::string title = metrics.title_of(id), name = text::one_line(test.name);
  const auto is_another = [&](const record::PlannedTest& other) {
    return other != test && named_figure(other) == id;
  };
  if (title.empty()) return name;
  return std::ranges::none_of(suite.tests, is_another)
             ? title
             : fmt::format("{} ({})", title, name.substr(name.find('.') + 1));
}

// "0.9928 Gbit/s (>= 0.95 Gbit/s and <= 1.05 Gbit/s, +4.5 %)", "mean 0.671 Gbit/s (>= 0.85 Gbit/s, -21 %)"; begins with the id
// unless it is `named`.
std::string figure_text(const judge::JudgedMeasurement& measurement, std::string_view named) {
  const std::string limit = text::short_limit(measurement), margin = text::margin_text(measurement);
  const std::string id = judge::is_declared_by(named, measurement.id) ? "" : measurement.id + ": ";
  if (limit.empty()) return id + text::value_text(measurement);
  const std::string further = text::further_text(measurement);
  return fmt::format("{}{} ({}{}{})", id, further.empty() ? text::value_text(measurement) : further, limit,
                     margin.empty() ? "" : ", ", margin);
}

bool is_good(judge::Status status) {
  return status == judge::Status::kPassed || status == judge::Status::kRecorded;
}

// The worst miss of an attempt that is not good, else the named figure. nullptr: there is none.
const judge::JudgedMeasurement* figure_of(const judge::Attempt& attempt, std::string_view named) {
  if (is_good(attempt.status)) return text::decisive(attempt, named);
  const auto missed = text::misses(attempt);
  return missed.empty() ? nullptr : missed.front();
}

}  // namespace

std::string_view named_figure(const record::PlannedTest& test) {
  if (!test.owes.empty()) return test.owes.front();
  return test.may.empty() ? std::string_view() : test.may.front();
}

Expectations::Expectations(Titles declared, Planned planned)
    : declared_(std::move(declared)), planned_(std::move(planned)) {}

void Expectations::note(Progress& progress, const judge::JudgedSuite& suite, const record::PlannedTest& test,
                        const judge::Attempt& latest) const {
  if (latest.status < progress.worst) return;
  const bool good = is_good(latest.status);
  const std::string_view named = named_figure(test);
  const judge::JudgedMeasurement* shown = figure_of(latest, named);
  const std::optional<double> margin = shown == nullptr ? std::nullopt : shown->judgement.margin;
  const std::string figure = shown == nullptr ? "" : figure_text(*shown, good ? named : "");
  if (latest.status > progress.worst) progress.figure.clear();
  progress.worst = latest.status;
  if (!progress.figure.empty() && margin.value_or(INFINITY) >= progress.margin.value_or(INFINITY)) {
    progress.differs = progress.differs || (!progress.margin && figure != progress.figure);
    return;
  }
  const std::string_view id = good ? named : shown == nullptr ? std::string_view() : shown->id;
  progress.title = title_of(text::Metrics(declared_), suite, test, id);
  progress.margin = margin;
  progress.figure = figure;
  progress.differs = false;
}

std::string Expectations::add(const judge::JudgedSuite& suite, const record::PlannedTest& test,
                              const judge::JudgedCase& ended, Colour colour) {
  const judge::Attempt& latest = ended.attempts.back();
  const std::string_view named = named_figure(test);
  if (is_void(latest)) return case_line(ended, colour, named);
  Progress& progress = progress_[suite.name][test.name];
  if (!progress.counted.insert(hash_of(ended)).second) return case_line(ended, colour, named);
  ++progress.ended;
  progress.passed += latest.status == judge::Status::kPassed ? 1 : 0;
  progress.recorded += latest.status == judge::Status::kRecorded ? 1 : 0;
  note(progress, suite, test, latest);
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
  if (progress.figure.empty() || (progress.differs && is_good(progress.worst))) return text;
  const bool one = planned == 1 || !progress.margin;
  return text + (!one ? "  worst " : progress.differs ? "  first " : "  ") + progress.figure;
}

}  // namespace rigproof::terminal
