#include "framework/runner/suite_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <sstream>

#include "framework/record/codec.h"
#include "framework/runner/declare.h"

namespace rigproof::inline runner {
namespace {

constexpr int kLargestSeed = 99'999;  // GoogleTest's limit

struct Flags {
  std::string filter;
  int repeat = 1, seed = 0;
  bool shuffle = false, disabled_too = false, fail_fast = false;
};

template <class Archive>
void fields(Archive& archive, record::Of<Flags> auto& flags) {
  archive("filter", flags.filter);
  archive("repeat", flags.repeat);
  archive("seed", flags.seed);
  archive("shuffle", flags.shuffle);
  archive("disabled_too", flags.disabled_too);
  archive("fail_fast", flags.fail_fast);
}

int chosen_seed() {
  if (const int given = GTEST_FLAG_GET(random_seed); given != 0) return given;
  std::random_device entropy;
  return std::uniform_int_distribution<int>(1, kLargestSeed)(entropy);
}

}  // namespace

// GoogleTest reads the variables of its flags before main(), and those of its shards when it runs.
void forget_gtest_environment() {
  GTEST_FLAG_SET(filter, std::string("*"));
  GTEST_FLAG_SET(repeat, 1);
  GTEST_FLAG_SET(random_seed, 0);
  GTEST_FLAG_SET(shuffle, false);
  GTEST_FLAG_SET(also_run_disabled_tests, false);
  GTEST_FLAG_SET(fail_fast, false);
  GTEST_FLAG_SET(break_on_failure, false);
  for (const char* shard : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "GTEST_SHARD_STATUS_FILE"})
    unsetenv(shard);
}

void share_gtest_flags(RankGroup& ranks, const std::optional<std::vector<std::string>>& chosen,
                       const std::vector<std::string>& skipped) {
  const std::string filter = chosen ? fmt::format("{}", fmt::join(*chosen, ":")) : GTEST_FLAG_GET(filter);
  const Flags mine{.filter = without_cases(filter, skipped),
                   .repeat = GTEST_FLAG_GET(repeat),
                   .seed = chosen_seed(),
                   .shuffle = GTEST_FLAG_GET(shuffle),
                   .disabled_too = GTEST_FLAG_GET(also_run_disabled_tests),
                   .fail_fast = GTEST_FLAG_GET(fail_fast)};
  const auto flags = record::codec::from_bytes<Flags>(
      ranks.broadcast("GoogleTest's flags", record::codec::to_bytes(mine), std::chrono::seconds(30)));
  GTEST_FLAG_SET(filter, flags.filter);
  GTEST_FLAG_SET(repeat, flags.repeat);
  GTEST_FLAG_SET(random_seed, flags.seed);
  GTEST_FLAG_SET(shuffle, flags.shuffle);
  GTEST_FLAG_SET(also_run_disabled_tests, flags.disabled_too);
  GTEST_FLAG_SET(fail_fast, flags.fail_fast);
  GTEST_FLAG_SET(catch_exceptions, true);
  GTEST_FLAG_SET(throw_on_failure, false);
}

namespace {

int positive(const std::string& option, const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1)
    throw UsageError(fmt::format("{}: '{}' is not a positive number", option, text));
  return value;
}

Profile profile(const std::string& text) {
  try {
    return parse_profile(text);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--profile: ") + error.what());
  }
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

using Setter = std::function<void(const std::string& value)>;

std::map<std::string, Setter, std::less<>> setters(SuiteOptions& options) {
  return {
      {"--rig", [&](const std::string& value) { options.rig = value; }},
      {"--thresholds", [&](const std::string& value) { options.thresholds.emplace_back(value); }},
      {"--report-to", [&](const std::string& value) { options.report_to = value; }},
      {"--journal", [&](const std::string& value) { options.journal = value; }},
      {"--facts", [&](const std::string& value) { options.facts = value; }},
      {"--skip", [&](const std::string& value) { options.skip = value; }},
      {"--profile", [&](const std::string& value) { options.profile = profile(value); }},
      {"--hosts", [&](const std::string& value) { options.hosts = split(value, ','); }},
      {"--rounds", [&](const std::string& value) { options.rounds.rounds = positive("--rounds", value); }},
      {"--seed",
       [&](const std::string& value) {
         options.rounds.seed = static_cast<std::uint32_t>(positive("--seed", value));
       }},
      {"--launch", [&](const std::string& value) { options.launch = positive("--launch", value); }},
  };
}

bool is_list(std::string_view argument) {
  return argument == "--gtest_list_tests" || argument == "--gtest_list_tests=1" ||
         argument == "--gtest_list_tests=true";
}

void check(const SuiteOptions& options) {
  if (options.meets && options.report_to.empty()) throw UsageError("--meet needs --report-to");
  if (options.help || !options.journal.empty() || !options.report_to.empty()) return;
  if (options.describe) return;
  if (options.rig.empty()) throw UsageError("no --rig FILE");
  if (options.thresholds.empty() && !options.list) throw UsageError("no --thresholds FILE");
}

}  // namespace

