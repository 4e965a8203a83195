// Headline figures over the runs of a rig. Catches: a move that is seen in noise or missed, a change that is named for one that
// came later, a page or a file that a record's text breaks.
#include "reports/history/history.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <utility>

#include "tests/judge/judging.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

using history::Run;
using Runs = std::vector<history::Run>;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Run run(int day, double value, decltype(Run::state) state = {}) {
  Run one{.id = fmt::format("run-{}", day),
          .rig = "lab",
          .started = fmt::format("2026-11-{:02}T08:00:00.000Z", day),
          .profile = "smoke",
          .verdict = "QUALIFIED",
          .link = fmt::format("run-{}/report.html", day),
          .state = std::move(state),
          .figures = {}};
  one.figures.push_back({.id = "tcp.rate.half",
                         .unit = "Gbit/s",
                         .limit = ">= 95 Gbit/s",
                         .title = "One half",
                         .value = value,
                         .bounds = {.at_least = 95e9},
                         .mark = figures::Mark::kGood,
                         .tolerance = 1e9});
  return one;
}

history::History history_of(Runs runs) {
  auto all = histories_of(std::move(runs));
  EXPECT_EQ(all.size(), 1U);
  return all.at(0);
}

Runs runs_of(const std::vector<double>& values) {
  Runs runs;
  for (std::size_t i = 0; i < values.size(); ++i) runs.push_back(run(static_cast<int>(i) + 1, values[i]));
  return runs;
}

TEST(History, AFigureMovesWhenItLeavesTheScatterOfTheRunsBefore) {
  const auto history = history_of(runs_of({98e9, 98.2e9, 97.9e9, 98.1e9, 98e9, 98.1e9, 93e9, 93.1e9, 93e9}));
  ASSERT_THAT(history.curves, SizeIs(1));
  ASSERT_THAT(history.curves[0].moves, SizeIs(1)) << "once: what follows is the new level";
  EXPECT_EQ(history.curves[0].moves[0].run, 6U);
  EXPECT_NEAR(history.curves[0].moves[0].from, 98.05e9, 0.06e9);
}

// Catches: a curve that moves because another statistic of the limit came nearest to its bound.
TEST(History, ACurveIsOfTheLimitsOwnStatisticUntilAnotherIsMissed) {
  judge::JudgedMeasurement rate = missed_mean();
  const history::Run missed = history::run_of(run_of({ending("A.B", {rate})}), "");
  EXPECT_EQ(missed.figures.at(0).value, 0.671e9);
  EXPECT_EQ(missed.figures.at(0).bounds.at_least, 0.85e9);
  rate.judgement.verdict = judge::Verdict::kPass;
  const history::Run met = history::run_of(run_of({ending("A.B", {rate})}), "");
  EXPECT_EQ(met.figures.at(0).value, 0.967e9);
  EXPECT_EQ(met.figures.at(0).bounds.at_least, 0.95e9);
}

TEST(History, NoiseAndWhatIsWithinTheToleranceDoNotMove) {
  EXPECT_THAT(history_of(runs_of({98e9, 90e9, 99e9, 93e9, 97e9, 91e9, 95e9, 89e9})).curves[0].moves,
              IsEmpty());
  EXPECT_THAT(history_of(runs_of({98e9, 98e9, 98e9, 98e9, 98e9, 98e9, 97.5e9})).curves[0].moves, IsEmpty());
  EXPECT_THAT(history_of(runs_of({98e9, 98e9, 98e9, 80e9})).curves[0].moves, IsEmpty())
      << "three say too little";
}

// Catches: 5 % of a limit of 0.5 % taken for five per cent points, and 5 % of 1000 for 0.05.
TEST(History, WhatMustOnlyStaySmallMayMoveByAPartOfItsLimit) {
  const auto tolerance_of = [](SampleSet samples, const char* bound) {
    judge::JudgedMeasurement measured = good();
    measured.id = "tcp.cpu";
    measured.samples = std::move(samples);
    Story story(at_most("tcp.cpu", bound, "headline = true"));
    story.launch().plan({"A.B"}).run(ending("A.B", {measured})).done().end();
    judge::RunJudge judge;
    for (const record::Event& event : story.events()) judge.add(event);
    const history::Run kept = history::run_of(judge.run(), "");
    return kept.figures.size() == 1 ? kept.figures[0].tolerance : -1;
  };
  EXPECT_DOUBLE_EQ(tolerance_of({Dimension::kRatio, {0.001}}, "0.5 %"), 0.05 * 0.005);
  EXPECT_DOUBLE_EQ(tolerance_of({Dimension::kCount, {100}}, "1000 count"), 50);
}

