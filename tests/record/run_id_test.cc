// An id tells one run from all others, and a run from a record that judges it again.
#include "framework/record/run_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace rigproof {
namespace {

using testing::MatchesRegex;

TEST(RunId, SaysWhenAndOnWhichRig) {
  EXPECT_THAT(new_run_id("2026-11-20T18:15:02.123Z", "model-rig"),
              MatchesRegex("20261120T181502Z-model-rig-[0-9a-f]{12}"));
}

TEST(RunId, IsAnotherForEachRunOfOneSecond) {
  std::set<std::string> ids;
  for (int i = 0; i < 2000; ++i) ids.insert(new_run_id("2026-11-20T18:15:02.123Z", "model-rig"));
  EXPECT_EQ(ids.size(), 2000u);
}

TEST(RunId, OfARunJudgedAgainLeadsBackToTheRun) {
  const std::string run = new_run_id("2026-11-20T18:15:02.123Z", "model-rig");
  EXPECT_EQ(measured_run(run), run);
  EXPECT_EQ(measured_run(id_again(run)), run);
  EXPECT_EQ(measured_run(id_again(id_again(run))), run);
}

TEST(RunId, IsNotCutWhereARigIsNamedLikeAMark) {
  const std::string run = new_run_id("2026-11-20T18:15:02.123Z", "try-again-4f2a");
  EXPECT_EQ(measured_run(run), run);
  EXPECT_EQ(measured_run(id_again(run)), run);
}

TEST(RunId, OfAnyLengthIsReadInTime) {
  const std::string id(1 << 20, 'x');
  EXPECT_EQ(measured_run(id), id);
  EXPECT_EQ(measured_run("-again-4f2a"), "");
  EXPECT_EQ(measured_run("x-again-4f2A"), "x-again-4f2A");
  EXPECT_EQ(measured_run("x-again-"), "x-again-");
}

}  // namespace
}  // namespace rigproof
