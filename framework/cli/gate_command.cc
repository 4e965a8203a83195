#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/gate_runs.h"
#include "framework/cli/report_files.h"
#include "framework/cli/run_arguments.h"
#include "framework/judge/run_judge.h"
#include "framework/record/files.h"
#include "framework/record/run_identity.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/gate_store.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/run_inputs.h"
#include "framework/units/printable.h"
#include "reports/terminal/terminal.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::cli {
namespace {

std::string_view why_blocked(int code) {
  switch (code) {
    case supervisor::kExitLimitMissed:
      return "worse than the baseline, or a limit missed";
    case supervisor::kExitNotProven:
      return "not proven, or too few runs to decide";
    case supervisor::kExitRigAbsent:
      return "the rig is absent";
    default:
      return "error";
  }
}

constexpr const char* kNewBaseline = "Make a new baseline: rigproof gate --baseline ...";
constexpr const char* kNewAnchor = "Make a new anchor: rigproof gate --baseline --anchor ...";

constexpr int kBaselineRuns = 7, kRuns = 7, kFirstLook = 4;
constexpr std::size_t kShownCases = 8, kLongestLine = 160;

struct GateArguments {
  RunArguments run;
  std::string store, configuration = "default", report;
  std::vector<std::string> expected;
  int runs = 0;
  bool baseline = false, promote = false, anchor = false, all = false;
};

compare::Announced announced(const std::vector<std::string>& words, const Rig& rig) try {
  std::vector<std::string> names;
  for (const Node& node : rig.nodes) names.push_back(node.name);
  for (const Switch& one : rig.switches) names.push_back(one.name);
  compare::Announced all(words);
  all.require_nodes(names);
  return all;
} catch (const std::invalid_argument& error) {
  throw supervisor::Refused(fmt::format("--expect: {}", error.what()));
}

// The run that this gate is about to make, to refuse it before it begins.
compare::RunToCompare planned_run(const supervisor::RunOptions& options, const Rig& rig) {
  compare::RunToCompare run{{}, {}, "this gate", {}};
  record::RunStarted& start = run.record.start;
  start.rig = rig.name;
  start.rig_kind = rig.kind;
  start.stand_in = rig.stand_in.value_or("");
  start.asked.profile = name(options.profile);
  start.rig_file = record::text_file(options.rig, toml::Document::load(options.rig).text());
  return run;
}

// One gate, from the baseline to the verdict.
class Gate {
 public:
  explicit Gate(const GateArguments& arguments)
      : arguments_(arguments),
        options_(arguments.run.options()),
        rig_(load_rig(options_.rig)),
        announced_(announced(arguments.expected, rig_)),
        planned_(planned_run(options_, rig_)),
        limits_(supervisor::load_thresholds(options_.thresholds)),
        store_(arguments.store, supervisor::GateKey::of(rig_.name, arguments.configuration, options_)) {
    if (arguments.anchor && !arguments.baseline && !arguments.promote)
      throw supervisor::Refused(
          "--anchor needs --baseline or --promote, which name the runs of the new anchor");
    if (arguments.baseline) return;  // a new baseline may replace damaged ones
    baseline_ = store_.baseline();
    require_baseline();
    anchor_ = store_.anchor();
    require_sound(anchor_, "anchor", kNewAnchor);
  }

  int run() {
    if (may_grow()) enough_ = enough();
    if (!arguments_.report.empty())
      create_comparison_folder("--report", arguments_.report);  // fails now, not after hours of runs
    folder_ = store_.begin(order());
    runs_.emplace(arguments_.run, folder_, arguments_.all);
    int code = measure();
    if (runs_->stopped()) {
      fmt::print("gate: stopped in run {}. The same command goes on with it within a day\n",
                 runs_->folders().size());
      return code;
    }
    const bool compares =
        !arguments_.baseline && (code == supervisor::kExitQualified || code == supervisor::kExitLimitMissed);
    if (compares) code = compare(code);
    if (arguments_.baseline && code == supervisor::kExitQualified) code = judge_baseline();
    const auto kept = store_.keep(folder_);
    show(code, compares, kept);
    if (compares && !arguments_.report.empty()) write_comparison(comparison(), arguments_.report);
    const bool moves = code == supervisor::kExitQualified && (arguments_.baseline || arguments_.promote);
    if (moves) store_.set_baseline(kept, arguments_.anchor);
    show_baseline(moves);
    update_history();
    return code;
  }

