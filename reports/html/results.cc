#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "framework/limits/limit.h"
#include "reports/charts/charts.h"
#include "reports/html/sections.h"
#include "reports/text/describe.h"
#include "reports/text/metrics.h"

namespace rigproof::html {
namespace {

constexpr int kMostRows = 3'000;  // of passed cases; other cases have the same room again
constexpr std::size_t kMostLimits = 2000;

std::string spread_text(const judge::JudgedMeasurement& m) {
  if (m.samples.values.size() < 2) return "";
  return fmt::format("{} to {}", text::statistic_text(m, Statistic::kMin),
                     text::statistic_text(m, Statistic::kMax));
}

// Cuts margins of thousands of per cent: their digits carry no information and do not fit on paper.
std::string margin_of(const judge::JudgedMeasurement& m) {
  constexpr double kWide = 9.99;
  const auto& margin = m.judgement.margin;
  return margin && std::abs(*margin) > kWide ? figures::margin_text(*margin) : text::margin_text(m);
}

class Results {
 public:
  Results(text::Markup& page, const judge::JudgedRun& run, const PassedTests& passed)
      : page_(page), run_(run), passed_(passed) {}

  void write() {
    for (const judge::JudgedSuite& suite : run_.suites) {
      write_suite(suite);
      passed_.write(page_, suite.name);
    }
    if (left_out_ > 0)
      page_.leaf("p",
                 fmt::format(
                     "{} cases are not shown (page limit): see junit.xml, ocp.jsonl and journal.jsonl. Every "
                     "count above includes them.",
                     left_out_),
                 {{"class", "warning"}});
  }

 private:
  void write_suite(const judge::JudgedSuite& suite) {
    page_.leaf("h3", "Suite " + suite.name);
    const auto scroll = page_.element("div", {{"class", "scroll"}});
    const auto table =
        page_.element("table", {{"class", passed_.is_all(suite.name) ? "results plain" : "results"}});
    write_header_row(page_, {"Case", "Measurement", "Measured", "n", "Spread (min to max)", "Limit", "Margin",
                             "Verdict", "Source"});
    judge::JudgedCase buffer;
    for (const judge::JudgedCase& test : suite.cases) {
      int& rows = test.status() <= judge::Status::kPassed ? passed_rows_ : other_rows_;
      if (rows >= kMostRows)
        ++left_out_;
      else
        rows += write_case(whole(run_, test, buffer));
    }
  }

  // Returns the number of rows written.
  int write_case(const judge::JudgedCase& test) {
    int rows = 0;
    plain_ = is_simply_passed(test);
    for (const judge::Attempt& attempt : test.attempts) rows += write_attempt(test, attempt);
    if (test.deciding() != nullptr) return rows;
    write_bare(test, "", test.status(), test.open_reason());
    return rows + 1;
  }

  int write_attempt(const judge::JudgedCase& test, const judge::Attempt& attempt) {
    const std::string which =
        test.attempts.size() > 1
            ? fmt::format("attempt {} of {} (launch {}, iteration {})", &attempt - test.attempts.data() + 1,
                          test.attempts.size(), attempt.launch, attempt.iteration)
            : "";
    const bool bare = text::is_more_than_measurements(attempt);
    if (bare) write_bare(test, which, attempt, text::failures_text(attempt));
    const std::vector<text::MeasurementLine> rows = text::measurement_lines(attempt);
    for (const text::MeasurementLine& row : rows) write_row(test, which, attempt, row);
    return (bare ? 1 : 0) + static_cast<int>(rows.size());
  }

  // Writes the name once for all rows of an attempt.
  void write_name(const judge::JudgedCase& test, const std::string& which) {
    const std::string name = test.plan.name + '\n' + which;
    const bool again = name == last_name_;
    const auto cell = page_.element("td", {{"class", again ? "again" : "name"}});
    if (again) return;
    last_name_ = name;
    page_.text(test.plan.name);
    if (!which.empty()) page_.leaf("div", which, {{"class", "soft"}});
  }

  // `outcome`: a status, or an attempt with its own.
  void write_bare(const judge::JudgedCase& test, const std::string& which, const auto& outcome,
                  const std::string& why) {
    const auto row = page_.element("tr", {{"class", plain_ ? "plain" : "other"}});
    write_name(test, which);
    page_.leaf("td", why, {{"colspan", "6"}});
    {
      const auto cell = page_.element("td");
      write_badge(page_, outcome);
    }
    page_.leaf("td", "");
  }

  void write_numbers(const judge::JudgedMeasurement& m) {
    {
      const auto cell = page_.element("td", {{"class", "number"}});
      page_.text(text::value_text(m));
      if (m.samples.values.size() > 1) page_.leaf("div", name(m.statistic), {{"class", "soft"}});
    }
    page_.leaf("td", fmt::to_string(m.samples.values.size()), {{"class", "number"}});
    page_.leaf("td", spread_text(m), {{"class", "number"}});
  }

