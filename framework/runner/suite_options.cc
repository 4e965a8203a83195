#include "framework/runner/suite_options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>

#include "framework/record/codec.h"
#include "framework/runner/test_plan.h"

namespace rigproof::inline runner {
namespace {

constexpr int kLargestSeed = 99'999;  // GoogleTest's own

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

// GoogleTest has read its flags' variables before main(), and reads those of its shards when it runs.
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

void share_gtest_flags(RankGroup& ranks, const std::vector<std::string>& skipped) {
  const Flags mine{.filter = without_cases(GTEST_FLAG_GET(filter), skipped),
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

using Setter = std::function<void(const std::string& value)>;

std::map<std::string, Setter, std::less<>> setters(SuiteOptions& options) {
  return {
      {"--rig", [&](const std::string& value) { options.rig = value; }},
      {"--thresholds", [&](const std::string& value) { options.thresholds.emplace_back(value); }},
      {"--journal", [&](const std::string& value) { options.journal = value; }},
      {"--facts", [&](const std::string& value) { options.facts = value; }},
      {"--skip", [&](const std::string& value) { options.skip = value; }},
      {"--profile", [&](const std::string& value) { options.profile = profile(value); }},
      {"--launch", [&](const std::string& value) { options.launch = positive("--launch", value); }},
  };
}

bool is_list(std::string_view argument) {
  return argument == "--gtest_list_tests" || argument == "--gtest_list_tests=1" ||
         argument == "--gtest_list_tests=true";
}

void check(const SuiteOptions& options) {
  if (options.help || !options.journal.empty()) return;
  if (options.rig.empty()) throw UsageError("no --rig FILE");
  if (options.thresholds.empty() && !options.list && !options.describe)
    throw UsageError("no --thresholds FILE");
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
    } else if (argument == "--describe") {
      options.describe = true;
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

std::string suite_usage(const std::string& program) {
  return fmt::format(
      "{} --journal FILE [options] [GoogleTest's options]\n"
      "One suite of hardware expectations; started once a node: mpirun -np NODES --host ... {}\n"
      "`rigproof run` does all of this.\n\n"
      "  --journal FILE     append to this run's journal, which says rig, limits, profile and snapshot.\n"
      "                     Without it no record is kept, and these say it, read by rank 0 only:\n"
      "  --rig FILE         the rig\n"
      "  --thresholds FILE  the limits; may be given several times, later files override\n"
      "  --profile NAME     smoke, standard (default) or acceptance\n"
      "  --skip FILE        names of cases not to run, one a line\n"
      "  --facts DIR        judge a snapshot (DIR/NODE.json) instead of the rig: one rank, for suites that "
      "can\n"
      "  --launch N         which launch of this suite in its run this is, for messages\n"
      "  --shared-host      for tests: several nodes of the rig are this one host; no lock, no check of who "
      "is who\n"
      "  --describe         print, as JSON, what the suite may report and its cases on --rig; needs no MPI\n"
      "  --gtest_filter=PATTERN --gtest_list_tests --gtest_repeat=N --gtest_shuffle ...\n",
      program, program);
}

}  // namespace rigproof::inline runner
