#include "framework/supervisor/suite_run.h"

#include <gmock/gmock.h>

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

record::SuitePlanned plan(std::initializer_list<const char*> names) {
  record::SuitePlanned plan{"s", {}};
  for (const char* name : names) plan.cases.push_back({name, "", {}});
  return plan;
}
record::CaseEnded ended(const char* name, int iteration = 1) { return {"s", name, iteration, 0, 0, {}, {}}; }

TEST(CaseProgress, EveryPlannedCaseIsOpen) {
  supervisor::CaseProgress progress(1);
  progress.see(plan({"B.x", "A.y"}), false);
  EXPECT_THAT(progress.open(), ElementsAre("B.x", "A.y"));
}
TEST(CaseProgress, AnEndedCaseIsSettled) {
  supervisor::CaseProgress progress(1);
  progress.see(plan({"A.x", "A.y"}), false);
  progress.see(ended("A.x"), false);
  EXPECT_THAT(progress.open(), ElementsAre("A.y"));
  EXPECT_THAT(progress.settled(), ElementsAre("A.x"));
}
TEST(CaseProgress, ACaseIsSettledOnlyAfterItsLastIteration) {
  supervisor::CaseProgress progress(3);
  progress.see(plan({"A.x"}), false);
  progress.see(ended("A.x", 2), false);
  EXPECT_THAT(progress.open(), ElementsAre("A.x"));
  progress.see(ended("A.x", 3), false);
  EXPECT_THAT(progress.open(), IsEmpty());
}
TEST(CaseProgress, ARelaunchsShorterPlanChangesNothing) {
  supervisor::CaseProgress progress(1);
  progress.see(plan({"A.x", "A.y", "A.z"}), false);
  progress.settle("A.x");
  progress.see(plan({"A.y", "A.z"}), false);
  EXPECT_THAT(progress.open(), ElementsAre("A.y", "A.z"));
}

TEST(CaseProgress, OpensVoidCasesAgainOnce) {
  supervisor::CaseProgress progress(1);
  progress.see(plan({"A.x", "A.y"}), false);
  progress.see(ended("A.x"), true);
  progress.see(ended("A.y"), false);
  EXPECT_THAT(progress.open(), IsEmpty());
  EXPECT_TRUE(progress.reopen_void());
  EXPECT_THAT(progress.open(), ElementsAre("A.x"));
  EXPECT_FALSE(progress.reopen_void());
}

}  // namespace
}  // namespace rigproof
