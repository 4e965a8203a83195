#include "framework/supervisor/case_progress.h"

#include <gmock/gmock.h>

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

record::CaseEnded ended(const char* name, int iteration = 1) { return {"s", name, iteration, 0, 0, {}, {}}; }

TEST(CaseProgress, EveryPlannedCaseIsOpen) {
  supervisor::CaseProgress progress({"B.x", "A.y"}, 1);
  EXPECT_THAT(progress.open(), ElementsAre("B.x", "A.y"));
}
TEST(CaseProgress, AnEndedCaseIsClosed) {
  supervisor::CaseProgress progress({"A.x", "A.y"}, 1);
  progress.see(ended("A.x"), false);
  EXPECT_THAT(progress.open(), ElementsAre("A.y"));
}
TEST(CaseProgress, ACaseIsClosedOnlyAfterItsLastIteration) {
  supervisor::CaseProgress progress({"A.x"}, 3);
  progress.see(ended("A.x", 2), false);
  EXPECT_THAT(progress.open(), ElementsAre("A.x"));
  progress.see(ended("A.x", 3), false);
  EXPECT_THAT(progress.open(), IsEmpty());
}
TEST(CaseProgress, OpensCasesAgainOnceWhoseAttemptsDoNotCount) {
  supervisor::CaseProgress progress({"A.x", "A.y"}, 1);
  progress.see(ended("A.x"), true);
  progress.see(ended("A.y"), false);
  EXPECT_THAT(progress.open(), IsEmpty());
  EXPECT_TRUE(progress.reopen_replaced());
  EXPECT_THAT(progress.open(), ElementsAre("A.x"));
  EXPECT_FALSE(progress.reopen_replaced());
}

}  // namespace
}  // namespace rigproof
