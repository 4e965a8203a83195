#include "framework/cli/run_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "framework/cli/command.h"
#include "framework/cli/fetch_facts.h"
#include "framework/process/process.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/suite_catalog.h"
#include "framework/units/printable.h"
#include "framework/units/shell_words.h"

namespace rigproof::cli {
namespace {

const std::string& required(const std::string& value, const char* option, const char* variable,
                            const char* what) {
  if (value.empty())
    throw supervisor::Refused(fmt::format("{} FILE is missing: {} (or set {})", option, what, variable));
  return value;
}

bool has_terminal() { return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1; }

constexpr const char* kThresholdsVariable = "RIGPROOF_THRESHOLDS";

// One process on this node judges the facts of all nodes.
void judge_without_the_rig(supervisor::RunOptions& options) {
  check_snapshot(load_rig(options.rig), options.facts);
  options.launcher = supervisor::kSnapshotLauncher;
}

}  // namespace

std::string default_out() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc);
  std::string folder = fmt::format("out/run-{}", text);
  for (int i = 2; std::filesystem::exists(folder); ++i) folder = fmt::format("out/run-{}-{}", text, i);
  return folder;
}

namespace {

// A word such as "roce-hosts" names the file that comes with Rigproof, if there is no such file here. Throws
// Refused if there is none either.
std::string named_thresholds(const std::string& given) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (given.empty() || given.find_first_of("./") != given.npos || fs::exists(given, none)) return given;
  const fs::path shipped = shipped_thresholds(given + ".toml");
  if (fs::exists(shipped, none)) return shipped;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(shipped.parent_path(), none))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  throw supervisor::Refused(
      fmt::format("no thresholds file '{}', and none of that name comes with Rigproof: {}", printable(given),
                  fmt::join(names, ", ")));
}

}  // namespace

std::vector<std::string> thresholds_files(const std::vector<std::string>& given) {
  const char* variable = std::getenv(kThresholdsVariable);
  if (!given.empty() || variable == nullptr) return given;
  std::vector<std::string> files;
  std::istringstream words{std::string(variable)};
  for (std::string file; std::getline(words, file, ':');)
    if (!file.empty()) files.push_back(named_thresholds(file));
  return files;
}

namespace {

// Options that new and resumed runs have in common.
supervisor::RunOptions shared_options(const RunArguments& arguments) {
  supervisor::RunOptions options;
  options.launcher = arguments.launcher;
  options.suite_folders.installed =
      arguments.suite_folder.empty() ? installed_suites() : std::filesystem::path(arguments.suite_folder);
  options.suite_folders.added.assign(arguments.added_suite_folders.begin(),
                                     arguments.added_suite_folders.end());
  options.has_terminal = has_terminal();
  options.command_line = own_command_line();
  options.timeouts = supervisor::Timeouts().scaled(arguments.timeout_scale);
  return options;
}

// Key and value of "customer=Example Ltd".
std::pair<std::string, std::string> label_of(const std::string& text) {
  const auto equals = text.find('=');
  return {text.substr(0, equals), equals == text.npos ? "" : text.substr(equals + 1)};
}

// Refuses a label, for CLI::Option::check(): keys are short words, and a value fits a line of page 1.
std::string is_label(const std::string& text) {
  if (text.find('=') == text.npos) return fmt::format("expected KEY=VALUE, got {}", in_quotes(text));
  const auto& [key, value] = label_of(text);
  const bool is_word = !key.empty() && key.size() <= 20 && std::ranges::all_of(key, [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_' || c == '-';
  });
  if (!is_word) return fmt::format("the key {} must have 1 to 20 of a-z, 0-9, _ and -", in_quotes(key));
  const auto length =
      value.size() - static_cast<std::size_t>(std::ranges::count_if(value, continues_character));
  if (length < 1 || length > 70 || printable(value) != value)
    return fmt::format("the value of {} must have 1 to 70 printable characters", key);
  return {};
}

}  // namespace

int draw_seed() { return static_cast<int>(std::random_device()() % 99999) + 1; }

supervisor::RunOptions RunArguments::options() const {
  supervisor::RunOptions options = shared_options(*this);
  options.rig = required(rig, "--rig", "RIGPROOF_RIG", "the rig to qualify");
  for (const std::string& file : thresholds_files(thresholds)) options.thresholds.emplace_back(file);
  const std::string first = options.thresholds.empty() ? "" : options.thresholds.front().string();
  if (!list) required(first, "--thresholds", kThresholdsVariable, "the limits to judge by");
  options.faults = faults_files(faults);
  options.shipped_faults = options.faults.front();
  options.out = out.empty() ? default_out() : out;
  for (const std::string& suite : suites)
    if (std::ranges::find(options.suites, suite) == options.suites.end()) options.suites.push_back(suite);
  options.facts = facts;
  options.profile = gtest.first_look ? Profile::kSmoke : parse_profile(profile);
  options.gtest = gtest;
  if (gtest.shuffle && gtest.seed == 0) options.gtest.seed = any_seed;
  options.rounds = {rounds, static_cast<std::uint32_t>(seed == 0 ? any_seed : seed)};
  if (sample > 0) options.sample = {.slower = sample / 100, .power = power / 100};
  options.with_operator = with_operator;
  for (const std::string& label : labels)
    if (!options.labels.insert(label_of(label)).second)
      throw supervisor::Refused(fmt::format("--label: {} is given twice", label_of(label).first));
  if (!facts.empty()) judge_without_the_rig(options);
  return options;
}

