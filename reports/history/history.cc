#include "reports/history/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <ostream>
#include <string_view>
#include <tuple>
#include <utility>

#include "framework/judge/declarations.h"
#include "framework/stats/samples.h"
#include "reports/text/markup.h"

namespace rigproof::history {
namespace {

constexpr std::size_t kFewestBefore = 4, kMostBefore = 20;
constexpr double kLeastMove = 0.02;  // cap on a relative tolerance
constexpr double kFalseMoves = 1e-3, kToDeviation = 1.4826;

void add_state(Run& kept, const std::string& what, const std::string& where, const std::string& text) {
  if (!text.empty()) kept.state[{what, text::one_line(where)}] = text::shortened(text::one_line(text), 80);
}

void add_node_facts(Run& kept, const judge::JudgedRun& run) {
  for (const auto& [node, facts] : run.nodes)
    for (const auto& [part, properties] : facts)
      for (const char* what : {"kernel", "driver", "firmware"})
        if (const auto found = properties.find(what); found != properties.end())
          add_state(kept, what, part.empty() ? node : node + " " + part, found->second);
}

// Adds the inventory that a case read, under the last word of its id: "firmware".
void add_findings(Run& kept, const judge::JudgedCase& test, const judge::MetricGroups& groups) {
  const judge::Attempt* attempt = test.deciding();
  if (attempt == nullptr) return;
  for (const judge::JudgedMeasurement& m : attempt->measurements)
    if (!m.text.empty() && m.unread == record::Measured::Unread::kNo &&
        groups.of(m.id) == record::MetricGroup::kInventory)
      add_state(kept, m.id.substr(m.id.rfind('.') + 1),
                test.plan.subject.empty() ? m.node : test.plan.subject, m.text);
}

double tolerance_of(const judge::JudgedRun& run, const figures::Headline& line) {
  const Limit* limit = run.limits == nullptr ? nullptr : run.limits->find(line.id);
  const Tolerance tolerance = limit == nullptr ? Tolerance() : limit->tolerance;
  const double at_most = line.bounds.at_most.value_or(0);
  if (tolerance.of_limit && at_most > 0) return tolerance.value * at_most;
  if (!tolerance.relative && !tolerance.of_limit) return tolerance.value;
  return std::min(tolerance.value, kLeastMove) * std::abs(*line.value);
}

std::string files_text(const std::vector<record::TextFile>& files) {
  std::string text;
  for (const record::TextFile& file : files)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", file.file.substr(file.file.rfind('/') + 1),
                        file.sha256.substr(0, 8));
  return text;
}

}  // namespace

Run run_of(const judge::JudgedRun& run, std::string link) {
  Run kept{.id = run.start.id,
           .rig = run.start.rig,
           .started = run.started,
           .profile = run.start.asked.profile,
           .verdict = run.verdict(),
           .link = std::move(link),
           .state = {},
           .figures = {}};
  add_state(kept, "thresholds", "", files_text(run.start.limits));
  add_state(kept, "rig file", "", files_text({run.start.rig_file}));
  add_state(kept, "rigproof", "", run.start.version());
  add_node_facts(kept, run);
  const std::optional<Rig> rig = judge::rig_of(run.start);
  figures::Figures figures(run, rig ? &*rig : nullptr);
  const judge::MetricGroups groups(run.start);
  judge::JudgedCase buffer;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& planned : suite.cases) {
      const judge::JudgedCase& test = whole(run, planned, buffer);
      figures.add(test);
      add_findings(kept, test, groups);
    }
  for (figures::Headline line : figures.headlines()) {
    // A curve is of one statistic while it is met: the limit's own.
    if (!line.misses_further()) line.value = line.own.value, line.bounds = line.own.bounds;
    if (line.value && std::isfinite(*line.value))
      kept.figures.push_back({.id = line.id,
                              .unit = line.unit,
                              .limit = line.limit,
                              .title = line.title,
                              .dimension = line.dimension,
                              .value = *line.value,
                              .bounds = line.bounds,
                              .mark = line.mark,
                              .tolerance = tolerance_of(run, line)});
  }
  return kept;
}

