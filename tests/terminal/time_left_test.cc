// The time that a run still takes: an hour of a run must not be called a minute because its quick cases come first. Catches
// cases that all weigh the same, a suite's own cases that are not looked at, a slow rig that stays unnoticed.
#include "reports/terminal/time_left.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace rigproof {
namespace {

using std::chrono::seconds;
using terminal::SuiteProgress;
using terminal::time_left;
using Seconds = std::chrono::duration<double>;
using testing::AllOf;
using testing::Ge;
using testing::Le;
using testing::Optional;
using testing::SizeIs;

// The table in fixtures/emulated_rigs/README.md of a whole run of the demo, profile smoke: every suite that the supervisor runs, through.
std::vector<SuiteProgress> demo() {
  std::ifstream page(RIGPROOF_SOURCE_DIR "/fixtures/emulated_rigs/README.md");
  std::vector<SuiteProgress> suites;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    inside = inside || line.starts_with("    suite       cases  passed");
    if (!inside || name == "suite") continue;
    if (name == "run") break;
    SuiteProgress suite{.suite = name};
    std::size_t skipped = 0;
    double spent = 0;
    words >> suite.cases;
    for (int column = 0; column < 6; ++column) words >> skipped;
    words >> spent;
    suite.ended = suite.cases;
    suite.spent = Seconds(spent);
    suites.push_back(suite);
  }
  return suites;
}

// Those that `suites` has after its first `through`.
std::vector<SuiteProgress> after(std::vector<SuiteProgress> suites, std::size_t through) {
  for (std::size_t i = through; i < suites.size(); ++i) suites[i].ended = 0, suites[i].spent = {};
  return suites;
}

Seconds spent_in(const std::vector<SuiteProgress>& suites, std::size_t from) {
  Seconds all{};
  for (std::size_t i = from; i < suites.size(); ++i) all += suites[i].spent;
  return all;
}

TEST(TimeLeft, OfTheDemoIsRightAfterEachSuite) {
  const auto suites = demo();
  ASSERT_THAT(suites, SizeIs(8));
  EXPECT_THAT(time_left(after(suites, 1), Profile::kSmoke), Optional(AllOf(Ge(seconds(40)), Le(seconds(90)))))
      << "after the preflight: 234 of 315 cases in 0.9 s";
  for (std::size_t through = 0; through < suites.size(); ++through) {
    const auto left = time_left(after(suites, through), Profile::kSmoke);
    ASSERT_TRUE(left) << through;
    EXPECT_NEAR(Seconds(*left) / spent_in(suites, through), 1, 0.3) << through;
  }
  EXPECT_EQ(time_left(suites, Profile::kSmoke), std::nullopt) << "nothing is left";
}

TEST(TimeLeft, FollowsTheCasesOfTheSuiteThatRuns) {
  SuiteProgress tcp{.suite = "tcp", .cases = 30, .ended = 15, .spent = seconds(150)};
  EXPECT_THAT(time_left({tcp}, Profile::kSmoke), Optional(Ge(seconds(75))))
      << "10 s a case, usually 0.8 s: the 15 others take 150 s";
  tcp.ended = 29;
  tcp.spent = seconds(290);
  EXPECT_THAT(time_left({tcp}, Profile::kSmoke), Optional(AllOf(Ge(seconds(9)), Le(seconds(10)))));
}

TEST(TimeLeft, ASlowRunMakesTheOthersLonger) {
  const auto usual = time_left(after(demo(), 5), Profile::kSmoke);
  auto slow = demo();
  for (SuiteProgress& suite : slow) suite.spent *= 3;
  const auto left = time_left(after(slow, 5), Profile::kSmoke);
  EXPECT_GT(Seconds(*left) / *usual, 2);
  slow = after(slow, 1);
  EXPECT_LT(Seconds(*time_left(slow, Profile::kSmoke)) / *time_left(after(demo(), 1), Profile::kSmoke), 1.3)
      << "three seconds instead of one say nothing of the loads";
}

// As measured on the model rig: 217.8 s in all, and 1038.3 s.
TEST(TimeLeft, LongerProfilesTakeLonger) {
  const auto suites = after(demo(), 1);
  EXPECT_NEAR(Seconds(*time_left(suites, Profile::kStandard)) / Seconds(215), 1, 0.1);
  EXPECT_NEAR(Seconds(*time_left(suites, Profile::kAcceptance)) / Seconds(1036), 1, 0.1);
}

TEST(TimeLeft, GoesDownWhileACaseRuns) {
  const std::vector<SuiteProgress> suites{{.suite = "tcp", .cases = 2, .ended = 1, .spent = seconds(20)}};
  const auto now = time_left(suites, Profile::kSmoke);
  EXPECT_LT(*time_left(suites, Profile::kSmoke, seconds(5)), *now);
  EXPECT_GE(*time_left(suites, Profile::kSmoke, seconds(5000)), seconds(0));
}

TEST(TimeLeft, OfASuiteThatNobodyKnowsIsThatOfTheCasesBefore) {
  const std::vector<SuiteProgress> own{{.suite = "disk", .cases = 10}};
  EXPECT_EQ(time_left(own, Profile::kSmoke), std::nullopt);
  EXPECT_EQ(
      time_left({{.suite = "tape", .cases = 2, .ended = 2, .spent = seconds(6)}, own[0]}, Profile::kSmoke),
      seconds(30));
}

}  // namespace
}  // namespace rigproof
