#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/judge/run_judge.h"
#include "framework/record/journal.h"
#include "tests/support/story.h"
#include "tests/support/temp_folder.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

class ReadRun : public testing::Test {
 protected:
  std::string text_of(const Story& story) {
    std::string text;
    for (const record::Event& event : story.events()) text += encode(event) + "\n";
    return text;
  }
  judge::JudgedRun read(const std::string& text) {
    write_text(folder.path() / "journal.jsonl", text);
    return judge::read_run(folder.path());
  }
  std::string refusal(const std::string& text) try {
    (void)read(text);
    return "accepted";
  } catch (const record::JournalError& error) {
    return error.what();
  }

  const std::string limits =
      "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"0.95 Gbit/s\"\n"
      "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";
  Story story = std::move(Story(limits).launch().plan({"A.B"}).run(ending("A.B", {good()})).done().end());
  TempFolder folder;
};

TEST_F(ReadRun, IsAFunctionOfTheJournal) {
  EXPECT_EQ(read(text_of(story)).exit_code(), 0);
  EXPECT_EQ(read(text_of(story)).suites.at(0).cases.at(0).full_name(), "tcp.A.B");
}

TEST_F(ReadRun, WithoutAJournalThereIsNoRun) {
  EXPECT_THROW((void)judge::read_run(folder.path()), record::JournalError);
  EXPECT_THAT(refusal(""), HasSubstr("the journal is empty"));
  EXPECT_THAT(refusal("{\"seq\":0,\"time\""),
              HasSubstr("its first line is incomplete: the writer was killed"));
  EXPECT_THAT(refusal("what\n"), HasSubstr(":1: not JSON"));
  EXPECT_THAT(refusal(record::encode({0, record::utc_now(), record::SuiteDone{"tcp"}}) + "\n"),
              HasSubstr("begins with run_started"));
}

TEST_F(ReadRun, AJournalOfTheFormatBeforeIsRefusedWithASentence) {
  const std::string old = file_text(RIGPROOF_SOURCE_DIR "/tests/fuzz/seeds/journal/format1.jsonl");
  EXPECT_THAT(refusal(old), HasSubstr("journal.jsonl:1: format 1, but this program reads format 4"));
}

TEST_F(ReadRun, ARigOrLimitsThatAreNotAsHashedAreNeverGreen) {
  const std::string text = text_of(story);
  const record::RunStarted& start = story.begun();
  for (const auto& [before, after] : {std::pair{std::string("0.95 Gbit/s"), std::string("0.05 Gbit/s")},
                                      std::pair{std::string("[rig]"), std::string("[rig ]")},
                                      std::pair{start.limits.front().sha256, std::string(64, '0')},
                                      std::pair{start.rig_file.sha256, std::string("1a")}}) {
    std::string changed = text;
    changed.replace(changed.find(before), before.size(), after);
    const judge::JudgedRun run = read(changed);
    EXPECT_EQ(run.exit_code(), 2) << before;
    EXPECT_THAT(run.problems.at(0).message, HasSubstr("journal.jsonl:1: the text of ")) << before;
  }
}

// Two pairs at once, and then the slow one alone: what it lost beside the other is found in memory and in the journal.
TEST_F(ReadRun, APairThatWasSlowBesideAnotherIsFoundWhereverItsMeasurementsAre) {
  Story pairs(limits + "[[limit]]\nid = \"pairs.beside\"\nat_least = \"90 %\"\nremedy.check = \"r\"\n" +
              "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\n");
  pairs.begun().rig_kind = "hardware";
  const auto begin = [&](int job, const char* name, int launch) {
    pairs.add(record::SuiteStarted{"tcp", launch, "mpirun", job, 2, {name}});
    pairs.add(record::SuitePlanned{"tcp", {{name, "", {}}}, {}, {}, job});
    pairs.add(record::CaseStarted{"tcp", name, 1, job});
  };
  const auto end = [&](int job, Ending ended, int launch) {
    ended.job = job;
    pairs.add(ended).add(record::SuiteDone{"tcp", job});
    pairs.add(record::SuiteEnded{"tcp", launch, true, "", job});
  };
  begin(1, "A.ab", 1), begin(2, "A.cd", 1);
  end(1, ending("A.ab", {missed()}), 1), end(2, ending("A.cd", {good()}), 1);
  begin(1, "A.ab", 2), end(1, ending("A.ab", {good()}), 2);
  const judge::JudgedRun in_memory = read(text_of(pairs.end()));
  for (const judge::JudgedRun& run : {in_memory, judge::open_run(folder.path())}) {
    EXPECT_EQ(run.exit_code(), 1);
    judge::JudgedCase buffer;
    const judge::JudgedCase test = whole(run, run.suites.at(0).cases.at(0), buffer);
    ASSERT_EQ(test.attempts.size(), 2U);
    const judge::JudgedMeasurement& finding = test.attempts[1].measurements.back();
    EXPECT_EQ(finding.id, "pairs.beside");
    EXPECT_NEAR(finding.judgement.value, 0.5215, 1e-4);
    EXPECT_THAT(finding.judgement.reason, HasSubstr("0.51 Gbit/s beside (A.cd) and is 0.978 Gbit/s alone"));
  }
}