supervisor::RunOptions RunArguments::options_to_resume() const {
  supervisor::RunOptions options = shared_options(*this);
  options.out = resume;
  options.retest = retest;
  return options;
}

namespace {

// True if the value comes from the environment: it is meant for new runs, and --resume accepts it.
bool is_by_environment(const CLI::Option& option) {
  const char* value = option.get_envname().empty() ? nullptr : std::getenv(option.get_envname().c_str());
  return value != nullptr && option.results() == std::vector<std::string>{value};
}

}  // namespace

void add_resume_option(CLI::App& app, RunArguments& arguments) {
  CLI::Option* resume = app.add_option("--resume", arguments.resume,
                                       "Continue the run that was stopped in this folder: finished cases are "
                                       "kept, the others run, with the rig, limits and cases of its record")
                            ->type_name("DIR");
  resume->check(not_empty);
  resume->check([&app](const std::string&) -> std::string {
    for (const char* name : {"--rig", "--thresholds", "--faults", "--suite", "--out", "--profile", "--facts",
                             "--rounds", "--seed", "--sample", "--power", "--label", "--first-look",
                             "--gtest_filter", "--gtest_repeat", "--gtest_also_run_disabled_tests"}) {
      const CLI::Option* option = app.get_option_no_throw(name);
      if (option != nullptr && option->count() > 0 && !is_by_environment(*option))
        return std::string("the record of the run sets this: leave out ") + name;
    }
    return {};
  });
  app.add_option(
         "--retest", arguments.retest,
         "With --resume: measure this node of a complete run again, with the same partners. The result joins "
         "the record, which keeps the former one; may be given several times")
      ->type_name("NODE")
      ->take_all()
      ->allow_extra_args(false)
      ->needs(resume);
}

CLI::Option* add_thresholds_option(CLI::App& app, std::vector<std::string>& files, const std::string& help) {
  return app.add_option("--thresholds", files, help)
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false)
      ->transform(CLI::Validator(
          [](std::string& given) -> std::string {
            try {
              given = named_thresholds(given);
            } catch (const supervisor::Refused& error) {
              return error.what();
            }
            return {};
          },
          ""));
}

void add_faults_option(CLI::App& app, std::vector<std::string>& files) {
  app.add_option(
         "--faults", files,
         "Known faults of your own, besides those that come with Rigproof; may be given several times")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
}

std::vector<std::filesystem::path> faults_files(const std::vector<std::string>& given) {
  std::vector<std::filesystem::path> files{shipped_thresholds("faults/known-faults.toml")};
  files.insert(files.end(), given.begin(), given.end());
  return files;
}

void add_suites_option(CLI::App& app, std::vector<std::string>& folders) {
  app.add_option("--suites", folders,
                 "Folder with suites of your own, besides the installed ones; may be given several times")
      ->envname("RIGPROOF_SUITES")
      ->type_name("DIR")
      ->delimiter(':')
      ->take_all()
      ->allow_extra_args(false);
}

void add_suite_options(CLI::App& app, std::vector<std::string>& suites, std::vector<std::string>& folders) {
  app.add_option("--suite", suites, "Only this suite; may be given several times")
      ->type_name("NAME")
      ->take_all()
      ->allow_extra_args(false);
  add_suites_option(app, folders);
}

void add_rig_options(CLI::App& app, RunArguments& arguments) {
  app.add_option("--rig", arguments.rig, "The rig to qualify")->envname("RIGPROOF_RIG")->type_name("FILE");
  add_thresholds_option(
      app, arguments.thresholds,
      fmt::format("The limits to judge by; may be given several times, later files override "
                  "by id (Env:{}, with a colon between files)",
                  kThresholdsVariable));
  add_faults_option(app, arguments.faults);
  add_suite_options(app, arguments.suites, arguments.added_suite_folders);
  app.add_option("--suite-dir", arguments.suite_folder)->group("");
  app.add_option("--timeout-scale", arguments.timeout_scale)
      ->check(CLI::Range(0.001, 1000.0))
      ->check(finite)
      ->group("");
}

void add_case_options(CLI::App& app, supervisor::GtestFlags& gtest) {
  CLI::Option* filter =
      app.add_option("--gtest_filter", gtest.filter, "Only cases that match")->type_name("PATTERNS");
  CLI::Option* look =
      app.add_flag("--first-look", gtest.first_look,
                   "Only the cases that show most of a rig in about half a minute, in profile "
                   "smoke. The verdict is then PARTIAL");
  look->excludes(filter);
  if (CLI::Option* profile = app.get_option_no_throw("--profile")) look->excludes(profile);
}

