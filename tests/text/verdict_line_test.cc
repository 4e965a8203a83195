// Whoever reads a record sees whether it measured or judges what another one measured.
#include "reports/text/verdict_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(VerdictLine, ARunThatMeasuredSaysNothingOfJudgingAgain) {
  const JudgedRun run = run_of({ending("A.B", {good()})});
  EXPECT_THAT(verdict_line(run), Not(HasSubstr("again")));
  EXPECT_EQ(judged_again_text(run), "");
}

TEST(VerdictLine, ARecordJudgedAgainSaysWhenByWhatAndOfWhichRun) {
  JudgedRun run = run_of({ending("A.B", {good()})});
  run.start.again = Rejudged{run.start.id, "2026-11-21T09:00:00.000Z", "bob", "desk", "rigproof judge out"};
  run.start.id += "-again";
  run.start.limits = {text_file("new.toml", "")};
  EXPECT_THAT(verdict_line(run), HasSubstr("; judged again by new.toml"));
  EXPECT_EQ(judged_again_text(run),
            "Judged again at 2026-11-21T09:00:00.000Z by new.toml: the samples are those of run "
            "20261120T181500Z-model-rig-4f2a, taken from 2026-11-20T18:15:00.000Z on");
}

}  // namespace
}  // namespace rigproof
