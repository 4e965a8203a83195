// What a pipeline uses, from the outside: judge, compare, gate, ctest.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string at_least(const std::string& bound, const std::string& more = {}) {
  return "[[limit]]\nid = \"scripted.rate\"\nat_least = \"" + bound + "\"\ntolerance = \"2 %\"\n" + more +
         "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";
}

// A rig whose one case measures `rate` bit/s, a little more or less in each run.
class GatesTest : public ProgramTest {
 protected:
  GatesTest() {
    thresholds(at_least("0.5 Gbit/s"));
    rate("1e9");
  }
  void rate(const std::string& bits_per_second) { suite("scripted", "A.rate", "RATE=" + bits_per_second); }
  // At 1 Gbit/s, on nodes with this firmware and what else they tell.
  void firmware(const std::string& of_a, const std::string& of_b, const std::string& more = {}) {
    suite(
        "scripted", "A.rate",
        fmt::format("RATE=1e9 FACTS='node-a/eth0/firmware/{} node-b/eth0/firmware/{} {}'", of_a, of_b, more));
  }
  Words runs(const std::string& prefix, int count) {
    Words folders;
    for (int i = 0; i < count; ++i) {
      folders.push_back(path(prefix + std::to_string(i)));
      EXPECT_EQ(run({"--out", folders.back()}).code, 0);
    }
    return folders;
  }
  Answer compare(const Words& base, const Words& candidate, const Words& options = {}) {
    Words words{"compare"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), base.begin(), base.end());
    words.push_back("--");
    words.insert(words.end(), candidate.begin(), candidate.end());
    return rigproof_does(words);
  }
  // The same, and the third run never ends.
  void third_waits(const std::string& firmware) {
    scratch.write("count", "");
    suite("scripted", "A.rate",
          fmt::format(
              "export RATE=1e9 FACTS='node-a/eth0/firmware/{0} node-b/eth0/firmware/{0}'; case \"$*\" in "
              "*--report-to*) echo >> {1}; [ $(wc -l < {1}) != 3 ] || sleep 600;; esac;",
              firmware, path("count")));
  }
  void kill_in_third_run(const Words& more) {
    process::Process killed({.arguments = gate_words(more),
                             .output = process::ProcessSpec::Output::kLog,
                             .log = path("killed.log"),
                             .owns_descendants = true});
    for (int i = 0; i < 1000 && std::filesystem::file_size(path("count")) < 3; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    kill(killed.pid(), SIGKILL);
    killed.wait_for(std::chrono::seconds(10));
  }
  // On a rig that nobody changed, unless `more` says what was.
  Words gate_words(const Words& more) const {
    Words words{RIGPROOF_PROGRAM,    "gate",        "--rig",     path("rig.toml"), "--thresholds",
                path("limits.toml"), "--suite-dir", path("bin"), "--launcher",     "env",
                "--store",           path("store")};
    words.insert(words.end(), more.begin(), more.end());
    const auto says = [&](const char* word) { return std::ranges::find(more, word) != more.end(); };
    if (!says("--baseline") && !says("--expect")) words.insert(words.end(), {"--expect", "nothing"});
    return words;
  }
  // What it says on stdout, line by line.
  std::vector<std::string> screen(const Words& more) const {
    const std::string command = join_words(gate_words(more)) + " ";
    std::vector<std::string> lines;
    std::istringstream text(answer_of({"sh", "-c", command + "2>/dev/null"}).output);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  Answer gate(const Words& more = {}) const { return answer_of(gate_words(more)); }
  // Folders of runs below "kept" or "unfinished", sorted.
  std::vector<std::filesystem::path> runs_in(const std::string& part) const {
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path("store")))
      if (entry.path().filename().string().starts_with("run-") &&
          entry.path().string().find("/" + part + "/") != std::string::npos)
        folders.push_back(entry.path());
    std::ranges::sort(folders);
    return folders;
  }
};

