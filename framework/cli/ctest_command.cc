#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/run_arguments.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/case_plan.h"
#include "framework/supervisor/ctest_folder.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/run_inputs.h"
#include "framework/supervisor/suite_catalog.h"
#include "framework/units/shell_words.h"

namespace rigproof::cli {
namespace {

// Far beyond the supervisor's own deadlines for phases: only for a supervisor that hangs.
constexpr int kSecondsALaunch = 300, kSecondsACase = 120;

std::vector<std::string> run_command(const supervisor::RunOptions& options, const std::string& suite,
                                     std::string_view profile) {
  std::vector<std::string> words{own_folder() / "rigproof",
                                 "run",
                                 "--rig",
                                 std::filesystem::absolute(options.rig),
                                 "--suite",
                                 suite,
                                 "--suite-dir",
                                 std::filesystem::absolute(options.suite_folders.installed),
                                 "--profile",
                                 std::string(profile)};
  for (const std::filesystem::path& folder : options.suite_folders.added)
    words.insert(words.end(), {"--suites", std::filesystem::absolute(folder)});
  if (!options.launcher.empty()) words.insert(words.end(), {"--launcher", options.launcher});
  for (const std::filesystem::path& file : options.thresholds)
    words.insert(words.end(), {"--thresholds", std::filesystem::absolute(file)});
  if (options.gtest.selects()) words.push_back("--gtest_filter=" + options.gtest.filter);
  return words;
}

// A test of each suite, without its profile. Includes requested suites without cases, and suites that have limits but are
// not built: their tests report the same as a run.
std::vector<supervisor::CtestTest> suites_to_test(const supervisor::RunOptions& options,
                                                  const LimitTable& limits, const Rig& rig) {
  const supervisor::Describer describer(
      {options.rig, options.gtest, options.timeouts, false, rig.nodes.size()}, rig);
  const std::vector<std::string>& asked = options.suites;
  const std::vector<supervisor::Suite> installed = supervisor::find_suites(options.suite_folders);
  const std::vector<std::string> missing = not_built(installed);
  std::set<std::string> owed(asked.begin(), asked.end());
  for (const Limit& limit : limits.limits())
    if (const std::string suite = suite_of(limit.id);
        asked.empty() && limit.is_required() && std::ranges::find(missing, suite) != missing.end())
      owed.insert(suite);
  if (options.gtest.selects()) owed.clear();
  const auto timeout = [](std::size_t cases) {
    return kSecondsALaunch + kSecondsACase * static_cast<int>(cases);
  };
  std::vector<supervisor::CtestTest> tests;
  const std::vector<supervisor::Suite> chosen = choose_suites(installed, asked);
  for (const auto& [suite, description, planned] : describer.all(chosen, chosen)) {
    const std::size_t cases = planned->size();
    if (owed.erase(suite.name) > 0 || cases > 0)
      tests.push_back({suite.name, "", {}, timeout(cases), description.traits.judges_facts});
  }
  for (const std::string& suite : owed) tests.push_back({suite, "", {}, timeout(0)});  // not installed
  return tests;
}

int write_folder(const RunArguments& arguments) {
  const supervisor::RunOptions options = arguments.options();
  if (arguments.out.empty())
    throw supervisor::Refused("--out DIR is missing: the folder to write the tests into");
  supervisor::require_outside_of_runs("--out", options.out);
  if (const auto journal = supervisor::OutDirectory::journal_in(options.out);
      std::filesystem::exists(journal))
    throw supervisor::Refused(fmt::format("--out {}: contains a run already ({}); give another folder",
                                          options.out.string(), journal.string()));
  const Rig rig = load_rig(options.rig);
  const LimitTable limits = LimitTable::load(options.thresholds, options.profile, rig_fact_dimensions());
  supervisor::refuse_rates_of_other_rigs(supervisor::load_thresholds(options.thresholds), options.profile,
                                         rig);
  supervisor::CtestFolder folder{rig.name, {}};
  std::vector<std::string_view> profiles{name(Profile::kSmoke)};
  if (options.profile != Profile::kSmoke) profiles.push_back(name(options.profile));
  const auto tests = suites_to_test(options, limits, rig);
  for (const std::string_view profile : profiles)
    for (supervisor::CtestTest test : tests) {
      test.profile = profile;
      test.command = run_command(options, test.suite, profile);
      folder.tests.push_back(std::move(test));
    }
  if (folder.tests.empty()) throw supervisor::Refused("no suite has a case for this rig; see: rigproof list");
  const auto out = std::filesystem::absolute(options.out);
  write_ctest_folder(folder, out);
  fmt::print("{} tests on rig {}: {}\n", folder.tests.size(), rig.name,
             join_words({"ctest", "--test-dir", out, "--output-on-failure"}));
  return 0;
}

}  // namespace

Command add_ctest_command(CLI::App& parent) {
  CLI::App* app =
      parent.add_subcommand("ctest",
                            "Write a ctest folder: a test for each suite, in profile smoke and in "
                            "--profile");
  const auto arguments = std::make_shared<RunArguments>();
  add_rig_options(*app, *arguments);
  add_run_options(*app, *arguments);
  // Options that the runs of the tests would not receive.
  for (const char* option : {"--facts", "--rounds", "--seed", "--sample", "--power", "--operator", "--pdf",
                             "--no-pdf", "--plain", "--verbose", "--label"})
    app->remove_option(app->get_option(option));
  app->get_option("--out")->description("Folder for the tests, created if missing (required)");
  app->add_option("--gtest_filter", arguments->gtest.filter, "Only cases that match")->type_name("PATTERNS");
  app->footer("Exit codes: 0 written; 2 error: no folder was written.");
  return {app, [arguments] { return write_folder(*arguments); }};
}

}  // namespace rigproof::cli
