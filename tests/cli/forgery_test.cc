// What somebody could do who may write into a run's folder, and its manifest too. Catches: a folder that is called intact.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>

#include "framework/process/process.h"
#include "framework/record/fields.h"
#include "tests/cli/recorded_run.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ForgeryTest : public RecordedRunTest {
 protected:
  // A record that says that another build made it: its reports are not made again here.
  void say_another_build_made_it() const {
    record::Program other = built_program();
    other.commit = "0123456789ab";
    record_by(other);
    report_anew();
  }
  void expect_fault(const std::string& sentence, const Words& more = {}) const {
    const Answer answer = verify(more);
    EXPECT_EQ(answer.code, 1) << answer.output;
    EXPECT_THAT(answer.output, AllOf(HasSubstr("FAULT    " + sentence), HasSubstr("\nNOT INTACT: ")));
  }
  void expect_open(int code, const std::string& words, const Words& more = {}) const {
    const Answer answer = verify(more);
    EXPECT_EQ(answer.code, code) << answer.output;
    EXPECT_THAT(answer.output, AllOf(HasSubstr("\n" + words), Not(HasSubstr("INTACT"))));
  }
  void replace(const std::string& name, const std::string& from, const std::string& to) const {
    const std::string before = text(name);
    ASSERT_NE(before.find(from), before.npos) << name << ": " << from;
    write_text(folder.path() / name, replaced(before, from, to));
  }
};

// The golden run is judged ERROR.
TEST_F(ForgeryTest, AVerdictWrittenIntoAReportIsFoundWhicheverBuildMadeIt) {
  const struct {
    const char *report, *from, *to;
  } forgeries[] = {
      {"report.html", "name=\"rigproof-verdict\" content=\"ERROR",
       "name=\"rigproof-verdict\" content=\"QUALIFIED"},
      {"report.html", "<strong>ERROR", "<strong>QUALIFIED"},
      {"report.html", "<p>ERROR: rig", "<p>QUALIFIED: rig"},
      {"summary.md", "# ERROR", "# QUALIFIED"},
      {"junit.xml", "name=\"verdict\" value=\"ERROR\"", "name=\"verdict\" value=\"QUALIFIED\""},
      {"junit-strict.xml", "name=\"verdict\" value=\"ERROR\"", "name=\"verdict\" value=\"QUALIFIED\""},
      {"metrics.txt", "{rigproof_verdict=\"QUALIFIED\"} 0", "{rigproof_verdict=\"QUALIFIED\"} 1"},
      {"metrics.txt", "rigproof_exit_code{rig=\"model-rig\"} 2", "rigproof_exit_code{rig=\"model-rig\"} 0"},
      {"metrics.prom", "verdict=\"ERROR\"", "verdict=\"QUALIFIED\""},
      {"ocp.jsonl", "\"verdict\":\"ERROR\"", "\"verdict\":\"QUALIFIED\""},
      {"ocp.jsonl", "\"result\":\"NOT_APPLICABLE\"", "\"result\":\"PASS\""},
  };
  say_another_build_made_it();
  for (const auto& [report, from, to] : forgeries) {
    const std::string before = text(report), manifest = text("manifest.sha256");
    replace(report, from, to);
    hash_again();
    SCOPED_TRACE(from);
    expect_fault(std::string(report) + ": says ");
    write_text(folder.path() / report, before);
    write_text(folder.path() / "manifest.sha256", manifest);
  }
  EXPECT_EQ(verify().code, 3) << verify().output;
}

// Catches: the usual case years later, a page on paper and a folder with another report.
TEST_F(ForgeryTest, TheHashOnThePageIsOfEveryReport) {
  say_another_build_made_it();
  const std::string paper = hash();
  expect_open(3, "NOT REBUILT: ", {"--evidence", paper});
  for (const char* name : {"report.html", "summary.md", "junit.xml", "junit-strict.xml", "metrics.txt",
                           "metrics.prom", "ocp.jsonl", kLog}) {
    const std::string before = text(name), manifest = text("manifest.sha256");
    append(name, "<!-- as it should have been -->\n");
    hash_again();
    SCOPED_TRACE(name);
    expect_fault("the signed hash: is " + paper, {"--evidence", paper});
    write_text(folder.path() / name, before);
    write_text(folder.path() / "manifest.sha256", manifest);
  }
}

