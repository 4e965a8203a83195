#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/report_files.h"
#include "framework/cli/run_arguments.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/run_inputs.h"
#include "reports/terminal/terminal.h"
#include "reports/text/describe.h"

namespace rigproof::cli {
namespace {

struct CompareArguments {
  std::vector<std::string> base, candidate, thresholds;
  std::string out;
  bool all = false;
};

// Two runs (OLD NEW) need no "--" between them.
void split_pair(CompareArguments& arguments) {
  if (!arguments.candidate.empty()) return;
  if (arguments.base.size() != 2)
    throw supervisor::Refused(
        "expected -- between the base runs and the candidate runs: BASE... -- CANDIDATE...");
  arguments.candidate = {arguments.base.back()};
  arguments.base.pop_back();
}

int compare_and_show(CompareArguments arguments) {
  split_pair(arguments);
  const compare::Comparison comparison = compare_folders(
      arguments.base, arguments.candidate,
      supervisor::load_thresholds({arguments.thresholds.begin(), arguments.thresholds.end()}));
  if (!arguments.out.empty()) create_comparison_folder("--out", arguments.out);
  terminal::write_comparison_screen(text::comparison_line(comparison), comparison, "--all", std::cout);
  if (arguments.all) terminal::write_comparison_table(comparison, std::cout << '\n');
  if (!arguments.out.empty()) {
    (void)write_comparison(comparison, arguments.out);
    std::cout << fmt::format("the whole comparison: {}/comparison.html, .json, .md, .txt\n", arguments.out);
  }
  return comparison.exit_code();
}

}  // namespace

Command add_compare_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "compare",
      "Is the candidate worse than the base? compare [options] BASE... -- CANDIDATE..., folders of runs");
  const auto arguments = std::make_shared<CompareArguments>();
  app->add_option("BASE", arguments->base, "Folders of the base runs; a run is one sample, so give several")
      ->take_all()
      ->required();
  app->add_option(kCandidateOption, arguments->candidate, "Folders of the candidate runs, behind --")
      ->take_all()
      ->type_name("CANDIDATE");
  add_thresholds_option(*app, arguments->thresholds,
                        "Limits to judge both sides by; later files override. Default: the limits of the "
                        "runs, which must be the same");
  app->add_option("--out", arguments->out, "Folder for comparison.json, .md, .txt and .html (a forest plot)")
      ->check(not_empty)
      ->type_name("DIR");
  app->add_flag("--all", arguments->all, "Print every measurement after the short screen");
  app->footer(
      "Exit codes: 0 not worse; 1 worse, or a candidate run missed a limit; 2 error: runs of other rigs, "
      "profiles or limits; 3 too few runs to decide.");
  return {app, [arguments] { return compare_and_show(*arguments); }};
}

}  // namespace rigproof::cli