TEST_F(GatesTest, JudgesAgainAndLeavesTheRunAlone) {
  EXPECT_EQ(run().code, 0);
  const std::string before = scratch.read("out/journal.jsonl");
  scratch.write("strict.toml", at_least("2 Gbit/s") + kForAnyRig);
  const Answer answer = rigproof_does({"judge", path("out"), "--thresholds", path("strict.toml")});
  EXPECT_EQ(answer.code, 1) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("misses >= 2 Gbit/s"));
  EXPECT_EQ(scratch.read("out/journal.jsonl"), before);
  EXPECT_EQ(rigproof_does({"judge", path("out"), "--thresholds", path("limits.toml")}).code, 0);
}
TEST_F(GatesTest, KeepsAJudgementWhereAsked) {
  EXPECT_EQ(run().code, 0);
  scratch.write("strict.toml", at_least("2 Gbit/s") + kForAnyRig);
  const Words words{"judge", path("out"), "--thresholds", path("strict.toml"), "--out", path("again")};
  EXPECT_EQ(rigproof_does(words).code, 1);
  EXPECT_THAT(junit("again/junit.xml")["scripted.A.rate"], testing::StartsWith("failure"));
  EXPECT_EQ(rigproof_does({"report", path("again")}).code, 1);
  EXPECT_THAT(scratch.read("again/summary.md"), ContainsRegex("Run: [^\n]*-again-[0-9a-f]{12}"));
  for (const char* report : {"summary.md", "report.html", "junit.xml", "junit-strict.xml", "ocp.jsonl"}) {
    EXPECT_THAT(scratch.read(std::string("again/") + report),
                ContainsRegex("Judged again at [^ ]+ by [^ ]*strict[^ ]*toml: the samples are those of run "))
        << report;
    EXPECT_THAT(scratch.read(std::string("out/") + report), Not(HasSubstr("udged again"))) << report;
  }
  EXPECT_NE(scratch.read("again/logs/thresholds-before.toml"), "");
  EXPECT_THAT(rigproof_does(words).output, HasSubstr("contains a run already"));
}
TEST_F(GatesTest, JudgingRefusesWhatItCannotRead) {
  EXPECT_EQ(run().code, 0);
  const auto judge = [&](const std::string& folder, const std::string& file) {
    return rigproof_does({"judge", path(folder), "--thresholds", path(file), "--out", path("again")});
  };
  EXPECT_EQ(judge("nowhere", "limits.toml").code, 2);
  EXPECT_EQ(judge("out", "nowhere.toml").code, 2);
  scratch.write("bad.toml", "[[limit]]\nid = \"a\"\nat_least = \"170\"\n");
  const Answer answer = judge("out", "bad.toml");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, ContainsRegex("bad\\.toml:3:[0-9]+: "));
  EXPECT_FALSE(std::filesystem::exists(path("again"))) << "a folder of nothing is left";
}

