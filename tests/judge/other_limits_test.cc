// The raw samples of a record, by other limits.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "framework/judge/run_judge.h"
#include "framework/record/journal.h"
#include "framework/rig/subjects.h"
#include "tests/rig/rig_text.h"
#include "tests/supervisor/scratch.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

constexpr const char* kCase = "EachHalf/Rate.Fills/node_a_enp1s0f0np0";

std::string rate_limit(const std::string& bound, const std::string& more = {}) {
  return "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"" + bound +
         "\"\nbasis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n" + more;
}

class JudgeAgain : public testing::Test {
 protected:
  // A run with one case that measured 0.51 Gbit/s against 0.95 Gbit/s, of a half of 1 Gbit/s.
  JudgeAgain() { record(Story(rate_limit("0.95 Gbit/s"))); }

  void record(Story story, std::vector<record::Failure> failures = {}) {
    story.launch().plan({kCase}).run(ending(kCase, {missed()}, std::move(failures))).done().end();
    write(story.events());
  }
  void write(const std::vector<record::Event>& events) {
    std::string text;
    for (const record::Event& event : events) text += encode(event) + "\n";
    scratch.write("run/journal.jsonl", text);
  }
  // Of the day after the run's.
  static judge::OtherLimits limits(const std::string& file, const std::string& text,
                                   const std::string& command_line) {
    return {{record::text_file(file, text)}, {{}, "2026-11-21T09:00:00.000Z", "bob", "desk", command_line}};
  }
  judge::JudgedRun judged(const std::string& thresholds) {
    return judge_by_other_limits(scratch.path("run"), limits("new.toml", thresholds, "rigproof judge"));
  }
  static judge::JudgedMeasurement measurement(const judge::JudgedRun& run) {
    judge::JudgedCase buffer;
    return whole(run, run.suites.at(0).cases.at(0), buffer).attempts.at(0).measurements.at(0);
  }

  Scratch scratch;
};