// Verdicts are the judge's: one that somebody wrote into a line is a fault of the journal, not believed.
TEST_F(ReadRun, AVerdictInAJournalIsNotBelieved) {
  std::string text = text_of(story);
  const std::string key = "\"failures\":[]";
  text.replace(text.find(key), key.size(), key + ",\"status\":\"passed\"");
  const judge::JudgedRun run = read(text);
  EXPECT_EQ(run.exit_code(), 2);
  EXPECT_THAT(run.problems.at(0).message, HasSubstr("unknown key 'status'"));
}

TEST_F(ReadRun, ALostLineIsNeverGreen) {
  const std::string text = text_of(story);
  std::size_t lines = 0;
  for (std::size_t end = 0; (end = text.find('\n', end)) != text.npos; ++end) {
    const std::size_t begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
    if (lines++ == 0) continue;
    std::string without = text;
    without.erase(begin, end - begin + 1);
    EXPECT_EQ(read(without).exit_code(), 2) << "without line " << lines;
  }
}

TEST_F(ReadRun, ATornEndIsAnError) {
  const std::string text = text_of(story);
  const judge::JudgedRun run = read(text.substr(0, text.size() - 5));
  EXPECT_THAT(run.problems.back().message, HasSubstr("the last line is incomplete"));
  EXPECT_EQ(run.exit_code(), 2);
}

TEST_F(ReadRun, CutAnywhereBehindTheFirstLineItIsReadAndNeverGreen) {
  const std::string text = text_of(story);
  for (std::size_t size = text.find('\n') + 1; size < text.size(); size += 7)
    EXPECT_EQ(read(text.substr(0, size)).exit_code(), 2) << size;
}

TEST_F(ReadRun, AThousandFaultsDoNotDrownTheReport) {
  std::string text = text_of(story);
  for (int line = 0; line < 1000; ++line) text += "noise\n";
  EXPECT_EQ(read(text).problems.size(), 101u);
  EXPECT_EQ(read(text).problems.back().message, "900 more problems in the journal");
}

TEST_F(ReadRun, MeasurementsCanStayInTheJournal) {
  Story two = std::move(Story(limits).launch().plan({"A.B", "A.C"}));
  two.run(ending("A.B", {good(), missed("tcp.rate.half2")})).run(ending("A.C", {good()})).done().end();
  const judge::JudgedRun all = read(text_of(two)), opened = judge::open_run(folder.path());
  EXPECT_EQ(opened.exit_code(), all.exit_code());
  for (std::size_t number = 0; number < 2; ++number) {
    const judge::JudgedCase& test = opened.suites.at(0).cases.at(number);
    EXPECT_TRUE(test.attempts.at(0).measurements.empty());
    judge::JudgedCase buffer;
    const auto& measured = whole(opened, test, buffer).attempts.at(0).measurements;
    const auto expected = all.suites.at(0).cases.at(number).attempts.at(0).measurements;
    ASSERT_EQ(measured.size(), expected.size());
    EXPECT_EQ(measured[0].samples, expected[0].samples);
    EXPECT_EQ(measured[0].judgement.verdict, expected[0].judgement.verdict);
  }
}

