// What the command line's own definitions become besides --help: what may come next at Tab, and man pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ManualTest : public ProgramTest {};

std::string next(const Words& words) {
  Words all{"complete", "--"};
  all.insert(all.end(), words.begin(), words.end());
  return rigproof_does(all).output;
}

// Catches: --help put into the line where a folder is wanted.
TEST(Completion, OffersNoOptionsWhereAFileMayCome) {
  for (const char* command : {"verify", "sign", "judge", "report", "power", "history", "compare"}) {
    EXPECT_EQ(next({command, ""}), "") << command;
    EXPECT_THAT(next({command, "--h"}), HasSubstr("--help\n")) << command;
  }
  EXPECT_THAT(next({"watch", ""}), HasSubstr("--rig\n"));
}

TEST(Completion, KnowsTheOptionsThatAreHandedOnToTheNode) {
  EXPECT_EQ(next({"roce-vm", "run", "--profile", "sm"}), "smoke\n");
  EXPECT_EQ(next({"roce-vm", "run", "--profile=sm"}), "--profile=smoke\n");
  EXPECT_EQ(next({"roce-vm", "run", "--gtest_f"}), "--gtest_filter\n");
  EXPECT_EQ(next({"roce-vm", "run", "--out"}), "--out\n");
}

TEST(Completion, KnowsWhatCanBeExplained) {
  EXPECT_EQ(next({"explain", "tcp.rate.ha"}), "tcp.rate.half\n");
  EXPECT_EQ(next({"explain", "tcp.rate.half", "--prof"}), "--profile\n");
}

// Catches: the exit codes of a run in the page of a command that has others, a note of --help that the page lacks.
TEST_F(ManualTest, SaysWhatHelpSaysBelowTheOptions) {
  ASSERT_EQ(rigproof_does({"manual", path("man")}).code, 0);
  const auto page = [this](const std::string& command) {
    return scratch.read("man/man1/rigproof-" + command + ".1");
  };
  const char* codes_of_a_run = "0 qualified; 1 a limit missed";
  EXPECT_THAT(page("verify"), AllOf(HasSubstr("Exit codes: 0 intact"), Not(HasSubstr(codes_of_a_run))));
  for (const std::string command : {"list", "model-exec", "roce-vm-exec"})
    EXPECT_THAT(page(command), AllOf(HasSubstr("Exit codes: "), Not(HasSubstr(codes_of_a_run)))) << command;
  EXPECT_THAT(page("run"), AllOf(HasSubstr(codes_of_a_run), Not(HasSubstr(".SH NOTES"))));
  EXPECT_THAT(page("roce-vm-run"),
              AllOf(HasSubstr(".SH NOTES\nAll other options go to"), HasSubstr(codes_of_a_run)));
}

// Catches: a metric that several suites report and that stands in the page as often.
TEST_F(ManualTest, ExpectationsStandBySuite) {
  ASSERT_EQ(rigproof_does({"manual", path("man")}).code, 0);
  const std::string page = scratch.read("man/man7/rigproof-expectations.7");
  for (const std::string once : {".SH rdma\n", ".SH load\n", ".B load.damaged\n", ".B tcp.share\n"}) {
    EXPECT_THAT(page, HasSubstr(once));
    EXPECT_EQ(page.find(once), page.rfind(once)) << once;
  }
}

}  // namespace
}  // namespace rigproof
