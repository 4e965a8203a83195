#include "framework/supervisor/suite_catalog.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "framework/record/run_identity.h"
#include "framework/supervisor/exit_code.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

auto named(const char* name) { return Field(&supervisor::Suite::name, name); }

TEST(FindSuites, AreTheProgramsThatCanBeStarted) {
  const Scratch scratch;
  for (const char* name : {"zeta", "link"}) scratch.script(std::string("rigproof-suite-") + name, "");
  scratch.write("rigproof-suite-notes.txt", "not executable");
  scratch.script("rigproof", "");
  EXPECT_THAT(supervisor::find_suites({scratch.path(), {}}), ElementsAre(named("link"), named("zeta")));
}
// Catches: a shipped suite that this build lacks, and whose limits a run then calls typing errors.
TEST(FindSuites, ThoseThatAreNotBuiltAreKnown) {
  const auto missing = supervisor::not_built({{"link", "l"}, {"mtu", "m"}, {"own", "o"}});
  EXPECT_THAT(missing, testing::IsSupersetOf({"rdma", "host"}));
  EXPECT_THAT(missing, testing::Not(testing::Contains("link")));
  EXPECT_THAT(missing, testing::Each(testing::Not(HasSubstr("."))));
}
TEST(FindSuites, NoneIsNotProven) {
  const Scratch scratch;
  try {
    (void)supervisor::find_suites({scratch.path(), {}});
    FAIL();
  } catch (const supervisor::Refused& refused) {
    EXPECT_EQ(refused.code(), supervisor::kExitNotProven);
    EXPECT_THAT(refused.what(), HasSubstr("MPI"));
  }
}

TEST(FindSuites, ThoseWithNcclTakeThePlaceOfThoseWithout) {
  const Scratch scratch;
  for (const char* name : {"rigproof-suite-collective", "rigproof-suite-tcp"}) scratch.script(name, "");
  std::filesystem::create_directory(scratch.path() / "nccl");
  scratch.script("nccl/rigproof-suite-collective", "");
  const auto suites = supervisor::find_suites({scratch.path(), {}});
  ASSERT_THAT(suites, ElementsAre(named("collective"), named("tcp")));
  EXPECT_EQ(suites[0].program, scratch.path() / "nccl/rigproof-suite-collective");
}
// Catches: the package with NCCL on a machine without NVIDIA's libraries, where no suite at all could be run.
TEST(FindSuites, ThoseWithNcclThatCannotBeStartedLeaveThePlaceToThoseWithout) {
  const Scratch scratch;
  for (const char* name : {"collective", "phy"}) scratch.script(std::string("rigproof-suite-") + name, "");
  const char* loader_says =
      "echo \"$0: error while loading shared libraries: libnccl.so.2: cannot open shared object file: No "
      "such file "
      "or directory\" >&2; exit 127";
  scratch.script("nccl/rigproof-suite-collective", loader_says);
  scratch.script("nccl/rigproof-suite-phy", "exit 2");  // starts, and will say itself what is the matter
  const auto suites = supervisor::find_suites({scratch.path(), {}});
  ASSERT_THAT(suites, ElementsAre(named("collective"), named("phy")));
  EXPECT_EQ(suites[0].program, scratch.path() / "rigproof-suite-collective");
  EXPECT_THAT(
      suites[0].without_nccl,
      AllOf(
          HasSubstr("not proven: libnccl.so.2: cannot open shared object file: No such file or directory. "),
          HasSubstr("apt-get install libnccl2")));
  EXPECT_EQ(suites[1].program, scratch.path() / "nccl/rigproof-suite-phy");
  EXPECT_EQ(suites[1].without_nccl, "");
}
TEST(FindSuites, OnesOwnComeFromFoldersOfTheirOwn) {
  const Scratch installed, own;
  installed.script("rigproof-suite-tcp", "");
  own.script("rigproof-suite-disk", "");
  EXPECT_THAT(supervisor::find_suites({installed.path(), {own.path()}}),
              ElementsAre(named("disk"), named("tcp")));
}
TEST(FindSuites, ADoubleNameOrAFolderWithoutASuiteIsRefused) {
  const Scratch installed, own, empty;
  installed.script("rigproof-suite-tcp", "");
  own.script("rigproof-suite-tcp", "");
  EXPECT_THAT(
      [&] {
        (void)supervisor::find_suites({installed.path(), {own.path()}});
      },
      ThrowsMessage<supervisor::Refused>(AllOf(
          HasSubstr(own.path()), HasSubstr("there is a suite 'tcp' already"), HasSubstr(installed.path()))));
  EXPECT_THAT(
      [&] {
        (void)supervisor::find_suites({installed.path(), {empty.path()}});
      },
      ThrowsMessage<supervisor::Refused>(AllOf(HasSubstr(empty.path()), HasSubstr("there is no suite"))));
}

