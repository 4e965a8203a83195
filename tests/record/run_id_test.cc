// One id is one run, or one judgement of it.
#include "framework/record/run_identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace rigproof {
namespace {

using testing::MatchesRegex;

TEST(RunId, SaysWhenAndOnWhichRig) {
  EXPECT_THAT(record::new_run_id("2026-11-20T18:15:02.123Z", "model-rig"),
              MatchesRegex("20261120T181502Z-model-rig-[0-9a-f]{12}"));
}

TEST(RunId, IsAnotherForEachRunOfOneSecond) {
  std::set<std::string> ids;
  for (int i = 0; i < 2000; ++i) ids.insert(record::new_run_id("2026-11-20T18:15:02.123Z", "model-rig"));
  EXPECT_EQ(ids.size(), 2000u);
}

TEST(RunId, OfARecordThatJudgesARunAgainIsItsOwn) {
  const std::string run = record::new_run_id("2026-11-20T18:15:02.123Z", "model-rig");
  EXPECT_THAT(record::id_again(run), MatchesRegex(run + "-again-[0-9a-f]{12}"));
  EXPECT_NE(record::id_again(run), record::id_again(run));
}

}  // namespace
}  // namespace rigproof