TEST(History, TheLastChangeBeforeAMoveIsNamed) {
  Runs runs = runs_of({98e9, 98.1e9, 98e9, 98.1e9, 98e9, 93e9, 93e9});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].state[{"kernel", "node-a"}] = runs[i].state[{"kernel", "node-b"}] = i < 4 ? "6.1" : "6.2";
    runs[i].state[{"thresholds", ""}] = i < 1 ? "old" : "new";
    runs[i].state[{"firmware", "node-a"}] = i < 6 ? "28.1" : "28.2";
  }
  const auto history = history_of(runs);
  ASSERT_THAT(history.changes, SizeIs(3));
  EXPECT_EQ(history.changes[1].what, "kernel");
  EXPECT_EQ(history.changes[1].where, "node-a, node-b") << "one line for both nodes";
  EXPECT_EQ(history.changes[1].run, 4U);
  ASSERT_THAT(history.curves[0].moves, SizeIs(1));
  EXPECT_THAT(history.curves[0].moves[0].changes, ElementsAre(1U)) << "not the firmware, which came later";
}

// Each of them may be the cause: by name alone one would be picked.
TEST(History, AllChangesSinceTheRunBeforeAMoveAreNamed) {
  Runs runs = runs_of({98e9, 98.1e9, 98e9, 98.1e9, 0, 93e9});
  runs[4].figures.clear();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].state[{"cable", "link0"}] = i < 2 ? "A" : "B";
    runs[i].state[{"driver", "node-a"}] = i < 4 ? "1" : "2";
    runs[i].state[{"firmware", "node-a"}] = i < 5 ? "28.1" : "28.2";
    runs[i].state[{"thresholds", ""}] = i < 5 ? "old" : "new";
  }
  const auto histories = histories_of(runs);
  const auto& changes = histories[0].changes;
  ASSERT_THAT(histories[0].curves[0].moves, SizeIs(1));
  std::vector<std::string> named;
  for (const std::size_t index : histories[0].curves[0].moves[0].changes)
    named.push_back(changes[index].what);
  EXPECT_THAT(named, ElementsAre("driver", "firmware", "thresholds")) << "not the cable: a run had it";
  std::ostringstream page;
  write_history_page(histories, page);
  EXPECT_THAT(page.str(),
              HasSubstr("Last changes before: driver (node-a): 1 → 2 (1 run earlier); firmware (node-a): "
                        "28.1 → 28.2 (in this very run); thresholds: old → new (in this very run)."));
}

// Two changes of one run that nothing moved in: both are the last.
TEST(History, WhereNothingChangedSinceTheLatestChangesAreNamed) {
  Runs runs = runs_of({98e9, 98.1e9, 98e9, 98.1e9, 98e9, 93e9});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].state[{"cable", "link0"}] = i < 1 ? "A" : "B";
    runs[i].state[{"driver", "node-a"}] = i < 3 ? "1" : "2";
    runs[i].state[{"kernel", "node-a"}] = i < 3 ? "6.1" : "6.2";
  }
  EXPECT_THAT(history_of(runs).curves[0].moves[0].changes, ElementsAre(1U, 2U));
}

TEST(History, RunsStandByTheirTimeAndRig) {
  Runs runs = runs_of({98e9, 97e9});
  std::swap(runs[0], runs[1]);
  runs.push_back(run(3, 50e9));
  runs.back().rig = "other";
  const auto all = histories_of(runs);
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_THAT(all[0].runs, SizeIs(2));
  EXPECT_EQ(all[0].runs[0].id, "run-1");
  EXPECT_THAT(all[0].curves[0].points, SizeIs(2));
}

TEST(History, ARunWithoutAFigureLeavesAGap) {
  Runs runs = runs_of({98e9, 97e9, 98e9});
  runs[1].figures.clear();
  const auto history = history_of(runs);
  EXPECT_FALSE(history.curves[0].points[1]);
  EXPECT_TRUE(history.curves[0].points[2]);
}

TEST(HistoryPage, LeadsToEachReportAndNamesTheMove) {
  Runs runs = runs_of({98e9, 98.1e9, 98e9, 98.1e9, 98e9, 93e9});
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].state[{"kernel", "node-a"}] = i < 5 ? "6.1" : "6.2";
  std::ostringstream page;
  write_history_page(histories_of(runs), page);
  EXPECT_THAT(page.str(), HasSubstr("href=\"run-6/report.html\""));
  EXPECT_THAT(
      page.str(),
      HasSubstr("Moved on 2026-11-06: 93.00 Gbit/s, before 98.00 Gbit/s (-5.1 %). Last change before: "
                "kernel (node-a): 6.1 → 6.2 (in this very run)."));
}

// Of another length of measuring, another scatter: a weekly acceptance among nightly smokes moves nothing.
TEST(History, ProfilesAreNotMixed) {
  Runs runs = runs_of({98e9, 98.1e9, 98e9, 98.1e9, 98e9, 93e9});
  runs[5].profile = "acceptance";
  const auto all = histories_of(runs);
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].profile, "acceptance");
  EXPECT_THAT(all[0].runs, SizeIs(1));
  EXPECT_THAT(all[1].curves[0].moves, IsEmpty());
  std::ostringstream page;
  write_history_page(all, page);
  EXPECT_THAT(page.str(), HasSubstr("Rig lab, profile acceptance: 1 run,"));
}

