#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/report_files.h"
#include "framework/supervisor/out_directory.h"

namespace rigproof::cli {
namespace {

struct HistoryArguments {
  std::vector<std::string> stores;
  std::string out = ".";
};

int show_history(const HistoryArguments& arguments) {
  supervisor::require_outside_of_runs("--out", arguments.out);
  const WrittenHistory written = write_history(arguments.stores, arguments.out);
  fmt::print("{} run{} of {} rig{}\n{}\n{}\n", written.runs, written.runs == 1 ? "" : "s", written.rigs,
             written.rigs == 1 ? "" : "s", written.page.string(), written.table.string());
  return 0;
}

}  // namespace

Command add_history_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "history",
      "Headline figures over all runs of a rig, with limits and changes: an HTML page and a CSV file");
  const auto arguments = std::make_shared<HistoryArguments>();
  app->add_option("STORE", arguments->stores, "Folders that contain folders of runs, at any depth")
      ->take_all()
      ->required();
  app->add_option("--out", arguments->out, "Folder for history.html and history.csv")
      ->check(not_empty)
      ->type_name("DIR")
      ->capture_default_str();
  app->footer(
      "Exit codes: 0 written; 2 error: no run could be read. Runs that cannot be read are skipped and "
      "named.");
  return {app, [arguments] { return show_history(*arguments); }};
}

}  // namespace rigproof::cli
