// A node that was measured again joins with its new result, and makes no failure of another node vanish.
#include <gmock/gmock.h>

#include "framework/judge/node_verdicts.h"
#include "framework/judge/retest.h"
#include "framework/record/codec.h"
#include "tests/rig/rig_text.h"
#include "tests/support/story.h"

namespace rigproof::judge {
namespace {

// A complete run of four nodes: a case of each node, of the pairs a-b, c-d and b-c, and one of all.
class RetestOf : public testing::Test {
 protected:
  RetestOf() { story_.begun().rig_file = record::text_file("rig.toml", star_text(4)); }

  static record::PlannedCase planned(const std::string& name, std::vector<std::string> nodes) {
    const auto kind = nodes.size() == 1   ? SubjectPlace::Kind::kNode
                      : nodes.size() == 2 ? SubjectPlace::Kind::kNodes
                                          : SubjectPlace::Kind::kAllNodes;
    return {name, name, {kind, "", std::move(nodes), kind == SubjectPlace::Kind::kNodes}};
  }
  // A launch with these cases, of which those in `bad` fail.
  void launch(const std::set<std::string>& cases, const std::set<std::string>& bad) {
    story_.launch(++launches_);
    record::SuitePlanned plan{"tcp", {}};
    for (const auto& [name, nodes] : kCases)
      if (cases.contains(name)) plan.cases.push_back(planned(name, nodes));
    story_.add(plan);
    for (const record::PlannedCase& test : plan.cases) {
      const bool fails = bad.contains(test.name);
      JudgedMeasurement measured = judged("tcp.x", fails ? Verdict::kFail : Verdict::kPass, 1e9, 0.1);
      measured.detail = names_;
      story_.run(ending(test.name, {measured}));
    }
    story_.done(launches_).end();
  }
  void run(const std::set<std::string>& bad) {
    std::set<std::string> all;
    for (const auto& [name, nodes] : kCases) all.insert(name);
    launch(all, bad);
  }
  void retest(const std::vector<std::string>& nodes) {
    story_.add(record::RunResumed{"ann", "head", "", {}, nodes});
  }

  // The cases that are open again.
  [[nodiscard]] std::set<std::string> open() const {
    std::set<std::string> open;
    for (const JudgedSuite& suite : story_.record().suites)
      for (const JudgedCase& test : suite.cases)
        if (std::ranges::all_of(test.attempts, &Attempt::replaced)) open.insert(test.plan.name);
    return open;
  }
  [[nodiscard]] std::map<std::string, std::string> nodes() const {
    std::map<std::string, std::string> nodes;
    for (const NodeVerdict& node : verdicts_of_nodes(story_.record()))
      nodes[node.node] = std::string(name(node.acceptance)) + " " + std::to_string(node.tries);
    return nodes;
  }

  const std::map<std::string, std::vector<std::string>> kCases{
      {"N.x/a", {"node-a"}},
      {"N.x/b", {"node-b"}},
      {"N.x/c", {"node-c"}},
      {"N.x/d", {"node-d"}},
      {"P.x/ab", {"node-a", "node-b"}},
      {"P.x/bc", {"node-b", "node-c"}},
      {"P.x/cd", {"node-c", "node-d"}},
      {"W.x/all", {"node-a", "node-b", "node-c", "node-d"}}};
  Story story_{
      "[[limit]]\nid = \"tcp.x\"\nat_most = \"2 count\"\nbasis = { kind = \"policy\", source = \"s\", quote "
      "= "
      "\"q\" }\nremedy.check = \"r\"\n"};