TEST(HistoryPage, ACrossIsAMissAndNothingElse) {
  for (const auto& [mark, crosses] :
       {std::pair(figures::Mark::kMissed, true), std::pair(figures::Mark::kNotProven, false),
        std::pair(figures::Mark::kWaived, false)}) {
    Runs runs = runs_of({98e9, 93e9});
    runs[1].figures[0].mark = mark;
    std::ostringstream page;
    write_history_page(histories_of(runs), page);
    EXPECT_EQ(page.str().find("class=\"cross\"") != std::string::npos, crosses);
    EXPECT_EQ(page.str().find("class=\"open\"") != std::string::npos, !crosses);
  }
}

TEST(HistoryPage, SaysTheTimeWhereADayHasSeveralRuns) {
  Runs runs = runs_of({98e9, 97e9, 98e9});
  runs[1].started = "2026-11-01T20:15:00.000Z";
  std::ostringstream page;
  write_history_page(histories_of(runs), page);
  for (const char* label : {">2026-11-01 08:00</text>", ">2026-11-01 20:15</text>", ">2026-11-03</text>"})
    EXPECT_THAT(page.str(), HasSubstr(label));
}

TEST(HistoryPage, TicksStandOnRoundNumbers) {
  std::ostringstream page;
  write_history_page(histories_of(runs_of({98.13e9, 93.77e9, 98.2e9})), page);
  for (const char* tick : {">92</text>", ">94</text>", ">96</text>", ">98</text>", ">100</text>"})
    EXPECT_THAT(page.str(), HasSubstr(tick));
}

// Catches: a page that never ends, of a counter that went below zero.
TEST(HistoryPage, EndsWhateverACountIs) {
  for (const double count : {9007199254740992.0, 18446744073709551615.0, 1e300}) {
    Runs runs = runs_of({count, count});
    for (history::Run& one : runs)
      one.figures[0].dimension = Dimension::kCount, one.figures[0].unit = "", one.figures[0].bounds = {};
    std::ostringstream page;
    write_history_page(histories_of(runs), page);
    EXPECT_THAT(page.str(), Not(HasSubstr("nan"))) << count;
    EXPECT_LT(page.str().size(), 20'000U) << count;
  }
}

// Eighty dates have no room beside one another, and no label stands on another.
TEST(HistoryPage, DatesAndNumbersOfChangesAreApart) {
  Runs runs;
  for (int i = 0; i < 80; ++i) {
    runs.push_back(run(1, 98e9, {{{"kernel", "node-a"}, fmt::format("6.{}", i)}}));
    runs.back().started = fmt::format("2026-{:02}-{:02}T08:00:00.000Z", 9 + i / 28, i % 28 + 1);
  }
  std::ostringstream page;
  write_history_page(histories_of(runs), page);
  const std::string text = page.str();
  double end_of_date = 0, end_of_number = 0;
  std::size_t dates = 0, numbers = 0;
  const std::string begin = "<text x=\"";
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    const std::size_t words = text.find('>', at) + 1, after = text.find('<', words);
    const std::string word = text.substr(words, after - words);
    const bool is_number = text.substr(at, words - at).find("\"note\"") != text.npos;
    if (!is_number && !word.starts_with("2026-")) continue;
    double& end = is_number ? end_of_number : end_of_date;
    const double middle = std::stod(text.substr(at + begin.size()));
    const double reach = 3.1 * static_cast<double>(word.size());
    EXPECT_GT(middle - reach, end) << word;
    end = middle + reach;
    ++(is_number ? numbers : dates);
  }
  EXPECT_GE(dates, 8u);
  EXPECT_GE(numbers, 8u);
  EXPECT_THAT(text, HasSubstr(">1-5</text>")) << "five changes share a label";
}

TEST(HistoryPage, DrawsALimitThatIsOneValue) {
  Runs runs = runs_of({98e9, 98e9});
  for (history::Run& one : runs) one.figures[0].bounds = {.equals = 98e9};
  std::ostringstream page;
  write_history_page(histories_of(runs), page);
  EXPECT_THAT(page.str(), HasSubstr("= 98.00 Gbit/s"));
}

TEST(HistoryPage, IsInertWhateverTheRecordHolds) {
  Runs runs = runs_of({98e9, 93e9});
  runs[1].rig = runs[0].rig = "<script>alert(1)</script>";
  runs[0].state[{"kernel", "<b>"}] = "<i>";
  runs[1].state[{"kernel", "<b>"}] = "<img src=x>";
  runs[1].verdict = "\"><script>";
  std::ostringstream page;
  write_history_page(histories_of(runs), page);
  EXPECT_THAT(page.str(), Not(HasSubstr("<script")));
  EXPECT_THAT(page.str(), Not(HasSubstr("<img")));
}

TEST(HistoryCsv, QuotesAndDefusesTexts) {
  Runs runs = runs_of({98e9});
  runs[0].rig = "=cmd,\"x\"";
  std::ostringstream file;
  write_history_csv(histories_of(runs), file);
  EXPECT_THAT(file.str(),
              HasSubstr("\"'=cmd,\"\"x\"\"\",run-1,2026-11-01T08:00:00.000Z,smoke,QUALIFIED,"
                        "tcp.rate.half,9.8e+10,bit/s,9.5e+10,,within its limit,run-1/report.html\n"));
}

}  // namespace
}  // namespace rigproof
