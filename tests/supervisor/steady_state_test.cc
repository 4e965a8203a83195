#include "framework/supervisor/steady_state.h"

#include <gmock/gmock.h>

#include "tests/supervisor/records.h"

namespace rigproof {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

NodeSeen seen(const std::map<std::string, std::string>& facts) { return {"link", "node-a", 0, facts}; }

std::vector<RunCase> cases_of(const std::vector<NodeSeen>& readings, const std::string& id = "run.state") {
  SteadyState state;
  for (const NodeSeen& reading : readings) state.see(reading);
  return state.cases(limits_of(at_most(id, "0 count")));
}

TEST(SteadyState, PassesWhatStays) {
  const auto cases = cases_of({seen({{"mtu", "9000"}, {"pid", "1"}}), seen({{"mtu", "9000"}, {"pid", "2"}})});
  ASSERT_THAT(cases, SizeIs(1));
  EXPECT_EQ(cases[0].measurements.at(0).judgement.verdict, Verdict::kPass);
}
TEST(SteadyState, VoidsARunInWhichAnythingChanged) {
  const auto cases =
      cases_of({seen({{"mtu", "9000"}}), seen({{"mtu", "1500"}}), seen({{"mtu", "9000"}, {"speed", "1"}})});
  const Judgement& judgement = cases.at(0).measurements.at(0).judgement;
  EXPECT_EQ(judgement.verdict, Verdict::kFail);
  EXPECT_EQ(judgement.value, 2);
  EXPECT_THAT(judgement.reason, HasSubstr("mtu: 9000, then 1500"));
  EXPECT_THAT(judgement.reason, HasSubstr("speed: not readable, then 1"));
}
TEST(SteadyState, LeavesOutWhatWasToldBesides) {
  NodeSeen besides = seen({{"serial", "1234"}});
  besides.rank = -1;
  const auto cases = cases_of({seen({{"mtu", "9000"}}), besides, seen({{"mtu", "9000"}})});
  EXPECT_EQ(cases.at(0).measurements.at(0).judgement.verdict, Verdict::kPass);
}
TEST(SteadyState, IsNotProvenByOneReading) {
  EXPECT_EQ(cases_of({seen({})}).at(0).failures.at(0).type, "not-proven");
}
TEST(SteadyState, IsNoCaseWithoutItsLimit) {
  EXPECT_THAT(cases_of({seen({}), seen({})}, "link.other"), IsEmpty());
}

}  // namespace
}  // namespace rigproof