TEST_F(GatesTest, ComparesRunsASide) {
  const Words base = runs("a", 4), same = runs("b", 4);
  rate("0.95e9");
  const Words slower = runs("c", 4);
  EXPECT_EQ(compare(base, same).code, 0) << compare(base, same).output;
  const Answer answer = compare(base, slower, {"--out", path("report")});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.output, AllOf(testing::StartsWith("WORSE: rig "), HasSubstr("regressed")));
  const auto json = nlohmann::json::parse(scratch.read("report/comparison.json"));
  EXPECT_EQ(json["measurements"][0]["verdict"], "regressed");
  for (const char* file : {"md", "txt", "html"})
    EXPECT_THAT(scratch.read(std::string("report/comparison.") + file), HasSubstr("regressed")) << file;
  EXPECT_EQ(compare(slower, base).code, 0);
}
TEST_F(GatesTest, OneRunASideIsInconclusiveAndSaysWhatItNeeds) {
  const Words both = runs("a", 2);
  const Answer answer = rigproof_does({"compare", both[0], both[1]});
  EXPECT_EQ(answer.code, 3);
  EXPECT_THAT(answer.output, AllOf(HasSubstr("INCONCLUSIVE"), HasSubstr("2 more runs ")));
}
TEST_F(GatesTest, ComparingTakesLimitsOfYourChoice) {
  const Words base = runs("a", 4), candidate = runs("b", 4);
  scratch.write("strict.toml", at_least("2 Gbit/s") + kForAnyRig);
  EXPECT_EQ(compare(base, candidate, {"--thresholds", path("strict.toml")}).code, 1);
}
// Catches: runs at half the rate that are not worse, because their own limits allow it.
TEST_F(GatesTest, RunsByOtherLimitsAreComparedByLimitsOfYourChoiceOnly) {
  const Words base = runs("a", 4);
  rate("0.5e9");
  thresholds(replaced(at_least("0.1 Gbit/s"), "2 %", "80 %"));
  const Words candidate = runs("b", 4);
  for (const auto& [first, second] : {std::pair(base, candidate), std::pair(candidate, base)}) {
    const Answer answer = compare(first, second);
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, AllOf(HasSubstr("their limits differ"), HasSubstr("--thresholds")));
  }
  const Answer answer = compare(base, candidate, {"--thresholds", path("limits.toml")});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.output,
              HasSubstr("4 of 8 runs had other limits: all runs are judged by " + path("limits.toml")));
}
TEST_F(GatesTest, AGateByOtherLimitsThanTheBaselinesSaysSo) {
  EXPECT_EQ(gate({"--baseline", "--runs", "1"}).code, 0);
  EXPECT_THAT(gate({"--runs", "1"}).output, Not(HasSubstr("other limits")));
  thresholds(at_least("0.4 Gbit/s"));
  EXPECT_THAT(gate({"--runs", "1"}).output, HasSubstr("1 of 2 runs had other limits"));
}
TEST_F(GatesTest, ComparesNoRunThatIsNotSealed) {
  const Words both = runs("a", 2);
  const std::filesystem::path manifest = std::filesystem::path(both[0]) / "manifest.sha256";
  std::filesystem::remove(manifest);
  for (const auto& [base, candidate] : {std::pair(0U, 1U), std::pair(1U, 0U)}) {
    const Answer answer = rigproof_does({"compare", both[base], both[candidate]});
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, HasSubstr(both[0] + " has no manifest.sha256: the run did not end"));
  }
  EXPECT_EQ(rigproof_does({"report", "--no-pdf", both[0]}).code, 0);
  EXPECT_EQ(rigproof_does({"compare", both[0], both[1]}).code, 3);
}
// Not what its limits or its first line then say of themselves.
TEST_F(GatesTest, OfAChangedRunOnlyTheChangeIsTold) {
  const Words both = runs("a", 2);
  const std::filesystem::path journal = std::filesystem::path(both[0]) / "journal.jsonl";
  const std::string text = file_text(journal);
  for (const std::string& other : {replaced(text, "at_least", "at_lease"), "x" + text}) {
    write_text(journal, other);
    for (const auto& [base, candidate] : {std::pair(0U, 1U), std::pair(1U, 0U)}) {
      const Answer answer = rigproof_does({"compare", both[base], both[candidate]});
      EXPECT_EQ(answer.code, 2) << answer.output;
      EXPECT_THAT(answer.output, HasSubstr("journal.jsonl: changed since it was hashed"));
    }
  }
}
TEST_F(GatesTest, WhatStandsInTheWayOfOnePageIsNamedBeforeAnyIsWritten) {
  const Words both = runs("a", 2);
  for (const char* name : {"comparison.html", "history.csv"})
    std::filesystem::create_directories(scratch.path() / "pages" / name);
  for (const Words& words : {Words{"compare", both[0], both[1], "--out", path("pages")},
                             Words{"history", both[0], "--out", path("pages")}}) {
    const Answer answer = rigproof_does(words);
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, HasSubstr("there is a folder of that name"));
  }
  EXPECT_FALSE(std::filesystem::exists(path("pages/comparison.json")));
  EXPECT_FALSE(std::filesystem::exists(path("pages/history.html")));
}
TEST_F(GatesTest, ComparingRefusesOtherRigsAndProfilesWithOneMessage) {
  const Words base = runs("a", 1);
  EXPECT_EQ(run({"--profile", "smoke", "--out", path("smoke")}).code, 0);
  const Answer profile = compare(base, {path("smoke")});
  EXPECT_EQ(profile.code, 2);
  EXPECT_THAT(profile.output, AllOf(HasSubstr("profile 'standard'"), HasSubstr("profile 'smoke'")));
  rig(star_text(3));
  thresholds(at_least("0.4 Gbit/s"));  // as limits of another rig are
  EXPECT_EQ(run({"--out", path("three")}).code, 0);
  EXPECT_THAT(compare(base, {path("three")}).output, HasSubstr("other ports, rails or rates"));
  EXPECT_EQ(compare(base, {}).code, 2);
  EXPECT_EQ(compare(base, {path("nowhere")}).code, 2);
  EXPECT_THAT(compare(base, base).output, HasSubstr("same run"));
  EXPECT_THAT(rigproof_does({"compare", base[0], base[0], base[0]}).output, HasSubstr("expected -- between"));
}

