#include "framework/record/events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr auto kTime = "2026-11-20T18:15:02.123Z";

std::vector<EventBody> one_of_each() {
  return {RunStarted{"0.1.0", "id", "rig", "model", "smoke", "rigproof run", "head", "r.toml", "a\n\"b\"",
                     "t.toml", "", "a fake"},
          SuiteStarted{"tcp", 2, "mpirun"},
          SuitePlanned{"tcp", {{"A.B/c", "rail0", {"node-a", "node-b"}}, {"A.C", "", {}}}},
          NodeSeen{"tcp", "node-a", 0, {{"kernel", "6.1.0"}, {"os", "Debian"}}},
          Observed{"link.down_events", "node-a", "port0", 3},
          Observed{"switch.errors", "node-a", "switch", 0, "no answer"},
          CaseStarted{"tcp", "A.B", 1},
          PhaseStarted{"tcp", "A.B", "measure", 30.5},
          ending("A.B", {good(), missed()}, {failure(Failure::Kind::kError, "crash", "gone")}),
          SuiteDone{"tcp"},
          SuiteEnded{"tcp", 1, false, "signal 11"},
          Problem{"limit-unused", "nobody reported x"},
          RunEnded{3, 12.25}};
}

TEST(Events, EveryKindComesBackAsItWasWritten) {
  for (const EventBody& body : one_of_each()) {
    const std::string line = encode({7, kTime, body});
    EXPECT_EQ(encode(decode(line)), line);
    EXPECT_EQ(decode(line).body.index(), body.index());
  }
}

TEST(Events, ALineBeginsWithItsNumberTimeAndKind) {
  EXPECT_EQ(encode({7, kTime, SuiteDone{"tcp"}}),
            R"({"seq":7,"time":"2026-11-20T18:15:02.123Z","event":"suite_done","suite":"tcp"})");
}

TEST(Events, ALineNeverHoldsANewline) {
  EXPECT_EQ(encode({0, kTime, Problem{"a\nb", "c\r\nd"}}).find_first_of("\r\n"), std::string::npos);
}

double through_the_journal(double value) {
  return std::get<Observed>(decode(encode({0, kTime, Observed{"id", "n", "s", value}})).body).value;
}

TEST(Events, DoublesSurviveExactly) {
  for (const double value : {0.1, 1.0 / 3, 1e22, 5e-324, std::numeric_limits<double>::max(), 95e7, -0.0})
    EXPECT_EQ(through_the_journal(value), value);
  EXPECT_TRUE(std::signbit(through_the_journal(-0.0)));
}

TEST(Events, NumbersThatAreNotFiniteSurvive) {
  EXPECT_TRUE(std::isnan(through_the_journal(NAN)));
  EXPECT_EQ(through_the_journal(INFINITY), INFINITY);
  EXPECT_EQ(through_the_journal(-INFINITY), -INFINITY);
}

TEST(Events, SamplesFactsAndJudgementSurvive) {
  const Measurement before = missed();
  const Event event = decode(encode({0, kTime, ending("A.B", {before})}));
  const Measurement after = std::get<CaseEnded>(event.body).measurements.at(0);
  EXPECT_EQ(after.samples, before.samples);
  EXPECT_EQ(after.facts, before.facts);
  EXPECT_EQ(after.judgement.margin, before.judgement.margin);
  EXPECT_EQ(after.judgement.verdict, Verdict::kFail);
}

TEST(Events, BytesThatAreNoUtf8AreReplaced) {
  const Event event = decode(encode({0, kTime, Problem{"t", "caf\xE9 \xF0\x9F"}}));
  EXPECT_EQ(std::get<Problem>(event.body).message, "caf\uFFFD \uFFFD");
}

std::string refusal(const std::string& line) try {
  (void)decode(line);
  return "accepted";
} catch (const std::invalid_argument& error) {
  return error.what();
}

std::string problem_line(const std::string& rest) {
  return R"({"seq":0,"time":"2026-11-20T18:15:02.123Z","event":)" + rest + "}";
}

