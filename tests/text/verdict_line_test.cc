// Whoever reads a record sees whether it measured or judges what another one measured.
#include "reports/text/verdict_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/record/run_id.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(VerdictLine, ARunThatMeasuredSaysNothingOfJudgingAgain) {
  const RunRecord run = run_of({ending("A.B", {good()})});
  EXPECT_THAT(verdict_line(run), Not(HasSubstr("again")));
  EXPECT_EQ(judged_again_text(run), "");
}

TEST(VerdictLine, ARecordJudgedAgainSaysWhenByWhatAndOfWhichRun) {
  RunRecord run = run_of({ending("A.B", {good()})});
  run.start.id = id_again(id_again(run.start.id));
  run.start.thresholds_file = "new.toml";
  run.started = "2026-11-21T09:00:00.000Z";
  EXPECT_THAT(verdict_line(run), HasSubstr("; judged again by new.toml"));
  EXPECT_EQ(judged_again_text(run),
            "Judged again at 2026-11-21T09:00:00.000Z by new.toml: the samples are those of run "
            "20261120T181500Z-model-rig-4f2a, taken from 2026-11-20T18:15:01.000Z on");
}

}  // namespace
}  // namespace rigproof
