#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <ostream>
#include <string>

#include "framework/cli/command.h"
#include "framework/cli/report_files.h"
#include "framework/cli/run_arguments.h"
#include "framework/record/replace_file.h"
#include "framework/supervisor/judge_again.h"
#include "framework/supervisor/out_directory.h"
#include "reports/terminal/terminal.h"

namespace rigproof {
namespace {

struct JudgeArguments {
  std::string directory, thresholds, out;
};

// Every report of the second record, the limits before, and its journal, which appears whole or not at all.
RunRecord judge_into(const JudgeArguments& arguments, const ThresholdsFile& limits) {
  const OutDirectory out(arguments.out);
  std::optional<RunRecord> record;
  replace_file(out.journal(), [&](std::ostream& journal) {
    record = judge_again(arguments.directory, limits, own_command_line(),
                         [&](const Event& event) { journal << encode(event) << '\n'; });
  });
  const Event first = first_event(arguments.directory);
  replace_file(out.path() / "logs" / "thresholds-before.toml",
               std::get<RunStarted>(first.body).thresholds_text);
  seal_reports(*record, out.path());
  for (const auto& path : report_paths(out.path())) fmt::print("{}\n", path.string());
  fmt::print("\n");
  return *std::move(record);
}

int judge_and_show(const JudgeArguments& arguments) {
  const ThresholdsFile limits = ThresholdsFile::load(arguments.thresholds);
  const RunRecord record = arguments.out.empty()
                               ? judge_again(arguments.directory, limits, own_command_line())
                               : judge_into(arguments, limits);
  fmt::print("{}", verdict_table(record));
  for (const Problem& problem : record.problems) fmt::print(stderr, "rigproof: {}\n", problem.message);
  return exit_code_of(record);
}

}  // namespace

Command add_judge_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "judge", "Judge the recorded samples of a run again by other limits; the run's folder is only read");
  const auto arguments = std::make_shared<JudgeArguments>();
  app->add_option("DIR", arguments->directory, "The folder of a run")->required();
  app->add_option("--thresholds", arguments->thresholds, "The limits to judge by")
      ->type_name("FILE")
      ->required();
  app->add_option("--out", arguments->out,
                  "Folder for a record of this judgement and its reports; none unless given")
      ->type_name("DIR");
  return {app, [arguments] { return judge_and_show(*arguments); }};
}

}  // namespace rigproof
