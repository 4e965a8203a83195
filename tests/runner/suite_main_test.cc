// What a suite's command line promises.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/runner/launch.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class SuiteMain : public testing::Test {
 protected:
  Launched launch(std::vector<std::string> arguments) {
    return launcher.launch({.arguments = std::move(arguments)});
  }
  // Of a case, how many attempts; -1 when it was not planned.
  static int attempts(const Launched& launched, const std::string& ending) {
    for (const judge::JudgedSuite& suite : launched.record.suites)
      for (const judge::JudgedCase& test : suite.cases)
        if (test.plan.name.ends_with(ending)) return static_cast<int>(test.attempts.size());
    return -1;
  }
  static std::size_t cases(const Launched& launched) {
    return launched.record.suites.empty() ? 0 : launched.record.suites.front().cases.size();
  }

  std::string list() { return answer("--gtest_list_tests"); }
  std::string describe(const std::string& filter) { return answer("--describe '" + filter + "'"); }
  std::string answer(const std::string& options) {
    return answer_without_rig("--rig " RIGPROOF_SOURCE_DIR "/tests/runner/mischief-rig.toml " + options);
  }
  // Of the suite itself, without mpirun.
  std::string answer_without_rig(const std::string& options) {
    const auto output = launcher.folder() / "answer";
    const std::string command = fmt::format("{} {} >{}", RIGPROOF_MISCHIEF, options, output.string());
    EXPECT_EQ(std::system(command.c_str()), 0);
    return file_text(output);
  }

  Launcher launcher;
};

TEST_F(SuiteMain, PlansWhatTheFilterSelects) {
  const Launched launched = launch({"--gtest_filter=*Mischief.Healthy*/node_a"});
  EXPECT_EQ(launched.exit_code, 0) << launched.output;
  EXPECT_EQ(cases(launched), 5u);
}

TEST_F(SuiteMain, AFirstLookIsOfTheCasesThatTheSuiteDeclaresForIt) {
  const Launched launched = launch({"--first-look"});
  EXPECT_EQ(launched.exit_code, 0) << launched.output;
  EXPECT_EQ(cases(launched), 2u);
  EXPECT_EQ(attempts(launched, "Healthy1/node_b"), 1);
}

TEST_F(SuiteMain, LeavesOutTheSkippedCases) {
  write_text(launcher.folder() / "skip",
             "EachNode/Mischief.Healthy1/node_a\nEachNode/Mischief.Healthy3/node_b\n");
  const Launched launched =
      launch({"--gtest_filter=*Mischief.Healthy*", "--skip", (launcher.folder() / "skip").string()});
  EXPECT_EQ(launched.exit_code, 0) << launched.output;
  EXPECT_EQ(cases(launched), 8u);
  EXPECT_EQ(attempts(launched, "Healthy1/node_a"), -1);
}

TEST_F(SuiteMain, RepeatsAreAttemptsOfOneCase) {
  const Launched launched = launch({"--gtest_filter=*Mischief.Healthy1/*", "--gtest_repeat=3"});
  EXPECT_EQ(attempts(launched, "Healthy1/node_a"), 3);
  EXPECT_EQ(cases(launched), 2u);
}

TEST_F(SuiteMain, AShuffleIsTheSameOnAllRanks) {
  const Launched launched =
      launch({"--gtest_filter=*Mischief.Healthy*", "--gtest_shuffle", "--gtest_repeat=2"});
  EXPECT_EQ(launched.exit_code, 0) << launched.output;
  EXPECT_EQ(attempts(launched, "Healthy5/node_b"), 2);
}

TEST_F(SuiteMain, AFailureOfOneRankStopsAllRanksWhenAsked) {
  const Launched launched = launch(
      {"--gtest_filter=*Mischief.ThrowsInAPhase/node_b:*Mischief.Healthy*/node_a", "--gtest_fail_fast"});
  EXPECT_EQ(launched.exit_code, 0) << launched.output;
  EXPECT_EQ(launched.status("Healthy1/node_a"), "passed");
  EXPECT_EQ(launched.status("ThrowsInAPhase/node_b"), "error");
  for (const char* later : {"Healthy2/node_a", "Healthy5/node_a"})
    EXPECT_EQ(launched.status(later), "not proven") << later;
}

