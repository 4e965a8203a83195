#include "framework/runner/shared_flags.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "framework/ranks/packing.h"
#include "framework/runner/test_plan.h"

namespace rigproof {
namespace {

constexpr int kLargestSeed = 99'999;  // GoogleTest's own

std::uint64_t packed(int value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); }
int unpacked(std::uint64_t value) { return static_cast<int>(static_cast<std::int64_t>(value)); }

int chosen_seed() {
  if (const int given = GTEST_FLAG_GET(random_seed); given != 0) return given;
  std::random_device entropy;
  return std::uniform_int_distribution<int>(1, kLargestSeed)(entropy);
}

std::string pack_flags(const std::vector<std::string>& skipped) {
  Packer out;
  out.put(without_cases(GTEST_FLAG_GET(filter), skipped));
  out.put(packed(GTEST_FLAG_GET(repeat))).put(packed(chosen_seed()));
  out.put(packed(GTEST_FLAG_GET(shuffle))).put(packed(GTEST_FLAG_GET(also_run_disabled_tests)));
  out.put(packed(GTEST_FLAG_GET(fail_fast)));
  return out.bytes();
}

}  // namespace

// GoogleTest has read its flags' variables before main(), and reads those of its shards when it runs.
void forget_gtest_environment() {
  GTEST_FLAG_SET(filter, "*");
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
  const std::string flags =
      ranks.broadcast("GoogleTest's flags", pack_flags(skipped), std::chrono::seconds(30));
  Unpacker in(flags);
  GTEST_FLAG_SET(filter, in.text());
  GTEST_FLAG_SET(repeat, unpacked(in.integer()));
  GTEST_FLAG_SET(random_seed, unpacked(in.integer()));
  GTEST_FLAG_SET(shuffle, in.integer() != 0);
  GTEST_FLAG_SET(also_run_disabled_tests, in.integer() != 0);
  GTEST_FLAG_SET(fail_fast, in.integer() != 0);
  GTEST_FLAG_SET(catch_exceptions, true);
  GTEST_FLAG_SET(throw_on_failure, false);
}

}  // namespace rigproof
