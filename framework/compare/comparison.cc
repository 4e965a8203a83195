#include "framework/compare/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "framework/rig/subjects.h"
#include "framework/units/printable.h"

namespace rigproof::compare {
namespace {

constexpr std::size_t kMostRunsForAnInterval = 100;

// Every subject of a rig file with its facts. If two maps are equal, both rigs are the same for measurements.
// nullopt: the recorded text cannot be read.
std::optional<std::map<std::string, Facts>> subjects_in(const record::RunStarted& start) try {
  std::map<std::string, Facts> facts;
  const Rig rig = read_rig(toml::Document::parse(start.rig_file.text, start.rig_file.file));
  for (const auto& [name, subject] : every_subject(rig)) facts.emplace(name, subject.facts());
  return facts;
} catch (const toml::InputError&) {
  return {};
}

bool same_layout(const record::RunStarted& a, const record::RunStarted& b) {
  if (a.rig_file.text == b.rig_file.text) return true;
  const auto in_a = subjects_in(a), in_b = subjects_in(b);
  return in_a && in_b && *in_a == *in_b;
}

void check(const std::vector<RunToCompare>& base, const std::vector<RunToCompare>& candidate) {
  if (base.empty() || candidate.empty())
    throw Incomparable("a comparison needs at least one base run and one candidate run");
  std::map<std::string, std::string> seen;  // run -> folder
  for (const auto* side : {&base, &candidate})
    for (const RunToCompare& run : *side) {
      require_comparable(base.front(), run);
      const auto [known, fresh] = seen.emplace(run.id, run.folder);
      if (!fresh) {
        throw Incomparable(fmt::format("{} and {} are the same run ({}), which counts once",
                                       printable(known->second), printable(run.folder),
                                       in_quotes(known->first)));
      }
    }
}

// nullptr: the measurement has no limit.
const Limit* limit_of(const ComparedMeasurement& m, const LimitTable& limits) {
  return m.limit.empty() ? nullptr : limits.find(m.id);
}

Tolerance tolerance_of(const ComparedMeasurement& m, const LimitTable& limits) {
  const Limit* limit = limits.find(m.id);
  return limit == nullptr ? Tolerance() : limit->tolerance;
}

bool is_headline(const ComparedMeasurement& m, const LimitTable& limits, bool only_marked) {
  const Limit* limit = limit_of(m, limits);
  if (limit == nullptr || !limit->is_required() || is_state(*limit)) return false;
  return limit->gate || !only_marked;
}

bool marks_some(const LimitTable& limits) { return std::ranges::any_of(limits.limits(), &Limit::gate); }

std::size_t headlines_in(const std::vector<ComparedMeasurement>& measurements, const LimitTable& limits,
                         std::size_t base_runs, std::size_t candidate_runs) {
  const bool only_marked = marks_some(limits);
  return static_cast<std::size_t>(std::ranges::count_if(measurements, [&](const ComparedMeasurement& m) {
    return is_headline(m, limits, only_marked) && !is_sparse(m, base_runs, candidate_runs);
  }));
}

// Marks optional figures as missing if cases had them in every base run and no case has them in a candidate run.
void find_vanished(std::vector<ComparedMeasurement>& measurements, const LimitTable& limits,
                   std::size_t base_runs) {
  using Figure = std::tuple<std::string_view, std::string_view, std::string_view>;
  const auto figure_of = [](const ComparedMeasurement& m) { return Figure(m.id, m.node, m.detail); };
  std::set<Figure> there;
  for (const ComparedMeasurement& m : measurements)
    if (!m.candidate.values.empty()) there.insert(figure_of(m));
  for (ComparedMeasurement& m : measurements) {
    const Limit* limit = limit_of(m, limits);
    if (m.optional && limit != nullptr && limit->is_required() && m.base.values.size() == base_runs &&
        !there.contains(figure_of(m)))
      m.verdict = Change::kMissing;
  }
}

std::vector<const judge::JudgedRun*> records_of(const std::vector<RunToCompare>& runs) {
  std::vector<const judge::JudgedRun*> records;
  for (const RunToCompare& run : runs) records.push_back(&run.record);
  return records;
}

std::vector<ComparedRun> list(const std::vector<RunToCompare>& runs) {
  std::vector<ComparedRun> list;
  for (const RunToCompare& run : runs)
    list.push_back({run.id, run.folder, run.started, run.record.verdict()});
  return list;
}

void note_unsound(const std::vector<ComparedRun>& runs, const char* side, std::vector<std::string>& notes) {
  for (const ComparedRun& run : runs)
    if (run.verdict == "ERROR" || run.verdict == "NOT PROVEN")
      notes.push_back(fmt::format("{} run {} ended as {}", side, run.folder, run.verdict));
}

// Notes partial runs: figures that no run of a side measured are not compared.
void note_parts(const std::vector<RunToCompare>& runs, const char* side, std::vector<std::string>& notes) {
  std::map<std::string, std::size_t> parts;  // in words -> runs
  for (const RunToCompare& run : runs)
    if (const auto words = fmt::format("{}", fmt::join(run.record.parts(), "; ")); !words.empty())
      ++parts[words];
  for (const auto& [words, count] : parts)
    notes.push_back(fmt::format("{} of {} {} runs {} PARTIAL: {}", count, runs.size(), side,
                                count == 1 ? "is" : "are", words));
}

void note_versions(const std::vector<RunToCompare>& base, const std::vector<RunToCompare>& candidate,
                   std::vector<std::string>& notes) {
  std::set<std::string> versions;
  for (const auto* side : {&base, &candidate})
    for (const RunToCompare& run : *side) versions.insert(run.record.start.version());
  if (versions.size() > 1)
    notes.push_back(fmt::format("the runs were measured by {} versions of rigproof", versions.size()));
}

}  // namespace

double Look::share() const {
  constexpr double kLast = 0.75;
  if (of <= 1) return 1;
  return number == of ? kLast : (1 - kLast) / (of - 1);
}

std::string_view name(Change change) {
  constexpr std::array<std::string_view, 6> kNames = {"regressed", "missing",   "inconclusive",
                                                      "improved",  "unchanged", "recorded"};
  return kNames.at(static_cast<std::size_t>(change));
}

std::size_t Comparison::count(Change change) const {
  return static_cast<std::size_t>(
      std::ranges::count(measurements, change, [](const ComparedMeasurement& m) { return m.verdict; }));
}

std::size_t Comparison::missed() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      measurements, [](const ComparedMeasurement& m) { return m.candidate.missed > 0; }));
}

