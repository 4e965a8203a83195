#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

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
#include "framework/units/printable.h"

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 qualified; 1 a limit missed; 2 error; 3 not proven; 77 the rig is absent.";
constexpr const char* kExamples =
    "Examples:\n"
    "  rigproof discover spark-a spark-b --out rig.toml\n"
    "  rigproof run --rig rig.toml --thresholds dgx-spark-pair --first-look\n"
    "  rigproof run --rig rig.toml --thresholds dgx-spark-pair --profile acceptance --out out/acceptance\n"
    "  rigproof explain bandwidth\n\n";

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

// The command that was understood, as the apps from rigproof to it.
std::vector<const CLI::App*> command_of(const CLI::App& app) {
  std::vector<const CLI::App*> command{&app};
  for (auto parsed = app.get_subcommands(); !parsed.empty(); parsed = command.back()->get_subcommands())
    command.push_back(parsed.front());
  return command;
}

std::string name_of(const std::vector<const CLI::App*>& command) {
  std::string name;
  for (const CLI::App* app : command) name += (name.empty() ? "" : " ") + app->get_name();
  return name;
}

// The commands, or the options, that a command has.
std::vector<std::string> known_words(const CLI::App& command, bool options) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames())
      if (options) known.push_back("--" + name);
  for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; }))
    if (!options) known.push_back(below->get_name());
  return known;
}

// The first word that no command understood: "unknown option '--suit'; did you mean '--suite'?".
std::string unknown_word(const std::vector<std::string>& words, const std::vector<std::string>& rest,
                         const CLI::App& command) {
  const auto first = std::ranges::find_if(
      words, [&](const std::string& word) { return std::ranges::find(rest, word) != rest.end(); });
  const std::string word = first == words.end() ? rest.front() : *first;
  const bool is_option = word.starts_with('-');
  const std::string name = word.substr(0, word.find('='));
  const std::vector<std::string> known = known_words(command, is_option);
  if (is_option && std::ranges::find(known, name) != known.end())
    return fmt::format("write {} after {}", name, command.get_name());
  const std::string near = rigproof::suggestion(name, known);
  return fmt::format("unknown {} {}{}", is_option ? "option" : "command or argument",
                     rigproof::in_quotes(rigproof::printable(name)), near.starts_with(';') ? near : "");
}

// Prints the help of a command: rigproof help model run.
int show_help(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string path;
  for (const std::string& word : words) {
    const auto below = command->get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
    if (below.empty()) {
      std::cerr << "rigproof help: " << unknown_word(words, {word}, *command) << '\n';
      return rigproof::supervisor::kExitError;
    }
    path += (path.empty() ? "" : " ") + command->get_name();
    command = below.front();
  }
  // App::help() would print the help of `help`, the command that was parsed.
  std::cout << command->get_formatter()->make_help(
      command, path + (path.empty() ? "" : " ") + command->get_name(), CLI::AppFormatMode::Normal);
  return 0;
}

int show_fault(const CLI::App& app, const std::vector<std::string>& words, const std::string& error) {
  const std::vector<const CLI::App*> command = command_of(app);
  const std::vector<std::string> rest = app.remaining(true);
  std::cerr << name_of(command) << ": "
            << (rest.empty() ? rigproof::printable(error) : unknown_word(words, rest, *command.back()))
            << "\nRun " << name_of(command) << " --help for more.\n";
  return rigproof::supervisor::kExitError;
}

int run_program(int argc, char** argv) {
  CLI::App app("Rigproof qualifies a hardware rig the way GoogleTest qualifies code.", "rigproof");
  app.set_version_flag("-V,--version", [] {
    return "rigproof " RIGPROOF_VERSION "\ncommit " + rigproof::record::this_program("rigproof").commit +
           "\nbuilt with " RIGPROOF_BUILT_WITH;
  });
  app.footer(kExitCodes);  // which commands inherit
  app.require_subcommand(1);
  app.option_defaults()->multi_option_policy(
      CLI::MultiOptionPolicy::TakeLast);  // the user's value, not a script's default
  std::vector<rigproof::cli::Command> commands{
      rigproof::cli::add_qualify_command(app),  rigproof::cli::add_run_command(app),
      rigproof::cli::add_list_command(app),     rigproof::cli::add_watch_command(app),
      rigproof::cli::add_counters_command(app), rigproof::cli::add_report_command(app),
      rigproof::cli::add_verify_command(app),   rigproof::cli::add_sign_command(app),
      rigproof::cli::add_judge_command(app),    rigproof::cli::add_compare_command(app),
      rigproof::cli::add_power_command(app),    rigproof::cli::add_history_command(app),
      rigproof::cli::add_gate_command(app),     rigproof::cli::add_ctest_command(app),
      rigproof::cli::add_facts_command(app),    rigproof::cli::add_snapshot_command(app),
      rigproof::cli::add_discover_command(app), rigproof::cli::add_explain_command(app),
      rigproof::cli::add_doctor_command(app)};
  for (const auto add : {rigproof::cli::add_host_check_commands, rigproof::cli::add_announce_commands,
                         rigproof::cli::add_model_commands, rigproof::cli::add_roce_vm_commands})
    for (rigproof::cli::Command& command : add(app)) commands.push_back(std::move(command));
  rigproof::cli::add_manual_commands(app, commands);
  app.footer(std::string(kExamples) + kExitCodes);
  std::vector<std::string> about;
  CLI::App* help = app.add_subcommand("help", "Show the help of a command: rigproof help run");
  help->add_option("COMMAND", about, "The command's words");
  commands.push_back({help, [&] { return show_help(app, about); }});
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
    return show_fault(app, {argv + 1, argv + argc}, error.what());
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
