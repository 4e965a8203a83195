#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "tests/cli/recorded_run.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class VerifyTest : public RecordedRunTest {};

constexpr std::array kAll{"junit.xml", "junit-strict.xml", "metrics.txt", "metrics.prom",
                          "ocp.jsonl", "summary.md",       "report.html", "manifest.sha256"};

TEST_F(VerifyTest, AFolderAsItWasWrittenIsIntact) {
  const Answer answer = verify({"--evidence", hash()});
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr("OK       journal.jsonl"), HasSubstr("OK       logs/tcp.1.log"),
                                   HasSubstr("evidence SHA-256 " + hash()),
                                   HasSubstr("\nINTACT: the folder of that hash\n")));
}

// Catches: an old run, or one that proves nothing but that it agrees with itself, taken for today's and proven.
TEST_F(VerifyTest, TheFirstLinesSayWhenAndByWhomAndTheLastWhatIsNotProven) {
  const Answer answer = verify();
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, AllOf(testing::StartsWith("run      20261120T181500Z-model-rig-4f2a "),
                                   testing::ContainsRegex("2026-11-20T18:15:00.000Z, .* ago")));
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr(" by ann on head, "), HasSubstr("\nsigned   no\n"),
                    HasSubstr("\nINTACT: consistent in itself, but not proven to be the folder that was "
                              "sealed: give --evidence HASH")));
}

TEST_F(VerifyTest, AnyChangeOfAnyFileIsFound) {
  for (const std::string name :
       {"journal.jsonl", "junit.xml", "junit-strict.xml", "metrics.txt", "metrics.prom", "ocp.jsonl",
        "summary.md", "report.html", "logs/tcp.1.log"}) {
    const std::string before = text(name);
    append(name, " ");
    const Answer answer = verify();
    EXPECT_EQ(answer.code, 1) << name;
    EXPECT_THAT(answer.output, AllOf(HasSubstr("FAULT    " + name + ": changed"), HasSubstr("NOT INTACT")));
    write_text(folder.path() / name, before);
  }
  EXPECT_EQ(verify().code, 0);
}

// A changed journal is no run's record: no command says what it would be worth.
TEST_F(VerifyTest, AChangedJournalIsJudgedByNoCommand) {
  append("journal.jsonl", " ");
  const std::string limits = beside.path() / "limits.toml", run = folder.path().string();
  write_text(limits,
             "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"50 % of half.rate\"\nremedy.check = \"r\"\n"
             "basis = { kind = \"policy\", source = \"a test\", reasoning = \"none\" }\n");
  for (const Words& words :
       {Words{"report", "--no-pdf", run}, Words{"judge", run, "--thresholds", limits}, Words{"power", run},
        Words{"compare", run, "--", run}, Words{"history", run, "--out", run + "-history"},
        Words{"run", "--resume", run}}) {
    const Answer answer = rigproof_does(words);
    EXPECT_EQ(answer.code, 2) << words.front();
    EXPECT_THAT(answer.output, HasSubstr("journal.jsonl: changed since it was hashed (manifest.sha256)"))
        << words.front();
    EXPECT_THAT(answer.output, Not(HasSubstr("QUALIFIED"))) << words.front();
  }
  EXPECT_EQ(verify().code, 1);
  EXPECT_THAT(verify().output, Not(HasSubstr("QUALIFIED"))) << "a verdict of what is not intact is none";
}

// One line lost makes many others wrong.
TEST_F(VerifyTest, ADamagedJournalIsAFewLinesAndNoStack) {
  const std::string journal = text("journal.jsonl");
  const std::size_t second = journal.find('\n') + 1, third = journal.find('\n', second) + 1;
  write_text(folder.path() / "journal.jsonl", journal.substr(0, second) + journal.substr(third));
  const Answer answer = report_anew();
  EXPECT_EQ(answer.code, 2);
  std::size_t complaints = 0;
  for (std::size_t at = 0; (at = answer.output.find("rigproof: ", at)) != std::string::npos; ++at)
    ++complaints;
  EXPECT_GT(complaints, 1U);
  EXPECT_LE(complaints, 6U) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("more problems: the run's reports list them"));
}

