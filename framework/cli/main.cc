#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/manual.h"
#include "framework/record/run_identity.h"
#include "framework/supervisor/exit_code.h"

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 qualified; 1 a limit missed; 2 error; 3 not proven; 77 the rig is absent.";

int run_parsed(const std::vector<rigproof::cli::Command>& commands) {
  for (const rigproof::cli::Command& command : commands) {
    if (command.app->parsed()) return rigproof::cli::guarded(command.run);
  }
  return rigproof::supervisor::kExitError;
}

// In reverse, as CLI11 wants them.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "compare")
    std::replace(words.begin(), words.end(), std::string("--"), std::string(rigproof::cli::kCandidateOption));
  std::reverse(words.begin(), words.end());
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Rigproof qualifies a hardware rig the way GoogleTest qualifies code.", "rigproof");
  app.set_version_flag("--version", [] {
    return "rigproof " RIGPROOF_VERSION "\ncommit " + rigproof::record::this_program("rigproof").commit +
           "\nbuilt with " RIGPROOF_BUILT_WITH;
  });
  app.footer(kExitCodes);
  app.require_subcommand(1);
  app.option_defaults()->multi_option_policy(
      CLI::MultiOptionPolicy::TakeLast);  // a script's default, then the user's
  std::vector<rigproof::cli::Command> commands{
      rigproof::cli::add_run_command(app),      rigproof::cli::add_list_command(app),
      rigproof::cli::add_report_command(app),   rigproof::cli::add_verify_command(app),
      rigproof::cli::add_judge_command(app),    rigproof::cli::add_compare_command(app),
      rigproof::cli::add_gate_command(app),     rigproof::cli::add_ctest_command(app),
      rigproof::cli::add_facts_command(app),    rigproof::cli::add_snapshot_command(app),
      rigproof::cli::add_discover_command(app), rigproof::cli::add_explain_command(app)};
  for (rigproof::cli::Command& command : rigproof::cli::add_model_commands(app))
    commands.push_back(std::move(command));
  for (rigproof::cli::Command& command : rigproof::cli::add_roce_vm_commands(app))
    commands.push_back(std::move(command));
  rigproof::cli::add_manual_commands(app, commands);
  // Words that are no command line yet: not for CLI11's parser.
  if (argc > 2 && std::string_view(argv[1]) == "complete") {
    for (const std::string& word : rigproof::cli::completions(app, {argv + 3, argv + argc}))
      std::cout << word << '\n';
    return 0;
  }
  try {
    app.parse(words_of(argc, argv));
  } catch (const CLI::ParseError& error) {
    if (const auto rest = app.remaining(); !rest.empty())
      std::cerr << "unknown here: " << rest.front() << '\n';
    return app.exit(error) == 0 ? 0 : rigproof::supervisor::kExitError;
  }
  return run_parsed(commands);
}
