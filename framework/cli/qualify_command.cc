// From hosts to a verdict: doctor, discover, limits, run.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "framework/cli/chosen_limits.h"
#include "framework/cli/command.h"
#include "framework/cli/discovery.h"
#include "framework/cli/doctor.h"
#include "framework/cli/live_screen.h"
#include "framework/cli/run_arguments.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/run_inputs.h"
#include "framework/units/printable.h"
#include "reports/terminal/time_left.h"

namespace rigproof::cli {
namespace {

struct QualifyArguments {
  std::vector<std::string> hosts;
  std::string name = "rig";
  RunArguments run;
};

// The run was not started; the message names what to do.
supervisor::Refused not_started(const std::string& why) { return supervisor::Refused("qualify: " + why); }

void step(const std::string& text) {
  fmt::print("\n{}\n", text);
  std::fflush(stdout);
}

void require_well(const std::vector<Diagnosis>& diagnoses) {
  if (const int problems = show_diagnoses(diagnoses); problems > 0)
    throw not_started(
        fmt::format("no run was started: solve the {} problem{} above first. Nothing was changed", problems,
                    problems == 1 ? "" : "s"));
}

// Throws Refused unless the rig's nodes are launched by these names.
void require_same_hosts(const Rig& rig, const std::string& file, std::vector<std::string> hosts) {
  std::vector<std::string> described;
  for (const Node& node : rig.nodes) described.push_back(node.address);
  const std::string names = fmt::format("{}", fmt::join(described, " "));
  std::ranges::sort(described);
  std::ranges::sort(hosts);
  if (described != hosts)
    throw not_started(fmt::format("{} exists and describes {}: name these hosts, or another file by --rig",
                                  printable(file), names));
}

std::vector<std::string> hosts_of(const Rig& rig) {
  std::vector<std::string> hosts;
  for (const Node& node : rig.nodes) hosts.push_back(node.address);
  return hosts;
}

void show_rig(const std::string& file, const std::string& how) {
  step(fmt::format("Rig: {} {}", file, how));
  for (const std::string& guess : guesses_in(text_of(file), file))
    fmt::print("  guess: {}\n", printable(guess));
}

// The ways over the rails, which are not known before the rig is.
std::vector<Diagnosis> of_rails(std::vector<Diagnosis> diagnoses) {
  std::erase_if(diagnoses, [](const Diagnosis& one) {
    return one.check != "rails" && one.kind != Diagnosis::Kind::kProblem;
  });
  return diagnoses;
}

std::vector<facts::DiscoveredNode> use_rig_file(QualifyArguments& arguments) {
  const std::string& file = arguments.run.rig;
  const Rig rig = load_rig(file);
  if (arguments.hosts.empty()) arguments.hosts = hosts_of(rig);
  require_same_hosts(rig, file, arguments.hosts);
  step("Can a run begin?");
  require_well(examine(request_for(rig, arguments.run.out)));
  show_rig(file, "exists and is used as it is (to describe the rig anew: rigproof discover --replace)");
  return discovered_nodes(arguments.hosts);
}

std::vector<facts::DiscoveredNode> make_rig_file(const QualifyArguments& arguments) {
  const std::string& file = arguments.run.rig;
  require_hosts("qualify", arguments.hosts);
  step("Can a run begin?");
  require_well(examine(request_for(arguments.hosts, arguments.run.out)));
  std::vector<facts::DiscoveredNode> nodes = discovered_nodes(arguments.hosts);
  const facts::FoundRig found = describe_rig(nodes, arguments.name);
  write_rig_file(file, found.text, false);
  show_rig(file, "was written: correct it if a guess is wrong, and type the same command again");
  if (!found.unmeasured.empty())
    throw not_started(fmt::format(
        "no run was started: it would leave out {} with RDMA and a cable, named above. Correct the address, "
        "remove {} and "
        "type the same command again; or type it at once to leave them out",
        found.unmeasured.size() == 1 ? "a netdev" : fmt::format("{} netdevs", found.unmeasured.size()),
        printable(file)));
  require_well(of_rails(examine(request_for(load_rig(file), arguments.run.out))));
  return nodes;
}

void choose_limits(RunArguments& run, const std::vector<facts::DiscoveredNode>& nodes) {
  if (const auto given = thresholds_files(run.thresholds); !given.empty())
    return step(fmt::format("Limits: {}, as given", fmt::join(given, ", ")));
  const ChosenLimits limits = limits_for(load_rig(run.rig), nodes);
  for (const std::string& name : limits.names) run.thresholds.push_back(shipped_thresholds(name + ".toml"));
  step(fmt::format("Limits: {}: {} (others: --thresholds FILE)", fmt::join(limits.names, ", "), limits.why));
}

std::string about(std::chrono::seconds time) {
  return time.count() < 100 ? fmt::format(", about {} s", time.count())
                            : fmt::format(", about {} minutes", (time.count() + 30) / 60);
}

void show_time(const RunArguments& run) {
  std::vector<terminal::SuiteProgress> suites;
  std::size_t cases = 0;
  for (const supervisor::PlannedCount& count : supervisor::load_inputs(run.options()).counts) {
    suites.push_back({.suite = count.suite, .cases = count.cases, .usual = count.usual});
    cases += count.cases;
  }
  const auto time = terminal::time_left(suites);
  step(fmt::format("Run: {} cases in profile {}{}, record in {}", cases,
                   run.gtest.first_look ? "smoke" : run.profile, time ? about(*time) : "", run.out));
}

int qualify(QualifyArguments& arguments) {
  RunArguments& run = arguments.run;
  if (run.rig.empty()) run.rig = "rig.toml";
  if (run.out.empty()) run.out = default_out();
  std::error_code none;
  choose_limits(run,
                std::filesystem::exists(run.rig, none) ? use_rig_file(arguments) : make_rig_file(arguments));
  show_time(run);
  run.draws = run.wants_screen() && can_draw_on(STDOUT_FILENO);
  const int code = run_and_show(run);
  step(fmt::format("Report: {}/report.html", run.out));
  return code;
}

}  // namespace

Command add_qualify_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "qualify", "From hosts to a verdict: doctor, discover, the limits that fit, and a run");
  const auto arguments = std::make_shared<QualifyArguments>();
  app->add_option(
         "HOST", arguments->hosts,
         "Host name or address by which a launcher reaches the host. Default: the hosts of the rig file")
      ->take_all();
  app->add_option("--name", arguments->name, "Name of the rig in a new rig file")->capture_default_str();
  add_rig_options(*app, arguments->run);
  app->get_option("--rig")->description(
      "The rig file. If it exists, it is used as it is; else it is written. Default: rig.toml");
  app->get_option("--thresholds")
      ->description("The limits to judge by. Default: those that fit what was found");
  add_run_options(*app, arguments->run);
  add_case_options(*app, arguments->run.gtest);
  app->remove_option(app->get_option("--facts"));
  return {app, [arguments] { return qualify(*arguments); }};
}

}  // namespace rigproof::cli
