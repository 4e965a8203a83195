// The folder as ctest itself understands it.
#include "framework/supervisor/ctest_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/process/process.h"
#include "framework/supervisor/exit_code.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CtestFolderTest : public testing::Test {
 protected:
  std::string ctest(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"ctest", "--test-dir", scratch.path("folder"), "--no-tests=error", "-V"};
    words.insert(words.end(), more.begin(), more.end());
    return process::capture(words, std::chrono::seconds(60)).output;
  }
  void write(std::vector<supervisor::CtestTest> tests) {
    supervisor::write_ctest_folder({.rig = "rig", .tests = std::move(tests)}, scratch.path("folder"));
  }
  // A test that says SUITE and exits with what the file SUITE.code says.
  supervisor::CtestTest test(const std::string& suite, const std::string& profile = "smoke") const {
    const std::string script =
        "echo \"ran $0\"; exit $(cat '" + scratch.path(suite).string() + ".code' || echo 0)";
    return {suite, profile, {"/bin/sh", "-c", script, profile + "." + suite}, 60};
  }
  void exits(const std::string& suite, int code) { scratch.write(suite + ".code", std::to_string(code)); }

  Scratch scratch;
};

TEST_F(CtestFolderTest, RunsWithoutABuildTree) {
  exits("link", 0), exits("tcp", 0);
  write({test("link"), test("tcp")});
  EXPECT_THAT(ctest(),
              AllOf(HasSubstr("ran smoke.link"), HasSubstr("100% tests passed, 0 tests failed out of 2")));
}
TEST_F(CtestFolderTest, LabelsAreSuitesAndProfiles) {
  for (const char* suite : {"link", "rdma"}) exits(suite, 0);
  write({test("link"), test("rdma"), test("link", "standard"), test("rdma", "standard")});
  EXPECT_THAT(ctest({"-L", "smoke"}), AllOf(HasSubstr("out of 2"), Not(HasSubstr("ran standard"))));
  EXPECT_THAT(ctest({"-L", "rdma"}), AllOf(HasSubstr("out of 2"), Not(HasSubstr("link"))));
}
TEST_F(CtestFolderTest, SeventySevenIsSkippedAndAllElseFails) {
  exits("link", 77), exits("tcp", 3), exits("phy", 1);
  write({test("link"), test("tcp"), test("phy")});
  EXPECT_THAT(ctest(), AllOf(HasSubstr("(Skipped)"), HasSubstr("2 tests failed out of 3")));
}
TEST_F(CtestFolderTest, FailedTestsRunAgain) {
  exits("link", 0), exits("tcp", 1);
  write({test("link"), test("tcp")});
  ctest();
  EXPECT_THAT(ctest({"--rerun-failed"}), AllOf(HasSubstr("ran smoke.tcp"), Not(HasSubstr("ran smoke.link"))));
}
TEST_F(CtestFolderTest, NothingRunsOnARigThatIsNotReady) {
  exits("preflight", 1), exits("tcp", 0);
  supervisor::CtestTest of_facts = test("preflight");
  of_facts.is_of_facts = true;
  write({test("tcp"), of_facts});
  EXPECT_THAT(ctest(), AllOf(HasSubstr("ran smoke.preflight"), Not(HasSubstr("ran smoke.tcp"))));
  exits("preflight", 0);
  EXPECT_THAT(ctest({"-L", "tcp"}), AllOf(HasSubstr("ran smoke.preflight"), HasSubstr("ran smoke.tcp")));
}
TEST_F(CtestFolderTest, HandsHostileWordsOnAsTheyAre) {
  const std::string hostile = "a b;c\"d'e$HOME${HOME}$ENV{HOME}@PATH@\\n]]=]#(x)\n]=";
  exits("tcp", 0);
  write({{"tcp", "smoke", {"/usr/bin/printf", "[%s]", hostile, "", "]", "\n"}, 60}});
  EXPECT_THAT(ctest(), HasSubstr("[a b;c\"d'e$HOME${HOME}$ENV{HOME}@PATH@\\n]]=]#(x)"));
}
TEST_F(CtestFolderTest, HostileFolders) {
  const auto folder = scratch.path("folder ]] $HOME ; \"x\"");
  supervisor::write_ctest_folder({.rig = "rig", .tests = {{"tcp", "smoke", {"/bin/pwd"}, 60}}}, folder);
  const auto output =
      process::capture({"ctest", "--test-dir", folder, "-V"}, std::chrono::seconds(60)).output;
  EXPECT_THAT(output, HasSubstr((folder / "runs/smoke.tcp").string()));
}
TEST_F(CtestFolderTest, HostileSuitesHavePlainNames) {
  const supervisor::CtestFolder folder{.rig = "r",
                                       .tests = {{"a;b\n", "smoke", {}, 1}, {"a b_", "smoke", {}, 1}}};
  EXPECT_THAT(folder.names(), testing::ElementsAre("smoke.a_b_", "smoke.a_b__"));
}
// Catches: a password in --launcher that others can read.
TEST_F(CtestFolderTest, OnlyItsOwnerReadsTheCommands) {
  write({test("tcp")});
  EXPECT_EQ(std::filesystem::status(scratch.path("folder/CTestTestfile.cmake")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}
TEST_F(CtestFolderTest, LeavesABuildTreeAlone) {
  scratch.write("folder/CTestTestfile.cmake", "# CMake generated Testfile for\n");
  EXPECT_THROW(write({test("tcp")}), supervisor::Refused);
  EXPECT_EQ(scratch.read("folder/CTestTestfile.cmake"), "# CMake generated Testfile for\n");
}
TEST_F(CtestFolderTest, WritesItsOwnFileAgain) {
  write({test("tcp")});
  write({test("link")});
  EXPECT_THAT(scratch.read("folder/CTestTestfile.cmake"),
              AllOf(HasSubstr("smoke.link"), Not(HasSubstr("smoke.tcp"))));
}

}  // namespace
}  // namespace rigproof