const std::vector<supervisor::Suite> kKnown{{"link", "l"}, {"mtu", "m"}, {"tcp", "t"}};

TEST(ChooseSuites, AllUnlessNamed) { EXPECT_EQ(choose_suites(kKnown, {}).size(), 3); }
TEST(ChooseSuites, KeepsTheirOrderAndNoDoubles) {
  EXPECT_THAT(choose_suites(kKnown, {"tcp", "link", "tcp"}), ElementsAre(named("link"), named("tcp")));
}
TEST(ChooseSuites, RefusesAnUnknownOneAndListsTheKnown) {
  EXPECT_THAT([] { (void)choose_suites(kKnown, {"tpc"}); },
              ThrowsMessage<supervisor::Refused>(AllOf(HasSubstr("'tpc'"), HasSubstr("link, mtu, tcp"))));
}

std::string description_of(const std::string& name) {
  return encode(record::SuiteDescription{.program = {"rigproof-suite-s", "0.1.0", "", ""},
                                         .declared = {{"s.rate", "bit/s", ""}},
                                         .plan = {"s", {{name, "", {}, 0}}, {{"A.x", {"s.rate"}, {}}}}});
}

// Describes the case A.x; its command line lies in "args" then.
supervisor::Suite suite_that_keeps_its_arguments(const Scratch& scratch) {
  scratch.write("description", description_of("A.x"));
  return {"s",
          scratch.script("s", fmt::format("cat {}; echo \"$@\" > {}", scratch.path("description").string(),
                                          scratch.path("args").string()))};
}

TEST(Describe, AsksTheSuiteWithTheRigAndTheFilter) {
  const Scratch scratch;
  const supervisor::Suite suite = suite_that_keeps_its_arguments(scratch);
  const record::SuiteDescription described =
      describe(suite, {.rig = "r.toml", .gtest = {.filter = "A.*"}, .timeouts = {}});
  EXPECT_EQ(described.plan.cases.at(0).name, "A.x");
  EXPECT_EQ(described.declared.at(0).id, "s.rate");
  EXPECT_EQ(scratch.read("args"), "--describe --rig r.toml --gtest_filter=A.*\n");
  (void)describe(suite, {.rig = "r.toml", .gtest = {.filter = "", .first_look = true}, .timeouts = {}});
  EXPECT_EQ(scratch.read("args"), "--describe --rig r.toml --first-look\n");
  (void)describe(suite, {.rig = "r.toml", .gtest = {}, .timeouts = {}, .rounds = {3, 17}});
  EXPECT_EQ(scratch.read("args"), "--describe --rig r.toml --rounds 3 --seed 17\n");
}

// A run describes the suites that were not asked for, too: their ids are known then, and their cases cost nothing.
TEST(Describe, AsksForNoCasesWithoutARig) {
  const Scratch scratch;
  const supervisor::Suite suite = suite_that_keeps_its_arguments(scratch);
  (void)describe(suite, {});
  EXPECT_EQ(scratch.read("args"), "--describe\n");
}

// In which order suites run is their own say: from the ground up, and last, by name, those that say nothing.
TEST(DescribeAll, PutsSuitesInTheirOrder) {
  const Scratch scratch;
  std::vector<supervisor::Suite> suites;
  for (const auto& [name, order] : {std::pair("zeta", 0), {"phy", 3}, {"alpha", 0}, {"tcp", 2}}) {
    const std::string said = encode(record::SuiteDescription{
        .program = {name, "0.1.0", "", ""}, .declared = {}, .traits = {.order = order}, .plan = {name, {}}});
    scratch.write(std::string(name) + ".said", said);
    const std::string print = "cat " + scratch.path(std::string(name) + ".said").string();
    suites.push_back({name, scratch.script(name, print + "; echo \"$@\" > \"$0.args\"")});
  }
  const Rig rig = rig_of({node("node-a", "10.0.0.1"), node("node-b", "10.0.0.2")});
  const supervisor::Describer describer({.rig = "r.toml", .gtest = {}, .timeouts = {}}, rig);
  const auto described = describer.all(suites, {suites[3]});
  std::vector<std::string> names;
  for (const supervisor::PlannedSuite& planned : described) names.push_back(planned.suite.name);
  EXPECT_THAT(names, ElementsAre("tcp", "phy", "alpha", "zeta"));
  EXPECT_EQ(scratch.read("tcp.args"), "--describe --rig r.toml --examples\n");
  EXPECT_EQ(scratch.read("phy.args"), "--describe\n") << "not chosen: its cases cost nothing";
}

