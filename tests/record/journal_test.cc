#include "framework/record/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <functional>

#include "tests/support/file_size_limit.h"
#include "tests/support/temp_folder.h"

namespace rigproof {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::function<void()>& call) try {
  call();
  return "accepted";
} catch (const record::JournalError& error) {
  return error.what();
}

std::string problem_in(const record::Event& event) {
  const auto* problem = std::get_if<record::Problem>(&event.body);
  return problem == nullptr ? "none" : problem->message;
}

class Journal : public testing::Test {
 protected:
  std::string refused_append() {
    return refusal([&] { (void)record::JournalWriter::append(path, milliseconds(0)); });
  }
  static std::string line(std::uint64_t sequence, const std::string& suite = "tcp") {
    return record::encode({sequence, "2026-11-20T18:15:02.123Z", record::SuiteDone{suite}}) + "\n";
  }
  // What a reader says of the file, in short: sequence numbers and faults.
  std::vector<std::string> reading() {
    record::JournalReader reader(path);
    std::vector<std::string> list;
    for (bool more = true; more;) try {
        const auto event = reader.next();
        more = event.has_value();
        if (event) list.push_back(std::to_string(event->sequence));
      } catch (const record::JournalError& error) {
        list.emplace_back(error.what());
      }
    return list;
  }

  TempFolder folder;
  std::filesystem::path path = folder.path() / "journal.jsonl";
};

TEST_F(Journal, AReaderSeesEachEventAsSoonAsItIsWritten) {
  record::JournalWriter writer = record::JournalWriter::create(path);
  record::JournalReader reader(path);
  for (std::uint64_t sequence = 0; sequence < 3; ++sequence) {
    EXPECT_FALSE(reader.next());
    writer.write(record::SuiteDone{"tcp"});
    EXPECT_EQ(reader.next()->sequence, sequence);
  }
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.torn());
}

// Catches a run that is judged by other texts, times or places than its journal has.
TEST_F(Journal, AWriterReturnsWhatReadersWillSee) {
  auto writer = record::JournalWriter::create(path);
  const std::vector<record::EventBody> bodies{
      record::Problem{"harness", "no UTF-8: \xff, and some: \xEF\xBF\xBD"},
      record::CaseEnded{.suite = "tcp",
                        .name = "A.B",
                        .iteration = 1,
                        .seconds = 0.1,
                        .measuring_s = 0,
                        .measured = {{.id = "tcp.rate",
                                      .node = "node-a",
                                      .detail = {},
                                      .samples = {Dimension::kDataRate, {0.1, -0.0, INFINITY, NAN}}}},
                        .failures = {}},
      record::SuiteDone{"tcp"}};
  record::JournalReader reader(path);
  const record::JournalLines lines(path);
  for (const record::EventBody& body : bodies) {
    const record::JournalWriter::Written written = writer.write(body);
    const auto read = reader.next();
    ASSERT_TRUE(read);
    EXPECT_EQ(encode(written.event), encode(*read));
    EXPECT_EQ(problem_in(written.event), problem_in(*read));
    EXPECT_EQ(written.place.offset, reader.place().offset);
    EXPECT_EQ(encode(lines.at(written.place)), encode(*read));
  }
}

TEST_F(Journal, CreateNeverTouchesOneThatIsThere) {
  write_text(path, "old");
  EXPECT_THAT(refusal([&] { (void)record::JournalWriter::create(path); }),
              AllOf(StartsWith(path), HasSubstr("File exists")));
  EXPECT_EQ(file_text(path), "old");
}

TEST_F(Journal, AppendNeverCreates) {
  EXPECT_THAT(refused_append(), AllOf(StartsWith(path), HasSubstr("No such file")));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Journal, WritersTakeTurnsInOneSequence) {
  for (int turn = 0; turn < 3; ++turn) {
    record::JournalWriter writer = turn == 0 ? record::JournalWriter::create(path)
                                             : record::JournalWriter::append(path, milliseconds(0));
    writer.write(record::SuiteDone{"a"});
    writer.write(record::SuiteDone{"b"});
  }
  EXPECT_THAT(reading(), testing::ElementsAre("0", "1", "2", "3", "4", "5"));
}

TEST_F(Journal, ASecondWriterWaitsAndIsRefused) {
  const record::JournalWriter first = record::JournalWriter::create(path);
  EXPECT_THAT(refused_append(), HasSubstr("another process is writing this journal"));
}

TEST_F(Journal, AMovedWriterKeepsItsLock) {
  record::JournalWriter first = record::JournalWriter::create(path);
  record::JournalWriter second = std::move(first);
  second.write(record::SuiteDone{"tcp"});
  EXPECT_THAT(refused_append(), HasSubstr("another process"));
}

