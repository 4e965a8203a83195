#include "framework/compare/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "reports/text/describe.h"
#include "tests/compare/runs.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const std::vector<compare::RunToCompare>& base,
                    const std::vector<compare::RunToCompare>& candidate) {
  try {
    (void)compared(base, candidate);
  } catch (const compare::Incomparable& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Comparison, UnchangedIsZero) {
  const compare::Comparison comparison = compared(runs("a", 0.97e9), runs("b", 0.97e9));
  EXPECT_EQ(comparison.exit_code(), 0);
  EXPECT_EQ(comparison.verdict(), "NOT WORSE");
  EXPECT_EQ(comparison.compared, 1u);
  EXPECT_EQ(comparison.measurements.size(), 1u);
}
TEST(Comparison, WorseIsOne) {
  const compare::Comparison comparison = compared(runs("a", 1e9), runs("b", 0.95e9));
  EXPECT_EQ(comparison.exit_code(), 1);
  EXPECT_EQ(comparison.measurements[0].verdict, compare::Change::kRegressed);
}
TEST(Comparison, AnObjectionBlocksOrProvesNothing) {
  compare::Comparison comparison = compared(runs("a", 1e9), runs("b", 1e9));
  comparison.objections = {{1, "the kernel changed"}};
  EXPECT_EQ(comparison.exit_code(), 1);
  EXPECT_EQ(comparison.verdict(), "BLOCKED");
  comparison.objections = {{3, "nothing to gate"}};
  EXPECT_EQ(comparison.exit_code(), 3);
  EXPECT_EQ(comparison.verdict(), "NOT PROVEN");
}
// Catches: NOT WORSE, and at once that nothing decides.
TEST(Comparison, LimitsThatAreOnlyMetOrMissedCanDecideAlone) {
  const auto limits = LimitTable::read(
      {toml::Document::parse(
          "[[limit]]\nid = \"tcp.rate.half\"\nequals = \"0.97 Gbit/s\"\n"
          "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n",
          "t.toml")},
      Profile::kSmoke, {});
  const compare::Comparison comparison = compare_runs(runs("a", 0.97e9, 2), runs("b", 0.97e9, 2), limits);
  EXPECT_EQ(comparison.exit_code(), 0);
  EXPECT_THAT(text::why_line(comparison),
              AllOf(HasSubstr("none of 1 limit with equals"), HasSubstr("Only these decide")));
  const compare::Comparison none =
      compare_runs(runs("a", 0.97e9, 2), runs("b", 0.97e9, 2),
                   LimitTable::read({toml::Document::parse(kNoLimits, "t.toml")}, Profile::kSmoke, {}));
  EXPECT_EQ(none.exit_code(), 3);
  EXPECT_THAT(text::why_line(none), HasSubstr("no figure or limit that decides"));
}
TEST(Comparison, TooFewRunsAreThree) {
  const compare::Comparison comparison = compared(runs("a", 1e9, 1), runs("b", 0.95e9, 1));
  EXPECT_EQ(comparison.exit_code(), 3);
  EXPECT_EQ(comparison.verdict(), "INCONCLUSIVE");
}
TEST(Comparison, WhatOnlyOneSideMeasuredIsNamedAndNoPass) {
  auto candidate = runs("b", 1e9);
  for (compare::RunToCompare& run : candidate)
    run.record.suites[0].cases.change(0,
                                      [](judge::JudgedCase& test) { test.attempts[0].measurements.clear(); });
  const compare::Comparison comparison = compared(runs("a", 1e9), candidate);
  EXPECT_EQ(comparison.exit_code(), 3);
  EXPECT_EQ(comparison.measurements.at(0).verdict, compare::Change::kMissing);
  EXPECT_EQ(comparison.measurements.at(0).id, "tcp.rate.half");
}
// As thresholds/dgx-spark-pair.toml has it.
constexpr const char* kDiscards =
    "[[limit]]\nid = \"load.discards\"\nat_most = \"0.01 %\"\ntolerance = \"0.01 %\"\n"
    "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";

judge::JudgedMeasurement discards(double share) {
  judge::JudgedMeasurement m = rate(share);
  m.id = "load.discards";
  m.detail = "enp1s0f0np0";
  m.samples = {Dimension::kRatio, {share}};
  m.judgement.limit = "<= 0.01 %";
  m.judgement.bounds = {.at_most = 1e-4};
  return m;
}

// As in a plan, where every case may report what NICs count.
void declare_discards(compare::RunToCompare& run) {
  judge::JudgedSuite& suite = run.record.suites.at(0);
  suite.tests = {{"Rail", {}, {"load.discards"}}};
  for (std::size_t test = 0; test < suite.cases.size(); ++test)
    suite.cases.change(test, [](judge::JudgedCase& planned) { planned.plan.test = 0; });
}

// Runs with two cases. `frames` says in which of them a stray frame came while the first, which loads nothing, ran; under
// the load of the second there are always some.
std::vector<compare::RunToCompare> runs_with_frames(const std::string& name, const std::vector<bool>& frames,
                                                    bool counted = true) {
  std::vector<compare::RunToCompare> runs;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    std::vector<judge::JudgedMeasurement> idle{rate(1e9 + 1e4 * static_cast<double>(i))}, load = idle;
    if (frames[i]) idle.push_back(discards(0));
    if (counted) load.push_back(discards(0));
    runs.push_back(run(fmt::format("{}-{}", name, i),
                       {ending("Rail.Looks/rail0", idle), ending("Rail.Fills/rail0", load)}));
    declare_discards(runs.back());
  }
  return runs;
}

