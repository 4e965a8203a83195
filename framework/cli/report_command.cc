#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "framework/cli/command.h"
#include "framework/cli/pdf.h"
#include "framework/cli/report_files.h"
#include "framework/judge/run_judge.h"
#include "reports/terminal/terminal.h"

namespace rigproof {
namespace {

int rebuild(const std::filesystem::path& directory, bool pdf) {
  const JudgedRun run = open_run(directory);
  seal_reports(run, directory);
  const std::string no_pdf = pdf ? make_pdf(directory) : "";
  for (const auto& path : report_paths(directory)) fmt::print("{}\n", path.string());
  if (!no_pdf.empty()) fmt::print("no report.pdf: {}\n", no_pdf);
  fmt::print("\n{}", verdict_table(run));
  for (const Problem& problem : run.problems) fmt::print(stderr, "rigproof: {}\n", problem.message);
  return run.exit_code();
}

}  // namespace

Command add_report_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("report", "Rebuild every report of a run from its journal alone");
  const auto directory = std::make_shared<std::string>();
  app->add_option("DIR", *directory, "The folder of a run")->required();
  const auto pdf = std::make_shared<bool>(true);
  app->add_flag("!--no-pdf", *pdf, "Make no report.pdf");
  return {app, [directory, pdf] { return rebuild(*directory, *pdf); }};
}

}  // namespace rigproof
