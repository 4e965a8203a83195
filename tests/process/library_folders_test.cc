// Libraries of a build that lie in a user's folder (NCCL in ~/nccl/build) are for that user alone. Catches: root, or another
// user, that runs that user's code; a user whose own NCCL is not found.
#include "framework/process/library_folders.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/support/temp_folder.h"

namespace rigproof::process {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uid_t kNobody = 65534, kOther = 65533;

class LibraryFolders : public testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can play other users";
    fs::permissions(folder.path(), fs::perms{0755});
    for (const fs::path& made : {roots, nobodys}) {
      fs::create_directory(made);
      fs::permissions(made, fs::perms{0755});
    }
    ASSERT_EQ(chown(nobodys.c_str(), kNobody, kNobody), 0);
  }
  static bool as_user(uid_t user, const std::function<bool()>& check) {
    const pid_t child = fork();
    if (child == 0) _exit(setgid(user) == 0 && setuid(user) == 0 && check() ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
  }

  const TempFolder folder;
  const fs::path roots = folder.path() / "roots", nobodys = folder.path() / "nobodys";
  const std::string of_build = roots.string() + ":" + nobodys.string();
};

TEST_F(LibraryFolders, OfAnotherUserAreNotRoots) {
  EXPECT_THAT(library_folders(of_build), ElementsAre(roots));
  EXPECT_THAT(own_library_path(of_build), IsEmpty());
  EXPECT_THAT(refused_library_folders(of_build), HasSubstr(nobodys.string() + " belongs to user nobody"));
}
TEST_F(LibraryFolders, OfAUserAreThatUsersAndNoOthers) {
  EXPECT_TRUE(as_user(kNobody, [&] {
    return library_folders(of_build).size() == 2 && own_library_path(of_build) == nobodys &&
           refused_library_folders(of_build).empty();
  }));
  EXPECT_TRUE(as_user(kOther, [&] {
    return library_folders(of_build).size() == 1 && own_library_path(of_build).empty() &&
           !refused_library_folders(of_build).empty();
  }));
}
TEST_F(LibraryFolders, ComeBehindThoseOfTheEnvironment) {
  EXPECT_TRUE(as_user(kNobody, [&] {
    setenv("LD_LIBRARY_PATH", "/stand/ins", 1);
    export_own_library_path(of_build);
    return getenv("LD_LIBRARY_PATH") == "/stand/ins:" + nobodys.string();
  }));
}

}  // namespace
}  // namespace rigproof::process