compare::Comparison with_frames(const std::vector<compare::RunToCompare>& base,
                                const std::vector<compare::RunToCompare>& candidate,
                                const std::string& more = {}) {
  const auto limits = toml::Document::parse(std::string(kRateLimit) + more + kDiscards, "t.toml");
  return compare_runs(base, candidate, LimitTable::read({limits}, Profile::kSmoke, {}));
}

// Of a share of no frames there is no figure: on a network that is not silent some runs have it and some have not.
TEST(Comparison, AFigureOfWhatComesNowAndThenIsNeverMissing) {
  const std::vector<bool> never(7), now_and_then{true, false, true, false, false, true, false},
      always(7, true), nearly(std::vector<bool>{true, true, false, true, true, true, true});
  for (const auto& base : {never, now_and_then, nearly, always})
    for (const auto& candidate : {never, now_and_then, nearly, always})
      for (const char* marked : {"", "gate = true\n"}) {
        const compare::Comparison comparison =
            with_frames(runs_with_frames("a", base), runs_with_frames("b", candidate), marked);
        EXPECT_EQ(comparison.exit_code(), 0) << text::why_line(comparison);
        EXPECT_EQ(comparison.count(compare::Change::kMissing), 0u);
      }
}
// Forty cases that load nothing, beside one that does. In each a stray frame comes with this probability.
std::vector<compare::RunToCompare> noisy_runs(const std::string& name, double frames, std::mt19937& random) {
  std::vector<compare::RunToCompare> runs;
  for (int i = 0; i < 7; ++i) {
    std::vector<Ending> endings{ending("Rail.Fills/rail0", {rate(1e9 + 1e4 * i), discards(0)})};
    for (int idle = 0; idle < 40; ++idle) {
      const bool came = std::bernoulli_distribution(frames)(random);
      endings.push_back(
          ending(fmt::format("Rail.Looks/rail{}", idle),
                 came ? std::vector{rate(1e9 + 1e4 * i), discards(0)} : std::vector{rate(1e9 + 1e4 * i)}));
    }
    runs.push_back(run(fmt::format("{}-{}", name, i), endings));
    declare_discards(runs.back());
  }
  return runs;
}
// At 64 % a figure is most likely to come in all base runs and in no candidate run.
TEST(Comparison, TwentyOfTwentyGatesOpenOnAnUnchangedRigThatIsNotSilent) {
  std::mt19937 random(47);
  for (const double frames : {0.05, 0.3, 0.64, 0.95}) {
    int open = 0;
    for (int gate = 0; gate < 20; ++gate)
      open += with_frames(noisy_runs("a", frames, random), noisy_runs("b", frames, random)).exit_code() == 0;
    EXPECT_EQ(open, 20) << frames;
  }
}
TEST(Comparison, AFigureThatVanishedFromEveryCaseIsMissing) {
  const std::vector<bool> some{true, false, true, false, false, true, false}, never(7);
  for (const auto& frames : {some, never}) {
    const compare::Comparison comparison =
        with_frames(runs_with_frames("a", frames), runs_with_frames("b", never, false));
    EXPECT_EQ(comparison.exit_code(), 3);
    EXPECT_EQ(comparison.measurements.front().verdict, compare::Change::kMissing);
    EXPECT_EQ(comparison.measurements.front().id, "load.discards");
  }
}
TEST(Comparison, AFigureThatNotEveryBaseRunHadMayVanish) {
  const std::vector<bool> some{true, true, false, true, true, true, true}, never(7);
  const compare::Comparison comparison =
      with_frames(runs_with_frames("a", some, false), runs_with_frames("b", never, false));
  EXPECT_EQ(comparison.count(compare::Change::kMissing), 0u);
  EXPECT_EQ(comparison.exit_code(), 0);
}
TEST(Comparison, AFigureThatComesNowAndThenStillMustMeetItsLimit) {
  auto candidate = runs_with_frames("b", {false, false, true, false, false, false, false});
  candidate[2].record.suites[0].cases.change(0, [](judge::JudgedCase& test) {
    judge::JudgedMeasurement& m = test.attempts[0].measurements.back();
    m.judgement.verdict = judge::Verdict::kFail;
    m.judgement.value = 0.5;
    test.attempts[0].status = judge::Status::kFailed;
  });
  const compare::Comparison comparison = with_frames(runs_with_frames("a", std::vector<bool>(7)), candidate);
  EXPECT_EQ(comparison.exit_code(), 1);
  EXPECT_THAT(text::why_line(comparison), HasSubstr("load.discards"));
}
// What a case owes is not proven where a run lacks it.
TEST(Comparison, AFigureThatACaseOwesIsMissedInOneRun) {
  auto candidate = runs("b", 1e9);
  const auto plan = [](compare::RunToCompare& run, bool owes) {
    const std::vector<std::string> ids{"tcp.rate.half"}, none;
    run.record.suites[0].tests = {{"Rail.Fills", owes ? ids : none, owes ? none : ids}};
    run.record.suites[0].cases.change(0, [](judge::JudgedCase& test) { test.plan.test = 0; });
  };
  for (const bool owes : {true, false}) {
    auto base = runs("a", 1e9), lacking = candidate;
    for (auto* side : {&base, &lacking})
      for (compare::RunToCompare& run : *side) plan(run, owes);
    lacking[3].record.suites[0].cases.change(
        0, [](judge::JudgedCase& test) { test.attempts[0].measurements.clear(); });
    EXPECT_EQ(compared(base, lacking).count(compare::Change::kInconclusive), owes ? 1u : 0u);
  }
}
TEST(Comparison, ACaseThatIsGoneIsNamed) {
  auto candidate = runs("b", 1e9);
  for (compare::RunToCompare& run : candidate) run.record.suites.clear();
  const compare::Comparison comparison = compared(runs("a", 1e9), candidate);
  EXPECT_EQ(comparison.exit_code(), 3);
  EXPECT_EQ(comparison.count(compare::Change::kMissing), 2u);  // the measurement and the case
}
TEST(Comparison, AMissedLimitOfACandidateIsNoPassHoweverUnchanged) {
  auto base = runs("a", 0.5e9), candidate = runs("b", 0.5e9);
  for (auto* side : {&base, &candidate})
    for (compare::RunToCompare& run : *side)
      run.record.suites[0].cases.change(0, [](judge::JudgedCase& test) {
        test.attempts[0].measurements[0].judgement.verdict = judge::Verdict::kFail;
        test.attempts[0].status = judge::Status::kFailed;
      });
  const compare::Comparison comparison = compared(base, candidate);
  EXPECT_EQ(comparison.measurements[0].verdict, compare::Change::kUnchanged);
  EXPECT_EQ(comparison.missed(), 1u);
  EXPECT_EQ(comparison.exit_code(), 1);
}
TEST(Comparison, AnAssertionThatFailsOnlyAfterwardsIsARegression) {
  std::vector<compare::RunToCompare> candidate;
  for (int i = 0; i < 7; ++i)
    candidate.push_back(
        run("b" + std::to_string(i), {ending("Rail.Fills/rail0", {rate(1e9)},
                                             {failure(record::Failure::Kind::kFail, "assertion", "x")})}));
  const compare::Comparison comparison = compared(runs("a", 1e9), candidate);
  EXPECT_EQ(comparison.exit_code(), 1);
  EXPECT_EQ(comparison.measurements[0].id, "");
  EXPECT_THAT(comparison.measurements[0].reason, HasSubstr("7 failed"));
  candidate.resize(1);
  const std::vector<compare::RunToCompare> sound = runs("c", 1e9, 6);
  candidate.insert(candidate.end(), sound.begin(), sound.end());
  EXPECT_EQ(compared(runs("a", 1e9), candidate).exit_code(), 1) << "1 of 7 is enough";
}
TEST(Comparison, AVoidAttemptIsNoSample) {
  std::vector<compare::RunToCompare> candidate = runs("b", 1e9);
  candidate[0].record.suites[0].cases.change(0, [](judge::JudgedCase& test) {
    judge::Attempt disturbed = test.attempts[0];
    disturbed.measurements[0].judgement.value = 0.1e9;
    disturbed.failures = {failure(record::Failure::Kind::kSkip, std::string(judge::kDisturbed), "busy")};
    disturbed.replaced = true;
    test.attempts.insert(test.attempts.begin(), disturbed);
  });
  EXPECT_EQ(compared(runs("a", 1e9), candidate).exit_code(), 0);
}
TEST(Comparison, WhatCouldNotBeJudgedIsNoSample) {
  std::vector<compare::RunToCompare> candidate = runs("b", 1e9);
  candidate[0].record.suites[0].cases.change(0, [](judge::JudgedCase& test) {
    test.attempts[0].measurements[0].judgement.verdict = judge::Verdict::kError;
    test.attempts[0].status = judge::Status::kWaived;
  });
  EXPECT_EQ(compared(runs("a", 1e9), candidate).measurements[0].candidate.values.size(), 6u);
}
// Too slow beside other pairs, sound alone: the run is qualified by the second attempt.
TEST(Comparison, AnAttemptThatWasReplacedIsNoSampleAndNoMiss) {
  std::vector<compare::RunToCompare> candidate = runs("b", 1e9);
  candidate[0].record.suites[0].cases.change(0, [](judge::JudgedCase& test) {
    judge::Attempt beside = test.attempts[0];
    beside.measurements[0].judgement.value = 0.1e9;
    beside.measurements[0].judgement.verdict = judge::Verdict::kFail;
    beside.status = judge::Status::kFailed;
    beside.beside = "node-c, node-d";
    beside.replaced = true;
    test.attempts.insert(test.attempts.begin(), beside);
  });
  ASSERT_EQ(candidate[0].record.verdict(), "QUALIFIED");
  const compare::Comparison comparison = compared(runs("a", 1e9), candidate);
  EXPECT_EQ(comparison.missed(), 0u);
  EXPECT_EQ(comparison.exit_code(), 0);
  EXPECT_NEAR(comparison.measurements[0].candidate.values[0], 1e9, 1e6);
}
TEST(Comparison, RepeatedAttemptsAreOneSample) {
  auto candidate = runs("b", 1e9, 1);
  candidate[0].record.suites[0].cases.change(
      0, [](judge::JudgedCase& test) { test.attempts.resize(9, judge::Attempt(test.attempts[0])); });
  EXPECT_EQ(compared(runs("a", 1e9), candidate).measurements[0].candidate.values.size(), 1u);
}
TEST(Comparison, WhatIsOnlyRecordedIsShownAndDecidesNothing) {
  const auto both = [](const std::string& name, double value) {
    std::vector<compare::RunToCompare> sides;
    for (int i = 0; i < 7; ++i) {
      judge::JudgedMeasurement seen = recorded("tcp.cpu");
      seen.judgement.value = value + 1e3 * i;
      sides.push_back(
          run(name + std::to_string(i), {ending("Rail.Fills/rail0", {rate(1e9 + 1e4 * i), seen})}));
    }
    return sides;
  };
  const compare::Comparison comparison = compared(both("a", 1e9), both("b", 5e9));
  EXPECT_EQ(comparison.exit_code(), 0);
  EXPECT_EQ(comparison.compared, 1u);
  EXPECT_EQ(comparison.count(compare::Change::kRecorded), 1u);
  EXPECT_NEAR(*comparison.measurements.back().change, 4, 0.1);
}
TEST(Comparison, ACandidateThatEndedInErrorIsNoPass) {
  auto candidate = runs("b", 1e9);
  candidate[3].record.end.reset();
  const compare::Comparison comparison = compared(runs("a", 1e9), candidate);
  EXPECT_EQ(comparison.exit_code(), 3);
  EXPECT_THAT(comparison.notes.at(0), HasSubstr("out/b-3 ended as ERROR"));
}
// A record with missing lines, too, is one of a run in error.
TEST(Comparison, NothingIsProvenAgainstABaseThatEndedInError) {
  auto base = runs("a", 1e9);
  base[2].record.problems.push_back({"journal", "line number 8, expected 7: 1 missing"});
  const compare::Comparison comparison = compared(base, runs("b", 1e9));
  EXPECT_EQ(comparison.exit_code(), 3);
  EXPECT_EQ(comparison.verdict(), "INCONCLUSIVE");
  EXPECT_THAT(comparison.notes, ElementsAre("base run out/a-2 ended as ERROR"));
}
TEST(Comparison, ABaseThatMissedALimitOrProvedNotAllIsOne) {
  auto base = runs("a", 1e9);
  base[2].record.suites.front().cases.change(
      0, [](judge::JudgedCase& test) { test.attempts.front().status = judge::Status::kNotProven; });
  EXPECT_EQ(compared(base, runs("b", 1e9)).exit_code(), 0);
}
TEST(Comparison, RunsThatAreNotWholeAreNamed) {
  auto base = runs("a", 1e9);
  for (compare::RunToCompare& run : base) run.record.start.asked.filter = "Rail.*";
  const compare::Comparison comparison = compared(base, runs("b", 1e9));
  EXPECT_THAT(comparison.notes, ElementsAre("7 of 7 base runs are PARTIAL: only cases that match Rail.*"));
}
TEST(Comparison, RefusesWhatCannotBeCompared) {
  const auto base = runs("a", 1e9, 2);
  const auto changed = [](const std::function<void(record::RunStarted&)>& change) {
    auto runs_ = runs("b", 1e9, 2);
    change(runs_[1].record.start);
    return runs_;
  };
  EXPECT_THAT(refusal(base, changed([](record::RunStarted& s) { s.rig = "other"; })),
              AllOf(HasSubstr("out/a-0"), HasSubstr("out/b-1"), HasSubstr("'other'")));
  EXPECT_THAT(refusal(base, changed([](record::RunStarted& s) { s.asked.profile = "acceptance"; })),
              HasSubstr("'acceptance'"));
  EXPECT_THAT(refusal(base, changed([](record::RunStarted& s) { s.rig_kind = "hardware"; })),
              HasSubstr("'hardware'"));
  EXPECT_THAT(refusal(base, changed([](record::RunStarted& s) { s.stand_in = "a fake"; })),
              HasSubstr("'a fake'"));
  EXPECT_THAT(refusal(base, changed([](record::RunStarted& s) { s.rig_file.text = "else"; })),
              HasSubstr("other ports"));
  EXPECT_THAT(refusal(base, {}), HasSubstr("at least one"));
  EXPECT_THAT(refusal(base, {base[1]}), HasSubstr("same run"));
}
TEST(Comparison, RefusesTwoDimensionsOfOneMeasurement) {
  auto candidate = runs("b", 1e9, 1);
  candidate[0].record.suites[0].cases.change(0, [](judge::JudgedCase& test) {
    test.attempts[0].measurements[0].samples.dimension = Dimension::kTime;
  });
  EXPECT_THAT(refusal(runs("a", 1e9, 1), candidate),
              AllOf(HasSubstr("tcp.rate.half"), HasSubstr("time"), HasSubstr("data rate")));
}
TEST(Comparison, KnowsHowManyRunsDecide) {
  EXPECT_EQ(compare::enough_runs(7, 12), 4);   // 1 of 330 at 0.05 / 12
  EXPECT_EQ(compare::enough_runs(7, 100), 7);  // 1 of 3,432 at 0.05 / 100
  EXPECT_EQ(compare::enough_runs(7, 128, {2, 2}), 7);
  EXPECT_EQ(compare::enough_runs(7, 129, {2, 2}), 8);
  EXPECT_EQ(compare::enough_runs(1, 30), std::nullopt);
}