  void write_row(const judge::JudgedCase& test, const std::string& which, const judge::Attempt& attempt,
                 const text::MeasurementLine& shown) {
    const judge::JudgedMeasurement& m = *shown.of;
    const bool aside = m.judgement.verdict == judge::Verdict::kRecorded;
    const auto row = page_.element("tr", {{"class", aside ? "aside" : plain_ ? "judged plain" : "judged"}});
    write_name(test, which);
    page_.leaf("td", shown.label());
    if (m.text.empty())
      write_numbers(m);
    else
      page_.leaf("td", text::value_text(m), {{"colspan", "3"}});
    page_.leaf("td", m.judgement.limit);
    page_.leaf("td", margin_of(m), {{"class", "number"}});
    {
      const auto cell = page_.element("td");
      write_badge(page_, m.judgement.verdict);
      const bool excused = attempt.status == judge::Status::kWaived || judge::is_void(attempt.failures);
      if (excused && m.judgement.verdict == judge::Verdict::kFail) write_badge(page_, attempt);
    }
    page_.leaf("td", text::file_and_line(m.limit_where));  // the next section has the full path
  }

  text::Markup& page_;
  const judge::JudgedRun& run_;
  const PassedTests& passed_;
  bool plain_ = false;  // of the case that is being written
  int passed_rows_ = 0, other_rows_ = 0;
  std::uint64_t left_out_ = 0;
  std::string last_name_;
};

void write_figure(text::Markup& page, const charts::Plot& plot) {
  const auto figure = page.element("figure");
  page.leaf("figcaption", plot.title);
  charts::write_plot(page, plot);
}

void write_plots(text::Markup& page, std::string_view title, const std::vector<charts::Plot>& plots) {
  if (plots.empty()) return;
  page.leaf("h3", title);
  const auto all = page.element("div", {{"class", "plots"}});
  for (const charts::Plot& plot : plots) write_figure(page, plot);
}

void write_margins(text::Markup& page, const charts::ChartData& data) {
  if (data.margins.empty()) return;
  page.leaf("h3", "How near are the figures to their limits?");
  const auto figure = page.element("figure", {{"class", "margins"}});
  page.leaf(
      "figcaption",
      fmt::format("The smallest margin of each limit{}. A margin is the distance to the nearest bound, "
                  "as a share of it; a negative one misses the limit.",
                  data.margins_left_out == 0 ? ""
                                             : fmt::format(": the {} smallest of {}", data.margins.size(),
                                                           data.margins.size() + data.margins_left_out)));
  charts::write_margin_bars(page, data.margins);
}

// Lists limits for parts that this rig does not have.
void write_not_applicable(text::Markup& page, const judge::JudgedRun& run) {
  if (run.not_applicable.empty()) return;
  page.leaf("h3", "Does not apply on this rig");
  {
    const auto table = page.element("table");
    write_header_row(page, {"Limit", "Stated in", "Why"});
    for (std::size_t i = 0; i < std::min(run.not_applicable.size(), kMostLimits); ++i) {
      const judge::NotApplicable& limit = run.not_applicable[i];
      const auto row = page.element("tr");
      for (const std::string& text : {limit.id, limit.where, limit.why}) page.leaf("td", text);
    }
  }
  if (run.not_applicable.size() > kMostLimits)
    page.leaf("p", fmt::format("{} more: see summary.md.", run.not_applicable.size() - kMostLimits));
}

}  // namespace

bool is_simply_passed(const judge::JudgedCase& test) {
  if (test.attempts.size() != 1 || test.running) return false;
  const judge::Attempt& attempt = test.attempts.front();
  return attempt.status <= judge::Status::kPassed && attempt.failures.empty() &&
         std::ranges::all_of(attempt.measurements, [](const judge::JudgedMeasurement& m) {
           return m.judgement.verdict == judge::Verdict::kPass ||
                  m.judgement.verdict == judge::Verdict::kRecorded;
         });
}

void PassedTests::add(const judge::JudgedCase& test) {
  if (!is_simply_passed(test)) return void(others_.insert(test.suite));
  const std::string& name = test.plan.name;
  const std::string parameter = judge::case_name(name).parameter;
  const std::string title = parameter.empty() ? name : name.substr(0, name.size() - parameter.size() - 1);
  for (const judge::JudgedMeasurement& m : test.attempts.front().measurements) {
    if (m.judgement.verdict != judge::Verdict::kPass) continue;
    Line& line = suites_[test.suite][{title, m.id, m.judgement.limit}];
    line.cases += line.last_case == name ? 0 : 1;
    line.last_case = name;
    ++line.figures;
    line.limit = m.judgement.limit;
    line.source = text::file_and_line(m.limit_where);
    const auto keep = [&](std::optional<double>& kept, std::string& shown, std::optional<double> value,
                          bool lower, const std::string& words) {
      if (value && (!kept || (lower ? *value < *kept : *value > *kept))) kept = value, shown = words;
    };
    const auto value = m.text.empty() ? text::measured_value(m) : std::nullopt;
    keep(line.low, line.low_text, value, true, text::value_text(m));
    keep(line.high, line.high_text, value, false, text::value_text(m));
    keep(line.margin, line.margin_text, m.judgement.margin, true, text::margin_text(m));
    if (!value && !line.low) line.low_text = line.high_text = text::shortened(text::value_text(m), 60);
  }
}

void PassedTests::write(text::Markup& page, const std::string& suite) const {
  const auto found = suites_.find(suite);
  if (found == suites_.end()) return;
  const auto all = page.element("div", {{"class", "on-paper"}});
  page.leaf("p", is_all(suite) ? "All cases passed:" : "The cases that passed:", {{"class", "soft"}});
  const auto table = page.element("table", {{"class", "passed"}});
  write_header_row(
      page, {"Test", "Measurement", "Cases", "Figures", "Measured", "Limit", "Least margin", "Source"});
  for (const auto& [key, line] : found->second) {
    const auto row = page.element("tr");
    page.leaf("td", std::get<0>(key));
    page.leaf("td", std::get<1>(key));
    page.leaf("td", fmt::to_string(line.cases), {{"class", "number"}});
    page.leaf("td", fmt::to_string(line.figures), {{"class", "number"}});
    page.leaf("td", line.low_text == line.high_text ? line.low_text
                                                    : fmt::format("{} to {}", line.low_text, line.high_text));
    page.leaf("td", line.limit);
    page.leaf("td", line.margin_text, {{"class", "number"}});
    page.leaf("td", line.source);
  }
}

void write_results(text::Markup& page, const judge::JudgedRun& run, const PassedTests& passed) {
  const auto section = page.section("Results");
  page.leaf("p",
            "Every case with every attempt. The source is the line of the thresholds file that states the "
            "limit; the "
            "section above quotes where each limit comes from. Every sample is in journal.jsonl.",
            {{"class", "soft"}});
  page.leaf("p",
            "On paper, cases that simply passed share a line for each test and limit, and values without a "
            "limit are left out: the matrices have them. report.html on a screen, junit.xml and "
            "journal.jsonl have each case.",
            {{"class", "soft on-paper"}});
  Results(page, run, passed).write();
}

void UsedLimits::add(const judge::JudgedCase& test) {
  // The limit's general remedy: a measurement's remedy is for its own node and device.
  const auto remedy_of = [&](const judge::JudgedMeasurement& m) {
    const Limit* limit = run_.limits == nullptr ? nullptr : run_.limits->find(m.id);
    return limit == nullptr ? m.remedy : generic_remedy(*limit);
  };
  for (const judge::Attempt& attempt : test.attempts)
    for (const judge::JudgedMeasurement& m : attempt.measurements)
      if (m.limit_where.line > 0 && notes_.size() < kMostLimits && !notes_.contains({m.id, m.limit_where}))
        notes_.try_emplace({m.id, m.limit_where}, Note{m.basis, remedy_of(m), m.statistic});
}

void UsedLimits::write(text::Markup& page) const {
  if (notes_.empty()) return page.leaf("p", "No limit decided anything in this run.");
  const text::Metrics metrics(run_.start.declared);
  const auto table = page.element("table", {{"class", "sources"}});
  write_header_row(page, {"Limit", "Statistic", "Source", "What it means, quote and reasoning", "Remedy"});
  for (const auto& [key, note] : notes_) {
    const auto row = page.element("tr");
    {
      const auto cell = page.element("td");
      page.leaf("b", key.first);
      page.leaf("div", to_text(key.second), {{"class", "soft"}});
    }
    page.leaf("td", name(note.statistic));
    page.leaf("td", note.basis.kind + ": " + note.basis.source);
    {
      const auto cell = page.element("td");
      if (const record::Declared* metric = metrics.find(key.first)) page.leaf("div", metric->meaning);
      if (!note.basis.quote.empty()) page.leaf("div", "\"" + note.basis.quote + "\"");
      if (!note.basis.reasoning.empty()) page.leaf("div", note.basis.reasoning, {{"class", "soft"}});
    }
    const auto cell = page.element("td");
    for (const auto& [what, step] : steps_of(note.remedy))
      page.leaf("div", what == "hint" ? step : label_of(what) + step);
  }
}

void write_limits(text::Markup& page, const judge::JudgedRun& run, const UsedLimits& used) {
  const auto section = page.section("Limits and their sources");
  used.write(page);
  write_not_applicable(page, run);
}

void write_charts(text::Markup& page, const charts::ChartData& data) {
  if (data.is_empty()) return;
  const auto section = page.section("Charts");
  write_margins(page, data);
  write_plots(page, "Does the rate hold over time?", data.series);
  write_plots(page, "How long does a message take?", data.distributions);
  write_plots(page, "How does the rate depend on the size?", data.curves);
  if (data.lines_left_out > 0)
    page.leaf("p", fmt::format("{} more lines are not shown (page limit): see journal.jsonl.",
                               data.lines_left_out));
}

}  // namespace rigproof::html