TEST_F(GatesTest, AGateWithoutABaselineOpensForNobody) {
  const Answer answer = gate();
  EXPECT_EQ(answer.code, 3);
  EXPECT_THAT(answer.output, HasSubstr("gate --baseline"));
}
// Catches: a baseline that is made, and that no gate can be compared with.
TEST_F(GatesTest, AGateOfRecordedFactsIsNone) {
  const Answer answer = gate({"--baseline", "--facts", path("")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("--facts"));
  EXPECT_FALSE(std::filesystem::exists(path("store")));
}
TEST_F(GatesTest, AGateLetsTheUnchangedThroughAndStopsTheSlower) {
  EXPECT_EQ(gate({"--baseline"}).code, 0);
  const Answer same = gate({"--report", path("report")});
  EXPECT_EQ(same.code, 0) << same.output;
  EXPECT_THAT(same.output, AllOf(HasSubstr("gate: OPEN"), HasSubstr("unchanged")));
  EXPECT_TRUE(std::filesystem::exists(path("report/comparison.html")));
  rate("0.95e9");
  const Answer slower = gate();
  EXPECT_EQ(slower.code, 1) << slower.output;
  EXPECT_THAT(slower.output, AllOf(HasSubstr("gate: BLOCKED (exit code 1: worse"), HasSubstr("regressed")));
}
TEST_F(GatesTest, AGateKeepsTheHistoryOfItsStoreUpToDate) {
  EXPECT_EQ(gate({"--baseline", "--runs", "4"}).code, 0);
  const auto lines = [&] {
    const std::string table = scratch.read("store/history.csv");
    return std::count(table.begin(), table.end(), '\n');
  };
  EXPECT_EQ(lines(), 1 + 4);
  rate("0.1e9");
  const Answer blocked = gate({"--runs", "1"});
  EXPECT_EQ(blocked.code, 1) << blocked.output;
  EXPECT_EQ(lines(), 1 + 5) << "a run that was blocked is history, too";
  EXPECT_THAT(blocked.output, HasSubstr("store/history.html"));
  EXPECT_THAT(scratch.read("store/history.html"), HasSubstr("scripted.rate"));
}
// Catches: an archive beside its copy, and figures that weigh twice.
TEST_F(GatesTest, AHistoryCountsARunThatLiesThereTwiceOnce) {
  EXPECT_EQ(gate({"--baseline", "--runs", "1"}).code, 0);
  std::filesystem::copy(path("store"), path("archive"), std::filesystem::copy_options::recursive);
  const Answer answer = rigproof_does({"history", path("store"), path("archive"), "--out", path("pages")});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.output, AllOf(HasSubstr("1 run of 1 rig"), HasSubstr("a copy of ")));
}
// Catches: runs that are missing in a history without a word. Root reads every folder unless it lacks that capability.
TEST_F(GatesTest, AHistoryNamesTheFoldersThatItCannotRead) {
  EXPECT_EQ(gate({"--baseline", "--runs", "1"}).code, 0);
  std::filesystem::create_directories(path("store/closed"));
  std::filesystem::permissions(path("store/closed"), std::filesystem::perms::none);
  Words words{RIGPROOF_PROGRAM, "history", path("store"), "--out", path("pages")};
  if (geteuid() == 0)
    words.insert(words.begin(), {"setpriv", "--bounding-set", "-dac_override,-dac_read_search"});
  const Answer answer = answer_of(words);
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr("skipped " + path("store/closed") + ": Permission denied"),
                                   HasSubstr("1 run of 1 rig")));
  std::ranges::replace(words, path("store"), path("store/closed"));
  const Answer closed = answer_of(words);
  EXPECT_EQ(closed.code, 2) << closed.output;
  EXPECT_THAT(closed.output, HasSubstr("closed: Permission denied"));
  std::filesystem::permissions(path("store/closed"), std::filesystem::perms::owner_all);
}
TEST_F(GatesTest, AHistoryOfNothingLeavesNoFolder) {
  const Answer answer = rigproof_does({"history", path("nowhere"), "--out", path("pages")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("nowhere"));
  EXPECT_FALSE(std::filesystem::exists(path("pages")));
}
// Catches: a folder that is told to be unfit when all runs are over, and lost.
TEST_F(GatesTest, AReportsFolderIsLookedAtBeforeTheFirstRun) {
  EXPECT_EQ(gate({"--baseline", "--runs", "1"}).code, 0);
  const Answer answer = gate({"--report", "/proc/rigproof", "--runs", "1"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("--report /proc/rigproof: cannot create the folder"));
  EXPECT_THAT(answer.output, Not(HasSubstr("gate: run 1")));
}
TEST_F(GatesTest, AReportThatCannotBeWrittenInTheEndCostsNoRun) {
  EXPECT_EQ(gate({"--baseline", "--runs", "1"}).code, 0);
  suite("scripted", "A.rate", fmt::format("mkdir -p {}; RATE=1e9", path("report/comparison.md")));
  const Answer answer = gate({"--report", path("report"), "--runs", "1"});
  EXPECT_EQ(answer.code, 2) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr("1 candidate run"), HasSubstr("gate: kept in"),
                                   HasSubstr("comparison.md: cannot write")));
  EXPECT_EQ(runs_in("kept").size(), 2U);
  EXPECT_THAT(gate({"--report", path("report"), "--runs", "1"}).output,
              AllOf(HasSubstr("there is a folder of that name"), Not(HasSubstr("gate: run 1"))));
}
TEST_F(GatesTest, AHistoryThatCannotBeWrittenChangesNoVerdict) {
  std::filesystem::create_directories(path("store/history.html"));
  const Answer answer = gate({"--baseline", "--runs", "1"});
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("no history"));
}
// The first run is off, none of those after it.
TEST_F(GatesTest, AGateLooksTwiceBeforeItSaysInconclusive) {
  EXPECT_EQ(gate({"--baseline", "--runs", "10"}).code, 0);
  suite(
      "scripted", "A.rate",
      fmt::format(
          "case \"$*\" in *--report-to*) echo >> {0}; [ $(wc -l < {0}) -gt 1 ] || export RATE=0.93e9;; esac;",
          path("count")));
  const Answer answer = gate();
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr("inconclusive after 4 runs: going on to 7 runs"),
                                   HasSubstr("look 2 of 2"), HasSubstr("OPEN")));
}
// What is worse after the first look is worse, whatever else is open: more runs would only give it another chance.
TEST_F(GatesTest, AGateMakesNoMoreRunsOnceSomethingIsWorse) {
  suite("other", "B.rate");
  EXPECT_EQ(gate({"--baseline", "--runs", "10"}).code, 0);
  rate("0.9e9");
  suite(
      "other", "B.rate",
      fmt::format(
          "case \"$*\" in *--report-to*) echo >> {0}; [ $(wc -l < {0}) -gt 1 ] || export RATE=0.93e9;; esac;",
          path("count")));
  const Answer answer = gate();
  EXPECT_EQ(answer.code, 1) << answer.output;
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("inconclusive"), HasSubstr("gate: run 4 of 4"), HasSubstr("look 1 of 2"),
                    HasSubstr("BLOCKED"), Not(HasSubstr("run 5 of"))));
}
TEST_F(GatesTest, ABaselineIsMadeOfQualifiedRunsOnly) {
  EXPECT_EQ(gate({"--baseline", "--runs", "2"}).code, 0);
  rate("0.1e9");
  const Answer slow = gate({"--baseline", "--runs", "2"});
  EXPECT_EQ(slow.code, 1);
  EXPECT_THAT(slow.output, HasSubstr("baseline not changed"));
  rate("1e9");
  thresholds(at_least("0.5 Gbit/s") + at_most("rdma.unused", "1 count"));
  const Answer unproven = gate({"--baseline", "--runs", "2"});
  EXPECT_EQ(unproven.code, 3);
  EXPECT_THAT(unproven.output, HasSubstr("baseline not changed"));
}
// Catches: hours of runs before a damaged baseline is noticed, and one that passes for what was measured.
TEST_F(GatesTest, ADamagedBaselineIsRefusedBeforeTheFirstRun) {
  EXPECT_EQ(gate({"--baseline", "--runs", "2"}).code, 0);
  const auto folders = runs_in("kept");
  ASSERT_EQ(folders.size(), 2U);
  const auto refused = [&](const char* why) {
    const Answer answer = gate();
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.output, AllOf(HasSubstr(why), Not(HasSubstr("gate: run 1"))));
    EXPECT_TRUE(runs_in("unfinished").empty());
  };
  const std::filesystem::path journal = folders[1] / "journal.jsonl",
                              manifest = folders[1] / "manifest.sha256";
  const std::string text = file_text(journal);
  write_text(journal, replaced(text, "A.rate", "A.ratf"));
  refused("journal.jsonl: changed since it was hashed");
  std::filesystem::rename(manifest, folders[0] / "aside");
  refused(
      "has no manifest.sha256: the run did not end, or its journal was changed afterwards. Make a "
      "new baseline");
  std::filesystem::remove_all(folders[1]);
  std::filesystem::create_directory_symlink(folders[0], folders[1]);
  refused("are the same run");
  // What the message says helps.
  write_text(folders[0].parent_path().parent_path().parent_path() / "baseline", "");
  refused("the store is damaged. Make a new baseline (gate --baseline)");
  EXPECT_EQ(gate({"--baseline", "--runs", "2"}).code, 0);
}
// Catches: a run of an hour that is then told that nothing can be decided.
TEST_F(GatesTest, ABaselineThatIsTooSmallIsRefusedBeforeTheFirstRun) {
  suite("scripted", "A.rate B.rate C.rate D.rate E.rate F.rate G.rate H.rate I.rate J.rate", "RATE=1e9");
  EXPECT_EQ(gate({"--baseline", "--runs", "1"}).code, 0);
  const Answer answer = gate();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, AllOf(HasSubstr("the baseline of 1 runs is too small"),
                                   HasSubstr("10 measurements"), Not(HasSubstr("gate: run 1"))));
  EXPECT_TRUE(runs_in("unfinished").empty());
}
// Catches: a gate that opens for an update that never took place.
TEST_F(GatesTest, AGateOfAnUnchangedRigIsNotProven) {
  firmware("28.45.1200", "28.45.1200");
  EXPECT_EQ(gate({"--baseline"}).code, 0);
  const Answer answer = gate({"--expect", "any"});
  EXPECT_EQ(answer.code, 3) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr("gate: NOT PROVEN (exit code 3"), HasSubstr("nothing to gate"),
                                   HasSubstr("changed: nothing"), HasSubstr("--expect nothing"),
                                   Not(HasSubstr("gate: run 2"))));
  EXPECT_EQ(gate({"--expect", "nothing"}).code, 0);
}
TEST_F(GatesTest, AGateSaysInItsFirstLinesWhatChanged) {
  firmware("28.45.1200", "28.45.1200");
  EXPECT_EQ(gate({"--baseline"}).code, 0);
  firmware("28.46.1006", "28.46.1006");
  const auto lines = screen({"--expect", "nic.firmware", "--report", path("report")});
  ASSERT_GE(lines.size(), 3U);
  EXPECT_THAT(lines[0], testing::StartsWith("gate: OPEN"));
  EXPECT_EQ(lines[2], "changed: NIC firmware 28.45.1200 -> 28.46.1006 on node-a, node-b");
  const auto json = nlohmann::json::parse(scratch.read("report/comparison.json"));
  EXPECT_EQ(json["changed"][0]["kind"], "nic.firmware");
  for (const char* file : {"md", "txt", "html"})
    EXPECT_THAT(scratch.read(std::string("report/comparison.") + file), HasSubstr("28.46.1006")) << file;
}
TEST_F(GatesTest, AChangeThatNobodyAnnouncedBlocks) {
  firmware("28.45.1200", "28.45.1200", "node-a//kernel/6.11 node-b//kernel/6.11");
  EXPECT_EQ(gate({"--baseline"}).code, 0);
  firmware("28.46.1006", "28.46.1006", "node-a//kernel/6.14 node-b//kernel/6.14");
  const Answer answer = gate({"--expect", "nic.firmware"});
  EXPECT_EQ(answer.code, 1) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr("gate: BLOCKED (exit code 1"),
                                   HasSubstr("not announced: kernel 6.11 -> 6.14 on node-a, node-b"),
                                   Not(HasSubstr("gate: run 2"))));
  firmware("28.46.1006", "28.45.1200", "node-a//kernel/6.11 node-b//kernel/6.11");
  EXPECT_THAT(gate({"--expect", "nic.firmware"}).output,
              HasSubstr("on node-a, but not on node-b, which still has 28.45.1200"));
}
TEST_F(GatesTest, AnUpdateThatIsStagedAndNotActiveIsNotProven) {
  firmware("28.45.1200", "28.45.1200");
  EXPECT_EQ(gate({"--baseline"}).code, 0);
  firmware("28.45.1200", "28.45.1200", "node-b/staged/fw.version/28.46.1006-is-stored");
  const Answer answer = gate({"--expect", "nic.firmware"});
  EXPECT_EQ(answer.code, 3) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("staged and not active: node-b: fw.version: 28.46.1006-is-stored"));
}
TEST_F(GatesTest, AnUnknownKindOfChangeIsRefused) {
  const Answer answer = gate({"--expect", "nic.firmwear"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("did you mean 'nic.firmware'"));
  const Answer node = gate({"--expect", "nic.firmware@node-bb"});
  EXPECT_EQ(node.code, 2);
  EXPECT_THAT(node.output,
              HasSubstr("--expect: the rig has no node 'node-bb' (in 'nic.firmware@node-bb'); did you "
                        "mean 'node-b'?"));
}
TEST_F(GatesTest, ANewBaselineIsNotPromotedToo) {
  const Answer answer = gate({"--baseline", "--promote"});
  EXPECT_EQ(answer.code, 2) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("--baseline excludes --promote"));
  EXPECT_FALSE(std::filesystem::exists(path("store")));
}
// Catches: what decides at row 20 of 3,768.
TEST_F(GatesTest, TheScreenOfAGateIsShortWorstFirstAndSaysWhy) {
  std::string cases = "A.rate";
  for (int i = 0; i < 40; ++i) cases += fmt::format(" C{}.rate", i);
  suite("scripted", cases, "RATE=1e9");
  suite("other", "Slow.rate", "RATE=1e9");
  EXPECT_EQ(gate({"--baseline", "--runs", "10"}).code, 0);
  suite("other", "Slow.rate", "RATE=0.9e9");
  const auto lines = screen({});
  EXPECT_LE(lines.size(), 24U);
  ASSERT_GE(lines.size(), 6U);
  EXPECT_THAT(lines[0], testing::StartsWith("gate: BLOCKED (exit code 1: worse"));
  EXPECT_THAT(lines[1], AllOf(testing::StartsWith("why: scripted.rate"), HasSubstr("other.Slow.rate"),
                              ContainsRegex("-(9.9|10.0)")));
  EXPECT_THAT(lines[2], testing::StartsWith("changed: nothing"));
  EXPECT_THAT(lines[5], AllOf(testing::StartsWith("regressed"), HasSubstr("Slow.rate")));
  EXPECT_GT(screen({"--all"}).size(), 40U);
}
TEST_F(GatesTest, AGateSaysWhichRunBlockedIt) {
  EXPECT_EQ(gate({"--baseline", "--runs", "7"}).code, 0);
  suite("scripted", "A.rate B.error", "RATE=1e9");
  const auto lines = screen({});
  ASSERT_GE(lines.size(), 4U);
  EXPECT_THAT(lines[0], testing::StartsWith("gate: BLOCKED (exit code 2"));
  EXPECT_THAT(lines[1], testing::StartsWith("why: run 1: ERROR"));
  EXPECT_THAT(lines[3], AllOf(HasSubstr("B.error"), HasSubstr("as told")));
}
// Each step is within the tolerance of 2 %.
TEST_F(GatesTest, SmallLossesThatAddUpAreHeldAgainstTheAnchor) {
  EXPECT_EQ(gate({"--baseline"}).code, 0);
  rate("0.985e9");
  EXPECT_EQ(gate({"--promote"}).code, 0);
  rate("0.97e9");
  const Answer promoted = gate({"--promote"});
  EXPECT_EQ(promoted.code, 1) << promoted.output;
  EXPECT_THAT(promoted.output, AllOf(HasSubstr("gate: BLOCKED"), HasSubstr("losses add up"),
                                     HasSubstr("the anchor baseline of 20")));
  EXPECT_EQ(gate({"--baseline"}).code, 0) << "a fresh baseline forgets nothing";
  EXPECT_EQ(gate().code, 1);
  EXPECT_EQ(gate({"--baseline", "--anchor"}).code, 0);
  EXPECT_EQ(gate().code, 0) << "somebody said that this is the rig from now on";
  EXPECT_EQ(gate({"--anchor"}).code, 2);
}
// The runner goes down in the third run; what it had measured counts.
TEST_F(GatesTest, AGateThatWasKilledGoesOnWhereItWas) {
  firmware("28.45.1200", "28.45.1200");
  EXPECT_EQ(gate({"--baseline"}).code, 0);
  third_waits("28.45.1200");
  kill_in_third_run({});
  const Answer answer = gate();
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr("gate: run 1 of 4 or more: made before"),
                                   HasSubstr("gate: run 2 of 4 or more: made before"),
                                   HasSubstr("gate: run 3 of 4 or more, record in"),
                                   HasSubstr("run-003 was cut off and repeated"),
                                   HasSubstr("7 baseline and 4 candidate runs")));
  EXPECT_TRUE(runs_in("unfinished").empty());
  EXPECT_EQ(runs_in("kept").size(), 7U + 4U);
}
// Catches: runs of before an update that pass for runs of after it.
TEST_F(GatesTest, AGateThatGoesOnDoesNotMixTwoStatesOfTheRig) {
  firmware("28.45.1200", "28.45.1200");
  EXPECT_EQ(gate({"--baseline"}).code, 0);
  third_waits("28.46.1006");
  kill_in_third_run({"--expect", "nic.firmware"});
  third_waits("28.47.1000");
  const Answer answer = gate({"--expect", "nic.firmware"});
  EXPECT_EQ(answer.code, 3) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("the rig changed between the runs of this gate: NIC firmware"));
}
TEST_F(GatesTest, BaselinesAreKeyedByRigAndConfiguration) {
  EXPECT_EQ(gate({"--baseline", "--runs", "1", "--configuration", "fw1"}).code, 0);
  EXPECT_EQ(gate({"--configuration", "fw2"}).code, 3);
  EXPECT_EQ(gate({"--configuration", "fw1", "--profile", "smoke"}).code, 3);
  EXPECT_EQ(gate({"--configuration", "../fw1"}).code, 2);
}
TEST_F(GatesTest, PromotesWhatPassed) {
  EXPECT_EQ(gate({"--baseline"}).code, 0);
  EXPECT_THAT(gate({"--promote"}).output, HasSubstr("are the baseline now"));
  rate("0.95e9");
  EXPECT_THAT(gate({"--promote"}).output, Not(HasSubstr("are the baseline now")));
}
TEST_F(GatesTest, AKilledGateLeavesTheStoreWhole) {
  EXPECT_EQ(gate({"--baseline", "--runs", "4"}).code, 0);
  suite("scripted", "A.wait");
  for (const int after_ms : {50, 300, 800}) {
    {
      process::Process killed({.arguments = gate_words({"--runs", "4"}),
                               .output = process::ProcessSpec::Output::kLog,
                               .log = path("killed.log"),
                               .owns_descendants = true});
      std::this_thread::sleep_for(std::chrono::milliseconds(after_ms));
      kill(killed.pid(), SIGKILL);
      killed.wait_for(std::chrono::seconds(10));
    }
    rate("1e9");
    EXPECT_EQ(gate({"--runs", "4"}).code, 0) << after_ms;
    suite("scripted", "A.wait");
  }
}
TEST_F(GatesTest, TwoGatesDoNotShareAStore) {
  EXPECT_EQ(gate({"--baseline", "--runs", "4"}).code, 0);
  suite("scripted", "A.wait");
  process::Process first({.arguments = gate_words({"--runs", "4"}),
                          .output = process::ProcessSpec::Output::kLog,
                          .log = path("first.log"),
                          .owns_descendants = true});
  for (int i = 0; i < 200 && scratch.read("first.log").find("record in") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const Answer second = gate();
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.output, HasSubstr(fmt::format("process {}", first.pid())));
}

