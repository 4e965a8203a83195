// Real ranks under a real mpirun on this host, and rigs that are not there.
#ifdef MISCHIEF_SUITE

#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class MpiTest : public ProgramTest {
 protected:
  MpiTest() {
    scratch.script("bin/rigproof-suite-mischief",
                   fmt::format("exec {} --shared-host \"$@\"", MISCHIEF_SUITE));
    rig(replaced(file_text(folder() / "mischief-rig.toml"), kMischiefName, "name = \"test-rig\""));
    thresholds(file_text(folder() / "mischief-limits.toml"));
  }
  Answer run_cases(const std::string& filter) const {
    return run({"--launcher", RIGPROOF_LOCAL_MPIRUN " -np 2", "--gtest_filter=" + filter});
  }
  std::string verdict_of(const std::string& name) const {
    return verdict(fmt::format("mischief.EachNode/Deadly.{}/node_b", name));
  }
  static std::filesystem::path folder() { return MISCHIEF_FOLDER; }
  static constexpr std::string_view kMischiefName = "name = \"mischief-rig\"";
};

TEST_F(MpiTest, ACrashedRankCostsItsCaseAndIsNamed) {
  const Answer answer = run_cases(
      "EachNode/Deadly.Healthy1/node_b:EachNode/Deadly.Segfaults/node_b:EachNode/Deadly.Healthy3/node_b");
  EXPECT_EQ(answer.code, 2) << answer.output;
  EXPECT_EQ(verdict_of("Healthy1"), "pass");
  EXPECT_THAT(verdict_of("Segfaults"), AllOf(StartsWith("error"), HasSubstr("node-b"), HasSubstr("measure")));
  EXPECT_EQ(verdict_of("Healthy3"), "pass");
}
TEST_F(MpiTest, AStoppedRankCostsItsCaseAndIsNamed) {
  const Answer answer = run_cases("EachNode/Deadly.StopsItself/node_b:EachNode/Deadly.Healthy3/node_b");
  EXPECT_EQ(answer.code, 2) << answer.output;
  EXPECT_THAT(verdict_of("StopsItself"), AllOf(StartsWith("error"), HasSubstr("node-b")));
  EXPECT_EQ(verdict_of("Healthy3"), "pass");
}
TEST_F(MpiTest, ARankThatExitsZeroCostsItsCaseAndIsNamed) {
  const Answer answer = run_cases("EachNode/Deadly.ExitsZero/node_b:EachNode/Deadly.Healthy3/node_b");
  EXPECT_EQ(answer.code, 2) << answer.output;
  EXPECT_THAT(verdict_of("ExitsZero"), AllOf(StartsWith("error"), HasSubstr("node-b")));
  EXPECT_EQ(verdict_of("Healthy3"), "pass");
}
TEST_F(MpiTest, HealthyCasesQualify) {
  const Answer answer = run_cases("EachNode/Deadly.Healthy*");
  EXPECT_EQ(answer.code, 0) << answer.output;
}

// The limits are those of the record, whatever becomes of their file meanwhile.
TEST_F(MpiTest, WhatIsJudgedByIsWhatIsOnRecord) {
  scratch.script("bin/rigproof-suite-mischief",
                 fmt::format("case \"$*\" in *--report-to*) echo '[[lim' > {}; echo '[[no' > {};; esac\n"
                             "exec {} --shared-host \"$@\"",
                             path("limits.toml"), path("rig.toml"), MISCHIEF_SUITE));
  const Answer answer = run_cases("EachNode/Deadly.Healthy*");
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_EQ(scratch.read("limits.toml"), "[[lim\n");
}

class AbsentRigTest : public ProgramTest {
 protected:
  AbsentRigTest() {
    suite("tcp", "A.pass");
    rig(replaced_everywhere(star_text(2), "address = \"node-", "address = \"rigproof-test.invalid-"));
  }
  // With an agent in place of ssh that reaches the hosts that match `reachable`.
  Answer run_with_agent(const std::string& reachable) const {
    const std::string agent =
        scratch.script("agent", fmt::format("case $1 in {}) [ $2 = true ];; *) exit 255;; esac", reachable));
    Words words = run_words({"--launcher", "mpirun"});
    words.insert(words.begin(), {"env", "OMPI_MCA_plm_rsh_agent=" + agent});
    return answer_of(words);
  }
};

TEST_F(AbsentRigTest, IsNeitherGoodNorBad) {
  const Answer answer = run_with_agent("nobody");
  EXPECT_EQ(answer.code, 77) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("rig absent: none of node-a"));
  EXPECT_EQ(rigproof_does({"report", path("out")}).code, 77);
}
TEST_F(AbsentRigTest, InPartIsAnErrorThatNamesTheNode) {
  const Answer answer = run_with_agent("*-a");
  EXPECT_EQ(answer.code, 2) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("no answer from node-b"));
}

}  // namespace
}  // namespace rigproof

#endif
