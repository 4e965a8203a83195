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
  for (const Event& event : story.events()) text += encode(event) + "\n";
  expect_approved("journal.jsonl", text);
}

TEST(GoldenJournal, IsReadBackWithoutAFault) {
  const RunRecord run = read_run(golden_folder());
  EXPECT_EQ(run.problems.size(), 1u);  // the one it tells of
  EXPECT_EQ(run.exit_code(), 2);
}

}  // namespace
}  // namespace rigproof