TEST_F(ReadRun, AMeasurementIsReadBackFromBehindAGap) {
  const std::string text = text_of(story);
  const auto cut = text.find("\n") + 1;  // without the second line
  (void)read(text.substr(0, cut) + text.substr(text.find("\n", cut) + 1));
  const judge::JudgedRun opened = judge::open_run(folder.path());
  judge::JudgedCase buffer;
  EXPECT_EQ(whole(opened, opened.suites.at(0).cases.at(0), buffer).attempts.at(0).measurements.size(), 1u);
}

TEST_F(ReadRun, AJournalThatChangesUnderItsReaderIsNamed) {
  (void)read(text_of(story));
  const judge::JudgedRun opened = judge::open_run(folder.path());
  write_text(folder.path() / "journal.jsonl", std::string(text_of(story).size(), 'x'));
  judge::JudgedCase buffer;
  EXPECT_THROW((void)whole(opened, opened.suites.at(0).cases.at(0), buffer), record::JournalError);
  write_text(folder.path() / "journal.jsonl", "");
  EXPECT_THROW((void)whole(opened, opened.suites.at(0).cases.at(0), buffer), record::JournalError);
}

// One case that passes, one that misses its limit on 2026-11-20; the run is taken up again, and ends, on `day`.
class ARunOfTwoDays : public ReadRun {
 protected:
  judge::JudgedRun ended_on(const std::string& day) {
    Story two(limits + waiver);
    two.launch().plan({"A.B", "A.C"}).run(ending("A.B", {missed()}));
    const std::size_t stopped = two.events().size();
    two.add(record::RunResumed{.user = "ann", .host = "head", .command_line = "rigproof", .programs = {}});
    two.launch(2).plan({"A.C"}).run(ending("A.C", {good()})).done(2).end();
    std::string text;
    for (record::Event event : two.events()) {
      if (event.sequence >= stopped) event.time.replace(0, 10, day);
      text += encode(event) + "\n";
    }
    judge::JudgedRun run = read(text);
    const judge::JudgedRun opened = judge::open_run(folder.path());
    EXPECT_EQ(opened.exit_code(), run.exit_code());
    EXPECT_EQ(opened.suites.at(0).cases.at(0).waiver, run.suites.at(0).cases.at(0).waiver);
    return run;
  }

  std::string waiver =
      "[[waiver]]\nlimit = \"tcp.rate.half\"\nreason = \"cable\"\nowner = \"Ann\"\nexpires = "
      "\"2026-11-25\"\n";
};

TEST_F(ARunOfTwoDays, IsNotWaivedByAWaiverThatEndedBeforeIt) {
  EXPECT_EQ(ended_on("2026-11-25").exit_code(), 0);
  EXPECT_EQ(ended_on("2026-11-25").waivers_on, "2026-11-25");
  const judge::JudgedRun run = ended_on("2026-11-26");
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_EQ(run.suites.at(0).cases.at(0).waiver, "");
  EXPECT_EQ(run.waivers_on, "2026-11-26");
}

TEST_F(ARunOfTwoDays, IsWaivedByAnotherWaiverThatIsStillInForce) {
  waiver +=
      "[[waiver]]\ncase = \"tcp.A.B\"\nreason = \"old cable\"\nowner = \"Bob\"\nexpires = \"2026-12-31\"\n";
  EXPECT_EQ(ended_on("2026-11-25").suites.at(0).cases.at(0).waiver, "waived until 2026-11-25 by Ann: cable");
  const judge::JudgedRun run = ended_on("2026-11-26");
  EXPECT_EQ(run.exit_code(), 0);
  EXPECT_EQ(run.suites.at(0).cases.at(0).waiver, "waived until 2026-12-31 by Bob: old cable");
}

// By a clock that was set back no waiver ends later, and nothing takes less than no time.
TEST_F(ARunOfTwoDays, WhoseClockWasSetBackCountsFromItsBeginning) {
  const judge::JudgedRun run = ended_on("2026-11-02");
  EXPECT_EQ(run.waivers_on, "2026-11-20");
  EXPECT_EQ(run.exit_code(), 0);
  EXPECT_GE(run.suites.at(0).seconds, 0);
}

}  // namespace
}  // namespace rigproof