// Two figures, of which the thresholds mark one.
TEST(Comparison, HeadlineFiguresCarryTheDecision) {
  const std::string other =
      "[[limit]]\nid = \"tcp.other\"\nat_least = \"0.1 Gbit/s\"\nremedy.check = \"r\"\n"
      "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\n";
  const auto sides = [&](const std::string& name, double figure, double other_value) {
    std::vector<compare::RunToCompare> list;
    for (int i = 0; i < 7; ++i) {
      judge::JudgedMeasurement second = rate(other_value * (1 + 1e-4 * i));
      second.id = "tcp.other";
      list.push_back(run(name + std::to_string(i),
                         {ending("Rail.Fills/rail0", {rate(figure * (1 + 1e-4 * i)), second})}));
    }
    return list;
  };
  const auto compared_by = [&](const std::string& limits, double figure, double other_value) {
    return compare_runs(sides("a", 1e9, 1e9), sides("b", figure, other_value),
                        LimitTable::read({toml::Document::parse(limits, "t.toml")}, Profile::kSmoke, {}));
  };
  const std::string marked = std::string(kRateLimit) + "gate = true\n" + other, unmarked = kRateLimit + other;
  EXPECT_EQ(compared_by(unmarked, 1e9, 0.5e9).exit_code(), 1);
  EXPECT_EQ(compared_by(unmarked, 1e9, 0.5e9).compared, 2u);
  const compare::Comparison shown = compared_by(marked, 1e9, 0.5e9);
  EXPECT_EQ(shown.exit_code(), 0);
  EXPECT_EQ(shown.compared, 1u);
  EXPECT_EQ(shown.count(compare::Change::kRecorded), 1u);
  EXPECT_EQ(compared_by(marked, 0.95e9, 1e9).exit_code(), 1);
}

}  // namespace
}  // namespace rigproof
