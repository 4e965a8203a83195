#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/manual.h"
#include "framework/process/library_folders.h"
#include "framework/record/run_identity.h"
#include "framework/supervisor/exit_code.h"

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 qualified; 1 a limit missed; 2 error; 3 not proven; 77 the rig is absent.";

// Without this, the first file opened would take the descriptor of a closed stdout, and receive the output.
void open_standard_files() {
  int fd;
  do fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO) close(fd);
}

// Ensures 1 MiB of stack, also for threads and suites: with less, a deep call ends in SIGSEGV without a message.
bool has_stack() {
  constexpr rlim_t kLeast = 1 << 20, kUsual = 8 << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeast) return true;
  limit.rlim_cur = std::min(limit.rlim_max, kUsual);
  pthread_attr_t threads;
  if (limit.rlim_cur < kLeast || setrlimit(RLIMIT_STACK, &limit) != 0 || pthread_attr_init(&threads) != 0)
    return false;
  const bool set =
      pthread_attr_setstacksize(&threads, limit.rlim_cur) == 0 && pthread_setattr_default_np(&threads) == 0;
  pthread_attr_destroy(&threads);
  return set;
}

int run_parsed(const std::vector<rigproof::cli::Command>& commands) {
  for (const rigproof::cli::Command& command : commands) {
    if (command.app->parsed()) return rigproof::cli::exit_code_of(command.run);
  }
  return rigproof::supervisor::kExitError;
}

// The arguments in reverse, as CLI11 expects them.
std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "compare")
    std::replace(words.begin(), words.end(), std::string("--"), std::string(rigproof::cli::kCandidateOption));
  std::reverse(words.begin(), words.end());
  return words;
}

// The part of the command line that was understood: "rigproof model run".
std::string command_of(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return app.get_name() + (parsed.empty() ? "" : " " + command_of(*parsed.front()));
}

int run_program(int argc, char** argv) {
  CLI::App app("Rigproof qualifies a hardware rig the way GoogleTest qualifies code.", "rigproof");
  app.set_version_flag("--version", [] {
    return "rigproof " RIGPROOF_VERSION "\ncommit " + rigproof::record::this_program("rigproof").commit +
           "\nbuilt with " RIGPROOF_BUILT_WITH;
  });
  app.footer(kExitCodes);
  app.require_subcommand(1);
  app.option_defaults()->multi_option_policy(
      CLI::MultiOptionPolicy::TakeLast);  // the user's value, not a script's default
  std::vector<rigproof::cli::Command> commands{
      rigproof::cli::add_run_command(app),      rigproof::cli::add_list_command(app),
      rigproof::cli::add_watch_command(app),    rigproof::cli::add_counters_command(app),
      rigproof::cli::add_report_command(app),   rigproof::cli::add_verify_command(app),
      rigproof::cli::add_sign_command(app),     rigproof::cli::add_judge_command(app),
      rigproof::cli::add_compare_command(app),  rigproof::cli::add_power_command(app),
      rigproof::cli::add_history_command(app),  rigproof::cli::add_gate_command(app),
      rigproof::cli::add_ctest_command(app),    rigproof::cli::add_facts_command(app),
      rigproof::cli::add_snapshot_command(app), rigproof::cli::add_discover_command(app),
      rigproof::cli::add_explain_command(app)};
  for (rigproof::cli::Command& command : rigproof::cli::add_model_commands(app))
    commands.push_back(std::move(command));
  for (rigproof::cli::Command& command : rigproof::cli::add_roce_vm_commands(app))
    commands.push_back(std::move(command));
  rigproof::cli::add_manual_commands(app, commands);
  // CLI11 must not parse these words: they are not a complete command line yet.
  if (argc > 2 && std::string_view(argv[1]) == "complete") {
    for (const std::string& word : rigproof::cli::completions(app, {argv + 3, argv + argc}))
      std::cout << word << '\n';
    return 0;
  }
  try {
    app.parse(arguments_of(argc, argv));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const auto rest = app.remaining();
    std::cerr << command_of(app) << ": "
              << (rest.empty() ? std::string(error.what())
                               : "unknown command or argument '" + rest.front() + "'")
              << "\nRun " << command_of(app) << " --help for more.\n";
    return rigproof::supervisor::kExitError;
  }
  return run_parsed(commands);
}

// True for a terminal, a pipe or a socket: its reader may close it at any time.
bool has_reader(int descriptor) {
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return false;
  return S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode) || isatty(descriptor) == 1;
}

// Output that cannot be written to a file is an error, even if everything else succeeded.
int with_output_written(int code) {
  errno = 0;
  const bool written = std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written || code != 0) return code;
  std::cerr << "rigproof: standard output cannot be written: "
            << (errno == 0 ? "only a part was written" : std::strerror(errno)) << '\n';
  return rigproof::supervisor::kExitError;
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_files();
  if (!has_stack()) {
    std::fputs("rigproof: less than 1 MiB of stack is allowed here: type ulimit -s 8192, and run again\n",
               stderr);
    return rigproof::supervisor::kExitError;
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the file size limit then fails with an error
  const bool may_leave = has_reader(STDOUT_FILENO);
  rigproof::process::export_own_library_path();
  const int code = run_program(argc, argv);
  return may_leave ? code : with_output_written(code);
}
