#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/report_files.h"
#include "framework/cli/run_arguments.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/gate_store.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/run_inputs.h"
#include "reports/terminal/terminal.h"

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

constexpr int kBaselineRuns = 7, kRuns = 7, kFirstLook = 4;

struct GateArguments {
  RunArguments run;
  std::string store, configuration = "default", report;
  int runs = 0;
  bool baseline = false, promote = false;
};

// This rig as a run that is about to begin, to be refused before it does.
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

// One pass through the gate, from the baseline to the verdict.
class Gate {
 public:
  explicit Gate(const GateArguments& arguments)
      : arguments_(arguments),
        options_(arguments.run.options()),
        rig_(load_rig(options_.rig)),
        limits_(supervisor::load_thresholds(options_.thresholds)),
        store_(arguments.store, supervisor::GateKey::of(rig_.name, arguments.configuration, options_)),
        // A damaged one is in nobody's way who makes a new one.
        baseline_(arguments.baseline ? std::vector<std::string>() : store_.baseline()) {}

  int run() {
    if (!arguments_.baseline) require_baseline();
    if (may_grow()) enough_ = enough();
    if (!arguments_.report.empty())
      create_comparison_folder("--report", arguments_.report);  // not after hours of runs
    folder_ = store_.begin();
    int code = measure();
    const bool compares =
        !arguments_.baseline && (code == supervisor::kExitQualified || code == supervisor::kExitLimitMissed);
    if (compares) code = compare(code);
    const auto kept = store_.keep(folder_);
    fmt::print("\ngate: kept in {}\n", kept.string());
    if (compares && !arguments_.report.empty()) write_comparison(comparison(), arguments_.report);
    if (code == supervisor::kExitQualified && (arguments_.baseline || arguments_.promote))
      store_.set_baseline(kept);
    show_end(code);
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
    const compare::RunToCompare rig = planned_run(options_, rig_);
    std::map<std::string, std::string> seen;  // id -> folder
    for (const std::string& folder : baseline_) {
      require_sealed(folder, kNewBaseline);
      const compare::RunToCompare run = beginning_of(folder);
      require_comparable(run, rig);
      const auto [first, is_new] = seen.emplace(run.record.start.id, folder);
      if (!is_new)
        throw supervisor::Refused(fmt::format("{} and {} of the baseline hold the same run. {}",
                                              first->second, folder, kNewBaseline));
    }
  }

  // The first exit code that is not 0 ends it. What the first look leaves open gets more runs, and a second and last
  // look.
  int measure() {
    if (!may_grow()) return measure_up_to(arguments_.runs > 0 ? arguments_.runs : kBaselineRuns);
    look_ = {1, 2};
    if (const int code = measure_up_to(std::min(kFirstLook, enough_)); code != supervisor::kExitQualified)
      return code;
    if (!comparison().needs_more_runs()) return supervisor::kExitQualified;
    fmt::print("gate: inconclusive after {} runs: {} runs in all\n", runs_.size(), enough_);
    look_ = {2, 2};
    comparison_.reset();
    return measure_up_to(enough_);
  }

  int measure_up_to(int wanted) {
    while (static_cast<int>(runs_.size()) < wanted) {
      const std::size_t number = runs_.size() + 1;
      const std::filesystem::path out = folder_ / fmt::format("run-{:03}", number);
      fmt::print("gate: run {} of {}{}\n", number, wanted, number == 1 && may_grow() ? " or more" : "");
      RunArguments arguments = arguments_.run;
      arguments.out = out;
      arguments.pdf = false;
      const int code = run_and_show(arguments);
      if (std::filesystem::exists(out / "journal.jsonl")) runs_.push_back(out);
      if (code != supervisor::kExitQualified) return code;
    }
    return supervisor::kExitQualified;
  }

  [[nodiscard]] bool may_grow() const { return arguments_.runs == 0 && !arguments_.baseline; }
  // Of all runs so far.
  compare::Comparison& comparison() {
    if (!comparison_ || comparison_->candidate.size() != runs_.size())
      comparison_ = compare_folders(baseline_, runs_, limits_, look_);
    return *comparison_;
  }

  // As many runs as can decide anything, told from how much is compared and from no value; kRuns if those will do.
  [[nodiscard]] int enough() const {
    const std::size_t compared = compared_in(baseline_, limits_);
    if (compared == 0) return 1;
    const auto enough = compare::enough_runs(baseline_.size(), compared, {2, 2});
    if (enough) return std::max(*enough, kRuns);
    throw supervisor::Refused(fmt::format(
        "the baseline of {} runs is too small to tell a change of {} measurements from chance: make a "
        "larger one (gate --baseline --runs N)",
        baseline_.size(), compared));
  }

  int compare(int code) {
    compare::Comparison& comparison = this->comparison();
    // From here on with where the runs will lie.
    for (compare::ComparedRun& run : comparison.candidate) run.folder = store_.where_kept(run.folder);
    std::cout << '\n';
    terminal::write_comparison_table(comparison, std::cout);
    std::cout.flush();
    write_comparison(comparison, folder_);
    return code == supervisor::kExitQualified ? comparison.exit_code() : code;
  }

  void show_end(int code) const {
    const bool moved = code == supervisor::kExitQualified && (arguments_.baseline || arguments_.promote);
    if (moved) fmt::print("gate: these {} runs are the baseline now\n", runs_.size());
    if (arguments_.baseline && !moved) fmt::print("gate: a run is not qualified: baseline not changed\n");
    fmt::print("gate: {}\n", code == supervisor::kExitQualified
                                 ? "OPEN"
                                 : fmt::format("BLOCKED (exit code {}: {})", code, why_blocked(code)));
  }

  // Of all runs in the store. The verdict stands without it.
  void update_history() const try {
    fmt::print("gate: history in {}\n", write_history({arguments_.store}, arguments_.store).page.string());
  } catch (const std::exception& error) {
    complain(fmt::format("no history: {}", error.what()));
  }

  const GateArguments& arguments_;
  supervisor::RunOptions options_;
  Rig rig_;
  std::vector<record::TextFile> limits_;
  supervisor::GateStore store_;
  std::vector<std::string> baseline_;
  std::filesystem::path folder_;
  std::vector<std::string> runs_;
  int enough_ = 1;
  compare::Look look_;
  std::optional<compare::Comparison> comparison_;
};

}  // namespace

Command add_gate_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "gate", "A pipeline's step: run a rig, compare it with the baseline in a store, keep the runs");
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
                  "Which baseline of the rig, by a name of yours")
      ->capture_default_str();
  app->add_option("--runs", arguments->runs,
                  "How many runs. Default: 7 with --baseline, else 4, and 3 more if those do not decide")
      ->check(CLI::Range(1, 1000));
  app->add_flag("--baseline", arguments->baseline,
                "Compare nothing: these runs, if all qualify, are the new baseline");
  app->add_flag("--promote", arguments->promote, "If the gate opens, these runs are the new baseline");
  app->add_option("--report", arguments->report, "Folder for a copy of the comparison")->type_name("DIR");
  app->footer(
      "Exit codes: 0 open; 1 worse than the baseline, or a limit missed; 2 error; 3 not proven, too few runs "
      "to decide, or no baseline; 77 the rig is absent.");
  return {app, [arguments] {
            supervisor::require_outside_of_runs("--store", arguments->store);
            return Gate(*arguments).run();
          }};
}

}  // namespace rigproof::cli