TEST(Describe, ReadsTheCasesOfManyNodes) {
  const Scratch scratch;
  scratch.write("description", description_of(std::string(70 << 20, 'x')));
  const supervisor::Suite suite{"s", scratch.script("s", "cat " + scratch.path("description").string())};
  EXPECT_EQ(describe(suite, {}).plan.cases.at(0).name.size(), 70u << 20);
}

TEST(Describe, ARefusalQuotesTheBeginningOnly) {
  const Scratch scratch;
  scratch.write("description", description_of(std::string(1 << 20, 'x')));
  const supervisor::Suite suite{
      "s", scratch.script("s", fmt::format("head -c 500000 {}", scratch.path("description").string()))};
  try {
    (void)describe(suite, {});
    FAIL() << "half a description was taken";
  } catch (const supervisor::Refused& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("not JSON"));
    EXPECT_LT(std::string(refused.what()).size(), 3000u);
  }
}

TEST(Describe, PassesOnWhatASuiteComplainsOf) {
  const Scratch scratch;
  const supervisor::Suite suite{"s", scratch.script("s", "echo cannot load rig; exit 2")};
  EXPECT_THAT(
      [&] {
        (void)describe(suite, {"r.toml", {}, {}});
      },
      ThrowsMessage<supervisor::Refused>(AllOf(HasSubstr("suite s"), HasSubstr("cannot load rig"))));
}
// Catches: a rig of hundreds of nodes, or a busy head node, whose suites are killed while they still list their cases.
TEST(Describe, GivesASuiteOfManyNodesTheTimeForTheirPairs) {
  const Scratch scratch;
  scratch.write("description", description_of("A.x"));
  const supervisor::Suite suite{"s",
                                scratch.script("s", "sleep 1; cat " + scratch.path("description").string())};
  const auto cases_for = [&](std::size_t nodes) {
    return describe(suite, {.rig = "r.toml",
                            .gtest = {},
                            .timeouts = {.list = std::chrono::milliseconds(100)},
                            .nodes = nodes})
        .plan.cases.size();
  };
  EXPECT_THAT([&] { (void)cases_for(2); },
              ThrowsMessage<supervisor::Refused>(HasSubstr("did not end in time")));
  EXPECT_EQ(cases_for(80), 1U);
}
TEST(Describe, RefusesWhatIsNoDescription) {
  const Scratch scratch;
  const supervisor::Suite suite{"s", scratch.script("s", "printf 'A.\\n  x\\n'")};
  EXPECT_THAT(
      [&] {
        (void)describe(suite, {"r.toml", {}, {}});
      },
      ThrowsMessage<supervisor::Refused>(AllOf(HasSubstr("suite s"), HasSubstr("not JSON"))));
}
// Catches: "unknown key" as all that is said of a suite of one's own after an upgrade.
TEST(Describe, ASuiteOfAnotherVersionIsToBeBuiltAgain) {
  const Scratch scratch;
  const std::string ours = record::this_program("").version;
  const auto refusal = [&](const std::string& version) -> std::string {
    const supervisor::Suite suite{
        "s", scratch.script("s", fmt::format(R"(echo '{{"program":{{"version":"{}"}}}}')", version))};
    try {
      (void)describe(suite, {"r.toml", {}, {}});
      return "taken";
    } catch (const supervisor::Refused& refused) {
      return refused.what();
    }
  };
  EXPECT_THAT(refusal("99.1.0"), HasSubstr("built against librigproof-dev 99.1.0, this is rigproof " + ours +
                                           ": build it again"));
  EXPECT_THAT(refusal(ours), AllOf(HasSubstr("cannot describe its cases"), Not(HasSubstr("build it again"))));
}
// Libraries complain on stderr of what is no concern of a description.
TEST(Describe, LeavesOutWhatGoesToTheErrorStream) {
  const Scratch scratch;
  scratch.write("description", description_of("A.x"));
  const supervisor::Suite suite{"s", scratch.script("s", "echo 'warning: no display' >&2; cat " +
                                                             scratch.path("description").string())};
  EXPECT_EQ(describe(suite, {"r.toml", {}, {}}).plan.cases.size(), 1u);
}

}  // namespace
}  // namespace rigproof
