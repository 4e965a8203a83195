#include "framework/supervisor/steady.h"

#include <gmock/gmock.h>

#include "tests/supervisor/records.h"

namespace rigproof {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class SteadyCountersTest : public testing::Test {
 protected:
  void observe(const std::string& node, const std::string& subject, double value) {
    counters.see(Observed{"link.down_events", node, subject, value});
  }
  std::vector<RunCase> cases() const { return counters.cases(limits); }

  SteadyCounters counters;
  const LimitTable limits = limits_of(at_most("link.down_events", "0 count"));
};

TEST_F(SteadyCountersTest, JudgeTheChangeFromTheFirstToTheLast) {
  for (const double value : {5, 5, 7}) observe("node-a", "port0", value);
  ASSERT_THAT(cases(), SizeIs(1));
  ASSERT_THAT(cases()[0].measurements, SizeIs(1));
  EXPECT_EQ(cases()[0].measurements[0].judgement.verdict, Verdict::kFail);
  EXPECT_EQ(cases()[0].measurements[0].judgement.value, 2);
  EXPECT_EQ(cases()[0].measurements[0].node, "node-a");
}
TEST_F(SteadyCountersTest, PassWhenNothingMoved) {
  for (const double value : {5, 5}) observe("node-a", "port0", value);
  EXPECT_EQ(cases()[0].measurements[0].judgement.verdict, Verdict::kPass);
}
TEST_F(SteadyCountersTest, AreACaseEach) {
  for (const char* node : {"node-a", "node-b"})
    observe(node, "enp1s0f0np0", 0), observe(node, "enp1s0f0np0", 0);
  ASSERT_THAT(cases(), SizeIs(2));
  EXPECT_EQ(cases()[0].plan.name, "Steady.link_down_events/node_a_enp1s0f0np0");
  EXPECT_EQ(cases()[1].plan.name, "Steady.link_down_events/node_b_enp1s0f0np0");
}
TEST_F(SteadyCountersTest, HaveUniqueNamesWhateverTheSubjectsAre) {
  observe("a", "b.c", 0), observe("a", "b-c", 0);
  EXPECT_NE(cases()[0].plan.name, cases()[1].plan.name);
}
TEST_F(SteadyCountersTest, GoingBackIsAnError) {
  for (const double value : {5, 0, 9}) observe("node-a", "port0", value);
  ASSERT_THAT(cases()[0].failures, SizeIs(1));
  EXPECT_EQ(cases()[0].failures[0].kind, Failure::Kind::kError);
  EXPECT_THAT(cases()[0].failures[0].message, HasSubstr("from 5 to 0"));
}
TEST_F(SteadyCountersTest, ReadOnlyOnceProveNothing) {
  observe("node-a", "port0", 5);
  ASSERT_THAT(cases()[0].failures, SizeIs(1));
  EXPECT_EQ(cases()[0].failures[0].kind, Failure::Kind::kSkip);
}
TEST_F(SteadyCountersTest, ThatCouldNotBeReadProveNothingAndSayWhy) {
  observe("node-a", "port0", 5);
  counters.see(Observed{"link.down_events", "node-a", "port0", 0, "no way there"});
  counters.see(Observed{"link.down_events", "node-a", "port0", 0, "nor now"});
  observe("node-a", "port0", 5);
  ASSERT_THAT(cases()[0].failures, SizeIs(1));
  EXPECT_EQ(cases()[0].failures[0].kind, Failure::Kind::kSkip);
  EXPECT_EQ(cases()[0].failures[0].message, "link.down_events could not be read: no way there");
}
TEST_F(SteadyCountersTest, WithoutALimitAreNoCase) {
  counters.see(Observed{"other.counter", "node-a", "port0", 1});
  EXPECT_THAT(cases(), IsEmpty());
}

TEST(RunCases, MakeAWholeLaunch) {
  RunCase test;
  test.plan = {"A.b", "", {}};
  RunAssembler assembler;
  std::uint64_t sequence = 0;
  assembler.add({sequence++, "2026-11-20T00:00:00.000Z", RunStarted{}});
  for (const EventBody& body : events_of({test}))
    assembler.add({sequence++, "2026-11-20T00:00:01.000Z", body});
  EXPECT_THAT(assembler.record().problems, IsEmpty());
  EXPECT_TRUE(assembler.record().suites.at(0).complete());
}
TEST(RunCases, OfNothingAreNoEvents) { EXPECT_THAT(events_of({}), IsEmpty()); }

}  // namespace
}  // namespace rigproof
