#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "fixtures/facts/discover.h"
#include "framework/cli/command.h"
#include "framework/cli/fetch_facts.h"
#include "framework/cli/run_arguments.h"
#include "framework/record/files.h"
#include "framework/rig/rig.h"
#include "framework/rig/text_checks.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/reachability.h"
#include "framework/units/printable.h"

namespace rigproof::cli {
namespace {

struct DiscoverArguments {
  std::vector<std::string> hosts;
  std::string name = "rig", out;
};

// Name of a node for a host: without "user@", and with - for : in an address.
std::string node_name(const std::string& host) {
  std::string name = host.substr(host.rfind('@') + 1);
  for (char& c : name)
    if (c == ':') c = '-';
  return checked_name(name);
}

// Facts of hosts can contradict each other: a port that only one of them names, an MTU that no rail can have.
void check(const std::string& rig_file) {
  try {
    [[maybe_unused]] const Rig checked = read_rig(toml::Document::parse(rig_file, "found"));
  } catch (const toml::InputError& error) {
    throw supervisor::Refused(
        fmt::format("discover: no rig file written: the facts of the hosts are not enough for one. Write it "
                    "by hand (man rigproof-rig). Faults in what was found:\n{}",
                    error.what()));
  }
}

int discover(const DiscoverArguments& arguments) {
  if (arguments.hosts.size() < 2) throw supervisor::Refused("discover: name at least two hosts");
  if (!arguments.out.empty()) supervisor::require_outside_of_runs("--out", arguments.out);
  std::vector<FactsRequest> orders;
  for (const std::string& host : arguments.hosts) {
    const std::string name = node_name(host);
    if (std::ranges::count(orders, name, &FactsRequest::node) > 0)
      throw supervisor::Refused(fmt::format("discover: {} is named twice", name));
    orders.push_back({name, checked_launch_address(host), {}});
  }
  std::vector<facts::DiscoveredNode> nodes;
  bool complete = true;
  std::size_t index = 0;
  for (FetchedFacts& fetched : fetch_facts(orders, kFetch)) {
    const std::string& host = arguments.hosts[index++];
    if (fetched.facts) {
      nodes.push_back({facts::NodeFacts(std::move(*fetched.facts)), host, supervisor::addresses_of(host)});
    } else {
      complain(fmt::format("{}: {}", host, fetched.error));
      complete = false;
    }
  }
  if (!complete) throw supervisor::Refused("discover: no rig file written; fix the hosts listed above");
  const std::string text = fmt::format("#:schema {}\n{}", shipped_schema("rig").string(),
                                       facts::rig_file_text(checked_name(arguments.name), nodes));
  check(text);
  for (const facts::DiscoveredNode& node : nodes)
    for (const std::string& missing : facts::missing_halves(node)) complain("warning: " + printable(missing));
  for (const std::string& empty : facts::empty_cages(nodes)) complain("left out: " + printable(empty));
  if (arguments.out.empty())
    fmt::print("{}", text);
  else
    record::replace_file(arguments.out, text);
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
  app->footer("Exit codes: 0 written; 2 error: no rig file was written.");
  return {app, [arguments] { return discover(*arguments); }};
}

}  // namespace rigproof::cli