TEST_F(VerifyTest, AMissingFileIsFound) {
  std::filesystem::remove(folder.path() / "ocp.jsonl");
  EXPECT_THAT(verify().output, HasSubstr("FAULT    ocp.jsonl: missing"));
  EXPECT_EQ(verify().code, 1);
}

// The manifest says that there was a journal.
TEST_F(VerifyTest, AJournalThatCannotBeReadIsAFault) {
  const std::string path = (folder.path() / "journal.jsonl").string(), journal = text("journal.jsonl");
  for (const std::string& other : {"x" + journal, journal.substr(0, 100), std::string()}) {
    write_text(path, other);
    for (const Answer& answer : {verify(), rigproof_does({"sign", folder.path().string(), "--key", path})}) {
      EXPECT_EQ(answer.code, 1) << answer.output;
      EXPECT_THAT(answer.output, AllOf(HasSubstr("FAULT    journal.jsonl: changed"),
                                       HasSubstr("FAULT    the record: " + path), HasSubstr("NOT INTACT")));
    }
  }
  std::filesystem::remove(path);
  EXPECT_EQ(verify().code, 1);
  EXPECT_THAT(verify().output, HasSubstr("FAULT    journal.jsonl: missing"));
}

TEST_F(VerifyTest, AnAddedFileIsFound) {
  for (const char* name : {"report.pdf", "logs/forged.log", "facts/node_a.json", "logs/deep/forged.log"}) {
    const std::filesystem::path file = folder.path() / name;
    std::filesystem::create_directories(file.parent_path());
    write_text(file, "forged\n");
    const Answer answer = verify();
    EXPECT_EQ(answer.code, 1) << name;
    EXPECT_THAT(answer.output, AllOf(HasSubstr(std::string("FAULT    ") + name + ": is not in the manifest"),
                                     HasSubstr("NOT INTACT: 1 fault:")));
    std::filesystem::remove(file);
  }
  std::filesystem::create_symlink("/nowhere", folder.path() / "logs" / "link");
  EXPECT_THAT(verify().output, HasSubstr("FAULT    logs/link: is not in the manifest"));
}
// Catches: an error that leaves the rest of the folder unchecked.
TEST_F(VerifyTest, AFolderOfLogsThatIsALinkToItselfIsAFault) {
  std::filesystem::remove_all(folder.path() / "logs");
  std::filesystem::create_symlink("logs", folder.path() / "logs");
  const Answer answer = verify();
  EXPECT_EQ(answer.code, 1) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr("FAULT    logs/tcp.1.log: "), HasSubstr("NOT INTACT: 1 fault")));
}

TEST_F(VerifyTest, WhatIsNotOfTheRunIsNamedAndNoFault) {
  write_text(folder.path() / "photo.jpg", "");
  const Answer answer = verify();
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.output, HasSubstr("NOTE     photo.jpg: is not part of the run: not checked"));
}

TEST_F(VerifyTest, AReportThatWasChangedTogetherWithItsManifestIsFound) {
  append("summary.md", "all is well\n");
  hash_again();
  EXPECT_THAT(verify().output,
              HasSubstr("FAULT    summary.md: differs from the report rebuilt from journal.jsonl"));
  EXPECT_EQ(verify().code, 1);
}

// An earlier commit of the same version wrote other bytes.
TEST_F(VerifyTest, ReportsOfAnotherBuildAreNotMadeAgainAndNotCalledIntact) {
  for (const char* change : {"commit", "sha256"}) {  // the hash decides where a commit is none
    record::Program program = built_program();
    (std::string(change) == "commit" ? program.commit : program.sha256) = "000000000000";
    if (std::string(change) == "sha256" && !program.commit.ends_with("-dirty")) continue;
    record_by(program);
    report_anew();
    for (const Words& words : {Words{}, Words{"--evidence", hash()}}) {
      const Answer answer = verify(words);
      EXPECT_EQ(answer.code, 3) << answer.output;
      EXPECT_THAT(answer.output,
                  AllOf(HasSubstr("NOT REBUILT: another build made the reports (rigproof " RIGPROOF_VERSION),
                        HasSubstr("\nHASHED   summary.md: "), Not(HasSubstr("INTACT"))));
    }
    append("junit.xml", " ");
    EXPECT_EQ(verify().code, 1) << "the hashes still count";
  }
}

