#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "fixtures/counters/port_sampler.h"
#include "fixtures/facts/read_facts.h"
#include "framework/cli/command.h"
#include "framework/cli/fetch_facts.h"
#include "framework/record/files.h"
#include "framework/rig/text_checks.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/reachability.h"
#include "framework/units/printable.h"
#include "framework/units/shell_words.h"

namespace rigproof::cli {
namespace {

constexpr std::chrono::seconds kLogin{5};

// Splits an option's "A,B,C" into as many words as the form has.
std::vector<std::string> parts_of(const std::string& text, std::string_view form, const char* option) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (static_cast<std::ptrdiff_t>(parts.size()) != std::ranges::count(form, ',') + 1)
    throw supervisor::Refused(fmt::format("{}: expected {}, got {}", option, form, in_quotes(text)));
  return parts;
}

std::string fault_of_name(const std::string& text) try {
  (void)checked_name(text);
  return "";
} catch (const std::invalid_argument& error) {
  return error.what();
}

struct FactsArguments {
  std::string node, root = "/";
  std::vector<std::string> routes, logins, counters;
  bool for_users = false;
};

int print_facts(const FactsArguments& arguments) {
  if (!std::filesystem::is_directory(arguments.root))
    throw supervisor::Refused(fmt::format("--root {}: there is no such folder", arguments.root));
  if (arguments.for_users && arguments.root != "/")
    throw supervisor::Refused(
        "--for-users cannot be combined with --root: only the facts of this node can be kept");
  facts::Document facts =
      facts::read_facts({.node = arguments.node, .root = arguments.root, .for_users = arguments.for_users});
  if (arguments.for_users) {
    fmt::print("{}\n", facts::keep_root_facts(facts).string());
    return 0;
  }
  if (arguments.root == "/") facts::add_root_facts(facts);
  std::vector<facts::RouteQuestion> routes;
  for (const std::string& route : arguments.routes) {
    const auto parts = parts_of(route, "RAIL,FROM,TO", "--route");
    routes.push_back({parts[0], parts[1], parts[2]});
  }
  std::vector<facts::LoginQuestion> logins;
  for (const std::string& login : arguments.logins) {
    const auto parts = parts_of(login, "NODE,ADDRESS", "--login");
    logins.push_back({parts[0], parts[1]});
  }
  std::vector<facts::CounterQuestion> counters;
  for (const std::string& word : arguments.counters) {
    const auto comma = word.find(',');
    if (comma == word.npos)
      throw supervisor::Refused(fmt::format("--counters: expected PORT,SOURCE, got {}", in_quotes(word)));
    counters.push_back({word.substr(0, comma), counters::parse_source(word.substr(comma + 1))});
  }
  facts::add_routes(facts, routes);
  facts::add_counters(facts, counters);
  facts::add_logins(facts, logins, supervisor::remote_agent(), kLogin);
  fmt::print("{}", facts.dump());
  return 0;
}

FactsRequest order_for(const Rig& rig, std::size_t node) {
  FactsRequest order{rig.node(node).name, rig.node(node).address, {}};
  for (const facts::RouteQuestion& route : facts::routes_of(rig, node))
    order.arguments.insert(order.arguments.end(),
                           {"--route", fmt::format("{},{},{}", route.rail, route.from, route.to)});
  for (const facts::CounterQuestion& question : facts::counters_of(rig, node))
    order.arguments.insert(
        order.arguments.end(),
        {"--counters", fmt::format("{},{}", question.port, counters::to_word(question.source))});
  for (const facts::LoginQuestion& login : facts::logins_of(rig, node))
    order.arguments.insert(order.arguments.end(),
                           {"--login", fmt::format("{},{}", login.node, login.address)});
  return order;
}

int take_snapshot(const std::string& rig_file, const std::filesystem::path& out) {
  if (rig_file.empty())
    throw supervisor::Refused("--rig FILE is missing: the rig to read (or set RIGPROOF_RIG)");
  const Rig rig = load_rig(rig_file);
  create_folder("--out", out);
  std::vector<FactsRequest> orders;
  for (std::size_t node = 0; node < rig.nodes.size(); ++node) orders.push_back(order_for(rig, node));
  const std::vector<FetchedFacts> all = fetch_facts(orders, kFetch);
  const auto path_of = [&](const FetchedFacts& fetched) { return out / (fetched.node + ".json"); };
  // Removes all old files: old and new facts must not be judged as one rig.
  if (std::ranges::any_of(all, [](const FetchedFacts& fetched) { return fetched.facts.has_value(); }))
    for (const FetchedFacts& fetched : all) std::filesystem::remove(path_of(fetched));
  bool complete = true;
  for (const FetchedFacts& fetched : all) {
    const std::filesystem::path path = path_of(fetched);
    if (fetched.facts) {
      record::replace_file(path, fetched.facts->dump());
      fmt::print("{}  (read in {:.2f} s)\n", path.string(), fetched.facts->seconds);
    } else {
      complain(fmt::format("{}: {}", fetched.node, fetched.error));
      complete = false;
    }
  }
  return complete ? 0 : supervisor::kExitError;
}

}  // namespace

void check_snapshot(const Rig& rig, const std::filesystem::path& folder) {
  for (const Node& node : rig.nodes) (void)facts::read_facts_file(folder, node.name);
}

Command add_facts_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("facts", "Print the facts of this node as one JSON document");
  const auto arguments = std::make_shared<FactsArguments>();
  app->add_option("--node", arguments->node, "Name of this node in the document")
      ->check(fault_of_name)
      ->default_val("this-node");
  app->add_option("--root", arguments->root,
                  "Read a copy of /proc, /sys and /etc in this folder, not this node")
      ->type_name("DIR");
  app->add_flag(
      "--for-users", arguments->for_users,
      "As root: keep on this node the facts that only root can read, for later runs of ordinary users");
  app->add_option("--route", arguments->routes, "A route to look up")->type_name("RAIL,FROM,TO");
  app->add_option("--login", arguments->logins, "A login to try")->type_name("NODE,ADDRESS");
  app->add_option("--counters", arguments->counters, "Counters of a port to read once")
      ->type_name("PORT,SOURCE");
  for (const char* name : {"--route", "--login", "--counters"})
    app->get_option(name)->take_all()->allow_extra_args(false);
  app->footer("Exit codes: 0 printed, with what could not be read and why; 2 error: nothing was printed.");
  return {app, [arguments] { return print_facts(*arguments); }};
}

Command add_snapshot_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("snapshot", "Collect the facts of every node of a rig into a folder");
  struct Arguments {
    std::string rig, out = "snapshot";
  };
  const auto arguments = std::make_shared<Arguments>();
  app->add_option("--rig", arguments->rig, "The rig")->envname("RIGPROOF_RIG")->type_name("FILE");
  app->add_option("--out", arguments->out, "The folder; a NODE.json for each node")
      ->check(not_empty)
      ->type_name("DIR")
      ->capture_default_str();
  app->footer(
      "Exit codes: 0 the facts of every node were collected; 2 error: the facts of a node are missing.");
  return {app, [arguments] { return take_snapshot(arguments->rig, arguments->out); }};
}

}  // namespace rigproof::cli
