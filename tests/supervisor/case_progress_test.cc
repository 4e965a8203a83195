#include "framework/supervisor/case_book.h"

#include <gmock/gmock.h>

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SuitePlanned plan(std::initializer_list<const char*> names) {
  SuitePlanned plan{"s", {}};
  for (const char* name : names) plan.cases.push_back({name, "", {}});
  return plan;
}
CaseEnded ended(const char* name, int iteration = 1) { return {"s", name, iteration, 0, 0, {}, {}}; }

TEST(CaseBook, EveryPlannedCaseIsOpen) {
  CaseBook book(1);
  book.see(plan({"B.x", "A.y"}));
  EXPECT_THAT(book.open(), ElementsAre("B.x", "A.y"));
}
TEST(CaseBook, AnEndedCaseIsSettled) {
  CaseBook book(1);
  book.see(plan({"A.x", "A.y"}));
  book.see(ended("A.x"));
  EXPECT_THAT(book.open(), ElementsAre("A.y"));
  EXPECT_THAT(book.settled(), ElementsAre("A.x"));
}
TEST(CaseBook, ACaseIsSettledOnlyAfterItsLastIteration) {
  CaseBook book(3);
  book.see(plan({"A.x"}));
  book.see(ended("A.x", 2));
  EXPECT_THAT(book.open(), ElementsAre("A.x"));
  book.see(ended("A.x", 3));
  EXPECT_THAT(book.open(), IsEmpty());
}
TEST(CaseBook, ARelaunchsShorterPlanChangesNothing) {
  CaseBook book(1);
  book.see(plan({"A.x", "A.y", "A.z"}));
  book.settle("A.x");
  book.see(plan({"A.y", "A.z"}));
  EXPECT_THAT(book.open(), ElementsAre("A.y", "A.z"));
}

TEST(CaseBook, OpensVoidCasesAgainOnce) {
  CaseBook book(1);
  book.see(plan({"A.x", "A.y"}));
  CaseEnded disturbed = ended("A.x");
  disturbed.failures = {{Failure::Kind::kSkip, std::string(kDisturbed), "busy", {}, -1, {}, {}}};
  book.see(disturbed);
  book.see(ended("A.y"));
  EXPECT_THAT(book.open(), IsEmpty());
  EXPECT_TRUE(book.reopen_void());
  EXPECT_THAT(book.open(), ElementsAre("A.x"));
  EXPECT_FALSE(book.reopen_void());
}

}  // namespace
}  // namespace rigproof
