#include <fmt/format.h>

#include <cstdio>

#include "framework/cli/command.h"
#include "framework/cli/discovery.h"
#include "framework/supervisor/out_directory.h"
#include "framework/units/printable.h"
#include "framework/units/shell_words.h"

namespace rigproof::cli {
namespace {

struct DiscoverArguments {
  std::vector<std::string> hosts;
  std::string name = "rig", out;
  bool replaces = false;
};

void show_what_is_next(const DiscoverArguments& arguments, const std::string& text) {
  fmt::print("{} describes the rig.\n", arguments.out);
  const std::vector<std::string> guesses = guesses_in(text, arguments.out);
  if (!guesses.empty()) fmt::print("\nGuesses: check these lines, and correct them if necessary:\n");
  for (const std::string& guess : guesses) fmt::print("  {}\n", printable(guess));
  std::vector<std::string> next{"rigproof", "qualify"};
  next.insert(next.end(), arguments.hosts.begin(), arguments.hosts.end());
  next.insert(next.end(), {"--rig", arguments.out});
  fmt::print("\nNext: {}\n", join_words(next));
}

int discover(const DiscoverArguments& arguments) {
  require_hosts("discover", arguments.hosts);
  if (!arguments.out.empty()) supervisor::require_outside_of_runs("--out", arguments.out);
  std::vector<facts::DiscoveredNode> nodes = discovered_nodes(arguments.hosts);
  const std::string text = describe_rig(nodes, arguments.name).text;
  if (arguments.out.empty()) {
    fmt::print("{}", text);
    return 0;
  }
  write_rig_file(arguments.out, text, arguments.replaces);
  show_what_is_next(arguments, text);
  return 0;
}

}  // namespace

Command add_discover_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("discover", "Write a rig file from the facts of two or more hosts");
  const auto arguments = std::make_shared<DiscoverArguments>();
  app->add_option("HOST", arguments->hosts, "Host name or address by which a launcher reaches the host")
      ->take_all()
      ->required();
  app->add_option("--name", arguments->name, "Name of the rig")->capture_default_str();
  app->add_option("--out", arguments->out, "The rig file to write. Default: standard output")
      ->type_name("FILE");
  app->add_flag("--replace", arguments->replaces, "Overwrite FILE even if it is another rig file");
  app->footer("Exit codes: 0 written; 2 error: no rig file was written.");
  return {app, [arguments] { return discover(*arguments); }};
}

}  // namespace rigproof::cli