TEST_F(Journal, ATornLineIsCutOffByTheNextWriter) {
  write_text(path, line(0) + line(1).substr(0, 30));
  record::JournalReader reader(path);
  EXPECT_TRUE(reader.next());
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.torn());
  const std::string before = file_text(path);
  (void)record::JournalWriter::append(path, milliseconds(0));
  EXPECT_EQ(file_text(path), before) << "who writes nothing changes nothing";
  record::JournalWriter::append(path, milliseconds(0)).write(record::SuiteDone{"next"});
  EXPECT_EQ(std::get<record::SuiteDone>(reader.next()->body).suite, "next");
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.torn());
}

TEST_F(Journal, AWriterThatIsKilledLeavesWholeLinesAndNoLock) {
  record::JournalWriter::create(path).write(record::SuiteDone{"tcp"});
  const pid_t child = fork();
  if (child == 0) {
    record::JournalWriter writer = record::JournalWriter::append(path, milliseconds(0));
    for (;;) writer.write(record::SuiteDone{"killed"});
  }
  while (std::filesystem::file_size(path) < 10000 && waitpid(child, nullptr, WNOHANG) == 0) {
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  record::JournalWriter::append(path, milliseconds(0)).write(record::SuiteDone{"next"});
  const std::vector<std::string> lines = reading();
  EXPECT_EQ(lines.back(), std::to_string(lines.size() - 1));
}

TEST_F(Journal, AFullDiskLeavesNothingOfTheLineBehind) {
  record::JournalWriter writer = record::JournalWriter::create(path);
  writer.write(record::SuiteDone{"tcp"});
  const std::string before = file_text(path);
  {
    const FileSizeLimit full(before.size() + 10);
    EXPECT_THAT(refusal([&] { writer.write(record::SuiteDone{"tcp"}); }),
                AllOf(StartsWith(path), HasSubstr("too large")));
  }
  EXPECT_EQ(file_text(path), before);
  writer.write(record::SuiteDone{"tcp"});
  EXPECT_THAT(reading(), testing::ElementsAre("0", "1"));
}

TEST_F(Journal, AWriterNoticesThatItsFileIsGone) {
  record::JournalWriter writer = record::JournalWriter::create(path);
  std::filesystem::remove(path);
  EXPECT_THAT(refusal([&] { writer.write(record::SuiteDone{"tcp"}); }),
              AllOf(StartsWith(path), HasSubstr("removed")));
}

TEST_F(Journal, WhatIsNoFileIsNoJournal) {
  std::filesystem::create_directory(path);
  EXPECT_THAT(refused_append(), HasSubstr("Is a directory"));
  EXPECT_THAT(refusal([&] { record::JournalReader reader(path); }), HasSubstr("not a regular file"));
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(refused_append(), HasSubstr("not a regular file"));
  EXPECT_THAT(refusal([&] { record::JournalReader reader(path); }), HasSubstr("not a regular file"));
}

TEST_F(Journal, AFaultyLineIsNamedAndTheNextOneRead) {
  write_text(path, line(0) + "garbage\n" + line(2) + std::string("\0\n", 2) + line(4));
  EXPECT_THAT(reading(), testing::ElementsAre("0", StartsWith(path.string() + ":2: not JSON"), "2",
                                              StartsWith(path.string() + ":4: not JSON"), "4"));
}

TEST_F(Journal, MissingLinesAreAFaultAndCostNoEvent) {
  write_text(path, line(0) + line(3) + line(4));
  EXPECT_THAT(reading(), testing::ElementsAre("0", path.string() + ":2: line number 3, expected 1: 2 missing",
                                              "3", "4"));
}

TEST_F(Journal, ADoubledLineIsAFaultAndCountsOnce) {
  write_text(path, line(0) + line(1) + line(1) + line(2));
  EXPECT_THAT(reading(), testing::ElementsAre("0", "1", HasSubstr(":3: line number 1, expected 2"), "2"));
}

TEST_F(Journal, ALineWithoutEndIsAFaultAndNotKeptInMemory) {
  write_text(path, line(0) + "x");
  std::filesystem::resize_file(path, (80 << 20));  // sparse
  record::JournalReader reader(path);
  EXPECT_TRUE(reader.next());
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.torn());
  std::ofstream(path, std::ios::app) << "\n" << line(2);
  EXPECT_THAT(refusal([&] { (void)reader.next(); }), HasSubstr(":2: a line of more than 64 MiB"));
  EXPECT_EQ(reader.next()->sequence, 2u);
}

TEST_F(Journal, AFileThatShrinksIsToldOnce) {
  write_text(path, line(0) + line(1));
  record::JournalReader reader(path);
  while (reader.next()) {
  }
  std::filesystem::resize_file(path, 5);
  EXPECT_THAT(refusal([&] { (void)reader.next(); }), HasSubstr("shorter"));
  EXPECT_FALSE(reader.next());
}

TEST_F(Journal, ManyLinesAcrossBlocksAreReadWhole) {
  std::string text;
  for (std::uint64_t sequence = 0; sequence < 3000; ++sequence)
    text += line(sequence, std::string(sequence, 'x'));
  write_text(path, text);
  EXPECT_EQ(reading().size(), 3000u);
  EXPECT_EQ(reading().back(), "2999");
}

}  // namespace
}  // namespace rigproof