// Catches: a verification that waits for ever.
TEST_F(VerifyTest, NobodyWaitsForAPipeInThePlaceOfAnotherBuildsReport) {
  record::Program program = built_program();
  program.commit = "000000000000";
  record_by(program);
  report_anew();
  std::filesystem::remove(folder.path() / "report.html");
  ASSERT_EQ(mkfifo((folder.path() / "report.html").c_str(), 0600), 0);
  const Answer answer = verify();
  EXPECT_EQ(answer.code, 1) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("FAULT    report.html: not a regular file"));
}

// Whoever measured: the reports are of the build that judged.
TEST_F(VerifyTest, ReportsOfARunThatThisBuildJudgedAgainAreMadeAgain) {
  record::Program old = built_program();
  old.commit = "000000000000";
  record_by(old);
  report_anew();
  const std::string again = (folder.path() / "again").string();
  Story story = golden_run();
  const std::filesystem::path limits = folder.path() / "limits.toml";
  write_text(limits, std::get<record::RunStarted>(story.events().front().body).limits.front().text);
  (void)rigproof_does({"judge", folder.path().string(), "--thresholds", limits.string(), "--out", again});
  const Answer answer = rigproof_does({"verify", again});
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, Not(HasSubstr("NOTE")));
}

// Killed behind its journal: what it judged is not lost, and `report` makes the rest.
TEST_F(VerifyTest, AJudgementThatWasKilledIsFinishedByReport) {
  const std::filesystem::path again = folder.path() / "again", limits = folder.path() / "limits.toml";
  Story story = golden_run();
  write_text(limits, std::get<record::RunStarted>(story.events().front().body).limits.front().text);
  const Words judge{"judge", folder.path().string(), "--thresholds", limits.string(),
                    "--out", again.string()};
  const int code = rigproof_does(judge).code;
  for (const auto& file : std::filesystem::directory_iterator(again))
    if (file.is_regular_file() && file.path().filename() != "journal.jsonl")
      std::filesystem::remove(file.path());
  write_text(again / ".reserve", "space");
  EXPECT_THAT(rigproof_does(judge).output,
              HasSubstr("To write its reports: rigproof report " + again.string()));
  EXPECT_EQ(rigproof_does({"report", "--no-pdf", again.string()}).code, code);
  EXPECT_EQ(rigproof_does({"verify", again.string()}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(again / ".reserve"));
  EXPECT_THAT(rigproof_does(judge).output, HasSubstr("contains a run already"));
}

TEST_F(VerifyTest, AnotherJournalThanTheSignedOneIsFound) {
  const std::string signed_hash = hash();
  append("journal.jsonl",
         record::encode({99, "2026-11-20T18:20:00.000Z", record::Problem{"x", "added later"}}) + '\n');
  report_anew();
  EXPECT_EQ(verify().code, 0);
  const Answer answer = verify({"--evidence", signed_hash});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.output, HasSubstr("FAULT    the signed hash: is " + signed_hash));
}

// Catches: a folder that is called not intact for the way in which its hash was typed.
TEST_F(VerifyTest, TheSignedHashMayBeInCapitalsAndIsOneOf64Digits) {
  std::string capitals = hash();
  for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_EQ(verify({"--evidence", capitals}).code, 0);
  for (const std::string& none : {hash().substr(0, 63), std::string("x") + hash().substr(1)}) {
    const Answer answer = verify({"--evidence", none});
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, AllOf(HasSubstr("--evidence " + none + ": not a SHA-256 of 64 digits"),
                                     Not(HasSubstr("INTACT"))));
  }
}

