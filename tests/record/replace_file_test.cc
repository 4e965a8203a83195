#include "framework/record/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <ostream>

#include "tests/support/file_size_limit.h"
#include "tests/support/temp_folder.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class ReplaceFile : public testing::Test {
 protected:
  std::string refusal(const std::filesystem::path& target, const std::string& text = "new") try {
    record::replace_file(target, text);
    return "accepted";
  } catch (const record::FileError& error) {
    return error.what();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
  }

  TempFolder folder;
  std::filesystem::path path = folder.path() / "junit.xml";
};

TEST_F(ReplaceFile, CreatesAndReplacesAndLeavesNothingBeside) {
  record::replace_file(path, "one");
  record::replace_file(path, [](std::ostream& out) { out << "two"; });
  EXPECT_EQ(file_text(path), "two");
  EXPECT_EQ(files(), 1u);
}

// Catches: drafts of killed processes that nobody ever removes, and one that a living process is about to rename, removed.
TEST_F(ReplaceFile, RemovesWhatAKilledWriterHadBegunAndNoOther) {
  const auto killed = folder.path() / ".junit.xml.4711.tmp";
  for (const char* name : {".junit.xml.4711.tmp", ".notes.4711.tmp", "junit.xml.4711.tmp"})
    std::ofstream(folder.path() / name) << "half";
  record::replace_file(path, [&](std::ostream& out) {
    EXPECT_FALSE(std::filesystem::exists(killed));
    record::remove_drafts(folder.path());
    out << "new";
  });
  EXPECT_EQ(file_text(path), "new");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / ".notes.4711.tmp"));
  EXPECT_EQ(files(), 2u);
}

TEST_F(ReplaceFile, AFullDiskLeavesTheOldFile) {
  record::replace_file(path, "old");
  const FileSizeLimit full(10);
  EXPECT_THAT(refusal(path, std::string(100, 'x')), AllOf(StartsWith(path), HasSubstr("too large")));
  EXPECT_EQ(file_text(path), "old");
  EXPECT_EQ(files(), 1u);
}

// As an element of a report does that ends with its object: an exception from there ends the process.
TEST_F(ReplaceFile, AFullDiskIsNoCrashOfAWriterThatClosesInDestructors) {
  struct Closes {
    std::ostream& out;
    ~Closes() { out << std::string(100'000, 'y'); }
  };
  record::replace_file(path, "old");
  const FileSizeLimit full(100'000);
  const auto write = [](std::ostream& out) {
    const Closes outer{out};
    const Closes inner{out};
  };
  try {
    record::replace_file(path, write);
    FAIL() << "not refused";
  } catch (const record::FileError& error) {
    EXPECT_THAT(error.what(), AllOf(StartsWith(path), HasSubstr("too large")));
  }
  EXPECT_EQ(file_text(path), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReplaceFile, AWriterThatThrowsLeavesTheOldFile) {
  record::replace_file(path, "old");
  EXPECT_THROW(record::replace_file(path, [](std::ostream&) { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(file_text(path), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReplaceFile, AFolderThatIsNotThereIsNamed) {
  EXPECT_THAT(refusal(folder.path() / "none" / "x"), AllOf(HasSubstr("none/x"), HasSubstr("No such file")));
}

TEST_F(ReplaceFile, AFolderIsNeverReplaced) {
  std::filesystem::create_directory(path);
  EXPECT_THAT(refusal(path), HasSubstr("Is a directory"));
  EXPECT_EQ(files(), 1u);
}

// Catches: `--out /dev/null` of root, after which this machine has a file of that name.
TEST_F(ReplaceFile, NoDeviceOrPipeIsEverReplaced) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(refusal(path), HasSubstr("junit.xml: cannot write: not a regular file"));
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/null", path);
  EXPECT_THAT(refusal(path), HasSubstr("junit.xml: cannot write: not a regular file"));
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace rigproof
