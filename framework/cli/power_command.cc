#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "framework/cli/command.h"
#include "framework/judge/power.h"
#include "framework/judge/run_judge.h"
#include "framework/record/files.h"
#include "framework/supervisor/exit_code.h"
#include "reports/manifest/manifest.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PowerArguments {
  std::string directory, out;
};

std::string power_json(const judge::JudgedRun& run, const std::vector<judge::LimitPower>& power) {
  Json limits = Json::array();
  for (const judge::LimitPower& one : power) {
    Json chances = Json::array();
    for (const judge::Chance& chance : one.chances)
      chances.push_back(Json{{"slower", chance.slower},
                             {"everywhere", chance.whole},
                             {"one_place", chance.one},
                             {"one_place_interval", {chance.of_one.low, chance.of_one.high}}});
    limits.push_back(Json{{"id", one.id},
                          {"limit", one.limit},
                          {"stated_in", one.where},
                          {"figures", one.figures},
                          {"samples", {one.fewest, one.most}},
                          {"chances", std::move(chances)}});
  }
  const Json all{
      {"run", run.start.id}, {"rig", run.start.rig}, {"interval", 0.95}, {"limits", std::move(limits)}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int show_power(const PowerArguments& arguments) {
  manifest::require_sealed_journal(arguments.directory);
  const judge::JudgedRun run = judge::open_run(arguments.directory);
  const std::vector<judge::LimitPower> power = power_of(run);
  if (power.empty())
    throw supervisor::Refused(
        "no headline limit of this run judged a rate, a time or a share: a slower rig cannot be computed");
  if (!arguments.out.empty()) {
    const std::filesystem::path file = std::filesystem::path(arguments.out) / "power.json";
    create_folder("--out", arguments.out);
    record::replace_file(file, power_json(run, power));
    fmt::print("{}\n\n", file.string());
  }
  fmt::print("{}\n\n{}\n", text::verdict_line(run), text::text_table(text::power_rows(power)));
  for (const std::string& note : text::power_notes()) fmt::print("{}\n", note);
  if (run.end && run.problems.empty()) return 0;
  complain_of(run.problems.empty() ? std::vector{record::Problem{"unfinished", "the run has not ended"}}
                                   : run.problems);
  return supervisor::kExitError;
}

}  // namespace

Command add_power_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "power",
      "Compute from a run's samples how likely each headline limit is missed if the rig is 1 to 20 % slower");
  const auto arguments = std::make_shared<PowerArguments>();
  app->add_option("DIR", arguments->directory, "The folder of a run")->required();
  app->add_option("--out", arguments->out, "Folder for power.json")->check(not_empty)->type_name("DIR");
  app->footer(
      "Exit codes: 0 shown; 2 error: no such run, no rate, time or share among its headline figures, or an "
      "incomplete record (its table is shown).");
  return {app, [arguments] { return show_power(*arguments); }};
}

}  // namespace rigproof::cli
