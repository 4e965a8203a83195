// Whoever reads a record sees whether it measured or judges what another one measured.
#include "reports/text/verdict_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/record/judged_again.h"
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

TEST(VerdictLine, AnIdOfAnyLengthIsReadInTime) {
  std::string id(1 << 20, 'x');
  EXPECT_EQ(measured_run(id), id);
  EXPECT_EQ(measured_run("-again-4f2a"), "");
  EXPECT_EQ(measured_run("x-again-4f2A"), "x-again-4f2A");
}

}  // namespace
}  // namespace rigproof