std::size_t Comparison::decided() const {
  return static_cast<std::size_t>(std::ranges::count_if(measurements, [](const ComparedMeasurement& m) {
    return !m.id.empty() && m.verdict != Change::kMissing && m.verdict != Change::kRecorded;
  }));
}

int Comparison::exit_code() const {
  const auto is_finding = [](const Objection& objection) { return objection.exit_code == 1; };
  if (count(Change::kRegressed) + missed() > 0 || std::ranges::any_of(objections, is_finding)) return 1;
  const auto broken = [](const ComparedRun& run) { return run.verdict == "ERROR"; };
  const auto unsound = [&](const ComparedRun& run) { return broken(run) || run.verdict == "NOT PROVEN"; };
  const bool proven = objections.empty() && std::ranges::none_of(base, broken) &&
                      std::ranges::none_of(candidate, unsound) &&
                      count(Change::kInconclusive) + count(Change::kMissing) == 0 && decided() > 0;
  return proven ? 0 : 3;
}

bool Comparison::needs_more_runs() const { return exit_code() != 1 && count(Change::kInconclusive) > 0; }

std::string Comparison::verdict() const {
  const int code = exit_code();
  if (code == 0) return "NOT WORSE";
  if (code == 1) return count(Change::kRegressed) + missed() > 0 ? "WORSE" : "BLOCKED";
  return objections.empty() ? "INCONCLUSIVE" : "NOT PROVEN";
}

void require_comparable(const RunToCompare& first, const RunToCompare& other) {
  const record::RunStarted &a = first.record.start, &b = other.record.start;
  const auto refuse = [&](const char* what, const std::string& mine, const std::string& its) {
    throw Incomparable(fmt::format("cannot compare {} ({} {}) with {} ({} {})", printable(first.folder), what,
                                   in_quotes(mine), printable(other.folder), what, in_quotes(its)));
  };
  if (a.rig != b.rig) refuse("rig", a.rig, b.rig);
  if (a.rig_kind != b.rig_kind) refuse("rig of kind", a.rig_kind, b.rig_kind);
  if (a.stand_in != b.stand_in) refuse("stand-in", a.stand_in, b.stand_in);
  if (a.asked.profile != b.asked.profile) refuse("profile", a.asked.profile, b.asked.profile);
  if (!same_layout(a, b)) {
    throw Incomparable(
        fmt::format("cannot compare {} with {}: the rig '{}' has other ports, rails or rates in one than "
                    "in the other",
                    printable(first.folder), printable(other.folder), printable(a.rig)));
  }
}

Comparison compare_runs(const std::vector<RunToCompare>& base, const std::vector<RunToCompare>& candidate,
                        const LimitTable& limits, Look look) {
  check(base, candidate);
  const record::RunStarted& start = candidate.front().record.start;
  Comparison comparison{.rig = start.rig,
                        .rig_kind = start.rig_kind,
                        .profile = start.asked.profile,
                        .thresholds_file = start.limits_files(),
                        .base = list(base),
                        .candidate = list(candidate),
                        .headlines = marks_some(limits),
                        .look = look,
                        .measurements = gather(base, candidate),
                        .notes = {},
                        .changed = what_changed(records_of(base), records_of(candidate))};
  auto& measurements = comparison.measurements;
  comparison.compared = headlines_in(measurements, limits, base.size(), candidate.size());
  const Levels levels = levels_of(comparison.compared, look);
  for (ComparedMeasurement& m : measurements)
    if (!m.id.empty())
      decide(m, {.limit = limit_of(m, limits),
                 .tolerance = tolerance_of(m, limits),
                 .headline = is_headline(m, limits, comparison.headlines),
                 .levels = levels,
                 .base_runs = base.size(),
                 .candidate_runs = candidate.size()});
  find_vanished(measurements, limits, base.size());
  std::ranges::stable_sort(measurements, {}, &ComparedMeasurement::verdict);
  note_unsound(comparison.base, "base", comparison.notes);
  note_unsound(comparison.candidate, "candidate", comparison.notes);
  note_parts(base, "base", comparison.notes);
  note_parts(candidate, "candidate", comparison.notes);
  note_versions(base, candidate, comparison.notes);
  return comparison;
}

std::size_t compared_figures(const std::vector<RunToCompare>& runs, const LimitTable& limits) {
  return headlines_in(gather(runs, {}), limits, runs.size(), 0);
}

std::optional<int> enough_runs(std::size_t base, std::size_t figures, Look look) {
  const double level = levels_of(figures, look).change;
  for (std::size_t runs = 1; runs <= kMostRunsForAnInterval; ++runs)
    if (has_interval(base, runs, 2 * level)) return static_cast<int>(runs);
  return {};
}

}  // namespace rigproof::compare
