// The model rig by its commands.
#ifdef MISCHIEF_SUITE  // there are suites

#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

class ModelTest : public testing::Test {
 protected:
  static Answer exec(const Words& command, Words options = {}) {
    options.insert(options.begin(), {"model", "exec"});
    options.push_back("--");
    options.insert(options.end(), command.begin(), command.end());
    return rigproof_does(options);
  }
  std::string path(std::string_view name) const { return scratch.path(name); }

  Scratch scratch;
};

TEST_F(ModelTest, ExitsWithTheCommandsCode) {
  for (const int code : {0, 1, 7}) EXPECT_EQ(exec({"sh", "-c", fmt::format("exit {}", code)}).code, code);
}
TEST_F(ModelTest, ExitsAsAShellDoesForWhatIsNoCommand) { EXPECT_EQ(exec({"no-such-program"}).code, 127); }
TEST_F(ModelTest, HandsTheCommandItsOptions) {
  const Answer answer = exec({"echo", "--nodes", "9", "--help", "--", "x"});
  EXPECT_EQ(answer.output, "--nodes 9 --help -- x\n");
}
TEST_F(ModelTest, NamesItsFilesInTheEnvironment) {
  const Answer answer = exec({"sh", "-c", "cat $RIGPROOF_RIG $RIGPROOF_THRESHOLDS"});
  EXPECT_THAT(answer.output, AllOf(HasSubstr("name = \"node-b\""), HasSubstr("[[limit]]")));
}
TEST_F(ModelTest, HasAsManyNodesAsAsked) {
  EXPECT_THAT(exec({"ip", "netns", "list"}, {"--nodes", "4"}).output, HasSubstr("node-d"));
}
TEST_F(ModelTest, PassesARunInsideThatIsAPart) {
  const Answer answer = exec(
      {RIGPROOF_PROGRAM, "run", "--no-pdf", "--suite", "link", "--profile", "smoke", "--out", path("out")});
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, ContainsRegex("PARTIAL[^\n]*\n$"));
}
TEST_F(ModelTest, IsQualifiedByItsOwnRun) {
  const Answer answer = rigproof_does(
      {"model", "run", "--no-pdf", "--suite", "mtu", "--profile", "smoke", "--out", path("out")});
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_TRUE(std::filesystem::exists(path("out/junit.xml")));
}
TEST_F(ModelTest, RefusesAFolderThatIsGoneWithTheRig) {
  const Answer answer = rigproof_does({"model", "run", "--suite", "mtu", "--out", "/run/rigproof-test/out"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("--out /run/rigproof-test/out"));
}
TEST_F(ModelTest, RefusesBadInputLikeAnyRun) {
  EXPECT_EQ(rigproof_does({"model", "run", "--suite", "nonsense", "--out", path("out")}).code, 2);
  EXPECT_EQ(rigproof_does({"model", "run", "--thresholds", path("nowhere.toml"), "--out", path("out")}).code,
            2);
}

}  // namespace
}  // namespace rigproof

#endif
