#include "reports/comparison/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/text/describe.h"
#include "tests/compare/runs.h"

namespace rigproof {
namespace {

nlohmann::json json_of(const compare::Comparison& comparison) {
  std::ostringstream out;
  comparison::write_comparison_json(comparison, out);
  return nlohmann::json::parse(out.str());
}

TEST(ComparisonJson, HasEveryFigureInBaseUnits) {
  const auto json = json_of(compared(runs("a", 1e9), runs("b", 0.95e9)));
  EXPECT_EQ(json["verdict"], "WORSE");
  EXPECT_EQ(json["exit_code"], 1);
  const auto& m = json["measurements"][0];
  EXPECT_EQ(m["verdict"], "regressed");
  EXPECT_EQ(m["unit"], "bit/s");
  EXPECT_EQ(m["base"]["values"].size(), 7u);
  EXPECT_NEAR(m["change"].get<double>(), -0.05, 1e-3);
  EXPECT_LT(m["interval"][0], m["interval"][1]);
  EXPECT_EQ(m["tolerance"], 0.02);
}
TEST(ComparisonLine, CallsFiguresWithoutALimitAsTheTableDoes) {
  compare::Comparison comparison = compared(runs("a", 1e9), runs("b", 1e9));
  comparison.measurements[0].verdict = compare::Change::kRecorded;
  EXPECT_THAT(text::comparison_line(comparison), testing::HasSubstr("1 informative"));
}
TEST(ComparisonJson, SaysWhatIsNotThere) {
  const auto json = json_of(compared(runs("a", 1e9, 1), runs("b", 1e9, 1)));
  EXPECT_TRUE(json["measurements"][0]["interval"].is_null());
  EXPECT_EQ(json["measurements"][0]["more_runs_a_side"],
            2);  // of three a side, one order in 20 is that extreme
}
// A reader that draws what got worse must not take damaged frames for better because nobody said which is.
TEST(ComparisonJson, SaysWhichIsBetterOnlyWhereALimitDoes) {
  compare::Comparison comparison = compared(runs("a", 1e9), runs("b", 1e9));
  EXPECT_EQ(json_of(comparison)["measurements"][0]["better"], "higher");
  comparison.measurements[0].limit.clear();
  EXPECT_TRUE(json_of(comparison)["measurements"][0]["better"].is_null());
}
TEST(ComparisonJson, StaysJsonWhateverTheNames) {
  compare::Comparison comparison = compared(runs("a", 1e9), runs("b", 1e9));
  comparison.measurements[0].detail = "\xff\x01\"<script>";
  EXPECT_EQ(json_of(comparison)["measurements"][0]["detail"], "\xEF\xBF\xBD\x01\"<script>");
}

}  // namespace
}  // namespace rigproof
