// Whether others than root and this user can change what lies at a path: what root opens, and what programs load, must not
// be theirs. Catches: a user's folder, one above it, a link that a user can turn, a folder that a group or all may write.
#include "framework/process/ownership.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/temp_folder.h"

namespace rigproof::process {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uid_t kStranger = 65534;

class Ownership : public testing::Test {
 protected:
  Ownership() {
    fs::create_directories(inner);
    write_text(inner / "file", "");
    for (const fs::path& path : {outer, inner}) fs::permissions(path, fs::perms{0755});
    fs::permissions(inner / "file", fs::perms{0644});
  }
  static std::string ours(const fs::path& path) { return who_else_changes(path, Changers::kRootAndUs); }

  const TempFolder folder;
  const fs::path outer = folder.path() / "outer", inner = outer / "inner";
};

TEST_F(Ownership, OfThisUsersFilesNobodyElseChangesThem) {
  EXPECT_THAT(ours(inner / "file"), IsEmpty());
  EXPECT_THAT(ours(outer / "." / "inner" / ".." / "inner" / "file"), IsEmpty());
  EXPECT_THAT(ours(inner.string() + "/"), IsEmpty());
}
TEST_F(Ownership, OfAFolderThatAllMayWriteEverybodyDoes) {
  fs::permissions(outer, fs::perms{0777});
  EXPECT_THAT(ours(inner / "file"), HasSubstr(outer.string() + " can be written by other users (mode 777)"));
  EXPECT_THAT(ours(outer), HasSubstr("mode 777"));
}
// As /tmp: others may not rename what is there, but may put something into it.
TEST_F(Ownership, OfATemporaryFolderOnlyItsOwnEntriesAreTheirOwners) {
  ASSERT_EQ(::chmod(outer.c_str(), 01777), 0);
  EXPECT_THAT(ours(inner / "file"), IsEmpty());
  EXPECT_THAT(ours(outer), HasSubstr("mode 1777"));
}
TEST_F(Ownership, OfWhatIsNotThereSaysSo) {
  EXPECT_THAT(ours(inner / "none"), HasSubstr("inner/none: No such file or directory"));
}
TEST_F(Ownership, FollowsLinks) {
  fs::permissions(inner / "file", fs::perms{0666});
  fs::create_symlink("outer/inner", folder.path() / "relative");
  fs::create_symlink(folder.path() / "relative" / "file", folder.path() / "absolute");
  EXPECT_THAT(ours(folder.path() / "absolute"), HasSubstr((inner / "file").string() + " can be written"));
  fs::create_symlink("loop", folder.path() / "loop");
  EXPECT_THAT(ours(folder.path() / "loop"), HasSubstr("too many symbolic links"));
}

class OwnershipByRoot : public Ownership {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  }
};

TEST_F(OwnershipByRoot, OfAnotherUsersFolderThatUserChangesAll) {
  ASSERT_EQ(::chown(outer.c_str(), kStranger, kStranger), 0);
  EXPECT_THAT(ours(inner / "file"), HasSubstr(outer.string() + " belongs to user nobody"));
}
// Its target is root's, but another user may make it lead elsewhere.
TEST_F(OwnershipByRoot, OfAnotherUsersLinkThatUserTurnsIt) {
  const fs::path link = folder.path() / "link";
  fs::create_symlink(inner, link);
  EXPECT_THAT(ours(link / "file"), IsEmpty());
  ASSERT_EQ(::lchown(link.c_str(), kStranger, kStranger), 0);
  EXPECT_THAT(ours(link / "file"), HasSubstr(link.string() + " belongs to user nobody"));
}
TEST_F(OwnershipByRoot, OfAGroupWithOthersInItTheyChangeAll) {
  ASSERT_EQ(::chown(outer.c_str(), 0, 50), 0);  // staff
  ASSERT_EQ(::chmod(outer.c_str(), 0775), 0);
  EXPECT_THAT(ours(inner / "file"), HasSubstr("mode 775"));
}

}  // namespace
}  // namespace rigproof::process