SuiteOptions parse_suite_options(int argc, char** argv) {
  SuiteOptions options;
  const auto known = setters(options);
  options.rest.push_back(argv[0]);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    const std::string option = argument.substr(0, equals);
    if (const auto setter = known.find(option); setter != known.end()) {
      if (equals == std::string::npos && i + 1 == argc) throw UsageError(option + " needs a value");
      setter->second(equals == std::string::npos ? argv[++i] : argument.substr(equals + 1));
    } else if (argument == "--shared-host") {
      options.shared_host = true;
    } else if (argument == "--meet") {
      options.meets = true;
    } else if (argument == "--operator") {
      options.with_operator = true;
    } else if (argument == "--first-look") {
      options.first_look = true;
    } else if (argument == "--describe") {
      options.describe = true;
    } else if (argument == "--examples") {
      options.examples = true;
    } else if (argument == "--help" || argument == "-h") {
      options.help = true;
    } else if (argument.starts_with("--gtest_")) {
      options.list = options.list || is_list(argument);
      options.rest.push_back(argv[i]);
    } else {
      throw UsageError(fmt::format("unknown option '{}' (see --help)", argument));
    }
  }
  check(options);
  return options;
}

std::optional<int> place_among(const std::vector<std::string>& hosts,
                               const std::vector<std::set<std::string>>& own) {
  for (const std::set<std::string>& called : own) {
    std::vector<int> fitting;
    for (std::size_t rank = 0; rank < hosts.size(); ++rank)
      if (std::ranges::any_of(split(hosts[rank], '/'),
                              [&](const std::string& name) { return called.contains(name); }))
        fitting.push_back(static_cast<int>(rank));
    if (fitting.size() == 1) return fitting.front();
  }
  return {};
}

std::string suite_usage(const std::string& program) {
  return fmt::format(
      "{} --report-to ADDRESS [options] [GoogleTest's options]\n"
      "One suite of hardware expectations; started once per node: mpirun -np NODES --host ... {}\n"
      "`rigproof run` does all of this.\n\n"
      "  --report-to HOST,HOST:PORT/LAUNCH\n"
      "                     the supervisor, which sends rig, limits, profile, nodes and cases, and keeps the "
      "record.\n"
      "                     RIGPROOF_CHANNEL_KEY in the environment is the launch's key: both ends prove "
      "that "
      "they have it.\n"
      "  --journal FILE     instead: append to this journal, whose first line has rig, limits, profile and "
      "snapshot.\n"
      "                     Without both no record is kept, and these give the input, read by rank 0 only:\n"
      "  --rig FILE         the rig\n"
      "  --thresholds FILE  the limits; may be given several times, later files override\n"
      "  --profile NAME     smoke, standard (default) or acceptance\n"
      "  --skip FILE        names of cases not to run, one per line\n"
      "  --facts DIR        judge a snapshot (DIR/NODE.json) instead of the rig: one rank, for suites "
      "that can\n"
      "  --hosts A/B,C/D    names and addresses of the nodes' hosts, in the ranks' order, for a launcher "
      "that\n"
      "                     orders the ranks differently\n"
      "  --meet             for Slurm's steps: the ranks wait for each other at the supervisor before MPI's "
      "first message\n"
      "  --launch N         number of this launch of the suite in its run, for messages\n"
      "  --operator         a person pulls cables when asked to\n"
      "  --first-look       only the cases of a first look\n"
      "  --shared-host      for tests: several nodes of the rig are this one host; no lock, no check "
      "of the nodes' addresses\n"
      "  --describe         print, as JSON, the ids that the suite can report, and its cases on --rig if "
      "given; "
      "needs no MPI\n"
      "  --rounds K --seed N  with it: only the cases of pairs that meet in K rounds\n"
      "  --examples         with it: only the cases of a few nodes and pairs that the others are like, "
      "whatever the filter\n"
      "  --gtest_filter=PATTERN --gtest_list_tests --gtest_repeat=N --gtest_shuffle ...\n",
      program, program);
}

}  // namespace rigproof::inline runner
