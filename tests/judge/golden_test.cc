#include <gtest/gtest.h>

#include "framework/record/events.h"
#include "tests/support/golden.h"
#include "tests/support/golden_run.h"

namespace rigproof {
namespace {

// The journal is what others keep for years: its lines change only on purpose, and with the format's number.
TEST(GoldenJournal, IsWrittenAsApproved) {
  const Story story = golden_run();
  std::string text;
  for (const record::Event& event : story.events()) text += encode(event) + "\n";
  expect_approved("journal.jsonl", text);
}

TEST(GoldenJournal, IsReadBackWithoutAFault) {
  const judge::JudgedRun run = judge::read_run(golden_folder());
  EXPECT_EQ(run.problems.size(), 1u);  // the one it tells of
  EXPECT_EQ(run.exit_code(), 2);
  ASSERT_EQ(run.not_applicable.size(), 1u);
  EXPECT_EQ(run.not_applicable[0].why, "needs an RDMA device of each half");
}

// The judge comes to the verdicts of the story by the limits and the rig that the journal holds.
TEST(GoldenJournal, IsJudgedAsTheStoryTells) {
  const judge::JudgedRun read = judge::read_run(golden_folder()), told = golden_run().record();
  ASSERT_EQ(read.suites.size(), told.suites.size());
  for (std::size_t suite = 0; suite < told.suites.size(); ++suite) {
    ASSERT_EQ(read.suites[suite].cases.size(), told.suites[suite].cases.size());
    for (std::size_t i = 0; i < told.suites[suite].cases.size(); ++i) {
      const judge::JudgedCase is = read.suites[suite].cases.at(i), was = told.suites[suite].cases.at(i);
      EXPECT_EQ(is.status(), was.status()) << is.full_name();
      if (was.deciding() == nullptr || is.deciding() == nullptr) continue;
      const auto &are = is.deciding()->measurements, &were = was.deciding()->measurements;
      ASSERT_EQ(are.size(), were.size());
      for (std::size_t m = 0; m < were.size(); ++m)
        EXPECT_EQ(are[m].judgement.verdict, were[m].judgement.verdict) << are[m].id;
    }
  }
}

}  // namespace
}  // namespace rigproof