TEST_F(VerifyTest, AManifestThatLeavesTheJournalOutIsFound) {
  const std::string manifest = text("manifest.sha256");
  write_text(folder.path() / "manifest.sha256", manifest.substr(manifest.find('\n') + 1));
  EXPECT_EQ(verify().code, 1);
  EXPECT_THAT(verify().output, HasSubstr("does not list journal.jsonl"));
}

TEST_F(VerifyTest, WithoutAManifestNothingCanBeChecked) {
  std::filesystem::remove(folder.path() / "manifest.sha256");
  EXPECT_EQ(verify().code, 2);
  EXPECT_THAT(verify().output, HasSubstr("no manifest; `rigproof report` writes one"));
  write_text(folder.path() / "manifest.sha256", "nonsense\n");
  EXPECT_EQ(verify().code, 2);
  EXPECT_THAT(verify().output, HasSubstr("manifest.sha256:1: not of the form"));
  const Answer nowhere = rigproof_does({"verify", (folder.path() / "nowhere").string()});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.output, HasSubstr("nowhere: there is no such folder"));
}

TEST_F(VerifyTest, TheManifestIsOneForSha256sumToo) {
  const std::string lines = folder.path().string();
  EXPECT_EQ(answer_of({"sh", "-c", "cd " + lines + " && sha256sum --quiet -c manifest.sha256"}).output, "");
}

// Catches: a recipe on the page that comes to another hash than the page's.
TEST_F(VerifyTest, ThePageTellsHowToCheckItWithoutRigproof) {
  const std::string page = text("report.html"), from = "<code>sha256sum -c ", to = "</code>";
  const auto begin = page.find(from);
  ASSERT_NE(begin, page.npos);
  std::string recipe = page.substr(begin + 6, page.find(to, begin) - begin - 6);
  for (const auto& [mark, character] :
       {std::pair("&amp;", "&"), std::pair("&#39;", "'"), std::pair("\n", " ")})
    for (auto at = recipe.find(mark); at != recipe.npos; at = recipe.find(mark, at + 1))
      recipe.replace(at, std::string(mark).size(), character);
  const Answer answer = answer_of({"sh", "-c", "cd " + folder.path().string() + " && " + recipe});
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr(hash() + "  -\n")) << recipe;
}

TEST_F(VerifyTest, ReportMakesTheSameBytesAgain) {
  std::map<std::string, std::string> before;
  for (const char* name : kAll) before[name] = text(name);
  for (const char* name : kAll) std::filesystem::remove(folder.path() / name);
  report();
  for (const char* name : kAll) EXPECT_EQ(text(name), before[name]) << name;
}

// A problem's message may quote what a suite or another node said.
TEST_F(VerifyTest, WhatTheRecordSaysMovesNoCursor) {
  write_text(folder.path() / "journal.jsonl",
             replaced(text("journal.jsonl"), "no case reported", "no\\u001b[2J case\\u009b31m reported"));
  (void)report_anew();
  const std::string limits = beside.path() / "limits.toml";
  write_text(limits,
             "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"50 % of half.rate\"\nremedy.check = \"r\"\n"
             "basis = { kind = \"policy\", source = \"a test\", reasoning = \"none\" }\n");
  for (const Answer& answer :
       {report(), rigproof_does({"judge", folder.path().string(), "--thresholds", limits})}) {
    EXPECT_THAT(answer.output, HasSubstr("rigproof: thresholds/model-rig.toml:40: no"));
    EXPECT_THAT(answer.output, Not(AnyOf(HasSubstr("\x1b["), HasSubstr("\xC2\x9B"))));
  }
}

TEST_F(VerifyTest, LimitsOfWhatNoSuiteOfTheRunReportsAreNotJudgedBy) {
  const std::string limits = beside.path() / "limits.toml";
  write_text(limits,
             "[[limit]]\nid = \"rdma.write.rat\"\nat_least = \"50 % of half.rate\"\nremedy.check = \"r\"\n"
             "basis = { kind = \"policy\", source = \"a test\", reasoning = \"none\" }\n");
  const Answer answer = rigproof_does({"judge", folder.path().string(), "--thresholds", limits});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(
      answer.output,
      HasSubstr("limits.toml:2:6: no suite reports 'rdma.write.rat'; did you mean 'rdma.write.rate'?"));
}

