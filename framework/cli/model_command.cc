#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>

#include "fixtures/emulated_rigs/model_rig/model_rig.h"
#include "framework/cli/command.h"
#include "framework/cli/live_screen.h"
#include "framework/cli/run_arguments.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/out_directory.h"

namespace rigproof::cli {
namespace {

constexpr int kNotExecutable = 126, kNotFound = 127;  // as in a shell

void add_model_options(CLI::App& app, model_rig::ModelRigSpec& spec) {
  using Topology = model_rig::ModelRigSpec::Topology;
  static const std::map<std::string, Topology> kTopologies{{"star", Topology::kStar},
                                                           {"pair", Topology::kPair},
                                                           {"ring", Topology::kRing},
                                                           {"two-switches", Topology::kTwoSwitches}};
  app.add_option_function<std::string>(
         "--topology", [&spec](const std::string& name) { spec.topology = kTopologies.at(name); },
         "How the nodes are cabled: star (a switch), pair (two cables), ring (a cable to each neighbour), "
         "two-switches")
      ->check(CLI::IsMember({"star", "pair", "ring", "two-switches"}))
      ->default_str("star");
  app.add_flag("--forwarding", spec.forwarding,
               "In a ring of 4 or more, nodes without a cable between them reach each other through others");
  app.add_flag("--ipv6", spec.ipv6, "The rails have IPv6 addresses; the management network keeps IPv4");
  app.add_option("--nodes", spec.nodes, "How many nodes")
      ->check(CLI::Range(model_rig::ModelRigSpec::kMinNodes, model_rig::ModelRigSpec::kMaxNodes))
      ->capture_default_str();
  app.add_option_function<std::string>(
         "--scale", [&spec](const std::string& scale) { spec.shaped = scale != "none"; },
         "none: no shaping, as fast as this machine. Otherwise 1:100 for two nodes, and smaller with more")
      ->check(CLI::IsMember({"1:100", "none"}));
}

constexpr const char* kThresholds = "model-rig.toml";

int become(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  fmt::print(stderr, "rigproof: {}: {}\n", words[0], std::strerror(error));
  return error == ENOENT ? kNotFound : kNotExecutable;
}

int execute(const model_rig::ModelRigSpec& spec, const std::vector<std::string>& command) {
  return model_rig::run_in_model_rig(spec, [&](const model_rig::ModelRigFiles& files) {
    setenv("RIGPROOF_RIG", files.rig.c_str(), 1);
    setenv("RIGPROOF_THRESHOLDS", shipped_thresholds(kThresholds).c_str(), 1);
    return become(command);
  });
}

// The rig has its own /run, which is deleted with the rig.
void require_kept(const std::string& out) {
  if (!out.empty() && supervisor::is_inside(out, "/run"))
    throw supervisor::Refused(
        fmt::format("--out {}: /run is deleted with the model rig; choose another folder", out));
}

int qualify(const model_rig::ModelRigSpec& spec, RunArguments arguments) {
  require_kept(arguments.out);
  model_rig::require_possible(spec);
  if (!arguments.list) fmt::print("model rig: {}\n", spec.text());
  // Decided here, because a program inside cannot tell foreground from background.
  arguments.draws = arguments.wants_screen() && can_draw_on(STDOUT_FILENO);
  if (thresholds_files(arguments.thresholds).empty())
    arguments.thresholds = {shipped_thresholds(kThresholds)};
  return model_rig::run_in_model_rig(spec, [&](const model_rig::ModelRigFiles& files) {
    arguments.rig = files.rig;
    return exit_code_of([&] { return run_and_show(arguments); });
  });
}

Command add_model_run(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("run", "Bring up a model rig, qualify it, take it down");
  const auto spec = std::make_shared<model_rig::ModelRigSpec>();
  const auto arguments = std::make_shared<RunArguments>();
  add_model_options(*app, *spec);
  add_rig_options(*app, *arguments);
  app->remove_option(app->get_option("--rig"));
  add_run_options(*app, *arguments);
  add_gtest_options(*app, *arguments);
  return {app, [spec, arguments] { return qualify(*spec, *arguments); }};
}

Command add_model_exec(CLI::App& parent) {
  CLI::App* app =
      parent.add_subcommand("exec", "Run a command inside a fresh model rig: exec [options] -- CMD...");
  const auto spec = std::make_shared<model_rig::ModelRigSpec>();
  const auto command = std::make_shared<std::vector<std::string>>();
  add_model_options(*app, *spec);
  app->add_option("CMD", *command, "The command; RIGPROOF_RIG and RIGPROOF_THRESHOLDS name the rig's files")
      ->take_all()
      ->required();
  app->positionals_at_end();
  app->footer(
      "Exit codes: the command's own; 126 or 127 if it cannot be started; 2 error: the rig was not brought "
      "up.");
  return {app, [spec, command] { return execute(*spec, *command); }};
}

}  // namespace

std::vector<Command> add_model_commands(CLI::App& parent) {
  CLI::App* app =
      parent.add_subcommand("model", "A scale model of a rig in network namespaces: no hardware, no root");
  app->require_subcommand(1);
  return {add_model_run(*app), add_model_exec(*app)};
}

}  // namespace rigproof::cli
