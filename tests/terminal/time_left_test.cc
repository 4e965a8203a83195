// The time that a run still takes: an hour of a run must not be called a minute because its quick cases come first. Catches
// cases that all weigh the same, a suite's own cases that are not looked at, a slow rig that stays unnoticed.
#include "reports/terminal/time_left.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <sstream>

#include "framework/limits/limit.h"

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

// As the suites declare them: seconds of a case in each profile.
std::optional<Seconds> usual(const std::string& suite, Profile profile) {
  const std::map<std::string, std::array<double, 3>> declared{{"preflight", {0.004, 0.005, 0.006}},
                                                              {"host", {0.29, 0.88, 5.1}},
                                                              {"link", {0.025, 0.025, 0.025}},
                                                              {"mtu", {0.63, 2.5, 14}},
                                                              {"tcp", {0.9, 2.6, 10.6}},
                                                              {"collective", {0.81, 3.1, 15.8}},
                                                              {"phy", {0.53, 1.6, 7.3}},
                                                              {"redundancy", {3.8, 13.4, 64.7}}};
  return Seconds(declared.at(suite).at(static_cast<std::size_t>(profile)));
}

// The table in fixtures/emulated_rigs/README.md of a whole run of the demo, profile smoke: every suite that the supervisor runs, through.
std::vector<SuiteProgress> demo(Profile profile = Profile::kSmoke) {
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
    suite.usual = usual(name, profile);
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
  EXPECT_THAT(time_left(after(suites, 1)), Optional(AllOf(Ge(seconds(40)), Le(seconds(90)))))
      << "after the preflight: 234 of 315 cases in 0.9 s";
  for (std::size_t through = 0; through < suites.size(); ++through) {
    const auto left = time_left(after(suites, through));
    ASSERT_TRUE(left) << through;
    EXPECT_NEAR(Seconds(*left) / spent_in(suites, through), 1, 0.3) << through;
  }
  EXPECT_EQ(time_left(suites), std::nullopt) << "nothing is left";
}

TEST(TimeLeft, FollowsTheCasesOfTheSuiteThatRuns) {
  SuiteProgress tcp{.suite = "tcp", .cases = 30, .ended = 15, .spent = seconds(150), .usual = Seconds(0.78)};
  EXPECT_THAT(time_left({tcp}), Optional(Ge(seconds(75))))
      << "10 s a case, usually 0.8 s: the 15 others take 150 s";
  tcp.ended = 29;
  tcp.spent = seconds(290);
  EXPECT_THAT(time_left({tcp}), Optional(AllOf(Ge(seconds(9)), Le(seconds(10)))));
}

TEST(TimeLeft, ASlowRunMakesTheOthersLonger) {
  const auto usual = time_left(after(demo(), 5));
  auto slow = demo();
  for (SuiteProgress& suite : slow) suite.spent *= 3;
  const auto left = time_left(after(slow, 5));
  EXPECT_GT(Seconds(*left) / *usual, 2);
  slow = after(slow, 1);
  EXPECT_LT(Seconds(*time_left(slow)) / *time_left(after(demo(), 1)), 1.3)
      << "three seconds instead of one say nothing of the loads";
}

// As measured on the model rig: 217.8 s in all, and 1038.3 s.
TEST(TimeLeft, LongerProfilesTakeLonger) {
  const auto left = [](Profile profile) { return Seconds(*time_left(after(demo(profile), 1))); };
  EXPECT_NEAR(left(Profile::kStandard) / Seconds(215), 1, 0.1);
  EXPECT_NEAR(left(Profile::kAcceptance) / Seconds(1036), 1, 0.1);
}

TEST(TimeLeft, GoesDownWhileACaseRuns) {
  const std::vector<SuiteProgress> suites{
      {.suite = "tcp", .cases = 2, .ended = 1, .spent = seconds(20), .usual = Seconds(0.78)}};
  const auto now = time_left(suites);
  EXPECT_LT(*time_left(suites, seconds(5)), *now);
  EXPECT_GE(*time_left(suites, seconds(5000)), seconds(0));
}

TEST(TimeLeft, OfASuiteThatNobodyKnowsIsThatOfTheCasesBefore) {
  const std::vector<SuiteProgress> own{{.suite = "disk", .cases = 10}};
  EXPECT_EQ(time_left(own), std::nullopt);
  EXPECT_EQ(time_left({{.suite = "tape", .cases = 2, .ended = 2, .spent = seconds(6)}, own[0]}), seconds(30));
}

}  // namespace
}  // namespace rigproof