TEST_F(SuiteMain, AFilterThatSelectsNothingPlansNothing) {
  const Launched launched = launch({"--gtest_filter=Nothing.*"});
  EXPECT_EQ(launched.exit_code, 0);
  EXPECT_EQ(cases(launched), 0u);
}

TEST_F(SuiteMain, RefusesAnotherNumberOfRanksThanNodes) {
  const Launched launched = launcher.launch({.ranks = 3});
  EXPECT_EQ(launched.exit_code, 2);
  EXPECT_THAT(launched.output, HasSubstr("expected 2 ranks (one per node of the rig), got 3"));
  EXPECT_THAT(launched.record.problems.at(0).message, HasSubstr("expected 2 ranks"));
}

// Beside other jobs of the user it may not be able to make that folder. Of a file it can't make one either.
TEST_F(SuiteMain, NeedsNoFolderOfOpenMpisWhereNoLauncherStartedIt) {
  const auto output = launcher.folder() / "output";
  const std::string command =
      fmt::format("TMPDIR={0} {1} --rig {2}-rig.toml --thresholds {2}-limits.toml >{0} 2>&1", output.string(),
                  RIGPROOF_MISCHIEF, RIGPROOF_SOURCE_DIR "/tests/runner/mischief");
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
  EXPECT_THAT(file_text(output), HasSubstr("expected 2 ranks (one per node of the rig), got 1"));
}

TEST_F(SuiteMain, RefusesABadRigOnce) {
  const Launched launched = launcher.launch({.rig = "format = 1\nname = 5\n"});
  EXPECT_EQ(launched.exit_code, 2);
  EXPECT_THAT(launched.output, HasSubstr("rig.toml:2:8"));
  const std::string own = "rigproof-suite-mischief: ";  // beside the last words, which the supervisor reads
  EXPECT_EQ(launched.output.find(own), launched.output.rfind(own));
}

// Outside of all cases. Catches: what goes on record then being gone already, with the journal.
TEST_F(SuiteMain, AListOfCasesThatThrowsEndsTheJobOnRecord) {
  std::string rig = file_text(RIGPROOF_SOURCE_DIR "/tests/runner/mischief-rig.toml");
  const std::string name = "name = \"mischief-rig\"";
  ASSERT_NE(rig.find(name), rig.npos);
  const Launched launched =
      launcher.launch({.rig = rig.replace(rig.find(name), name.size(), "name = \"unlistable\"")});
  EXPECT_NE(launched.exit_code, 0);
  ASSERT_EQ(launched.record.problems.size(), 1u) << launched.output;
  EXPECT_THAT(launched.record.problems.at(0).message,
              HasSubstr("suite mischief: rank 0 (node-a): this rig's cases can't be listed"));
}

TEST_F(SuiteMain, RefusesAJournalThatIsNotThere) {
  const Launched launched = launch({"--journal", "/nowhere/journal.jsonl"});
  EXPECT_EQ(launched.exit_code, 2);
  EXPECT_THAT(launched.output, HasSubstr("must be visible on the rig's first node"));
}

TEST_F(SuiteMain, RefusesASkipListThatIsNotThere) {
  const Launched launched = launch({"--skip", "/nowhere/skip"});
  EXPECT_EQ(launched.exit_code, 2);
  EXPECT_THAT(launched.output, HasSubstr("/nowhere/skip: No such file"));
}

TEST_F(SuiteMain, RefusesFlagsThatGoogleTestDoesNotKnow) {
  const Launched launched = launch({"--gtest_filtre=*"});
  EXPECT_EQ(launched.exit_code, 2);
  EXPECT_THAT(launched.output, HasSubstr("GoogleTest did not understand its options"));
}

TEST_F(SuiteMain, RefusesUnknownOptions) {
  const Launched launched = launch({"--treshold"});
  EXPECT_EQ(launched.exit_code, 2);
  EXPECT_THAT(launched.output, HasSubstr("unknown option '--treshold'"));
}

