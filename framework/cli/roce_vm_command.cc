#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/emulated_rigs/roce_vm_rig/layout.h"
#include "fixtures/emulated_rigs/roce_vm_rig/roce_vm_rig.h"
#include "framework/cli/command.h"
#include "framework/cli/live_screen.h"
#include "framework/cli/report_files.h"
#include "framework/cli/run_arguments.h"
#include "framework/process/process.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::cli {
namespace {

void add_rig_options(CLI::App& app, roce_vm_rig::RoceVmRigSpec& spec) {
  app.add_option("--kernel", spec.kernel,
                 "Debian package with the kernel to boot; may be given several times. Otherwise apt-get "
                 "downloads the "
                 "distribution's, once")
      ->envname("RIGPROOF_KERNEL")
      ->type_name("DEB")
      ->check(CLI::ExistingFile)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--nodes", spec.nodes, "2 between cables, or 3 on a switch")
      ->check(CLI::Range(2, roce_vm_rig::kMostNodes))
      ->capture_default_str();
  app.add_option("--accel", spec.accelerator,
                 "tcg emulates; kvm is only for machines where it is known to work")
      ->check(CLI::IsMember({"tcg", "kvm"}))
      ->capture_default_str();
}

int in_rig(const roce_vm_rig::RoceVmRigSpec& spec, const std::vector<std::string>& command,
           std::vector<std::string> variables = {}) {
  try {
    variables.push_back("RIGPROOF_THRESHOLDS=" + shipped_thresholds("roce-vm-rig.toml").string());
    return roce_vm_rig::run_in_roce_vm_rig(spec, command, variables);
  } catch (const roce_vm_rig::RoceVmRigAbsent& absent) {
    throw supervisor::Refused(fmt::format("rig absent: {}", absent.what()), supervisor::kExitRigAbsent);
  }
}

Command add_exec(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "exec", "Run a command on the first node of a fresh rig: exec [options] -- CMD...");
  const auto spec = std::make_shared<roce_vm_rig::RoceVmRigSpec>();
  const auto command = std::make_shared<std::vector<std::string>>();
  add_rig_options(*app, *spec);
  app->add_option(
         "--writable", spec->writable,
         "A folder besides the working folder that the command may write to; may be given several times")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory)
      ->take_all()
      ->allow_extra_args(false);
  app->add_option("CMD", *command,
                  "The command; RIGPROOF_RIG and RIGPROOF_THRESHOLDS name the rig's files. What it writes "
                  "below the working folder or --writable is kept, the rest is deleted with the rig")
      ->take_all()
      ->required();
  app->positionals_at_end();
  app->footer(
      "Exit codes: the command's own; 255 if the node is lost; 2 error: the rig was not brought up; 77 the "
      "rig is absent.");
  return {app, [spec, command] { return in_rig(*spec, *command); }};
}

// The options of `run` as given here.
struct NodeRun {
  std::string out;
  std::vector<std::string> suites, folders;  // --suite, --suites
  std::vector<std::string> given = {};       // all other options
};

// The rig's usual suites, and the user's own. Throws Refused for a folder that a run refuses.
std::vector<std::string> default_suites(const std::vector<std::string>& folders) {
  std::vector<std::string> names = roce_vm_rig::usual_suites();
  if (folders.empty()) return names;
  const auto installed = supervisor::find_suites({installed_suites(), {}});
  const auto all = supervisor::find_suites({installed_suites(), {folders.begin(), folders.end()}});
  for (const supervisor::Suite& suite : all)
    if (std::ranges::find(installed, suite.name, &supervisor::Suite::name) == installed.end())
      names.push_back(suite.name);
  return names;
}

// The command line of `run` on the node.
std::vector<std::string> run_words(const NodeRun& run) {
  std::vector<std::string> words{process::own_program(), "run", "--no-pdf", "--out", run.out};
  std::ranges::copy_if(run.given, std::back_inserter(words),
                       [](const std::string& word) { return word != "--pdf" && word != "--no-pdf"; });
  for (const std::string& folder : run.folders)
    words.insert(words.end(), {"--suites", std::filesystem::absolute(folder)});
  for (const std::string& suite : run.suites) words.insert(words.end(), {"--suite", suite});
  return words;
}

// Made here, after the rig has ended: an emulated CPU takes minutes for it.
void show_pdf(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "report.html")) return;
  const std::string why_not = make_pdf(folder);
  fmt::print("\n  {}\n", why_not.empty() ? (folder / "report.pdf").string() : "no report.pdf: " + why_not);
}

bool wants_pdf(const std::vector<std::string>& given) {
  const auto has = [&](std::string_view word) { return std::ranges::find(given, word) != given.end(); };
  return !has("--no-pdf") && (has("--pdf") || has("acceptance") || has("--profile=acceptance"));
}

// Variables that describe this terminal to a program on the node.
std::vector<std::string> terminal_variables() {
  std::vector<std::string> variables;
  for (const char* name : {"TERM", "NO_COLOR"})
    if (const char* value = std::getenv(name)) variables.push_back(fmt::format("{}={}", name, value));
  if (!speaks_utf8()) variables.emplace_back("LC_ALL=C");
  return variables;
}

// Shows the live view, which the node draws, if stdout is a terminal.
int run_on_node(roce_vm_rig::RoceVmRigSpec spec, const std::vector<std::string>& words) {
  const auto asks_for_lines = [](const std::string& word) {
    return word == "--plain" || word == "-v" || word == "--verbose";
  };
  spec.terminal = can_draw_on(STDOUT_FILENO) && std::ranges::none_of(words, asks_for_lines);
  if (!spec.terminal) return in_rig(spec, words);
  const LentTerminal terminal(STDOUT_FILENO);
  return in_rig(spec, words, terminal_variables());
}

// Creates or refuses the folder before it starts the rig.
int qualify(roce_vm_rig::RoceVmRigSpec spec, NodeRun run) {
  if (run.out.empty()) run.out = default_out();
  if (run.suites.empty()) run.suites = default_suites(run.folders);
  { const supervisor::OutDirectory checked(run.out); }
  spec.writable = {run.out};
  if (std::ranges::find(run.given, "--gtest_list_tests") == run.given.end()) {
    fmt::print("RoCE VM rig: suites {}\n", fmt::join(run.suites, ", "));
    std::fflush(stdout);
  }
  const int code = run_on_node(spec, run_words(run));
  if (wants_pdf(run.given)) show_pdf(run.out);
  return code;
}

Command add_run(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("run", "Bring up a rig, qualify it, take it down");
  const auto spec = std::make_shared<roce_vm_rig::RoceVmRigSpec>();
  const auto run = std::make_shared<NodeRun>();
  add_rig_options(*app, *spec);
  add_suite_options(*app, run->suites, run->folders);
  app->add_option("--out", run->out, "Folder for the record and the reports. Default: out/run-TIME")
      ->type_name("DIR");
  app->allow_extras();
  app->footer(
      "All other options go to `rigproof run` on the node (see: rigproof run --help). Without --suite: link, "
      "mtu, rdma, and those of --suites");
  return {app, [spec, run, app] {
            run->given = app->remaining();
            return qualify(*spec, *run);
          }};
}

}  // namespace

std::vector<Command> add_roce_vm_commands(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "roce-vm", "Virtual machines with soft-RoCE between them: real verbs without hardware, no root");
  app->require_subcommand(1);
  return {add_run(*app), add_exec(*app)};
}

}  // namespace rigproof::cli
