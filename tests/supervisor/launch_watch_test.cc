#include "framework/supervisor/launch_watch.h"

#include <gmock/gmock.h>

#include <limits>

namespace rigproof {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

class LaunchWatchTest : public testing::Test {
 protected:
  static constexpr supervisor::Timeouts kTimeouts{};
  const supervisor::LaunchWatch::Time start = supervisor::LaunchWatch::Time{} + seconds(1000);
  supervisor::LaunchWatch watch{kTimeouts, 4, start};

  milliseconds left() const { return std::chrono::duration_cast<milliseconds>(watch.deadline() - start); }
  void plan() { watch.see(record::SuitePlanned{"tcp", {}}, start); }
  void start_case() { watch.see(record::CaseStarted{"tcp", "A.b", 1}, start); }
  void enter(double deadline_s) {
    watch.see(record::PhaseStarted{"tcp", "A.b", "measure", deadline_s}, start);
  }
  void end_case() { watch.see(record::CaseEnded{"tcp", "A.b", 1, 1, 1, {}, {}}, start); }
};

TEST_F(LaunchWatchTest, GivesALargeRigMoreTimeToStart) {
  EXPECT_EQ(left(), kTimeouts.launch + 4 * kTimeouts.launch_per_node);
  EXPECT_THAT(watch.overdue(), HasSubstr("no list of cases"));
}
TEST_F(LaunchWatchTest, ANodeSeenIsNoPlan) {
  watch.see(record::NodeSeen{"tcp", "node-a", 0, {}}, start + seconds(5));
  EXPECT_TRUE(watch.started());
  EXPECT_FALSE(watch.planned());
  EXPECT_EQ(left(), kTimeouts.launch + 4 * kTimeouts.launch_per_node);
}
TEST_F(LaunchWatchTest, APhaseHasItsOwnDeadlineAndGrace) {
  plan(), start_case(), enter(120);
  EXPECT_EQ(left(), seconds(120) + kTimeouts.phase_grace);
  EXPECT_THAT(watch.overdue(), HasSubstr("phase 'measure' with a deadline of 120 s"));
}
TEST_F(LaunchWatchTest, BetweenPhasesTimeoutsIsShort) {
  plan();
  EXPECT_EQ(left(), kTimeouts.between_phases);
  start_case();
  EXPECT_EQ(left(), kTimeouts.between_phases);
}
TEST_F(LaunchWatchTest, KnowsTheRunningCaseAndItsPhase) {
  plan(), start_case(), enter(1);
  ASSERT_TRUE(watch.running());
  EXPECT_EQ(watch.running()->name, "A.b");
  EXPECT_EQ(watch.phase(), "measure");
}
TEST_F(LaunchWatchTest, AnEndedCaseIsNotRunning) {
  plan(), start_case(), enter(1), end_case();
  EXPECT_FALSE(watch.running());
  EXPECT_EQ(watch.ended(), 1);
}
TEST_F(LaunchWatchTest, ALostPeerIsTheLastWord) {
  plan(), start_case(), enter(1);
  record::CaseEnded ended{"tcp", "A.b", 1, 1, 1, {}, {}};
  ended.failures = {
      {record::Failure::Kind::kError, "lost-peer", "rank 1 is gone", "node-b", 1, "measure", {}}};
  watch.see(ended, start);
  EXPECT_EQ(left(), kTimeouts.exit);
}
TEST_F(LaunchWatchTest, ANewCaseForgetsThePhaseOfTheLast) {
  plan(), start_case(), enter(1), end_case(), start_case();
  EXPECT_EQ(watch.phase(), "");
}
TEST_F(LaunchWatchTest, IsDoneWhenTheSuiteSaysSo) {
  plan();
  EXPECT_FALSE(watch.done());
  watch.see(record::SuiteDone{"tcp"}, start);
  EXPECT_TRUE(watch.done());
}
TEST_F(LaunchWatchTest, SurvivesAnyDeadlineThatAJournalHolds) {
  plan(), start_case();
  for (const double odd :
       {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    enter(odd);
    EXPECT_GE(left(), kTimeouts.phase_grace);
    EXPECT_LE(left(), std::chrono::hours(24) + kTimeouts.phase_grace);
  }
}

}  // namespace
}  // namespace rigproof
