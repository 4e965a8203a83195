// `rigproof discover` and `rigproof snapshot` with hosts that answer, and with one that does not.
#include <gmock/gmock.h>

#include "framework/rig/rig.h"
#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DiscoverTest : public testing::Test {
 protected:
  // In place of ssh: HOST COMMAND.
  DiscoverTest() {
    scratch.script("agent",
                   "case \"$1\" in\n"
                   "spark-a) echo Welcome; " +
                       facts_of("a") + ";;\n" + "spark-b) " + facts_of("b") +
                       ";;\n"
                       "*) echo \"ssh: connect to host $1 port 22: No route to host\"; exit 255;;\n"
                       "esac");
  }
  // In a script: the facts of a Spark by the name that it is asked for, "... facts --node NAME", with edits by sed.
  static std::string facts_of(const std::string& letter, const std::string& edits = "") {
    return R"(node=$(echo "$2" | sed 's/.*--node \([^ ]*\).*/\1/'); )"
           R"(sed -e "s/\"node\": \"node-[ab]\"/\"node\": \"$node\"/" )" +
           edits + " " RIGPROOF_SOURCE_DIR "/tests/preflight/sparks/node-" + letter + ".json";
  }
  [[nodiscard]] Answer rigproof(Words words) const {
    Words command{"env", "OMPI_MCA_plm_rsh_agent=" + scratch.path("agent").string(), RIGPROOF_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    return answer_of(command);
  }

  Scratch scratch;
};