 private:
  void require_baseline() const {
    if (baseline_.empty()) {
      throw supervisor::Refused(
          fmt::format("no baseline in {} to compare with. Make one of this rig as it is now: "
                      "rigproof gate --baseline ...",
                      store_.path().string()),
          supervisor::kExitNotProven);
    }
    require_sound(baseline_, "baseline", kNewBaseline);
  }

  void require_sound(const std::vector<std::string>& folders, const char* what, const char* advice) const
      try {
    std::map<std::string, std::string> seen;  // id -> folder
    for (const std::string& folder : folders) {
      require_sealed(folder, advice);
      const compare::RunToCompare run = beginning_of(folder);
      require_comparable(run, planned_);
      const auto [first, is_new] = seen.emplace(run.record.start.id, folder);
      if (!is_new)
        throw supervisor::Refused(
            fmt::format("{} and {} of the {} are the same run. {}", first->second, folder, what, advice));
    }
  } catch (const compare::Incomparable& error) {
    throw supervisor::Refused(fmt::format("the {}: {}. {}", what, error.what(), advice));
  }

  // Identifies this gate: runs of a gate with another text do not count.
  [[nodiscard]] std::string order() const {
    std::string text =
        fmt::format("rigproof {}\nrig {}\nruns {} baseline {} promote {} anchor {}\n",
                    record::this_program("rigproof").sha256, planned_.record.start.rig_file.sha256,
                    arguments_.runs, arguments_.baseline, arguments_.promote, arguments_.anchor);
    for (const record::TextFile& file : limits_) text += "limits " + file.sha256 + '\n';
    for (const std::string& folder : baseline_) text += "baseline " + folder + '\n';
    for (const std::string& folder : anchor_) text += "anchor " + folder + '\n';
    for (const std::string& word : arguments_.expected) text += "expect " + word + '\n';
    return text;
  }

  // Checks the changes on the rig after the first run. If the first look is inconclusive, makes more runs for a
  // second and last look.
  int measure() {
    if (arguments_.baseline) return runs_->make_up_to(baseline_runs(), baseline_runs(), "");
    const char* more = may_grow() ? " or more" : "";
    look_ = may_grow() ? compare::Look{1, 2} : compare::Look{};
    const int first = may_grow() ? std::min(kFirstLook, enough_) : arguments_.runs;
    int code = runs_->make_up_to(1, first, more);
    if (code != supervisor::kExitQualified || !objections().empty()) return code;
    code = runs_->make_up_to(first, first, more);
    if (code != supervisor::kExitQualified || !may_grow() || !needs_more_runs()) return code;
    fmt::print(stderr, "gate: inconclusive after {} runs: going on to {} runs\n", first, enough_);
    look_ = {2, 2};
    comparison_.reset(), against_anchor_.reset();
    return runs_->make_up_to(enough_, enough_, "");
  }
  [[nodiscard]] int baseline_runs() const { return arguments_.runs > 0 ? arguments_.runs : kBaselineRuns; }

  [[nodiscard]] bool may_grow() const { return arguments_.runs == 0 && !arguments_.baseline; }
  [[nodiscard]] std::vector<compare::Objection> objections() {
    return announced_.objections(comparison().changed);
  }

  // Comparisons of all runs so far.
  compare::Comparison& comparison() { return compared(comparison_, baseline_); }
  compare::Comparison& against_anchor() { return compared(against_anchor_, anchor_); }
  compare::Comparison& compared(std::optional<compare::Comparison>& known,
                                const std::vector<std::string>& base) {
    if (!known || known->candidate.size() != runs_->folders().size())
      known = compare_folders(base, runs_->folders(), limits_, look_);
    return *known;
  }
  bool needs_more_runs() {
    if (comparison().exit_code() == supervisor::kExitLimitMissed) return false;
    return comparison().needs_more_runs() || (!anchor_.empty() && against_anchor().needs_more_runs());
  }

  // Number of runs that can decide, at least kRuns. Depends on the number of compared figures, not on their values.
  [[nodiscard]] int enough() const {
    const std::size_t compared = compared_in(baseline_, limits_);
    if (compared == 0) return 1;
    const auto enough = compare::enough_runs(baseline_.size(), compared, {2, 2});
    if (enough) return std::max(*enough, kRuns);
    throw supervisor::Refused(
        fmt::format("the baseline of {} runs is too small to distinguish a change of {} measurements from "
                    "chance: make a larger one (gate --baseline --runs N)",
                    baseline_.size(), compared));
  }

