#include <fmt/format.h>

#include <memory>

#include "framework/cli/command.h"
#include "framework/cli/run_command.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof {

int list_and_show(const RunArguments& arguments) {
  const RunOptions options = arguments.options();
  [[maybe_unused]] const Rig checked = load_rig(options.rig);
  const DescribeRequest request{options.rig, options.gtest, options.timeouts};
  for (const Suite& suite : choose_suites(find_suites(options.suite_folder), options.suites)) {
    fmt::print("{}\n", suite.name);
    for (const PlannedCase& test : describe(suite, request).plan.cases) fmt::print("  {}\n", test.name);
  }
  return 0;
}

Command add_list_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("list", "Show the suites and their cases for a rig");
  const auto arguments = std::make_shared<RunArguments>();
  arguments->list = true;
  add_rig_options(*app, *arguments);
  app->add_option("--gtest_filter", arguments->gtest.filter, "Only cases that match")->type_name("PATTERNS");
  return {app, [arguments] { return list_and_show(*arguments); }};
}

}  // namespace rigproof