void add_gtest_options(CLI::App& app, RunArguments& arguments) {
  supervisor::GtestFlags& gtest = arguments.gtest;
  add_case_options(app, gtest);
  app.add_flag("--gtest_list_tests", arguments.list, "List the cases; touches no rig");
  app.add_option("--gtest_repeat", gtest.repeat, "How often to run each case")
      ->check(CLI::Range(1, 1'000'000));
  app.add_flag("--gtest_shuffle", gtest.shuffle, "Run each suite's cases in random order");
  app.add_option("--gtest_random_seed", gtest.seed, "Seed of that order; 0: random")
      ->check(CLI::Range(0, 99999));
  app.add_flag("--gtest_also_run_disabled_tests", gtest.disabled_too, "Run disabled cases too");
}

void add_rounds_options(CLI::App& app, RunArguments& arguments) {
  app.add_option("--rounds", arguments.rounds,
                 "Measure each node with K others instead of all: for rigs of many nodes. The verdict is "
                 "then PARTIAL, unless it is by --sample")
      ->type_name("K")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--seed", arguments.seed,
                 "Seed that chooses them: the same seed chooses the same; 0: random")
      ->check(CLI::Range(0, 99999));
  CLI::Option* sample =
      app.add_option(
             "--sample", arguments.sample,
             "Accept a rig of many nodes by a sample of its pairs: as few rounds of pairs as reject a node "
             "that is slower than the others by this percentage. The verdict is then QUALIFIED by sampling")
          ->type_name("PERCENT")
          ->check(CLI::Range(1.0, 50.0))
          ->check(finite);
  app.add_option("--power", arguments.power,
                 "The percentage of rigs with such a node that are to be rejected")
      ->type_name("PERCENT")
      ->check(CLI::Range(50.0, 99.5))
      ->check(finite)
      ->capture_default_str()
      ->needs(sample);
}

void add_run_options(CLI::App& app, RunArguments& arguments) {
  app.add_option("--out", arguments.out, "Folder for the record and the reports. Default: out/run-TIME")
      ->type_name("DIR")
      ->check(not_empty);
  app.add_option("--profile", arguments.profile, "How long to measure: smoke, standard or acceptance")
      ->check(CLI::IsMember({"smoke", "standard", "acceptance"}))
      ->capture_default_str();
  app.add_option(
         "--facts", arguments.facts,
         "Judge this snapshot of the rig (rigproof snapshot) instead of the rig: --suite preflight only")
      ->check(not_empty)
      ->type_name("DIR");
  app.add_option("--launcher", arguments.launcher,
                 "Command that starts a suite on the nodes. Default: srun in a Slurm allocation, otherwise "
                 "mpirun. mpirun gets hosts and ranks from the rig unless it names them; anything else is a "
                 "complete prefix: \"srun -N 2 -n 2\"")
      ->type_name("\"COMMAND...\"")
      ->check(not_empty);
  add_rounds_options(app, arguments);
  app.add_flag("--operator", arguments.with_operator,
               "For the cases about pulled cables: a person at this terminal pulls cables and plugs them in "
               "again when asked to. Prints lines instead of a screen");
  app.add_option("--label", arguments.labels,
                 "A text for page 1 and the other reports; may be given several times: customer, site, "
                 "serial, order, or a key of your own. step=NAME begins the names of the suites in junit.xml")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->allow_extra_args(false)
      ->check(is_label);
  CLI::Option* pdf = app.add_flag_callback(
      "--pdf", [&arguments] { arguments.pdf = true; },
      "Make report.pdf at the end. The profile acceptance always does; rigproof report DIR makes it later");
  app.add_flag_callback(
         "--no-pdf", [&arguments] { arguments.pdf = false; }, "Make no report.pdf")
      ->excludes(pdf);
  app.add_flag("--plain", arguments.plain,
               "Print lines instead of a screen; always so if stdout is not a terminal");
  app.add_flag("-v,--verbose", arguments.verbose,
               "Print one line per case instead of one per expectation, without a screen");
}

std::string own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return join_masked(words);
}

std::filesystem::path own_folder() { return process::own_program().parent_path(); }

std::filesystem::path installed_suites() {
  const std::filesystem::path folder = own_folder() / "../libexec/rigproof";
  return std::filesystem::exists(folder) ? folder.lexically_normal() : own_folder();
}

std::filesystem::path shipped_thresholds(const std::string& name) {
  return (own_folder() / "../share/rigproof/thresholds" / name).lexically_normal();
}

std::filesystem::path shipped_schema(const std::string& kind) {
  return (own_folder() / "../share/rigproof/schemas" / (kind + ".schema.json")).lexically_normal();
}

}  // namespace rigproof::cli