TEST(Events, AFaultyLineIsRefusedByName) {
  EXPECT_THAT(refusal(""), StartsWith("not JSON"));
  EXPECT_THAT(refusal("{\"seq\":0"), StartsWith("not JSON"));
  EXPECT_THAT(refusal(std::string("\0\0", 2)), StartsWith("not JSON"));
  EXPECT_THAT(refusal("1e999"), StartsWith("not JSON"));
  EXPECT_EQ(refusal("[1]"), "not an object");
  EXPECT_THAT(refusal("{}\r"), StartsWith("bytes around the object"));
  EXPECT_THAT(refusal("\xEF\xBB\xBF{}"), StartsWith("bytes around the object"));
  EXPECT_EQ(refusal("{}"), "no key 'seq'");
  EXPECT_EQ(refusal(R"({"seq":-1})"), "key 'seq': not a whole number from 0");
  EXPECT_EQ(refusal(problem_line(R"("x")")), "unknown event 'x'");
  EXPECT_EQ(refusal(problem_line(R"("problem","type":"t")")), "no key 'message'");
  EXPECT_EQ(refusal(problem_line(R"("problem","type":1,"message":"m")")), "key 'type': not a string");
  EXPECT_EQ(refusal(problem_line(R"("problem","type":"t","message":"m","more":1)")), "unknown key 'more'");
  EXPECT_EQ(refusal(problem_line(R"("run_ended","exit_code":4294967296,"seconds":1)")),
            "key 'exit_code': a whole number beyond the range");
  EXPECT_EQ(refusal(problem_line(R"("run_ended","exit_code":0,"seconds":null)")),
            "key 'seconds': not a number");
}

TEST(Events, AFaultDeepInALineIsNamedByItsPath) {
  std::string line = encode({0, kTime, ending("A.B", {good(), good()})});
  line.replace(line.rfind("\"pass\""), 6, "\"fine\"");
  EXPECT_EQ(refusal(line),
            "key 'measurements': element 1: key 'judgement': key 'verdict': unknown word 'fine'");
}

TEST(Events, AnotherFormatIsRefusedByName) {
  std::string line = encode({0, kTime, one_of_each()[0]});
  line.replace(line.find("\"format\":1"), 10, "\"format\":2,\"new\":1");
  EXPECT_EQ(refusal(line), "format 2, but this program reads format 1");
}

TEST(Events, ATextIsKeptAndNumbersHaveNone) {
  Measurement fact = missed();
  fact.text = "RS";
  const std::string line = encode({0, kTime, CaseEnded{"preflight", "A.B", 1, 0, 0, {fact}, {}}});
  EXPECT_EQ(std::get<CaseEnded>(decode(line).body).measurements.at(0).text, "RS");
  fact.text.clear();
  EXPECT_EQ(encode({0, kTime, CaseEnded{"preflight", "A.B", 1, 0, 0, {fact}, {}}}).find("\"text\""),
            std::string::npos);
}

TEST(Events, ATimeThatDoesNotExistIsRefused) {
  for (const char* time : {"", "2026-11-20", "2026-02-30T18:15:02.123Z", "2026-11-20T25:15:02.123Z",
                           "2026-11-20T18:15:02.123+01:00"})
    EXPECT_THAT(refusal(encode({0, time, SuiteDone{"tcp"}})), HasSubstr("no UTC time")) << time;
}

TEST(Utc, NowIsATime) { EXPECT_TRUE(is_utc(utc_now())); }

TEST(Utc, SecondsAreCountedAcrossDays) {
  EXPECT_DOUBLE_EQ(seconds_between("2026-12-31T23:59:59.500Z", "2027-01-01T00:00:01.250Z"), 1.75);
  EXPECT_EQ(seconds_between("2027-01-01T00:00:01.250Z", "2026-12-31T23:59:59.500Z"), 0);
}

}  // namespace
}  // namespace rigproof
