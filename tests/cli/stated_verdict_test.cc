#include "framework/cli/stated_verdict.h"

#include <gmock/gmock.h>

#include "tests/rig/rig_text.h"
#include "tests/support/golden_run.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

// What a report says, read in pieces of this size, beside what the golden run is judged: ERROR.
std::string fault(const std::string& report, const std::string& text, std::size_t piece) {
  cli::StatedVerdicts stated(report);
  for (std::size_t at = 0; at < text.size(); at += piece)
    stated.add(std::string_view(text).substr(at, piece));
  stated.finish();
  return stated.fault(golden_run().record());
}

// Catches: a field that lies across two pieces, or far from the report's beginning.
TEST(StatedVerdicts, AreFoundHoweverTheReportIsRead) {
  const std::string far(20'000, 'x'), field = "<property name=\"verdict\" value=\"QUALIFIED\" />";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{4096}, std::size_t{1} << 20})
    for (const std::string& text : {field, far + field, field + far, far + field + far}) {
      EXPECT_THAT(fault("junit.xml", text, piece),
                  HasSubstr("says QUALIFIED, but the record is judged ERROR"))
          << piece;
      EXPECT_EQ(fault("junit.xml", replaced(text, "QUALIFIED", "ERROR"), piece), "");
    }
}

TEST(StatedVerdicts, OfASummaryTheFirstHeadingSaysIt) {
  EXPECT_EQ(fault("summary.md", "# ERROR\n\n# QUALIFIED by somebody else\n", 7), "");
  EXPECT_THAT(fault("summary.md", "# QUALIFIED, 2 waived\n", 7), HasSubstr("says QUALIFIED, "));
}

TEST(StatedVerdicts, WhatAReportDoesNotSayIsNoFault) {
  cli::StatedVerdicts stated("ocp.jsonl");
  stated.add("{}\n");
  stated.finish();
  EXPECT_FALSE(stated.any());
  EXPECT_EQ(stated.fault(golden_run().record()), "");
  EXPECT_EQ(fault("logs/tcp.1.log", "# QUALIFIED\n", 100), "") << "no report";
}

}  // namespace
}  // namespace rigproof