TEST_F(DiscoverTest, WritesARigThatItsOwnLoaderTakes) {
  const Answer answer = rigproof({"discover", "spark-a", "spark-b", "--out", scratch.path("rig.toml")});
  EXPECT_EQ(answer.code, 0) << answer.output;
  const Rig rig = load_rig(scratch.path("rig.toml"));
  EXPECT_EQ(rig.nodes.size(), 2U);
  EXPECT_GE(rig.rails.size(), 4U);
}
TEST_F(DiscoverTest, NamesTheFileItsGuessesAndTheNextCommand) {
  const Answer answer = rigproof({"discover", "spark-a", "spark-b", "--out", scratch.path("rig.toml")});
  const std::string file = scratch.path("rig.toml");
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr(file + " describes the rig.\n"),
                    testing::ContainsRegex(
                        file + ":[0-9]+: rate = .*an even share of the port  .and [0-9]+ like it."),
                    HasSubstr("\nNext: rigproof qualify spark-a spark-b --rig " + file + "\n")));
}
// Catches: an hour's work on a rig file that is gone after a second `discover`.
TEST_F(DiscoverTest, OverwritesNoRigFileThatAPersonChanged) {
  const Words words{"discover", "spark-a", "spark-b", "--out", scratch.path("rig.toml")};
  EXPECT_EQ(rigproof(words).code, 0);
  EXPECT_EQ(rigproof(words).code, 0) << "the same rig";
  const std::string changed = scratch.read("rig.toml") + "# mine\n";
  scratch.write("rig.toml", changed);
  const Answer answer = rigproof(words);
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, AllOf(HasSubstr("rig.toml exists and differs from the rig that was found"),
                                   HasSubstr("--replace")));
  EXPECT_EQ(scratch.read("rig.toml"), changed);
  Words replacing = words;
  replacing.push_back("--replace");
  EXPECT_EQ(rigproof(replacing).code, 0);
  EXPECT_THAT(scratch.read("rig.toml"), Not(HasSubstr("# mine")));
}
TEST_F(DiscoverTest, RefusesLoopbackAddresses) {
  for (const char* host : {"127.0.0.1", "::1", "localhost", "Localhost.localdomain"}) {
    const Answer answer = rigproof({"discover", host, "spark-b"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.output,
                HasSubstr("is a loopback address, by which no other node can reach this host"));
  }
}
// For editors: a file that is there.
TEST_F(DiscoverTest, TheFirstLineNamesTheSchemaOfThisInstallation) {
  const std::string text = rigproof({"discover", "spark-a", "spark-b"}).output;
  ASSERT_THAT(text, testing::StartsWith("#:schema /"));
  const std::string schema = text.substr(9, text.find('\n') - 9);
  EXPECT_THAT(schema, testing::EndsWith("/share/rigproof/schemas/rig.schema.json"));
  EXPECT_TRUE(std::filesystem::exists(schema)) << schema;
}
TEST_F(DiscoverTest, NamesAHostThatDoesNotAnswer) {
  const Answer answer = rigproof({"discover", "spark-a", "spark-z", "--out", scratch.path("rig.toml")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, AllOf(HasSubstr("spark-z: "), HasSubstr("No route to host")));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("rig.toml")));
}
// Catches: "what was found:23:11: an MTU is ..." of a file that nobody has.
TEST_F(DiscoverTest, SaysThatWhatWasFoundMakesNoRig) {
  scratch.script("agent", facts_of("${1#spark-}", "-e 's/\"mtu\": 9000/\"mtu\": 65536/'"));
  const Answer answer = rigproof({"discover", "spark-a", "spark-b", "--out", scratch.path("rig.toml")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("discover: no rig file written: the facts of the hosts are not enough for one"),
                    HasSubstr("mtu = \"65536 B\"")));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("rig.toml")));
}
TEST_F(DiscoverTest, IsShortAboutAHostThatAnswersNonsense) {
  scratch.script("agent", "head -c 3000000 /dev/zero | tr '\\0' '\\377'");
  const Answer answer = rigproof({"discover", "spark-a", "spark-b"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("spark-a: "), HasSubstr("spark-b: \\xFF"), Not(HasSubstr("\xFF"))));
  EXPECT_LT(answer.output.size(), 20'000U);
}
TEST_F(DiscoverTest, RefusesOneHostTwiceUnderWhateverNames) {
  const Answer twice = rigproof({"discover", "spark-a", "spark-a"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_EQ(twice.output, "rigproof: discover: spark-a is named twice\n");
  scratch.script("agent", facts_of("a"));
  const Answer answer = rigproof({"discover", "spark-a", "192.0.2.7"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.output, "rigproof: spark-a and 192.0.2.7 are one machine (spark-a)\n");
}
// A node must not write the head's rig file. Catches: a switch of the node's choice, which would get the switch's login.
TEST_F(DiscoverTest, ANodeAddsNoTableToTheRigFile) {
  scratch.script(
      "agent",
      facts_of(
          "${1#spark-}",
          R"(-e 's|"kind": "hardware"|"kind": "vlan", "lower": ["x\\" }\\n[[switch]]\\nname = \\"s\\"\\n#"]|')"));
  const Answer answer = rigproof({"discover", "spark-a", "spark-b", "--out", scratch.path("rig.toml")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("spark-a: "), HasSubstr("/lower': "), Not(HasSubstr("\n[[switch]]"))));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("rig.toml")));
}
TEST_F(DiscoverTest, ANodeDoesNotSpeakForAnother) {
  scratch.script("agent", "cat " RIGPROOF_SOURCE_DIR "/tests/preflight/sparks/node-${1#spark-}.json");
  const Answer answer = rigproof({"discover", "spark-b", "spark-a", "--out", scratch.path("rig.toml")});
  EXPECT_EQ(answer.code, 0) << answer.output;
  const std::string rig = scratch.read(scratch.path("rig.toml").string());
  EXPECT_THAT(rig, AllOf(HasSubstr("name = \"spark-a\""), HasSubstr("name = \"spark-b\"")));
  EXPECT_THAT(rig, Not(HasSubstr("node-"))) << "their documents call them so";
}
TEST_F(DiscoverTest, ASnapshotKeepsWhatItCouldGet) {
  std::string rig = scratch.read(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  scratch.write("rig.toml", replaced(std::move(rig), "address    = \"spark-b\"", "address    = \"spark-z\""));
  const Answer answer =
      rigproof({"snapshot", "--rig", scratch.path("rig.toml"), "--out", scratch.path("facts")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, AllOf(HasSubstr("node-b: "), Not(HasSubstr("node-a: "))));
  EXPECT_TRUE(std::filesystem::exists(scratch.path("facts/node-a.json")));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("facts/node-b.json")));
}
// Catches: two nodes that are judged as one rig by what they were at two times.
TEST_F(DiscoverTest, ASnapshotLeavesNoFactsOfAnEarlierOne) {
  const std::string rig = scratch.read(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  const Words words{"snapshot", "--rig", scratch.path("rig.toml"), "--out", scratch.path("facts")};
  const auto has = [&](const char* node) { return std::filesystem::exists(scratch.path("facts") / node); };
  scratch.write("rig.toml", rig);
  EXPECT_EQ(rigproof(words).code, 0);
  scratch.write("rig.toml", replaced(rig, "address    = \"spark-b\"", "address    = \"spark-z\""));
  EXPECT_EQ(rigproof(words).code, 2);
  EXPECT_TRUE(has("node-a.json") && !has("node-b.json"));
  scratch.write("agent", "#!/bin/sh\nexit 255\n");
  EXPECT_EQ(rigproof(words).code, 2);
  EXPECT_TRUE(has("node-a.json")) << "nobody answered: the earlier snapshot is whole";
}

}  // namespace
}  // namespace rigproof
