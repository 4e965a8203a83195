// A run without a screen: one line per expectation, and at once each case that did not pass. Catches: a failure hidden in a
// count, an expectation that looks complete with cases missing, a figure that is not the worst, a case counted twice.
#include "reports/terminal/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/story.h"

namespace rigproof::terminal {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

judge::JudgedCase ended(judge::JudgedMeasurement measured, const std::string& subject = "x") {
  return run_of({ending("A.B/" + subject, {good(), std::move(measured)})}).suites.at(0).cases.at(0);
}

class ExpectationsTest : public testing::Test {
 protected:
  std::string add(const judge::JudgedCase& test) { return lines.add(suite, test_, test, Colour::kOff); }
  static judge::JudgedMeasurement rate(double margin) {
    return judged("tcp.rate.port", judge::Verdict::kPass, 0.95e9 * (1 + margin), margin);
  }

  const record::PlannedTest test_{"A.B", {"tcp.rate.port"}, {}};
  judge::JudgedSuite suite{.name = "tcp", .cases = {}, .started = {}, .launches = {}, .tests = {test_}};
  Expectations lines{
      {{"tcp", {{.id = "tcp.rate.port", .kind = "bit/s", .needs = "", .title = "Both halves at once"}}}},
      {{"tcp", {{"A.B", 3}}}}};
};

TEST_F(ExpectationsTest, HaveOneLineWithTheWorstFigureOfTheirName) {
  EXPECT_THAT(add(ended(rate(0.04))), IsEmpty());
  EXPECT_THAT(add(ended(rate(0.01), "y")), IsEmpty());
  const std::string line = add(ended(rate(0.02), "z"));
  EXPECT_THAT(line, StartsWith("PASS         tcp         Both halves at once "));
  EXPECT_THAT(line, EndsWith("  3 of 3  worst 0.9595 Gbit/s (>= 0.95 Gbit/s, +1.0 %)"));
}
TEST_F(ExpectationsTest, ListACaseThatDidNotPassAtOnce) {
  EXPECT_THAT(add(ended(missed("tcp.rate.port"))),
              StartsWith("FAIL         tcp.A.B/x  tcp.rate.port on node-a: 0.51 Gbit/s"));
  EXPECT_THAT(add(ended(rate(0.01), "y")), IsEmpty());
  const std::string line = add(ended(rate(0.02), "z"));
  EXPECT_THAT(line, StartsWith("FAIL         tcp         Both halves at once "));
  EXPECT_THAT(line, HasSubstr("  2 of 3, 1 did not pass  worst tcp.rate.port: 0.51 Gbit/s"));
}
TEST_F(ExpectationsTest, ShowTheFurtherStatisticThatMissed) {
  EXPECT_THAT(add(ended(missed_mean())), HasSubstr("0.967 Gbit/s, mean 0.671 Gbit/s (limit >= 0.95 Gbit/s"));
  EXPECT_THAT(add(ended(rate(0.01), "y")), IsEmpty());
  EXPECT_THAT(add(ended(rate(0.02), "z")), HasSubstr("mean 0.671 Gbit/s (>= 0.85 Gbit/s, -21.1 %)"));
}
// Catches: a line that blames the first id of a test for a miss of another.
TEST_F(ExpectationsTest, NameTheIdThatWasMissed) {
  lines =
      Expectations({{"tcp",
                     {{.id = "tcp.rate.port", .kind = "bit/s", .needs = "", .title = "Both halves at once"},
                      {.id = "tcp.lost", .kind = "count", .needs = "", .title = "Lost packets"}}}},
                   {{"tcp", {{"A.B", 2}}}});
  judge::JudgedMeasurement lost = missed("tcp.lost");
  lost.judgement.margin = {};
  const judge::JudgedCase red = run_of({ending("A.B/y", {rate(0.04), lost})}).suites.at(0).cases.at(0);
  EXPECT_THAT(add(ended(rate(0.01))), IsEmpty());
  const std::string line = add(red);
  EXPECT_THAT(line, HasSubstr("\nFAIL         tcp         Lost packets "));
  EXPECT_THAT(line, HasSubstr("  1 of 2, 1 did not pass  tcp.lost: 0.51 Gbit/s"));
}
TEST_F(ExpectationsTest, BlameNoMetricForACrash) {
  lines = Expectations({{"tcp", {{.id = "tcp.rate.port", .kind = "bit/s", .needs = "", .title = "Rates"}}}},
                       {{"tcp", {{"A.B", 2}}}});
  const auto crash = failure(record::Failure::Kind::kError, "crash", "gone");
  EXPECT_THAT(add(ended(rate(0.01))), IsEmpty());
  EXPECT_THAT(
      add(run_of({ending("A.B/y", {rate(0.04)}, {crash})}).suites.at(0).cases.at(0)),
      EndsWith(
          "\nERROR        tcp         A.B                                         1 of 2, 1 did not pass"));
}
// A slow attempt beside other pairs counts, and is replaced later; a void one never counts.
TEST_F(ExpectationsTest, CountACaseThatIsMeasuredAgainOnce) {
  judge::JudgedCase again = ended(rate(0.01));
  EXPECT_THAT(add(again), IsEmpty());
  again.attempts.insert(again.attempts.begin(), again.attempts.front());
  again.attempts.front().replaced = true;
  EXPECT_THAT(add(again), StartsWith("PASS         tcp.A.B/x"));
  EXPECT_THAT(lines.unfinished(Colour::kOff), ElementsAre(HasSubstr("  1 of 3")));
  again.attempts.front().failures = {
      failure(record::Failure::Kind::kError, std::string(judge::kDisturbed), "x")};
  EXPECT_THAT(add(again), StartsWith("PASS         tcp.A.B/x"));
  EXPECT_THAT(lines.unfinished(Colour::kOff), ElementsAre(HasSubstr("  1 of 3")));
}
// Catches: "7 of 8" after --resume, though all 8 passed.
TEST_F(ExpectationsTest, CountACaseWhoseEarlierAttemptTheyHaveNotSeen) {
  judge::JudgedCase again = ended(rate(0.01));
  again.attempts.insert(again.attempts.begin(), again.attempts.front());
  again.attempts.front().replaced = again.attempts.front().lost = true;
  EXPECT_THAT(add(again), IsEmpty());
  EXPECT_THAT(lines.unfinished(Colour::kOff), ElementsAre(HasSubstr("  1 of 3")));
}
TEST_F(ExpectationsTest, AboutOneMetricHaveTheirTestsName) {
  suite.tests.push_back({"A.C", {"tcp.rate.port"}, {}});
  lines = Expectations({{"tcp", {{.id = "tcp.rate.port", .kind = "bit/s", .needs = "", .title = "Rates"}}}},
                       {{"tcp", {{"A.B", 1}}}});
  EXPECT_THAT(add(ended(rate(0.01))), HasSubstr("  Rates (B)  "));
}
TEST_F(ExpectationsTest, AreNotCompleteWithoutAllCases) {
  EXPECT_THAT(add(ended(rate(0.01))), IsEmpty());
  EXPECT_THAT(lines.unfinished(Colour::kOff),
              ElementsAre(HasSubstr("Both halves at once                         1 of 3")));
}
// Values that no bound judges are told where they are all the same.
TEST_F(ExpectationsTest, WithoutAMarginTellNoWorstValue) {
  const Expectations::Planned two{{"tcp", {{"A.B", 2}}}};
  lines = Expectations({}, two);
  const auto informative = recorded("tcp.rate.port");
  EXPECT_THAT(add(ended(informative)), IsEmpty());
  EXPECT_THAT(add(ended(informative, "y")), HasSubstr("A.B "));
  lines = Expectations({}, two);
  (void)add(ended(informative));
  judge::JudgedMeasurement other = informative;
  other.samples.values = {1};
  EXPECT_THAT(add(ended(other, "y")), EndsWith("  2 of 2"));
}
TEST(NamedFigure, IsTheFirstThatATestOwes) {
  EXPECT_EQ(named_figure({"A.B", {"tcp.a", "tcp.b"}, {"tcp.c"}}), "tcp.a");
  EXPECT_EQ(named_figure({"A.B", {}, {"tcp.c"}}), "tcp.c");
  EXPECT_EQ(named_figure({"A.B", {}, {}}), "");
}

}  // namespace
}  // namespace rigproof::terminal