// The same as `judge` says: a limit that nothing can be held against compares nothing.
TEST_F(VerifyTest, LimitsOfWhatNoSuiteOfTheRunReportsAreNotComparedBy) {
  const std::string limits = beside.path() / "limits.toml", run = folder.path().string();
  write_text(limits,
             "[[limit]]\nid = \"rdma.write.rat\"\nat_least = \"50 % of half.rate\"\nremedy.check = \"r\"\n"
             "basis = { kind = \"policy\", source = \"a test\", reasoning = \"none\" }\n");
  const Answer answer = rigproof_does({"compare", "--thresholds", limits, run, "--", run});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(
      answer.output,
      HasSubstr("limits.toml:2:6: no suite reports 'rdma.write.rat'; did you mean 'rdma.write.rate'?"));
}

// Catches: a folder that is not intact, for what a command that only reads it has written there.
TEST_F(VerifyTest, NothingIsWrittenAmongTheFactsAndLogsOfARun) {
  const std::filesystem::path run = folder.path(), limits = folder.path() / "limits.toml";
  Story story = golden_run();
  write_text(limits, std::get<record::RunStarted>(story.events().front().body).limits.front().text);
  std::filesystem::create_directory_symlink(run / "logs", run / "link");
  const std::filesystem::path other = run / "other";
  std::filesystem::create_directory(other);
  write_text(other / "journal.jsonl", replaced(text("journal.jsonl"), "rig-4f2a\"", "rig-4f2b\""));
  (void)rigproof_does({"report", "--no-pdf", other});
  const std::string rig = RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml",
                    spark = RIGPROOF_SOURCE_DIR "/tests/preflight/sparks/node-";
  Scratch scratch;
  scratch.script("agent", "cat " + spark + "${1#spark-}.json");
  const std::string agent = "OMPI_MCA_plm_rsh_agent=" + scratch.path("agent").string();
  for (const std::string place : {"logs", "logs/deep/again", "link/again", "facts"}) {
    const std::string out = (run / place).string();
    for (const Words& words :
         {Words{"judge", run, "--thresholds", limits, "--out", out}, Words{"power", run, "--out", out},
          Words{"history", run, "--out", out}, Words{"compare", run, "--out", out, "--", other},
          Words{"ctest", "--rig", rig, "--thresholds", limits, "--out", out},
          Words{"snapshot", "--rig", rig, "--out", out},
          Words{"discover", "spark-a", "spark-b", "--out", out + "/x.toml"},
          Words{"gate", "--baseline", "--rig", rig, "--thresholds", limits, "--store", scratch.path("store"),
                "--report", out},
          Words{"gate", "--baseline", "--rig", rig, "--thresholds", limits, "--store", out}}) {
      Words command{"env", agent, RIGPROOF_PROGRAM};
      command.insert(command.end(), words.begin(), words.end());
      const Answer answer = answer_of(command);
      EXPECT_EQ(answer.code, 2) << words.front();
      const auto place_given =
          std::ranges::find_if(words, [&](const std::string& word) { return word.starts_with(out); });
      EXPECT_THAT(answer.output, HasSubstr(fmt::format("{} {}: among the facts and logs of a run",
                                                       *(place_given - 1), *place_given)))
          << words.front();
    }
  }
  EXPECT_EQ(verify().code, 0) << verify().output;
}

// Catches: a judgement that nobody can finish.
TEST_F(VerifyTest, AFolderInAReportsPlaceIsNamedBeforeAJudgementIsWritten) {
  const std::filesystem::path again = folder.path() / "again", limits = folder.path() / "limits.toml";
  Story story = golden_run();
  write_text(limits, std::get<record::RunStarted>(story.events().front().body).limits.front().text);
  std::filesystem::create_directories(again / "report.html");
  const Answer answer = rigproof_does(
      {"judge", folder.path().string(), "--thresholds", limits.string(), "--out", again.string()});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("report.html: cannot write: there is a folder of that name"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(again), {}), 1);
}

