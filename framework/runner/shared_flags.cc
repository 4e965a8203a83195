#include "framework/runner/shared_flags.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "framework/record/codec.h"
#include "framework/runner/test_plan.h"

namespace rigproof {
namespace {

constexpr int kLargestSeed = 99'999;  // GoogleTest's own

struct Flags {
  std::string filter;
  int repeat = 1, seed = 0;
  bool shuffle = false, disabled_too = false, fail_fast = false;
};

template <class Archive>
void fields(Archive& archive, Of<Flags> auto& flags) {
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
  const auto flags = codec::from_bytes<Flags>(
      ranks.broadcast("GoogleTest's flags", codec::to_bytes(mine), std::chrono::seconds(30)));
  GTEST_FLAG_SET(filter, flags.filter);
  GTEST_FLAG_SET(repeat, flags.repeat);
  GTEST_FLAG_SET(random_seed, flags.seed);
  GTEST_FLAG_SET(shuffle, flags.shuffle);
  GTEST_FLAG_SET(also_run_disabled_tests, flags.disabled_too);
  GTEST_FLAG_SET(fail_fast, flags.fail_fast);
  GTEST_FLAG_SET(catch_exceptions, true);
  GTEST_FLAG_SET(throw_on_failure, false);
}

}  // namespace rigproof
