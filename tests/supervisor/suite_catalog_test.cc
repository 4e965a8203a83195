#include "framework/supervisor/suite_catalog.h"

#include <gmock/gmock.h>

#include "framework/supervisor/exit_code.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::ThrowsMessage;

auto named(const char* name) { return Field(&Suite::name, name); }

TEST(FindSuites, RunFromTheGroundUpAndUnknownOnesLast) {
  const Scratch scratch;
  for (const char* name : {"zeta", "phy", "alpha", "tcp", "link"})
    scratch.script(std::string("rigproof-suite-") + name, "");
  scratch.write("rigproof-suite-notes.txt", "not executable");
  scratch.script("rigproof", "");
  EXPECT_THAT(find_suites(scratch.path()),
              ElementsAre(named("link"), named("tcp"), named("phy"), named("alpha"), named("zeta")));
}
TEST(FindSuites, NoneIsNotProven) {
  const Scratch scratch;
  try {
    (void)find_suites(scratch.path());
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.code(), kExitNotProven);
    EXPECT_THAT(refused.what(), HasSubstr("MPI"));
  }
}

const std::vector<Suite> kKnown{{"link", "l"}, {"mtu", "m"}, {"tcp", "t"}};

TEST(ChooseSuites, AllUnlessNamed) { EXPECT_EQ(choose_suites(kKnown, {}).size(), 3); }
TEST(ChooseSuites, KeepsTheirOrderAndNoDoubles) {
  EXPECT_THAT(choose_suites(kKnown, {"tcp", "link", "tcp"}), ElementsAre(named("link"), named("tcp")));
}
TEST(ChooseSuites, RefusesAnUnknownOneAndListsTheKnown) {
  EXPECT_THAT([] { (void)choose_suites(kKnown, {"tpc"}); },
              ThrowsMessage<Refused>(AllOf(HasSubstr("'tpc'"), HasSubstr("link, mtu, tcp"))));
}

constexpr const char* kList =
    "EachRail/WriteRate.\n"
    "  FillsTheHalf/rail0_a_b  # GetParam() = rail0: a -> b\n"
    "  FillsTheHalf/rail1_a_b  # GetParam() = rail1: a -> b\n"
    "Plain.\n"
    "  Case\n"
    "  DISABLED_Case\n"
    "DISABLED_Suite.\n"
    "  Case\n"
    "Each/DISABLED_Other.\n"
    "  Case/x  # GetParam() = x\n";

TEST(ParseCaseList, GivesFullNamesWithoutParameters) {
  EXPECT_THAT(parse_case_list(kList, false),
              ElementsAre("EachRail/WriteRate.FillsTheHalf/rail0_a_b",
                          "EachRail/WriteRate.FillsTheHalf/rail1_a_b", "Plain.Case"));
}
TEST(ParseCaseList, GivesDisabledOnesWhenTheyRun) { EXPECT_EQ(parse_case_list(kList, true).size(), 6); }
TEST(ParseCaseList, SkipsOtherWords) {
  EXPECT_THAT(parse_case_list("Running main() from x.cc\nA.\n  b\n\nNote: nothing\n  c\n", false),
              ElementsAre("A.b"));
}

TEST(ListCases, AsksTheSuiteWithTheRigAndTheFilter) {
  const Scratch scratch;
  const Suite suite{"s", scratch.script("s", R"(printf 'A.\n  x\n'; echo "$@" > ")" +
                                                 scratch.path("args").string() + "\"")};
  EXPECT_THAT(
      list_cases(suite, {.rig = "r.toml", .thresholds = {}, .gtest = {.filter = "A.*"}, .patience = {}}),
      ElementsAre("A.x"));
  EXPECT_EQ(scratch.read("args"), "--rig r.toml --gtest_filter=A.* --gtest_list_tests\n");
}
TEST(ListCases, PassesOnWhatASuiteComplainsOf) {
  const Scratch scratch;
  const Suite suite{"s", scratch.script("s", "echo cannot load rig; exit 2")};
  EXPECT_THAT(
      [&] {
        (void)list_cases(suite, {"r.toml", {}, {}, {}});
      },
      ThrowsMessage<Refused>(AllOf(HasSubstr("suite s"), HasSubstr("cannot load rig"))));
}

}  // namespace
}  // namespace rigproof
