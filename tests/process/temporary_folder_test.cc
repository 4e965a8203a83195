#include "framework/process/temporary_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

namespace fs = std::filesystem;
using process::TemporaryFolder;

std::size_t entries_of(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

class TemporaryFolderTest : public testing::Test {
 protected:
  TemporaryFolderTest() { setenv("TMPDIR", scratch.path().c_str(), 1); }
  ~TemporaryFolderTest() override { before ? setenv("TMPDIR", before->c_str(), 1) : unsetenv("TMPDIR"); }
  // A process that has made one with something in it, and waits.
  static pid_t start_owner() {
    std::array<int, 2> ready{};
    EXPECT_EQ(pipe(ready.data()), 0);
    const pid_t owner = fork();
    if (owner == 0) {
      const TemporaryFolder folder;
      fs::create_directory(folder.path() / "logs");
      std::ofstream(folder.path() / "logs/nccl.log") << "left";
      [[maybe_unused]] const ssize_t told = write(ready[1], "x", 1);
      for (;;) pause();
    }
    char word = 0;
    EXPECT_EQ(read(ready[0], &word, 1), 1);
    close(ready[0]), close(ready[1]);
    return owner;
  }
  static void kill_owner(pid_t owner) {
    kill(owner, SIGKILL);
    waitpid(owner, nullptr, 0);
  }

  const char* const set = std::getenv("TMPDIR");
  const std::optional<std::string> before = set == nullptr ? std::nullopt : std::optional<std::string>(set);
  Scratch scratch;
};

TEST_F(TemporaryFolderTest, IsOfThisUserAloneAndGoesWithItsOwner) {
  {
    const TemporaryFolder folder;
    struct stat status {};
    ASSERT_EQ(stat(folder.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    std::ofstream(folder.path() / "file") << "left";
    EXPECT_EQ(entries_of(scratch.path()), 1u);
  }
  EXPECT_EQ(entries_of(scratch.path()), 0u);
}
TEST_F(TemporaryFolderTest, OfAProcessThatIsKilledIsRemovedByTheNextAndOneInUseIsNot) {
  const pid_t first = start_owner(), second = start_owner();
  EXPECT_EQ(entries_of(scratch.path()), 2u);
  kill_owner(first);
  kill_owner(start_owner());  // has swept, and is killed in turn
  EXPECT_EQ(entries_of(scratch.path()), 2u);
  kill_owner(second);
  process::remove_abandoned_folders(scratch.path());
  EXPECT_EQ(entries_of(scratch.path()), 0u);
}
// Catches: a folder that another process removes before it is locked, which must not end its maker.
TEST_F(TemporaryFolderTest, OneThatAnotherProcessTookForAbandonedIsMadeAgain) {
  const pid_t sweeper = fork();
  if (sweeper == 0) {
    for (;;) process::remove_abandoned_folders(scratch.path());
  }
  for (int made = 0; made < 200; ++made) EXPECT_NO_THROW(EXPECT_TRUE(fs::exists(TemporaryFolder().path())));
  kill_owner(sweeper);
}
// Catches: a folder or a link that somebody else has put there to have another removed.
TEST_F(TemporaryFolderTest, WhatOnlyHasTheNameStays) {
  fs::create_directory(scratch.path("rigproof-tmp-abcdef"));
  fs::permissions(scratch.path("rigproof-tmp-abcdef"), fs::perms(0755));  // no folder of mkdtemp's
  scratch.write("mine/file", "kept");
  fs::permissions(scratch.path("mine"), fs::perms(0700));
  fs::create_directory_symlink(scratch.path("mine"), scratch.path("rigproof-tmp-bcdefg"));
  scratch.write("rigproof-tmp-cdefgh", "a file");
  fs::create_directory(scratch.path("rigproof-tmp-longer.than.that"));
  fs::permissions(scratch.path("rigproof-tmp-longer.than.that"), fs::perms(0700));
  process::remove_abandoned_folders(scratch.path());
  EXPECT_EQ(entries_of(scratch.path()), 5u);
  EXPECT_EQ(scratch.read("mine/file"), "kept");
}
TEST_F(TemporaryFolderTest, OfAnotherUserStays) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make one of another user";
  fs::create_directory(scratch.path("rigproof-tmp-abcdef"));
  fs::permissions(scratch.path("rigproof-tmp-abcdef"), fs::perms(0700));
  ASSERT_EQ(chown(scratch.path("rigproof-tmp-abcdef").c_str(), 65534, 65534), 0);
  process::remove_abandoned_folders(scratch.path());
  EXPECT_EQ(entries_of(scratch.path()), 1u);
}

}  // namespace
}  // namespace rigproof
