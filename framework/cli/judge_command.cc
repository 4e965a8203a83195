#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "framework/cli/command.h"
#include "framework/cli/report_files.h"
#include "framework/cli/run_arguments.h"
#include "framework/cli/signature.h"
#include "framework/judge/run_judge.h"
#include "framework/record/files.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/run_inputs.h"
#include "framework/units/shell_words.h"
#include "reports/manifest/manifest.h"
#include "reports/terminal/terminal.h"

namespace rigproof::cli {
namespace {

struct JudgeArguments {
  std::string directory, out;
  std::vector<std::string> thresholds, faults;
};

// Refuses invalid limits and faults, ids that no suite of the run reports, and a folder without a record, before any
// output. The catalogue that comes with Rigproof may name ids that are newer than the run.
void check(const JudgeArguments& arguments, const judge::OtherLimits& other) {
  manifest::require_sealed_journal(arguments.directory);
  const record::Event first = judge::first_event(arguments.directory);
  const record::RunStarted start = judge::rejudged(std::get<record::RunStarted>(first.body), other);
  supervisor::refuse_rates_of_other_rigs(other.limits, start);
  const judge::JudgeContext context = judge::JudgeContext::of(start, start.again->time);
  supervisor::check_declared(*context.limits, start);
  supervisor::check_declared(context.faults, start, faults_files({}).front());
}

// Refuses a judgement that was killed before its reports were written: `rigproof report` finishes it.
void require_finished(const std::filesystem::path& out) {
  std::error_code none;
  if (!std::filesystem::exists(supervisor::OutDirectory::journal_in(out), none) ||
      std::filesystem::exists(out / manifest::kManifestName, none))
    return;
  const record::Event first = judge::first_event(out);
  if (std::get<record::RunStarted>(first.body).again)
    throw supervisor::Refused(fmt::format(
        "--out {}: contains a judgement without reports. To write its reports: rigproof report {}",
        out.string(), shell_quoted(out.string())));
}

// Writes the earlier limits, then the journal of the second record (complete or not at all), then the reports.
judge::JudgedRun judge_into(const JudgeArguments& arguments, judge::OtherLimits other) {
  require_finished(arguments.out);
  require_replaceable_reports(arguments.out);
  const supervisor::OutDirectory out(arguments.out);
  const record::Event first = judge::first_event(arguments.directory);
  int number = 0;
  for (const record::TextFile& before : std::get<record::RunStarted>(first.body).limits) {
    const std::string which = ++number == 1 ? "" : fmt::format("-{}", number);
    record::replace_file(out.path() / "logs" / fmt::format("thresholds-before{}.toml", which), before.text);
  }
  std::optional<judge::JudgedRun> run;
  other.by.files = out.hash_files();
  record::replace_file(out.journal(), [&](std::ostream& journal) {
    run = judge_by_other_limits(arguments.directory, std::move(other),
                                [&](const record::Event& event) { journal << encode(event) << '\n'; });
  });
  seal_reports(*run, out.path());
  for (const auto& path : report_paths(out.path())) fmt::print("{}\n", path.string());
  fmt::print("\n");
  return *std::move(run);
}

int judge_and_show(const JudgeArguments& arguments) {
  const judge::OtherLimits other =
      other_limits(supervisor::load_thresholds({arguments.thresholds.begin(), arguments.thresholds.end()}),
                   supervisor::load_thresholds(faults_files(arguments.faults)));
  check(arguments, other);
  const judge::JudgedRun run = arguments.out.empty() ? judge_by_other_limits(arguments.directory, other)
                                                     : judge_into(arguments, other);
  fmt::print("{}", terminal::verdict_table(run));
  complain_of(run.problems);
  return run.exit_code();
}

}  // namespace

Command add_judge_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "judge", "Judge a run's recorded samples again by other limits; the run's folder is only read");
  const auto arguments = std::make_shared<JudgeArguments>();
  app->add_option("DIR", arguments->directory, "The folder of a run")->required();
  add_thresholds_option(*app, arguments->thresholds,
                        "The limits to judge by; may be given several times, later files override by id")
      ->required();
  add_faults_option(*app, arguments->faults);
  app->add_option("--out", arguments->out,
                  "Folder for a record of this judgement and its reports. Default: nothing is written")
      ->check(not_empty)
      ->type_name("DIR");
  return {app, [arguments] { return judge_and_show(*arguments); }};
}

namespace {

int rebuild(const std::filesystem::path& directory, bool pdf) {
  require_unsigned(directory);
  manifest::require_sealed_evidence(directory);
  require_nothing_added(directory);
  require_only_files(directory);
  const judge::JudgedRun run = judge::open_run(directory);
  seal_reports(run, directory);
  std::error_code none;
  if (run.end)
    std::filesystem::remove(directory / ".reserve", none);  // left by a writer that was killed at the end
  constexpr std::uintmax_t kSlow = 1 << 20;                 // bytes of HTML
  if (pdf && std::filesystem::file_size(directory / "report.html") > kSlow)
    fmt::print(stderr, "making report.pdf: minutes for hundreds of nodes (--no-pdf leaves it out)\n");
  const std::string no_pdf = pdf ? make_pdf(directory) : "";
  for (const auto& path : report_paths(directory)) fmt::print("{}\n", path.string());
  if (!no_pdf.empty()) fmt::print("no report.pdf: {}\n", no_pdf);
  fmt::print("\n{}", terminal::verdict_table(run));
  complain_of(run.problems);
  return run.exit_code();
}

}  // namespace

Command add_report_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("report", "Rebuild every report of a run from its journal alone");
  const auto directory = std::make_shared<std::string>();
  app->add_option("DIR", *directory, "The folder of a run")->required();
  const auto pdf = std::make_shared<bool>(true);
  app->add_flag("!--no-pdf", *pdf, "Make no report.pdf, which takes minutes for hundreds of nodes");
  return {app, [directory, pdf] { return rebuild(*directory, *pdf); }};
}

}  // namespace rigproof::cli