namespace {

// Compares each value with the last known one: a suite that did not run is not a change.
std::vector<Change> changes_of(const std::vector<Run>& runs) {
  std::map<std::pair<std::string, std::string>, std::string> known;
  std::vector<Change> changes;
  for (std::size_t index = 0; index < runs.size(); ++index) {
    std::map<std::tuple<std::string, std::string, std::string>, std::string> here;  // what, from, to -> where
    for (const auto& [key, text] : runs[index].state) {
      const auto [before, is_new] = known.try_emplace(key, text);
      if (is_new || before->second == text) continue;
      std::string& where = here[{key.first, before->second, text}];
      where += (where.empty() ? "" : ", ") + key.second;
      before->second = text;
    }
    for (const auto& [change, where] : here)
      changes.push_back({index, std::get<0>(change), where, std::get<1>(change), std::get<2>(change)});
  }
  return changes;
}

bool has_moved(const std::vector<double>& before, const Figure& now) {
  if (before.size() < kFewestBefore) return false;
  const double count = static_cast<double>(before.size());
  const double middle = evaluate(Statistic::kMedian, before);
  std::vector<double> deviations;
  for (const double value : before) deviations.push_back(std::abs(value - middle));
  const double scatter = kToDeviation * evaluate(Statistic::kMedian, deviations);
  const double times =
      boost::math::quantile(boost::math::complement(boost::math::students_t(count - 1), kFalseMoves / 2));
  return std::abs(now.value - middle) > std::max(times * scatter * std::sqrt(1 + 1 / count), now.tolerance);
}

// Indices as in Move::changes. `changes` are sorted by run; `last` is the run before `run` that has the figure.
std::vector<std::size_t> changes_before(const std::vector<Change>& changes, std::size_t last,
                                        std::size_t run) {
  const auto end = std::ranges::upper_bound(changes, run, {}, &Change::run);
  if (end == changes.begin()) return {};
  const std::size_t from = std::min(last + 1, std::prev(end)->run);
  std::vector<std::size_t> found;
  for (auto change = std::ranges::lower_bound(changes, from, {}, &Change::run); change != end; ++change)
    found.push_back(static_cast<std::size_t>(change - changes.begin()));
  return found;
}

void find_moves(Curve& curve, const std::vector<Change>& changes) {
  std::vector<double> before;
  std::size_t last = 0;
  for (std::size_t run = 0; run < curve.points.size(); ++run) {
    const std::optional<Figure>& point = curve.points[run];
    if (!point) continue;
    if (has_moved(before, *point)) {
      curve.moves.push_back(
          {run, evaluate(Statistic::kMedian, before), point->value, changes_before(changes, last, run)});
      before.clear();
    }
    last = run;
    before.push_back(point->value);
    if (before.size() > kMostBefore) before.erase(before.begin());
  }
}

// In the latest run's order; figures that only older runs have come last.
std::vector<Curve> curves_of(const std::vector<Run>& runs, const std::vector<Change>& changes) {
  std::vector<Curve> curves;
  std::map<std::string_view, std::size_t> index;  // into curves, by id
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    for (const Figure& figure : run->figures)
      if (index.try_emplace(figure.id, curves.size()).second)
        curves.push_back({figure.id, figure.unit, figure.dimension, {}, {}});
  for (Curve& curve : curves) curve.points.resize(runs.size());
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::vector<Figure>& figures = runs[run].figures;
    for (auto figure = figures.rbegin(); figure != figures.rend(); ++figure) {  // of one id twice, the first
      Curve& curve = curves[index.at(figure->id)];
      if (!figure->title.empty()) curve.title = figure->title;
      curve.points[run] = figure->dimension == curve.dimension ? std::optional(*figure) : std::nullopt;
    }
  }
  for (Curve& curve : curves) find_moves(curve, changes);
  return curves;
}

}  // namespace

std::vector<History> histories_of(std::vector<Run> runs) {
  std::ranges::stable_sort(runs, {}, &Run::started);
  std::map<std::pair<std::string, std::string>, History> by_rig;
  for (Run& run : runs) {
    History& history = by_rig[{run.rig, run.profile}];
    history.rig = run.rig;
    history.profile = run.profile;
    history.runs.push_back(std::move(run));
  }
  std::vector<History> histories;
  for (auto& [key, history] : by_rig) {
    history.changes = changes_of(history.runs);
    history.curves = curves_of(history.runs, history.changes);
    histories.push_back(std::move(history));
  }
  return histories;
}

namespace {

// A CSV field, quoted if necessary. A quote mark in front keeps spreadsheets from reading it as a formula.
std::string csv(std::string text) {
  text = text::one_line(text);
  if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos)
    text = "'" + text;
  if (text.find_first_of(",\"") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv(const std::optional<double>& number) { return number ? fmt::format("{:.10g}", *number) : ""; }

}  // namespace

void write_history_csv(const std::vector<History>& histories, std::ostream& out) {
  out << "rig,run,started,profile,verdict,id,value,unit,at_least,at_most,mark,report\n";
  for (const History& history : histories)
    for (const Run& run : history.runs)
      for (const Figure& figure : run.figures)
        out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv(history.rig), csv(run.id),
                           csv(run.started), csv(run.profile), csv(run.verdict), csv(figure.id),
                           csv(std::optional(figure.value)), base_unit(figure.dimension),
                           csv(figure.bounds.at_least), csv(figure.bounds.at_most),
                           csv(std::string(figures::look_of(figure.mark).word)), csv(run.link));
}

}  // namespace rigproof::history