TEST_F(ForgeryTest, APageThatCarriesAnotherHashThanItsOwnIsFound) {
  say_another_build_made_it();
  const std::string own = hash();
  std::string page = text("report.html");
  for (auto at = page.find(own); at != page.npos; at = page.find(own))
    page.replace(at, 64, std::string(64, 'a'));
  write_text(folder.path() / "report.html", page);
  hash_again();
  expect_fault("report.html: does not carry the hash of this evidence");
}

// Former builds hashed the journal and the reports made of it alone, and their page has no field for the verdict.
TEST_F(ForgeryTest, AFolderOfAFormerBuildIsNotCheckedButNotAtFault) {
  say_another_build_made_it();
  const std::string manifest = text("manifest.sha256"), own = hash();
  const std::string former = record::sha256(manifest.substr(0, manifest.find("  report.html") - 64));
  std::string page = text("report.html");
  for (auto at = page.find(own); at != page.npos; at = page.find(own)) page.replace(at, 64, former);
  const auto field = page.find("name=\"rigproof-verdict\"");
  page.replace(field, page.find('>', field) - field, "name=\"nothing\"");
  write_text(folder.path() / "report.html", page);
  hash_again();
  expect_open(3, "NOT REBUILT: ");
  expect_open(3, "NOT REBUILT: ", {"--evidence", former});
  EXPECT_THAT(
      verify({"--evidence", former}).output,
      HasSubstr(
          "NOTE     the signed hash: has the form of former builds: it covers journal.jsonl and the reports "
          "made from it alone, not report.html"));
  expect_fault("the signed hash: is ", {"--evidence", own});
}

TEST_F(ForgeryTest, ARecordOfAnotherFormatIsNotCheckedButNotAtFault) {
  const auto format = [](int number) { return fmt::format("\"format\":{}", number); };
  replace("journal.jsonl", format(record::kJournalFormat), format(record::kJournalFormat + 1));
  hash_again();
  expect_open(3, "NOT REBUILT: the record is of another build and cannot be read");
}

// Nobody can tell a foreign PDF from one that another WeasyPrint made.
TEST_F(ForgeryTest, APdfIsIntactOnlyWhereItCanBeMadeAgain) {
  add_and_list("report.pdf", "%PDF-1.7 QUALIFIED");
  expect_open(4, "PDF NOT CHECKED: ");
  expect_open(4, "PDF NOT CHECKED: ", {"--evidence", hash()});
  if (!process::find_program("weasyprint")) return;
  std::filesystem::remove(folder.path() / "report.pdf");
  report_anew();
  ASSERT_TRUE(rigproof_does({"report", folder.path().string()}).code == 2 &&
              std::filesystem::exists(folder.path() / "report.pdf"));
  EXPECT_EQ(verify().code, 0) << verify().output;
  EXPECT_THAT(verify().output, HasSubstr("OK       report.pdf\n"));
}

TEST_F(ForgeryTest, ALogThatWasChangedWithTheManifestIsFoundByTheRecord) {
  append(kLog, "and this it did not say\n");
  hash_again();
  expect_fault(std::string(kLog) + ": is not the file whose hash the record has");
  const std::string manifest = text("manifest.sha256");
  std::filesystem::remove_all(folder.path() / "logs");
  write_text(folder.path() / "manifest.sha256", manifest.substr(0, manifest.find(kLog) - 66));
  expect_fault(std::string(kLog) + ": the record has its hash, but it is not in the manifest");
}

// Of a run that was killed, or by a former build.
TEST_F(ForgeryTest, ALogOfWhichTheRecordHasNoHashIsNotChecked) {
  record_by(built_program(), false);
  report_anew();
  expect_open(5, "LOGS NOT CHECKED: the record has no hash of 1 file among facts and logs");
  EXPECT_EQ(verify({"--evidence", hash()}).code, 0) << "the page's hash is of the logs, too";
  const std::string before = hash();
  append(kLog, "and this it did not say\n");
  hash_again();
  expect_fault("report.html: differs from the report rebuilt");
  report_anew();
  expect_fault("the signed hash: is " + before, {"--evidence", before});
}