TEST_F(GatesTest, WritesAFolderForCtest) {
  const Words words{"ctest",       "--rig",     path("rig.toml"), "--thresholds", path("limits.toml"),
                    "--suite-dir", path("bin"), "--launcher",     "env",          "--out",
                    path("tests")};
  const Answer written = rigproof_does(words);
  EXPECT_EQ(written.code, 0) << written.output;
  const auto ctest = [&](const Words& more) {
    Words all{"ctest", "--test-dir", path("tests"), "--no-tests=error"};
    all.insert(all.end(), more.begin(), more.end());
    return answer_of(all);
  };
  const Answer smoke = ctest({"-L", "smoke"});
  EXPECT_EQ(smoke.code, 0) << smoke.output;
  EXPECT_THAT(smoke.output, HasSubstr("smoke.scripted"));
  EXPECT_THAT(ctest({}).output, AllOf(HasSubstr("smoke.scripted"), HasSubstr("standard.scripted"),
                                      HasSubstr("100% tests passed, 0 tests failed out of 2")));
  rate("1e9 ");
  suite("scripted", "A.fail");
  EXPECT_NE(ctest({"-L", "scripted"}).code, 0);
  rate("1e9");
  EXPECT_EQ(ctest({"--rerun-failed"}).code, 0);
}
// Catches: tests that do not know where the suite of one's own is, and all fail.
TEST_F(GatesTest, AFolderForCtestFindsSuitesOfOnesOwn) {
  scratch.script("own/rigproof-suite-own", fmt::format("SCRIPT=A.pass exec {} own \"$@\"", SCRIPTED_SUITE));
  thresholds(at_least("0.5 Gbit/s") + at_most("scripted.count", "1 count"));
  const Answer written =
      answer_of({"env", "--chdir", path(""), RIGPROOF_PROGRAM, "ctest", "--rig", "rig.toml", "--thresholds",
                 "limits.toml", "--suite-dir", "bin", "--suites", "own", "--launcher", "env", "--profile",
                 "smoke", "--out", "tests"});
  EXPECT_EQ(written.code, 0) << written.output;
  const Answer tests = answer_of({"ctest", "--test-dir", path("tests"), "--output-on-failure"});
  EXPECT_EQ(tests.code, 0) << tests.output;
  EXPECT_THAT(tests.output, AllOf(HasSubstr("smoke.own"), HasSubstr("0 tests failed out of 2")));
}
TEST_F(GatesTest, AFolderForCtestTestsWhatIsOwedAndNotBuilt) {
  scratch.write("limits.toml", scratch.read("limits.toml") +
                                   "[[limit]]\nid = \"rdma.retries\"\nat_most = \"0 count\"\n"
                                   "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\n"
                                   "remedy.check = \"r\"\n");
  EXPECT_EQ(rigproof_does({"ctest", "--rig", path("rig.toml"), "--thresholds", path("limits.toml"),
                           "--suite-dir", path("bin"), "--launcher", "env", "--out", path("tests")})
                .code,
            0);
  const Answer rdma = answer_of({"ctest", "--test-dir", path("tests"), "-L", "rdma", "--output-on-failure"});
  EXPECT_NE(rdma.code, 0);
  EXPECT_THAT(rdma.output, HasSubstr("smoke.rdma"));
}
// Catches: pairs that are drawn anew for each run, so that no baseline is ever found.
TEST_F(GatesTest, OfRoundsMeasuresTheSamePairsEachTime) {
  const Answer answer = gate({"--rounds", "1"});
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(gate({"--rounds", "1"}).output, answer.output) << "the store's folder names the seed";
}
// Catches: an option that is taken, and that no test's run is told of.
TEST_F(GatesTest, AFolderForCtestTakesNoOptionThatItsRunsAreNotTold) {
  for (const Words& option : {Words{"--rounds", "1"}, Words{"--operator"}, Words{"--facts", path("")}}) {
    Words words{"ctest",       "--rig",     path("rig.toml"), "--thresholds", path("limits.toml"),
                "--suite-dir", path("bin"), "--out",          path("tests")};
    words.insert(words.end(), option.begin(), option.end());
    EXPECT_EQ(rigproof_does(words).code, 2) << option.front();
  }
}
TEST_F(GatesTest, AFolderForCtestIsRefusedWhereItWouldBeInTheWay) {
  const auto refused = [&](const char* why = "another program's") {
    const Answer answer =
        rigproof_does({"ctest", "--rig", path("rig.toml"), "--thresholds", path("limits.toml"), "--suite-dir",
                       path("bin"), "--out", path("tests")});
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.output, HasSubstr(why));
  };
  scratch.write("tests/journal.jsonl", "precious");
  refused("contains a run already");
  std::filesystem::remove(path("tests/journal.jsonl"));
  scratch.write("tests/CTestTestfile.cmake", "# CMake generated\n");
  refused();
  std::filesystem::remove(path("tests/CTestTestfile.cmake"));
  ASSERT_EQ(mkfifo(path("tests/CTestTestfile.cmake").c_str(), 0600), 0);
  refused();  // and nobody waits for the pipe
}

}  // namespace
}  // namespace rigproof