TEST_F(VerifyTest, AFolderInAReportsPlaceIsNamedAndNothingReplaced) {
  append("junit.xml", "another");
  std::filesystem::remove(folder.path() / "report.html");
  std::filesystem::create_directory(folder.path() / "report.html");
  const Answer answer = report();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("report.html: cannot write: there is a folder of that name"));
  EXPECT_THAT(text("junit.xml"), testing::EndsWith("another"));
}

// Catches: some reports of one journal, some of another, and nobody to tell which.
TEST_F(VerifyTest, APipeInAReportsPlaceIsNamedAndNothingReplaced) {
  append("junit.xml", "another");
  std::filesystem::remove(folder.path() / "summary.md");
  ASSERT_EQ(mkfifo((folder.path() / "summary.md").c_str(), 0600), 0);
  const Answer answer = report();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("summary.md: cannot write: not a regular file"));
  EXPECT_THAT(text("junit.xml"), testing::EndsWith("another"));
}

// Catches: a folder that is sealed and never intact, because of what no manifest can list.
TEST_F(VerifyTest, WhatIsNoFileAmongTheLogsIsNotSealed) {
  const std::filesystem::path odd = folder.path() / "logs" / "odd";
  for (const char* target : {"/nowhere", "odd", "/tmp"}) {
    std::filesystem::create_symlink(target, odd);
    const Answer answer = report_anew();
    EXPECT_EQ(answer.code, 2) << target;
    EXPECT_THAT(
        answer.output,
        HasSubstr("logs/odd: not a regular file: a run with this file cannot be sealed. Remove the file"));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "manifest.sha256"));
    std::filesystem::remove(odd);
  }
  const std::filesystem::path broken = folder.path() / "logs" / "two\nlines.log";
  write_text(broken, "");
  const Answer answer = report_anew();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(
      answer.output,
      HasSubstr("logs/two lines.log: a line break in its name: a run with this file cannot be sealed"));
  std::filesystem::remove(broken);
  report();
  EXPECT_EQ(verify().code, 0);
}

TEST_F(VerifyTest, ATruncatedJournalIsReportedAndSealed) {
  const std::string journal = text("journal.jsonl");
  write_text(folder.path() / "journal.jsonl", journal.substr(0, journal.size() - 300));
  EXPECT_EQ(report_anew().code, 2);
  EXPECT_THAT(text("report.html"), AllOf(HasSubstr("the run has not ended"), HasSubstr("is incomplete")));
  EXPECT_EQ(verify().code, 5);  // its end, with the hashes of the logs, is lost
}

// Catches: what somebody added or changed, vouched for by the next `rigproof report`.
TEST_F(VerifyTest, ReportSealsNothingThatWasAdded) {
  for (const char* name : {"logs/forged.log", "facts/node_a.json"}) {
    const std::filesystem::path file = folder.path() / name;
    std::filesystem::create_directories(file.parent_path());
    write_text(file, "forged\n");
    const Answer answer = report();
    EXPECT_EQ(answer.code, 2) << name;
    EXPECT_THAT(answer.output, HasSubstr(std::string(name) + ": not in manifest.sha256: it was added after"));
    std::filesystem::remove(file);
  }
  append("report.pdf", "forged");
  report();
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "report.pdf"));
  EXPECT_EQ(verify().code, 0);
}

TEST_F(VerifyTest, APdfOfAnotherReportGoes) {
  append("report.pdf", "%PDF");
  append("manifest.sha256", record::sha256_of_file(folder.path() / "report.pdf") + "  report.pdf\n");
  report();
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "report.pdf"));  // of this very report
  EXPECT_THAT(text("manifest.sha256"), HasSubstr("  report.pdf\n"));
  append("journal.jsonl",
         record::encode({99, "2026-11-20T18:20:00.000Z", record::Problem{"x", "added later"}}) + '\n');
  report_anew();
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "report.pdf"));
  EXPECT_THAT(text("manifest.sha256"), Not(HasSubstr("report.pdf")));
}

}  // namespace
}  // namespace rigproof
