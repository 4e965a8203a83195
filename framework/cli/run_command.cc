#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <memory>

#include "framework/cli/command.h"
#include "framework/cli/console.h"
#include "framework/cli/live_screen.h"
#include "framework/cli/report_files.h"
#include "framework/cli/run_arguments.h"
#include "framework/cli/signature.h"
#include "framework/limits/limit_table.h"
#include "framework/process/descriptor_limit.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/case_plan.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/run_inputs.h"
#include "framework/supervisor/suite_catalog.h"
#include "reports/manifest/manifest.h"

namespace rigproof::cli {

int run_and_show(const RunArguments& arguments, std::FILE* out) {
  if (arguments.list) return list_and_show(arguments);
  const bool resumes = !arguments.resume.empty();
  if (resumes) require_unsigned(arguments.resume);
  if (resumes) manifest::require_sealed_evidence(arguments.resume);
  const supervisor::RunOptions options = resumes ? arguments.options_to_resume() : arguments.options();
  std::signal(SIGPIPE, SIG_IGN);  // a closed reader of our output does not stop the run
  process::raise_descriptor_limit();
  Console console(options.out, out,
                  shows_colours(fileno(out)) ? terminal::Colour::kOn : terminal::Colour::kOff,
                  arguments.draws, arguments.verbose);
  const supervisor::RunOutcome outcome = resumes ? resume_rig(options, console) : run_rig(options, console);
  const bool pdf = outcome.run.end && arguments.wants_pdf(outcome.run.start.asked.profile);
  console.show_end(outcome, pdf ? make_pdf(options.out) : "");
  if (!outcome.recording_error.empty()) complain(outcome.recording_error);
  if (outcome.exit_code == supervisor::kExitError || outcome.exit_code == supervisor::kExitRigAbsent)
    complain_of(outcome.run.problems);
  return outcome.exit_code;
}

Command add_run_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("run", "Qualify a rig");
  const auto arguments = std::make_shared<RunArguments>();
  add_rig_options(*app, *arguments);
  add_run_options(*app, *arguments);
  add_gtest_options(*app, *arguments);
  add_resume_option(*app, *arguments);
  return {app, [arguments] {
            arguments->draws = arguments->wants_screen() && can_draw_on(STDOUT_FILENO);
            return run_and_show(*arguments);
          }};
}

int list_and_show(const RunArguments& arguments) {
  supervisor::RunOptions options = arguments.options();
  const Rig rig = load_rig(options.rig);
  // A list judges no samples, but refuses the files that a run would refuse.
  LimitTable limits;
  if (!options.thresholds.empty()) {
    limits = LimitTable::load(options.thresholds, options.profile, rig_fact_dimensions());
    supervisor::refuse_rates_of_other_rigs(supervisor::load_thresholds(options.thresholds), options.profile,
                                           rig);
  }
  (void)supervisor::choose_rounds(rig, limits, options);
  const supervisor::Describer describer(
      {options.rig, options.gtest, options.timeouts, options.with_operator, rig.nodes.size(), options.rounds},
      rig);
  const auto chosen = choose_suites(supervisor::find_suites(options.suite_folders), options.suites);
  bool has_cases = false;
  for (const auto& [suite, description, cases] : describer.all(chosen, chosen)) {
    has_cases = has_cases || cases->size() > 0;
    if (cases->size() == 0 && (options.gtest.selects() || options.gtest.first_look)) continue;
    fmt::print("{}\n", suite.name);
    for (const supervisor::Job& job : cases->jobs())
      for (const std::string& name : cases->names_of(job)) fmt::print("  {}\n", name);
  }
  if (!has_cases) supervisor::refuse_without_cases(options.gtest);
  return 0;
}

Command add_list_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("list", "Show the suites and their cases for a rig");
  const auto arguments = std::make_shared<RunArguments>();
  arguments->list = true;
  add_rig_options(*app, *arguments);
  add_rounds_options(*app, *arguments);
  add_case_options(*app, arguments->gtest);
  app->footer("Exit codes: 0 listed; 2 error; 3 no suite is installed.");
  return {app, [arguments] { return list_and_show(*arguments); }};
}

}  // namespace rigproof::cli
