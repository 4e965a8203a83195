#include "framework/cli/comparison_files.h"

#include <ostream>

#include "framework/cli/run_arguments.h"
#include "framework/record/replace_file.h"
#include "framework/record/run_identity.h"
#include "framework/rig/rig.h"
#include "framework/toml/document.h"
#include "reports/comparison/comparison.h"
#include "reports/markdown/summary.h"
#include "reports/terminal/terminal.h"

namespace rigproof::cli {

judge::OtherLimits other_limits(std::vector<record::TextFile> limits) {
  return {.limits = std::move(limits),
          .by = {.run = {},
                 .time = record::utc_now(),
                 .user = record::user_name(),
                 .host = record::host_name(),
                 .command_line = own_command_line()}};
}

namespace {

compare::RunToCompare judged(const std::string& folder, const std::vector<record::TextFile>& limits) {
  const record::Event first = judge::first_event(folder);
  judge::JudgedRun run = judge_again(folder, other_limits(limits));
  std::string id = run.measured_run();
  return {std::move(id), first.time, folder, std::move(run)};
}

std::vector<compare::RunToCompare> judged(const std::vector<std::string>& folders,
                                          const std::vector<record::TextFile>& limits) {
  std::vector<compare::RunToCompare> runs;
  for (const std::string& folder : folders) runs.push_back(judged(folder, limits));
  return runs;
}

}  // namespace

compare::Comparison compare_folders(const std::vector<std::string>& base,
                                    const std::vector<std::string>& candidate,
                                    std::vector<record::TextFile> limits, compare::Look look) {
  if (base.empty() || candidate.empty())
    throw compare::Incomparable(
        "a comparison needs at least one base run and one candidate run: BASE... -- CANDIDATE...");
  const record::Event first = judge::first_event(candidate.front());
  const auto& start = std::get<record::RunStarted>(first.body);
  if (limits.empty()) limits = start.limits;
  const LimitTable table = LimitTable::read(judge::documents_of(limits), parse_profile(start.asked.profile),
                                            rig_fact_dimensions());
  return compare_runs(judged(base, limits), judged(candidate, limits), table, look);
}

std::vector<std::filesystem::path> write_comparison(const compare::Comparison& comparison,
                                                    const std::filesystem::path& directory) {
  const auto path = [&](const char* name) { return directory / name; };
  record::replace_file(path("comparison.json"),
                       [&](std::ostream& out) { comparison::write_comparison_json(comparison, out); });
  record::replace_file(path("comparison.md"),
                       [&](std::ostream& out) { markdown::write_comparison_summary(comparison, out); });
  record::replace_file(path("comparison.txt"), terminal::comparison_table(comparison));
  record::replace_file(path("comparison.html"),
                       [&](std::ostream& out) { comparison::write_forest(comparison, out); });
  return {path("comparison.json"), path("comparison.md"), path("comparison.txt"), path("comparison.html")};
}

}  // namespace rigproof::cli
