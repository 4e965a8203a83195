// The model rig by its commands.
#ifdef MISCHIEF_SUITE  // there are suites

#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

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
TEST_F(ModelTest, OtherTopologiesPassLinkAndMtu) {
  const Words options[] = {{"--topology", "pair"},
                           {"--topology", "ring", "--nodes", "3"},
                           {"--topology", "two-switches", "--nodes", "3"}};
  for (const Words& topology : options) {
    Words words{"model",   "run", "--verbose", "--no-pdf", "--suite", "link",
                "--suite", "mtu", "--profile", "smoke",    "--out",   path(topology[1])};
    words.insert(words.end(), topology.begin(), topology.end());
    const Answer answer = rigproof_does(words);
    EXPECT_EQ(answer.code, 0) << topology[1] << answer.output;
    EXPECT_THAT(answer.output, ContainsRegex("link1_|rail3_")) << answer.output;
  }
}
// Diagonals are tested where the rig promises them, and who does not forward is named.
TEST_F(ModelTest, ARingOfFourForwardsWhereItIsPromised) {
  const auto run = [&](const char* before, const Words& options) {
    const std::string command =
        fmt::format("{}; rm -rf {}; exec {} run --verbose --no-pdf --suite mtu --profile smoke --out {}",
                    before, path("out"), RIGPROOF_PROGRAM, path("out"));
    Words all{"--topology", "ring", "--nodes", "4"};
    all.insert(all.end(), options.begin(), options.end());
    return exec({"sh", "-c", command}, all);
  };
  const Answer without = run("true", {});
  EXPECT_EQ(without.code, 0) << without.output;
  EXPECT_THAT(without.output, Not(HasSubstr("node_a_to_node_c")));
  EXPECT_THAT(scratch.read("out/summary.md"), HasSubstr("mtu.forwarded"));  // it does not apply
  const Answer promised = run("true", {"--forwarding"});
  EXPECT_EQ(promised.code, 0) << promised.output;
  EXPECT_THAT(promised.output,
              ContainsRegex("PASS +mtu.EachDiagonal/ForwardedMtu.CarriesFullSizePackets/node_a_to_node_c"));
  const Answer broken = run("ip netns exec node-b sysctl -qw net.ipv4.ip_forward=0", {"--forwarding"});
  EXPECT_EQ(broken.code, 1) << broken.output;
  EXPECT_THAT(broken.output,
              ContainsRegex("FAIL +mtu.EachDiagonal/ForwardedMtu.CarriesFullSizePackets/node_a_to_node_c"));
  EXPECT_THAT(scratch.read("out/summary.md"),
              HasSubstr("sent to node-b (198.18.1.2), which must forward it"));
  EXPECT_THAT(broken.output,
              ContainsRegex("PASS +mtu.EachDiagonal/ForwardedMtu.CarriesFullSizePackets/node_b_to_node_d"));
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