TEST_F(ForgeryTest, WhatTheManifestListsBeyondTheRunsFilesIsFound) {
  const std::string manifest = text("manifest.sha256");
  std::filesystem::create_directory(folder.path() / "more");
  for (const char* name : {"sign-off.html", "Report.html", "report.html ", "more/report.html"}) {
    add_and_list(name, "QUALIFIED");
    SCOPED_TRACE(name);
    EXPECT_EQ(verify().code, 1) << verify().output;
    EXPECT_THAT(verify().output, HasSubstr("not a file that a run seals"));
    std::filesystem::remove(folder.path() / name);
    write_text(folder.path() / "manifest.sha256", manifest);
  }
  for (const char* name : {"./journal.jsonl", "logs//tcp.1.log", "logs/./tcp.1.log"}) {
    append("manifest.sha256", std::string(64, '0') + "  " + name + "\n");
    EXPECT_EQ(verify().code, 2) << name;
    EXPECT_THAT(verify().output, HasSubstr("or not its plain name"));
    write_text(folder.path() / "manifest.sha256", manifest);
  }
}

// Catches: a report that takes the place of the sealed one on a disk where capitals do not count.
TEST_F(ForgeryTest, ANameThatDiffersInCapitalsAloneIsFound) {
  for (const char* name : {"Report.HTML", "REPORT.pdf", "Journal.jsonl", "Manifest.sha256", "Signatures"}) {
    write_text(folder.path() / name, "QUALIFIED");
    SCOPED_TRACE(name);
    expect_fault(std::string(name) +
                 ": not part of the run, but on file systems that ignore capitals it has the name of ");
    std::filesystem::remove(folder.path() / name);
  }
}

// Catches: a folder whose bytes lie elsewhere, where somebody may exchange them.
TEST_F(ForgeryTest, ALinkIsNoFileOfTheFolder) {
  const TempFolder elsewhere;
  for (const char* name : {"report.html", "journal.jsonl", kLog, "logs"}) {
    const std::filesystem::path file = folder.path() / name, other = elsewhere.path() / "moved";
    std::filesystem::rename(file, other);
    std::filesystem::create_symlink(other, file);
    SCOPED_TRACE(name);
    expect_fault(std::string(name) == "logs" ? std::string(kLog) + ": a link"
                                             : std::string(name) + ": a link");
    std::filesystem::remove(file);
    std::filesystem::rename(other, file);
  }
  EXPECT_EQ(verify().code, 0);
}

TEST_F(ForgeryTest, NobodyWaitsForAPipe) {
  for (const char* name : {"junit.xml", kLog, "evidence.txt", "evidence.intoto.json"}) {
    const std::filesystem::path file = folder.path() / name;
    const std::string before = text(name);
    std::filesystem::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    EXPECT_EQ(verify().code, 1) << name;
    std::filesystem::remove(file);
    if (!before.empty()) write_text(file, before);
  }
}

// Catches: what was appended to the journal, or an end of its own before the end.
TEST_F(ForgeryTest, ARecordThatEndsTwiceOrGoesOnIsAnError) {
  const std::string journal = text("journal.jsonl");
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(journal, '\n'));
  for (const record::EventBody& more :
       {record::EventBody(record::RunEnded{1}), record::EventBody(record::FilesHashed{})}) {
    append("journal.jsonl", encode(record::Event{lines, "2026-11-20T18:20:00.000Z", more}) + '\n');
    report_anew();
    EXPECT_THAT(text("summary.md"), HasSubstr("an event after the run ended"));
    write_text(folder.path() / "journal.jsonl", journal);
  }
}

// Catches: reports that name the place where the run lay, and are not the same elsewhere.
TEST_F(ForgeryTest, ADamagedRecordMakesTheSameReportsElsewhere) {
  append("journal.jsonl", "torn");
  report_anew();
  EXPECT_THAT(text("summary.md"), HasSubstr("journal.jsonl: the last line is incomplete"));
  const TempFolder elsewhere;
  std::filesystem::copy(
      folder.path(), elsewhere.path(),
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  const Answer answer = rigproof_does({"verify", elsewhere.path().string()});
  EXPECT_EQ(answer.code, 0) << answer.output;
}

}  // namespace
}  // namespace rigproof
