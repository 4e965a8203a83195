#include "framework/cli/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "framework/cli/command.h"
#include "framework/cli/fetch_facts.h"
#include "framework/cli/hear_cables.h"
#include "framework/cli/run_arguments.h"
#include "framework/record/files.h"
#include "framework/rig/rig.h"
#include "framework/rig/text_checks.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/reachability.h"
#include "framework/units/printable.h"
#include "framework/units/shell_words.h"

namespace rigproof::cli {
namespace {

bool is_loopback(const std::string& host) {
  const std::string name = lower_case(host);
  return name == "localhost" || name.starts_with("localhost.") || name == "ip6-localhost" || name == "::1" ||
         name.starts_with("127.");
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

}  // namespace

std::string node_name(const std::string& host) {
  std::string name = checked_launch_address(host);
  std::ranges::replace(name, ':', '-');
  return checked_name(name);
}

void require_hosts(const std::string& command, const std::vector<std::string>& hosts) {
  if (hosts.size() < 2) throw supervisor::Refused(command + ": name at least two hosts");
  std::vector<std::string> names;
  for (const std::string& host : hosts) {
    if (is_loopback(host))
      throw supervisor::Refused(
          fmt::format("{}: {} is a loopback address, by which no other node can reach this host. Name this "
                      "host as the others reach it: hostname -f, or an address of `ip -br addr`",
                      command, printable(host)));
    names.push_back(node_name(host));
    if (std::ranges::count(names, names.back()) > 1)
      throw supervisor::Refused(fmt::format("{}: {} is named twice", command, names.back()));
  }
}

std::vector<facts::DiscoveredNode> discovered_nodes(const std::vector<std::string>& hosts) {
  std::vector<FactsRequest> orders;
  for (const std::string& host : hosts) orders.push_back({node_name(host), checked_launch_address(host), {}});
  std::vector<facts::DiscoveredNode> nodes;
  std::size_t index = 0;
  for (FetchedFacts& fetched : fetch_facts(orders, kFetch)) {
    const std::string& host = hosts[index++];
    if (fetched.facts)
      nodes.push_back({facts::NodeFacts(std::move(*fetched.facts)), host, supervisor::addresses_of(host)});
    else
      complain(fmt::format("{}: {}", host, fetched.error));
  }
  if (nodes.size() < hosts.size())
    throw supervisor::Refused("discover: no rig file written; fix the hosts listed above");
  return nodes;
}

facts::FoundRig describe_rig(std::vector<facts::DiscoveredNode>& nodes, const std::string& rig_name) {
  hear_cables(nodes);
  facts::FoundRig found = facts::found_rig(checked_name(rig_name), nodes);
  found.text = fmt::format("#:schema {}\n{}", shipped_schema("rig").string(), found.text);
  check(found.text);
  for (const std::string& warning : found.warnings) complain("warning: " + printable(warning));
  for (const auto* lines : {&found.unmeasured, &found.left_out})
    for (const std::string& line : *lines) complain("left out: " + printable(line));
  return found;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_rig_file(const std::filesystem::path& path, const std::string& text, bool replaces) {
  std::error_code none;
  if (!replaces && std::filesystem::exists(path, none) && text_of(path) != text)
    throw supervisor::Refused(fmt::format(
        "{} exists and differs from the rig that was found, perhaps because somebody changed it. It was not "
        "touched: choose another --out, or add --replace to overwrite it",
        printable(path.string())));
  record::replace_file(path, text);
}

std::vector<std::string> guesses_in(const std::string& text, const std::string& file) {
  struct Guess {
    std::string about, line;
    int more = 0;
  };
  std::vector<Guess> guesses;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto mark = line.find("(?)");
    if (mark == line.npos || line.starts_with("# Found by")) continue;
    const std::string about = line.substr(mark);
    const auto known = std::ranges::find(guesses, about, &Guess::about);
    if (known != guesses.end())
      ++known->more;
    else
      guesses.push_back(
          {about, fmt::format("{}:{}: {}", file, number, line.substr(line.find_first_not_of(' ')))});
  }
  std::vector<std::string> shown;
  for (const Guess& guess : guesses)
    shown.push_back(guess.line + (guess.more == 0 ? "" : fmt::format("  [and {} like it]", guess.more)));
  return shown;
}

}  // namespace rigproof::cli