  int compare(int code) {
    compare::Comparison& comparison = this->comparison();
    comparison.objections = objections();
    if (!comparison.objections.empty()) reason_ = "what changed on the rig";
    for (const std::string& note : runs_->notes()) comparison.notes.push_back(note);
    if (comparison.objections.empty() && comparison.exit_code() != 1 && !anchor_.empty())
      object_by_anchor(comparison);
    // From here on, runs are named by their final folder.
    for (compare::ComparedRun& run : comparison.candidate) run.folder = store_.where_kept(run.folder);
    write_comparison(comparison, folder_);
    return code == supervisor::kExitQualified ? comparison.exit_code() : code;
  }

  // Only figures that both have decide, because the anchor may be older than some figures.
  void object_by_anchor(compare::Comparison& comparison) {
    const compare::Comparison& anchor = against_anchor();
    std::filesystem::create_directory(folder_ / "against-anchor");
    write_comparison(anchor, folder_ / "against-anchor");
    const std::string since = anchor.base.front().started.substr(0, kDay);
    const auto object = [&](compare::Change change, int code, const char* how) {
      const std::size_t count = anchor.count(change);
      if (count == 0) return;
      const auto worst = text::worst_first(anchor);
      const auto one = std::ranges::find(worst, change, [](const auto* m) { return m->verdict; });
      comparison.objections.push_back(
          {code, fmt::format("{} the anchor baseline of {} ({} of {} figures): {}", how, since, count,
                             anchor.compared, text::change_sentence(**one))});
    };
    object(compare::Change::kRegressed, supervisor::kExitLimitMissed,
           "losses add up: each update was within the tolerance, and the rig is worse than");
    object(compare::Change::kInconclusive, supervisor::kExitNotProven, "too few runs to compare with");
    if (!comparison.objections.empty()) reason_ = "the anchor baseline";
  }

  // Runs in different states are not a valid baseline.
  int judge_baseline() {
    std::vector<judge::JudgedRun> records;
    for (const std::string& folder : runs_->folders()) records.push_back(judge::open_run(folder));
    std::vector<const judge::JudgedRun*> runs;
    for (const judge::JudgedRun& run : records) runs.push_back(&run);
    const compare::WhatChanged changed = compare::what_changed({}, runs);
    for (const std::string& text : changed.unsteady)
      baseline_faults_.push_back("the rig changed between these runs: " + text);
    for (const std::string& text : changed.staged) fmt::print(stderr, "gate: staged, not active: {}\n", text);
    return baseline_faults_.empty() ? supervisor::kExitQualified : supervisor::kExitNotProven;
  }

  // The first three lines are the verdict, its reason and the changes.
  void show(int code, bool compares, const std::filesystem::path& kept) {
    std::string verdict = "gate: OPEN";
    if (code != supervisor::kExitQualified)
      verdict = fmt::format("gate: {} (exit code {}: {})",
                            code == supervisor::kExitNotProven ? "NOT PROVEN" : "BLOCKED", code,
                            reason_ != nullptr ? reason_ : why_blocked(code));
    verdict += fmt::format(": rig {} ({}), profile {}", rig_.name, rig_.kind, name(options_.profile));
    if (!compares) {
      show_runs(code, verdict);
    } else {
      verdict +=
          fmt::format(", {} baseline and {} candidate runs", baseline_.size(), runs_->folders().size());
      terminal::write_comparison_screen(verdict, comparison(),
                                        fmt::format("--all, {}/comparison.html", kept.string()), std::cout);
      if (arguments_.all) terminal::write_comparison_table(comparison(), std::cout << '\n');
    }
    std::cout << std::flush;
    fmt::print("gate: kept in {}\n", kept.string());
  }

  void show_runs(int code, const std::string& verdict) const {
    std::cout << verdict << '\n';
    for (const std::string& fault : baseline_faults_) std::cout << "why: " << fault << '\n';
    if (code == supervisor::kExitQualified || !baseline_faults_.empty() || runs_->folders().empty()) return;
    const judge::JudgedRun run = judge::open_run(store_.where_kept(runs_->folders().back()));
    std::cout << fmt::format("why: run {}: {}\nchanged: not compared\n", runs_->folders().size(),
                             text::verdict_line(run));
    std::size_t shown = 0;
    judge::JudgedCase buffer;
    for (const judge::JudgedSuite& suite : run.suites)
      for (const judge::JudgedCase& test : suite.cases)
        if (test.status() >= judge::Status::kNotProven && shown++ < kShownCases)
          std::cout << text::shortened(terminal::case_line(whole(run, test, buffer)), kLongestLine) << '\n';
    if (shown > kShownCases) std::cout << fmt::format("{} more cases: --all\n", shown - kShownCases);
  }