TEST_F(JudgeAgain, AnotherLimitIsAnotherVerdict) {
  const judge::JudgedRun lax = judged(rate_limit("0.5 Gbit/s"));
  EXPECT_EQ(lax.exit_code(), 0);
  EXPECT_EQ(measurement(lax).judgement.limit, ">= 0.5 Gbit/s");
  EXPECT_EQ(to_text(measurement(lax).limit_where), "new.toml:1");
  EXPECT_EQ(judged(rate_limit("0.95 Gbit/s")).exit_code(), 1);
}
TEST_F(JudgeAgain, ANodeThatChangedMeanwhileIsJudgedAgainToo) {
  const std::string state =
      "[[limit]]\nid = \"run.state\"\nat_most = \"0 count\"\n"
      "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";
  Story story(rate_limit("0.5 Gbit/s"));
  story.launch().add(record::NodeSeen{"tcp", "node-a", 0, {{"", {{"mtu", "9000"}}}}}).plan({kCase});
  story.run(ending(kCase, {missed()}))
      .add(record::NodeSeen{"tcp", "node-a", 0, {{"", {{"mtu", "1500"}}}}})
      .done()
      .end();
  write(story.events());
  EXPECT_EQ(judged(rate_limit("0.5 Gbit/s")).exit_code(), 0);
  EXPECT_EQ(judged(rate_limit("0.5 Gbit/s") + state).exit_code(), 1);
}
// Facts are recorded until a limit asks for them.
TEST_F(JudgeAgain, ANewLimitJudgesWhatWasRecorded) {
  const std::string rate = rate_limit("0.5 Gbit/s");
  const std::string firmware =
      "[[limit]]\nid = \"tcp.firmware\"\nat_least_version = \"28.45.1200\"\n"
      "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";
  const auto code = [&](const std::string& text, record::Measured::Unread unread, const std::string& limits) {
    record::Measured found{.id = "tcp.firmware",
                           .node = "node-a",
                           .detail = {},
                           .role = record::Measured::Role::kFound,
                           .text = text,
                           .unread = unread};
    record::CaseEnded ended = ending(kCase, {missed()});
    ended.measured.push_back(found);
    Story story(rate);
    story.launch().plan({kCase}).start(kCase).add(record::EventBody(ended)).done().end();
    write(story.events());
    return judged(limits).exit_code();
  };
  EXPECT_EQ(code("28.40.0001", record::Measured::Unread::kNo, rate), 0);
  EXPECT_EQ(code("28.40.0001", record::Measured::Unread::kNo, rate + firmware), 1);
  EXPECT_EQ(code("28.45.1200", record::Measured::Unread::kNo, rate + firmware), 0);
  const std::string why = "node-a: ethtool -i: 99.99.9999 seconds";
  EXPECT_EQ(code(why, record::Measured::Unread::kNotReadable, rate), 0);
  EXPECT_EQ(code(why, record::Measured::Unread::kNotReadable, rate + firmware), 3);
  EXPECT_EQ(code(why, record::Measured::Unread::kNothingThere, rate + firmware), 0);
}
TEST_F(JudgeAgain, ASnapshotOwesPreflightAlone) {
  Story story(rate_limit("0.5 Gbit/s"));
  story.launch().plan({kCase}).run(ending(kCase, {missed()})).done().end();
  std::vector<record::Event> events = story.events();
  for (record::Event& event : events)
    std::visit(
        [](auto& body) {
          if constexpr (requires { body.suite; }) body.suite = "preflight";
        },
        event.body);
  auto& start = std::get<record::RunStarted>(events[0].body);
  start.asked.suites = {"preflight"};
  start.asked.snapshot = "/snapshot";
  start.declared["preflight"] = {{"tcp.rate.half", "bit/s", ""}};
  start.not_built = {"rdma"};
  write(events);
  const std::string rdma =
      "[[limit]]\nid = \"rdma.retries\"\nat_most = \"0 count\"\nbasis = { kind = "
      "\"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";
  EXPECT_EQ(judged(rate_limit("0.5 Gbit/s") + rdma).exit_code(), 0);
}
TEST_F(JudgeAgain, ASuiteThatWasAskedForAndHadNoCaseIsStillNotProven) {
  Story story(rate_limit("0.5 Gbit/s"));
  story.launch().plan({kCase}).run(ending(kCase, {missed()})).done().end();
  std::vector<record::Event> events = story.events();
  std::get<record::RunStarted>(events[0].body).asked.suites = {"tcp", "rdma"};
  write(events);
  EXPECT_EQ(judged(rate_limit("0.5 Gbit/s")).exit_code(), 3);
}
// The record's own files, in their order, are enough.
TEST_F(JudgeAgain, EveryFileOfTheRecordJudges) {
  Story story(rate_limit("0.95 Gbit/s"));
  story.begun().limits.push_back(record::text_file("site.toml", rate_limit("0.5 Gbit/s")));
  record(story);
  const judge::JudgedRun run = judge::read_run(scratch.path("run"));
  EXPECT_EQ(run.exit_code(), 0);
  EXPECT_EQ(to_text(measurement(run).limit_where), "site.toml:1");
  judge::OtherLimits other = limits("a.toml", rate_limit("0.5 Gbit/s"), "rigproof judge");
  other.limits.push_back(record::text_file("b.toml", rate_limit("0.95 Gbit/s")));
  const judge::JudgedRun again = judge_by_other_limits(scratch.path("run"), other);
  EXPECT_EQ(again.exit_code(), 1);
  EXPECT_EQ(to_text(measurement(again).limit_where), "b.toml:1");
  EXPECT_EQ(again.start.limits_files(), "a.toml, b.toml");
}
TEST_F(JudgeAgain, SamplesAreWhatTheyWere) {
  EXPECT_EQ(measurement(judged(rate_limit("0.5 Gbit/s"))).samples, missed().samples);
}
TEST_F(JudgeAgain, TheStatisticIsTheNewLimits) {
  const judge::JudgedRun run = judged(rate_limit("0.5 Gbit/s", "statistic = \"min\"\n"));
  EXPECT_DOUBLE_EQ(measurement(run).judgement.value, 0.51e9 * 0.99);
}
TEST_F(JudgeAgain, RelativeLimitsAreOfTheRecordedRig) {
  Story story(rate_limit("0.95 Gbit/s"));
  std::vector<record::Event> events = story.events();
  auto& start = std::get<record::RunStarted>(events[0].body);
  start.rig_file = record::text_file("r.toml", star_text(2));
  const Rig rig = rig_of(start.rig_file.text);
  const std::string name = "EachPort/Rate.Fills/" + every_port(rig).at(0).name();
  story.launch().plan({name}).run(ending(name, {missed()})).done().end();
  for (std::size_t i = 1; i < story.events().size(); ++i) events.push_back(story.events()[i]);
  write(events);
  EXPECT_THAT(measurement(judged(rate_limit("0.1 % of port.rate"))).judgement.limit,
              HasSubstr("(0.1 % of port.rate)"));
  EXPECT_EQ(judged(rate_limit("0.1 % of port.rate")).exit_code(), 0);
  EXPECT_EQ(judged(rate_limit("1 % of port.rate")).exit_code(), 1);
}
TEST_F(JudgeAgain, AFactThatTheRecordedRigLacksIsAnError) {
  EXPECT_EQ(judged(rate_limit("50 % of port.rate")).exit_code(), 2);
}
TEST_F(JudgeAgain, TheWaiversAreTheNewFiles) {
  const std::string waiver =
      "[[waiver]]\nlimit = \"tcp.rate.half\"\nreason = \"cable\"\nowner = \"Ann\"\nexpires = \"{}\"\n";
  const auto status = [&](const char* date) {
    return judged(rate_limit("0.95 Gbit/s") + fmt::format(fmt::runtime(waiver), date))
        .suites[0]
        .cases.at(0)
        .status();
  };
  EXPECT_EQ(status("2026-11-21"), judge::Status::kWaived);
  EXPECT_EQ(status("2026-11-20"),
            judge::Status::kFailed);  // in force when it was measured, not when it is judged
}
TEST_F(JudgeAgain, ALimitThatNoSuiteDeclaresIsAnErrorAsInARun) {
  const judge::JudgedRun run =
      judged(rate_limit("0.5 Gbit/s",
                        "[[limit]]\nid = \"tpc.rate\"\nequals = \"1 count\"\nbasis = "
                        "{ kind = \"policy\", source = \"s\", quote = \"q\" }\n"
                        "remedy.check = \"r\"\n"));
  EXPECT_EQ(run.exit_code(), 2);
  EXPECT_THAT(run.problems.at(0).message, HasSubstr("'tpc.rate'"));
}
TEST_F(JudgeAgain, AMeasurementWithoutALimitIsAnErrorAsInARun) {
  const judge::JudgedRun run =
      judged("[[limit]]\nid = \"other.x\"\nenforce = \"informative\"\nunit = \"%\"\n");
  EXPECT_EQ(measurement(run).judgement.verdict, judge::Verdict::kError);
  EXPECT_EQ(run.exit_code(), 2);
}
TEST_F(JudgeAgain, FailuresStay) {
  record(Story(rate_limit("0.95 Gbit/s")), {failure(record::Failure::Kind::kError, "lost-peer", "gone")});
  EXPECT_EQ(judged(rate_limit("0.5 Gbit/s")).exit_code(), 2);
}
TEST_F(JudgeAgain, WhatWasBesideStaysBeside) {
  record::CaseEnded ended = ending(kCase, {missed(), good()});
  ended.measured[0].role = record::Measured::Role::kBeside;
  ended.measured[0].detail = "raw";
  Story story(rate_limit("0.95 Gbit/s"));
  story.launch().plan({kCase}).start(kCase).add(record::EventBody(ended)).done().end();
  write(story.events());
  const judge::JudgedRun run = judged(rate_limit("0.9 Gbit/s"));
  EXPECT_EQ(measurement(run).judgement.verdict, judge::Verdict::kRecorded);
  EXPECT_EQ(run.exit_code(), 0);
}
TEST_F(JudgeAgain, CountersAreJudgedAnew) {
  Story story(rate_limit("0.5 Gbit/s"));
  story.launch()
      .add(record::Observed{"tcp.down_events", "node-a", "p0", 3})
      .plan({kCase})
      .run(ending(kCase, {good()}));
  story.add(record::Observed{"tcp.down_events", "node-a", "p0", 4}).done().end();
  write(story.events());
  const std::string steady =
      "[[limit]]\nid = \"tcp.down_events\"\nat_most = \"0 count\"\nbasis = { kind = \"policy\", source = "
      "\"s\", quote = "
      "\"q\" }\nremedy.check = \"r\"\n";
  EXPECT_EQ(judged(rate_limit("0.5 Gbit/s")).exit_code(), 0);
  EXPECT_EQ(judged(rate_limit("0.5 Gbit/s") + steady).exit_code(), 1);
}
TEST_F(JudgeAgain, ARunThatDidNotEndDoesNotEndByIt) {
  Story story(rate_limit("0.5 Gbit/s"));
  story.launch().plan({kCase}).run(ending(kCase, {good()}));
  write(story.events());
  const judge::JudgedRun run = judged(rate_limit("0.5 Gbit/s"));
  EXPECT_FALSE(run.end);
  EXPECT_EQ(run.exit_code(), 2);
}
TEST_F(JudgeAgain, FaultsOfTheJournalRemain) {
  std::ofstream(scratch.path("run/journal.jsonl"), std::ios::app) << "{nonsense}\n{\"torn";
  const judge::JudgedRun run = judged(rate_limit("0.5 Gbit/s"));
  EXPECT_EQ(run.exit_code(), 2);
  std::string problems;
  for (const record::Problem& problem : run.problems)
    problems += problem.type + ": " + problem.message + "\n";
  EXPECT_EQ(run.problems.size(), 2u) << problems;
}
TEST_F(JudgeAgain, ItsRecordIsAJournalThatSaysWhereItComesFrom) {
  std::string text;
  const judge::JudgedRun first = judge_by_other_limits(
      scratch.path("run"), limits("new.toml", rate_limit("0.5 Gbit/s"), "rigproof judge run"),
      [&](const record::Event& event) { text += encode(event) + "\n"; });
  EXPECT_TRUE(first.is_judged_again());
  scratch.write("again/journal.jsonl", text);
  const judge::JudgedRun again = judge::read_run(scratch.path("again"));
  EXPECT_TRUE(again.problems.empty()) << again.problems[0].message;
  EXPECT_EQ(again.exit_code(), 0);
  EXPECT_TRUE(again.is_judged_again());
  EXPECT_EQ(again.start.limits_files(), "new.toml");
  EXPECT_THAT(again.start.id, testing::MatchesRegex("20261120T181500Z-model-rig-4f2a-again-[0-9a-f]{12}"));
  EXPECT_EQ(again.measured_run(), "20261120T181500Z-model-rig-4f2a");
  EXPECT_EQ(again.start.command_line, "rigproof run --rig model-rig.toml");
  EXPECT_EQ(again.start.user, "ann");
  EXPECT_EQ(again.start.again->command_line, "rigproof judge run");
  EXPECT_EQ(again.start.again->user, "bob");
  EXPECT_EQ(again.start.again->host, "desk");
  EXPECT_EQ(again.start.again->time, "2026-11-21T09:00:00.000Z");

  const judge::JudgedRun thrice =
      judge_by_other_limits(scratch.path("again"), limits("third.toml", rate_limit("0.9 Gbit/s"), "judge"));
  EXPECT_EQ(thrice.exit_code(), 1);
  EXPECT_EQ(thrice.measured_run(), "20261120T181500Z-model-rig-4f2a");
}
TEST_F(JudgeAgain, ANoteStaysBesideTheFirstLimitThatIsMissed) {
  record::CaseEnded ended = ending(kCase, {missed()});
  ended.notes = {"node-b: the link flapped; twice"};
  Story story(rate_limit("0.95 Gbit/s"));
  story.launch().plan({kCase}).start(kCase).add(record::EventBody(ended)).done().end();
  write(story.events());
  EXPECT_EQ(measurement(judged(rate_limit("0.9 Gbit/s"))).judgement.reason,
            "median 0.51 Gbit/s misses >= 0.9 Gbit/s by 43.3 %; node-b: the link flapped; twice");
  EXPECT_EQ(measurement(judged(rate_limit("0.5 Gbit/s"))).judgement.reason, "");
}
TEST_F(JudgeAgain, ARemedyKeepsTheWordsOfTheFindingAndAsksForWhatIsWantedNow) {
  const auto with = [](const char* bound, const char* remedy) {
    return fmt::format(
        "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"{}\"\nbasis = {{ kind = \"policy\", source = "
        "\"s\", quote = \"q\" }}\nremedy.check = \"{}\"\n",
        bound, remedy);
  };
  record::CaseEnded ended = ending(kCase, {missed()});
  ended.measured[0].about = {{"netdev", "eth0"}};
  Story story(with("0.95 Gbit/s", "set rate {wanted} on {netdev} of {node}"));
  story.launch().plan({kCase}).start(kCase).add(record::EventBody(ended)).done().end();
  write(story.events());
  EXPECT_EQ(to_text(measurement(judged(with("0.9 Gbit/s", "{netdev}: {wanted}!"))).remedy),
            "check: eth0: '900 Mbit/s'!");
}
// What was disturbed, and by how much, is on record: whether that voids a miss is the judge's.
TEST_F(JudgeAgain, AVoidAttemptIsJudgedAnewToo) {
  record::CaseEnded ended = ending(kCase, {missed()});
  ended.disturbed = 0.5;
  Story story(rate_limit("0.95 Gbit/s"));
  story.launch().plan({kCase}).start(kCase).add(record::EventBody(ended)).done().end();
  write(story.events());
  EXPECT_EQ(judged(rate_limit("0.95 Gbit/s")).exit_code(), 3);
  EXPECT_EQ(judged(rate_limit("0.5 Gbit/s")).exit_code(), 0);
}
TEST_F(JudgeAgain, TheProfileIsTheRuns) {
  const std::string by_profile =
      rate_limit("0.9 Gbit/s", "[limit.profile.smoke]\nat_least = \"0.5 Gbit/s\"\n");
  EXPECT_EQ(judged(by_profile).exit_code(), 0);  // the story's run is one of profile smoke
}
TEST_F(JudgeAgain, RefusesLimitsWithAFault) {
  EXPECT_THROW((void)judged("[[limit]]\nid = \"a\"\nat_least = \"170\"\n"), toml::InputError);
}

// Lines lost, doubled, swapped, cut, and bytes changed: a fault is told of or harmless, never a crash, and what is
// left of a run that failed never passes.
TEST_F(JudgeAgain, DamageNeverMakesAPass) {
  const std::string whole = scratch.read("run/journal.jsonl");
  std::mt19937 random(5);
  for (int i = 0; i < 400; ++i) {
    std::string text = whole;
    const auto at = [&] { return random() % text.size(); };
    for (unsigned k = 0; k <= random() % 3; ++k) {
      switch (random() % 4) {
        case 0:
          text[at()] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at(), 1 + random() % 200);
          break;
        case 2:
          text.insert(at(), whole.substr(random() % whole.size(), random() % 200));
          break;
        default:
          text.resize(at());
      }
      if (text.empty()) text = "\n";
    }
    scratch.write("run/journal.jsonl", text);
    try {
      EXPECT_NE(judged(rate_limit("0.95 Gbit/s")).exit_code(), 0) << text;
    } catch (const record::JournalError&) {
    } catch (const std::invalid_argument&) {  // an unknown profile
    }
  }
}

}  // namespace
}  // namespace rigproof