  std::string names_ = {};  // the detail of all measurements
  int launches_ = 0;
};

TEST_F(RetestOf, OfARepairedNodeLetsItJoin) {
  run({"N.x/b", "W.x/all"});
  EXPECT_EQ(nodes().at("node-b"), "rejected 1");
  retest({"node-b"});
  EXPECT_THAT(open(), testing::ElementsAre("N.x/b", "P.x/ab", "P.x/bc", "W.x/all"));
  launch({"N.x/b", "P.x/ab", "P.x/bc", "W.x/all"}, {});
  const JudgedRun run = story_.record();
  EXPECT_EQ(run.verdict(), "QUALIFIED");
  EXPECT_EQ(nodes().at("node-b"), "accepted 2");
  EXPECT_EQ(nodes().at("node-a"), "accepted 1");
  ASSERT_EQ(run.retests.size(), 1U);
  EXPECT_EQ(run.retests[0].before, "rejected");
  EXPECT_THAT(run.retests[0].why, testing::HasSubstr("N.x/b"));
  EXPECT_EQ(run.suites.at(0).cases.at(1).attempts.size(), 2U) << "the former attempt stays on record";
}
TEST_F(RetestOf, ThatFailsLeavesTheNodeRejected) {
  run({"N.x/b"});
  retest({"node-b"});
  launch({"N.x/b", "P.x/ab", "P.x/bc"}, {"N.x/b"});
  EXPECT_EQ(nodes().at("node-b"), "rejected 2");
  retest({"node-b"});
  launch({"N.x/b", "P.x/ab", "P.x/bc"}, {});
  EXPECT_EQ(nodes().at("node-b"), "accepted 3") << "its tries stand beside it";
}
// Until the new attempt has ended the former one counts.
TEST_F(RetestOf, ThatIsStoppedProvesNothing) {
  run({"N.x/b"});
  retest({"node-b"});
  EXPECT_EQ(nodes().at("node-b"), "rejected 2");
  story_.end();
  EXPECT_EQ(story_.record().verdict(), "NOT QUALIFIED");
}
// Catches: a sound partner that is retested until the pair of a bad node passes.
TEST_F(RetestOf, LeavesWhatAnotherNodeMayHaveFailed) {
  run({"N.x/c", "P.x/bc", "W.x/all"});
  retest({"node-b"});
  EXPECT_THAT(open(), testing::ElementsAre("N.x/b", "P.x/ab"));
  launch({"N.x/b", "P.x/ab"}, {});
  EXPECT_EQ(nodes().at("node-c"), "rejected 1");
  EXPECT_EQ(story_.record().verdict(), "NOT QUALIFIED");
}
TEST_F(RetestOf, OfASoundNodeLeavesWhatAllNodesDidTogether) {
  run({"W.x/all"});
  retest({"node-b"});
  EXPECT_THAT(open(), testing::ElementsAre("N.x/b", "P.x/ab", "P.x/bc"));
}
TEST_F(RetestOf, OfBothNodesOfAPairDecidesForBoth) {
  run({"P.x/bc"});
  EXPECT_EQ(nodes().at("node-c"), "not proven 1");
  retest({"node-b", "node-c"});
  EXPECT_TRUE(open().contains("P.x/bc"));
}
// Where many send to one, the receiver measures, and a sender may be the slow one.
TEST_F(RetestOf, OfASenderRepeatsTheCasesOfItsReceivers) {
  names_ = "node-b";
  run({"N.x/a", "N.x/c"});
  EXPECT_EQ(nodes().at("node-b"), "rejected 1");
  for (const char* receiver : {"node-a", "node-c"}) EXPECT_EQ(nodes().at(receiver), "accepted 1") << receiver;
  retest({"node-b"});
  EXPECT_THAT(open(), testing::IsSupersetOf({"N.x/a", "N.x/b", "N.x/c", "P.x/ab", "P.x/bc"}));
}
TEST_F(RetestOf, DoubtsBothWhereOneReceiverAloneNamesASender) {
  names_ = "node-b";
  run({"N.x/a"});
  EXPECT_EQ(nodes().at("node-a"), "not proven 1");
  EXPECT_EQ(nodes().at("node-b"), "not proven 1");
}
// Rates beside other pairs are of before the repair, and nothing is compared with them.
TEST_F(RetestOf, ForgetsWhatWasSlowBesideOtherPairs) {
  run({"P.x/ab"});
  retest({"node-a", "node-b"});
  for (const JudgedSuite& suite : story_.record().suites)
    for (const JudgedCase& test : suite.cases)
      for (const Attempt& attempt : test.attempts) EXPECT_EQ(attempt.beside + attempt.alone, "");
}
// A suite that crashed behind its last case has left no case open, and no node's repair is an answer to it.
TEST_F(RetestOf, TakesNoProblemBack) {
  run({});
  story_.launch(++launches_);
  story_.broken_off(launches_, "signal 11").end();
  ASSERT_EQ(story_.record().exit_code(), 2);
  retest({"node-d"});
  story_.end();
  EXPECT_EQ(story_.record().exit_code(), 2);
}
TEST_F(RetestOf, OfANodeWithoutCasesToRepeatIsTold) {
  run({"N.x/c", "P.x/cd"});
  EXPECT_EQ(without_cases(story_.record(), {"node-d"}), std::nullopt);
  run({"N.x/a"});
  EXPECT_EQ(without_cases(story_.record(), {"node-e"}), "node-e");
}
// Its name in the record's event is written only where nodes are retested: older readers read other records.
TEST_F(RetestOf, IsInTheRecordOnlyWhereItWasAskedFor) {
  using record::RunResumed;
  EXPECT_THAT(encode(record::Event{1, "2026-11-20T18:15:00.000Z", RunResumed{"u", "h", "", {}, {"node-b"}}}),
              testing::HasSubstr("\"retested\":[\"node-b\"]"));
  EXPECT_THAT(encode(record::Event{1, "2026-11-20T18:15:00.000Z", RunResumed{"u", "h", "", {}}}),
              testing::Not(testing::HasSubstr("retested")));
}

}  // namespace
}  // namespace rigproof::judge