  void show_baseline(bool moved) const {
    const char* anchor = arguments_.anchor ? ", and the anchor" : "";
    if (moved) fmt::print("gate: these {} runs are the baseline now{}\n", runs_->folders().size(), anchor);
    if (arguments_.baseline && !moved)
      fmt::print("gate: {}: baseline not changed\n",
                 baseline_faults_.empty() ? "a run is not qualified" : "the runs differ");
  }

  // Writes the history of all runs in the store. An error here does not change the verdict.
  void update_history() const try {
    fmt::print("gate: history in {}\n", write_history({arguments_.store}, arguments_.store).page.string());
  } catch (const std::exception& error) {
    complain(fmt::format("no history: {}", error.what()));
  }

  static constexpr std::size_t kDay = 10;  // "2026-11-20"

  const GateArguments& arguments_;
  supervisor::RunOptions options_;
  Rig rig_;
  compare::Announced announced_;
  compare::RunToCompare planned_;  // as this gate would record it
  std::vector<record::TextFile> limits_;
  supervisor::GateStore store_;
  std::vector<std::string> baseline_, anchor_, baseline_faults_;
  std::filesystem::path folder_;
  std::optional<GateRuns> runs_;
  int enough_ = 1;
  const char* reason_ = nullptr;  // why the gate is shut, unless the comparison with the baseline shows it
  compare::Look look_;
  std::optional<compare::Comparison> comparison_, against_anchor_;
};

}  // namespace

Command add_gate_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "gate", "For a pipeline: run a rig, compare the runs with the baseline in a store, keep them there");
  const auto arguments = std::make_shared<GateArguments>();
  add_rig_options(*app, arguments->run);
  add_run_options(*app, arguments->run);
  add_gtest_options(*app, arguments->run);
  app->remove_option(app->get_option("--out"));
  app->remove_option(app->get_option("--facts"));  // recorded facts don't change from run to run
  app->remove_option(app->get_option("--gtest_list_tests"));
  app->add_option("--store", arguments->store, "Folder of baselines, by rig and configuration")
      ->check(not_empty)
      ->type_name("DIR")
      ->required();
  app->add_option("--configuration", arguments->configuration,
                  "Name of the baseline, for rigs with several baselines")
      ->capture_default_str();
  app->add_option("--runs", arguments->runs,
                  "How many runs. Default: 7 with --baseline, else 4, and 3 more if those do not decide")
      ->check(CLI::Range(1, 1000));
  app->add_flag("--baseline", arguments->baseline,
                "Make a new baseline of these runs, if all qualify; nothing is compared");
  app->add_flag("--promote", arguments->promote, "If the gate opens, these runs are the new baseline")
      ->excludes("--baseline");
  app->add_flag("--anchor", arguments->anchor,
                "With --baseline or --promote: these runs also become the new anchor. The first baseline is "
                "the anchor; every later gate is compared with the anchor, too");
  app->add_option(
         "--expect", arguments->expected,
         fmt::format(
             "Announces a change of the rig since the baseline; may be given several times: nothing, any, or "
             "a kind ({}), with @NODE for one node alone. A change that is not announced blocks",
             fmt::join(compare::fact_kinds(), ", ")))
      ->type_name("KIND")
      ->excludes("--baseline");
  app->add_flag("--all", arguments->all,
                "Print everything that the runs print, and every measurement after the short screen");
  app->add_option("--report", arguments->report, "Folder for a copy of the comparison")->type_name("DIR");
  app->footer(
      "A gate that was killed or stopped goes on by the same command within a day. Exit codes: 0 open; 1 "
      "worse than the "
      "baseline or the anchor, a limit missed, or a change that was not announced; 2 error; 3 not proven: "
      "nothing changed, "
      "an update is staged and not active, too few runs to decide, or no baseline; 77 the rig is absent.");
  return {app, [arguments] {
            supervisor::require_outside_of_runs("--store", arguments->store);
            if (arguments->run.seed == 0) arguments->run.seed = 1;  // all runs measure the same pairs
            return Gate(*arguments).run();
          }};
}

}  // namespace rigproof::cli
