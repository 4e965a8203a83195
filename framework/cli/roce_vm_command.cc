#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "fixtures/roce_vm_rig/roce_vm_rig.h"
#include "framework/cli/command.h"
#include "framework/cli/run_arguments.h"
#include "framework/supervisor/exit_code.h"

namespace rigproof {
namespace {

void add_rig_options(CLI::App& app, RoceVmRigSpec& spec) {
  app.add_option("--kernel", spec.kernel,
                 "Debian package with the kernel to boot; may be given several times. Otherwise apt-get "
                 "downloads the "
                 "distribution's, once")
      ->envname("RIGPROOF_KERNEL")
      ->type_name("DEB")
      ->check(CLI::ExistingFile)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--accel", spec.accelerator, "tcg emulates; kvm is for machines where that is known to work")
      ->check(CLI::IsMember({"tcg", "kvm"}))
      ->capture_default_str();
}

int in_rig(const RoceVmRigSpec& spec, const std::vector<std::string>& command) {
  try {
    const std::string thresholds = shipped_thresholds("roce-vm-rig.toml");
    return run_in_roce_vm_rig(spec, command, {"RIGPROOF_THRESHOLDS=" + thresholds});
  } catch (const RoceVmRigAbsent& absent) {
    throw Refused(fmt::format("rig absent: {}", absent.what()), kExitRigAbsent);
  }
}

Command add_exec(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "exec", "Run a command on the first node of a fresh rig: exec [options] -- CMD...");
  const auto spec = std::make_shared<RoceVmRigSpec>();
  const auto command = std::make_shared<std::vector<std::string>>();
  add_rig_options(*app, *spec);
  app->add_option(
         "CMD", *command,
         "The command; RIGPROOF_RIG and RIGPROOF_THRESHOLDS name the rig's files. What it writes below "
         "the working folder stays, the rest goes with the rig")
      ->take_all()
      ->required();
  app->positionals_at_end();
  return {app, [spec, command] { return in_rig(*spec, *command); }};
}

// The suites that the rig's thresholds are about.
constexpr std::array kSuites = {"link", "mtu", "rdma"};

// `run` as it is called on the node.
std::vector<std::string> run_words(const std::vector<std::string>& given) {
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe"), "run"};
  words.insert(words.end(), given.begin(), given.end());
  const bool chosen =
      std::ranges::any_of(given, [](const std::string& word) { return word.starts_with("--suite"); });
  if (chosen) return words;
  for (const char* suite : kSuites) words.insert(words.end(), {"--suite", suite});
  return words;
}

Command add_run(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("run", "Bring up a rig, qualify it, take it down");
  const auto spec = std::make_shared<RoceVmRigSpec>();
  add_rig_options(*app, *spec);
  app->allow_extras();
  app->footer(
      "All other options go to `rigproof run` on the node (see: rigproof run --help). Without --suite: link, "
      "mtu, rdma");
  return {app, [spec, app] { return in_rig(*spec, run_words(app->remaining())); }};
}

}  // namespace

std::vector<Command> add_roce_vm_commands(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "roce-vm", "Two virtual machines with soft-RoCE between them: real verbs without hardware, no root");
  app->require_subcommand(1);
  return {add_run(*app), add_exec(*app)};
}

}  // namespace rigproof