// Both ranks are on this host: the second finds the node taken, as a second run would.
TEST_F(SuiteMain, RefusesANodeThatIsTaken) {
  const Launched launched = launcher.launch({.shared_host = false});
  EXPECT_EQ(launched.exit_code, 2);
  EXPECT_THAT(launched.output, HasSubstr("this node is in use by another run: process"));
  EXPECT_THAT(launched.output, HasSubstr("(rigproof-suite-mischief)"));
}

// node-a's address is here, node-b's is not. So rank 1 is not on node-b.
TEST_F(SuiteMain, RefusesToTakeOneNodeForAnother) {
  const Launched launched = launcher.launch({.shared_host = false, .own_address = "198.18.1.1/24"});
  EXPECT_EQ(launched.exit_code, 2);
  EXPECT_THAT(launched.output,
              HasSubstr("rank 1 (node-b): this host has the addresses of node-a, not of node-b"));
}

// What a shell, or a node's login, has for unit tests.
class UnitTestEnvironment {
 public:
  UnitTestEnvironment() {
    for (const auto& [variable, value] : kAll) setenv(variable, value, 1);
  }
  ~UnitTestEnvironment() {
    for (const auto& [variable, value] : kAll) unsetenv(variable);
  }

 private:
  static constexpr std::pair<const char*, const char*> kAll[] = {
      {"GTEST_FILTER", "*Healthy1*"},  {"TESTBRIDGE_TEST_ONLY", "*Healthy2*"},
      {"GTEST_TOTAL_SHARDS", "2"},     {"GTEST_SHARD_INDEX", "0"},
      {"GTEST_REPEAT", "3"},           {"GTEST_FAIL_FAST", "1"},
      {"GTEST_BREAK_ON_FAILURE", "1"},
  };
};

TEST_F(SuiteMain, LeavesNoCaseOutForWhatIsThereForUnitTests) {
  const UnitTestEnvironment environment;
  const Launched launched = launch({"--gtest_filter=*Mischief.Healthy*"});
  EXPECT_EQ(launched.exit_code, 0) << launched.output;
  EXPECT_EQ(cases(launched), 10u);
  EXPECT_EQ(attempts(launched, "Healthy3/node_b"), 1);
}

TEST_F(SuiteMain, ListsAllWhateverIsThereForUnitTests) {
  const UnitTestEnvironment environment;
  EXPECT_THAT(list(), AllOf(HasSubstr("Healthy1/"), HasSubstr("Healthy2/"), HasSubstr("EachNode/Deadly.")));
}

// Without MPI and without hardware.
TEST_F(SuiteMain, DescribesWhatItMayReportAndItsCases) {
  const std::string described = describe("--gtest_filter=*Mischief.Healthy1/*");
  const record::SuiteDescription description = record::decode_description(described);
  EXPECT_EQ(description.program.name, "rigproof-suite-mischief");
  EXPECT_EQ(description.plan.cases.size(), 2u);
  const auto rate = std::ranges::find(description.declared, "mischief.rate", &record::Declared::id);
  ASSERT_NE(rate, description.declared.end());
  EXPECT_EQ(rate->kind, "bit/s");
}

TEST_F(SuiteMain, DescribesWhatItMayReportWithoutARig) {
  const record::SuiteDescription without = record::decode_description(answer_without_rig("--describe"));
  EXPECT_EQ(without.declared.size(), record::decode_description(answer("--describe")).declared.size());
  EXPECT_THAT(without.plan.cases, testing::IsEmpty());
}

TEST_F(SuiteMain, DescribesAllWhateverIsThereForUnitTests) {
  const UnitTestEnvironment environment;
  EXPECT_EQ(record::decode_description(describe("--gtest_filter=*Mischief.Healthy*/*")).plan.cases.size(),
            10u);
}

TEST_F(SuiteMain, ListsItsCases) {
  EXPECT_THAT(list(), AllOf(HasSubstr("EachNode/Deadly."), HasSubstr("Segfaults/node_b")));
}

}  // namespace
}  // namespace rigproof
