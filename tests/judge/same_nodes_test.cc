// Nodes that are the same machine are as fast as each other.
#include "framework/judge/same_nodes.h"

#include <string>
#include <vector>

#include "tests/judge/checks.h"

namespace rigproof {
namespace {

using judge::Status;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

record::NodeFacts spark(const char* cpu = "10x Cortex-X925", const char* memory = "119.7 GiB") {
  return {{"", {{"cpu", cpu}, {"memory", memory}}}, {"gpu0", {{"name", "GB10"}}}};
}

class SameNodes : public Checks {
 protected:
  SameNodes() { declare("host", {{"host.read", "bit/s", ""}, {"host.same.read", "ratio", ""}}); }

  // A node that reads its memory at so many GB/s.
  void node(const std::string& name, double rate, const record::NodeFacts& facts = spark(),
            const std::string& detail = {}, Status status = Status::kPassed) {
    run.nodes[name] = facts;
    judge::JudgedSuite& suite = add_suite("host", {}, {"host.same.read"}, {"host.read"}, status);
    judge::JudgedCase test = suite.cases.at(0);
    run.suites.pop_back();
    judge::JudgedMeasurement& m = test.attempts[0].measurements[0];
    m.node = name;
    m.detail = detail;
    m.unit = "GB/s";
    m.samples = {Dimension::kDataRate, {8e9 * rate}};
    m.judgement = {.verdict = judge::Verdict::kPass, .value = 8e9 * rate};
    test.plan.name += name + detail;
    if (run.suites.empty()) {
      add_suite("host", {}, {"host.same.read"}, {});
      run.suites.back().cases = {};
    }
    run.suites.back().cases.push_back(test);
  }
  // As a suite plans and reports it that compares its nodes itself.
  void owe_the_comparison() {
    judge::JudgedSuite& suite = run.suites.back();
    suite.tests = {{"A.b", {"host.read", "host.same.read"}, {}}};
    suite.cases.change(0, [](judge::JudgedCase& test) {
      test.attempts[0].measurements.emplace_back();
      test.attempts[0].measurements.back().id = "host.same.read";
    });
  }
  std::vector<Status> statuses() {
    judge(std::string("[[limit]]\nid = \"host.same.read\"\nat_least = \"80 %\"\nremedy.hint = \"{here} here, "
                      "{there} on ") +
          "{others}\"\nbasis = { kind = \"policy\", source = \"s\", quote = \"q\" }\n");
    std::vector<Status> all;
    for (const judge::JudgedCase& test : run_cases()) all.push_back(test.status());
    return all;
  }
};

// Catches: a node at 30 % of the other's rate, which meets the floor of any sound one.
TEST_F(SameNodes, AreAsFastAsTheBestOfThem) {
  node("node-a", 110), node("node-b", 33), node("node-c", 100);
  EXPECT_THAT(statuses(), ElementsAre(Status::kPassed, Status::kFailed, Status::kPassed));
  EXPECT_EQ(run_names()[1], "Same.host_read/node_b");
  const judge::JudgedMeasurement m = run_cases()[1].attempts.at(0).measurements.at(0);
  EXPECT_DOUBLE_EQ(m.judgement.value, 0.3);
  EXPECT_THAT(m.judgement.reason, HasSubstr("33 GB/s here, 110 GB/s on node-a"));
  EXPECT_EQ(to_text(m.remedy), "33 GB/s here, 110 GB/s on node-a");
}
// Catches: free memory (preflight.memory) judged by the limit on the nodes' total memory (preflight.same.memory).
TEST_F(SameNodes, AreNotComparedAgainWhereACaseOwesTheComparison) {
  node("node-a", 110), node("node-b", 33);
  owe_the_comparison();
  EXPECT_THAT(statuses(), IsEmpty());
}
TEST_F(SameNodes, AreComparedInEachPartThatTheyHave) {
  node("node-a", 100, spark(), "GPU 0"), node("node-a", 30, spark(), "GPU 1"),
      node("node-b", 95, spark(), "GPU 0");
  EXPECT_THAT(statuses(), ElementsAre(Status::kFailed, Status::kPassed));
  EXPECT_THAT(run_cases()[0].attempts.at(0).measurements, SizeIs(2));
}
// A rig of two kinds of machine: each is compared with its like, the only one of its kind with none.
TEST_F(SameNodes, AreOfOneKind) {
  node("node-a", 110), node("node-b", 105, spark("10x Cortex-X925", "121.6 GiB"));
  node("node-c", 30, spark("AMD EPYC")), node("node-d", 28, spark("AMD EPYC"));
  node("node-e", 20, spark("10x Cortex-X925", "60.1 GiB"));
  EXPECT_THAT(statuses(), ElementsAre(Status::kPassed, Status::kPassed, Status::kPassed, Status::kPassed,
                                      Status::kRecorded));
  EXPECT_THAT(run_cases()[4].attempts.at(0).measurements.at(0).text, HasSubstr("no other node"));
  EXPECT_THAT(run.problems, IsEmpty());
}
TEST_F(SameNodes, OfOneNodeOweNothing) {
  node("node-a", 110);
  EXPECT_THAT(statuses(), ElementsAre(Status::kRecorded));
}
// Facts that the record has of no node do not tell nodes apart.
TEST_F(SameNodes, MayBeAllThatIsKnown) {
  node("node-a", 110, {}), node("node-b", 33, {});
  EXPECT_THAT(statuses(), ElementsAre(Status::kPassed, Status::kFailed));
}
// Catches: "preflight.same.mtu", which the case itself reports, taken for a comparison of "preflight.mtu".
TEST_F(SameNodes, AreNotComparedInWhatACaseHasCompared) {
  node("node-a", 110), node("node-b", 33);
  judge("[[limit]]\nid = \"host.same.read\"\nequals = \"1 count\"\nremedy.check = \"r\"\n" +
        std::string("basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\n"));
  for (const std::string& name : run_names()) EXPECT_THAT(name, testing::StartsWith("Limits.Reported/"));
}
TEST_F(SameNodes, AreNotComparedWithoutALimit) {
  node("node-a", 110), node("node-b", 33);
  judge(at_most("tcp.a", "0 count"));
  EXPECT_THAT(run_names(), IsEmpty());
}

}  // namespace
}  // namespace rigproof
