// Bad input: one clear message, exit code 2, nothing lost or half-written.
#include <gmock/gmock.h>

#include <algorithm>

#include "framework/supervisor/run_rig.h"
#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class RefusalTest : public ProgramTest {
 protected:
  RefusalTest() { suite("tcp", "A.pass"); }
  void expect_refused(const Answer& answer, const testing::Matcher<std::string>& message) {
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.output, message);
    EXPECT_FALSE(std::filesystem::exists(scratch.path("out/journal.jsonl")));
  }
};

TEST_F(RefusalTest, ARigFileWithAFaultIsNamedWithItsLine) {
  scratch.write("rig.toml", "format = 1\nname = \"x\"\nkind = \"model\"\ncolour = \"red\"\n");
  expect_refused(run(), ContainsRegex("rig\\.toml:[0-9]+:[0-9]+: "));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("out")));
}
TEST_F(RefusalTest, AThresholdsFileWithAFaultIsNamedWithItsLine) {
  thresholds("[[limit]]\nid = \"a\"\nat_least = \"170\"\n");
  expect_refused(run(), ContainsRegex("limits\\.toml:3:[0-9]+: "));
}
TEST_F(RefusalTest, SwappedFilesAreToldFromEachOther) {
  expect_refused(rigproof_does({"run", "--rig", path("limits.toml"), "--thresholds", path("rig.toml")}),
                 HasSubstr("this is a file of limits (--thresholds), not a rig file (--rig)"));
  expect_refused(run({"--thresholds", path("rig.toml")}),
                 HasSubstr("this is a rig file (--rig), not a file of limits (--thresholds)"));
}
// The first unknown word is named, with the known one that is alike.
TEST_F(RefusalTest, AMistypedWordIsAnsweredWithTheOneThatIsAlike) {
  const auto mistyped = [&](const std::vector<std::string>& words, const std::string& answer) {
    expect_refused(rigproof_does(words), HasSubstr(answer));
  };
  mistyped({"rnu"}, "unknown command or argument 'rnu'; did you mean 'run'?");
  mistyped({"run", "--suit", "tcp", "--profil", "smoke"},
           "rigproof run: unknown option '--suit'; did you mean '--suite'?");
  mistyped({"model", "run", "--node=3", "\033[2J"}, "rigproof model run: unknown option '--node'");
  mistyped({"help", "exlpain"}, "did you mean 'explain'?");
  mistyped({"--suite", "tcp", "run"}, "rigproof run: write --suite after run\n");
}
// Catches: an id that a report shows, answered as if it were a typing error.
TEST_F(RefusalTest, AFigureWithoutALimitIsNoUnknownId) {
  expect_refused(rigproof_does({"explain", "link.class.marked"}),
                 HasSubstr("a figure that a report shows without a limit is only recorded"));
  expect_refused(rigproof_does({"explain", "tcp.cpu_busy"}), Not(HasSubstr("did you mean")));
  expect_refused(rigproof_does({"explain", "nothing.at.all"}), Not(HasSubstr("records")));
}
TEST_F(RefusalTest, HelpIsAWordToo) {
  const Answer answer = rigproof_does({"help", "model", "run"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.output, rigproof_does({"model", "run", "--help"}).output);
  EXPECT_EQ(rigproof_does({"help"}).output, rigproof_does({"--help"}).output);
}
TEST_F(RefusalTest, AMissingFileIsNamed) {
  std::filesystem::remove(path("limits.toml"));
  expect_refused(run(), HasSubstr(path("limits.toml")));
}
TEST_F(RefusalTest, MissingOptionsAreNamed) {
  expect_refused(rigproof_does({"run"}), AllOf(HasSubstr("--rig"), HasSubstr("RIGPROOF_RIG")));
  expect_refused(rigproof_does({"run", "--rig", path("rig.toml")}), HasSubstr("--thresholds"));
}
// A file that comes with Rigproof by its name, a file of one's own before it, and no other word.
TEST_F(RefusalTest, AThresholdsFileMayBeCalledByItsName) {
  const auto explained = [&](const char* file) {
    return rigproof_does({"explain", "tcp.round_trip", "--thresholds", file});
  };
  EXPECT_THAT(explained("dgx-spark-acceptance").output, HasSubstr("1 ms"));
  EXPECT_THAT(explained("dgx-spark-pair").output, HasSubstr("1500 us"));
  expect_refused(explained("dgx"), AllOf(HasSubstr("no thresholds file 'dgx'"), HasSubstr("roce-hosts-gpu")));
}
TEST_F(RefusalTest, AnUnknownSuiteIsAnsweredWithTheKnown) {
  expect_refused(run({"--suite", "tpc"}), AllOf(HasSubstr("'tpc'"), HasSubstr("there are: tcp")));
}
TEST_F(RefusalTest, AnOperatorNeedsATerminal) {
  expect_refused(run({"--operator"}), HasSubstr("--operator: stdin and stdout must be a terminal"));
}
TEST_F(RefusalTest, AFilterThatMatchesNothingIsNoSuccess) {
  expect_refused(run({"--first-look", "--gtest_filter=A.*"}), HasSubstr("excludes"));
  expect_refused(run({"--gtest_filter=Nothing.*"}), HasSubstr("no case matches --gtest_filter=Nothing.*"));
  const Answer list = rigproof_does(
      {"list", "--rig", path("rig.toml"), "--suite-dir", path("bin"), "--gtest_filter=Nothing.*"});
  EXPECT_EQ(list.code, 2);
  EXPECT_THAT(list.output, testing::StartsWith("rigproof: no case matches --gtest_filter=Nothing.*"));
}
// A million pairs: their run takes months. A sample of them is listed.
TEST_F(RefusalTest, MorePairsThanARunCanMeetAreToBeSampled) {
  rig(star_text(1500));
  const Words list{"list", "--rig", path("rig.toml"), "--suite", "mtu"};
  const Answer all = rigproof_does(list);
  EXPECT_EQ(all.code, 2);
  EXPECT_THAT(
      all.output,
      HasSubstr("1500 nodes are 1124250 pairs, more than 1000000: choose some of them by --rounds K"));
  Words sampled{"run", "--gtest_list_tests", "--rounds", "1"};
  sampled.insert(sampled.end(), list.begin() + 1, list.end());
  const Answer some = rigproof_does(sampled);
  EXPECT_EQ(some.code, 0);
  EXPECT_EQ(std::ranges::count(some.output, '\n'), 1 + 750 * 2 * 4);  // each pair both ways on four rails
}
TEST_F(RefusalTest, AFolderThatHoldsARunIsLeftAlone) {
  scratch.write("out/journal.jsonl", "precious");
  const Answer answer = run();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("contains a run already"));
  EXPECT_EQ(scratch.read("out/journal.jsonl"), "precious");
  EXPECT_FALSE(std::filesystem::exists(path("out/junit.xml")));
}
TEST_F(RefusalTest, AFileInPlaceOfTheFolderIsNamed) {
  scratch.write("out", "text");
  const Answer answer = run();
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("--out " + path("out")));
}
TEST_F(RefusalTest, AFolderThatCannotBeWrittenIsNamed) {
  expect_refused(run({"--out", "/proc/rigproof"}), HasSubstr("--out /proc/rigproof"));
}
TEST_F(RefusalTest, ARigInUseIsNotSharedAndItsHolderIsNamed) {
  const supervisor::RigLock held(fmt::format("test-rig-{}", getpid()));
  expect_refused(run(), AllOf(HasSubstr(fmt::format("process {}", getpid())), HasSubstr("test-rig")));
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}
TEST_F(RefusalTest, ALauncherThatIsNotThereIsNamed) {
  expect_refused(run({"--launcher", "no-such-launcher -n 2"}), HasSubstr("'no-such-launcher'"));
}
TEST_F(RefusalTest, ASuiteThatCannotDescribeItselfIsQuoted) {
  scratch.script("bin/rigproof-suite-phy", "echo cannot find libfoo.so; exit 127");
  expect_refused(run(), AllOf(HasSubstr("suite phy"), HasSubstr("cannot find libfoo.so")));
}
TEST_F(RefusalTest, ALimitThatNoInstalledSuiteReportsIsNamedWithItsLine) {
  thresholds(at_most("scripted.count", "1 count") + at_most("scripted.cuont", "1 count"));
  expect_refused(run(), AllOf(ContainsRegex("limits\\.toml:8:6"), HasSubstr("'scripted.cuont'"),
                              HasSubstr("did you mean 'scripted.count'?")));
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}
TEST_F(RefusalTest, ALimitOfASuiteThatIsThereButReportsItNotIsNamed) {
  thresholds(at_most("scripted.count", "1 count") + at_most("tcp.typo", "1 count"));
  expect_refused(run(), HasSubstr("'tcp.typo'"));
}
TEST_F(RefusalTest, ALimitOfAnotherDimensionIsNamedWithItsLine) {
  thresholds(at_most("scripted.count", "1 Gbit/s"));
  expect_refused(
      run(), AllOf(ContainsRegex("limits\\.toml:2:6"), HasSubstr("'scripted.count'"), HasSubstr("count")));
}
// Catches: a program that prints into the first file that it opens, and one that dies of it.
TEST_F(RefusalTest, ClosedStandardFilesHarmNothing) {
  const auto closed = [](const Words& words) {
    return answer_of({"sh", "-c", join_words(words) + " <&- >&- 2>&-"});
  };
  EXPECT_EQ(closed({RIGPROOF_PROGRAM, "run"}).code, 2);
  EXPECT_EQ(closed(run_words()).code, 0);
  EXPECT_EQ(rigproof_does({"verify", path("out")}).code, 0);
  std::filesystem::remove_all(path("out"));
  EXPECT_EQ(answer_of({"sh", "-c", join_words(run_words()) + " >&-"}).code, 0);
  EXPECT_EQ(rigproof_does({"verify", path("out")}).code, 0);
}
// Catches: a process that ends by SIGSEGV where `ulimit -s` is small.
TEST_F(RefusalTest, AStackThatIsTooSmallIsGrownOrNamed) {
  const auto with = [&](const std::string& limit) {
    return answer_of({"sh", "-c", limit + " && " + join_words(run_words())});
  };
  expect_refused(with("ulimit -s 64"),
                 HasSubstr("stack is allowed here: type ulimit -s 8192, and run again"));
  EXPECT_EQ(with("ulimit -S -s 64").code, 0);
}
// Catches: a check whose result nobody can read, and that counts as passed.
TEST_F(RefusalTest, WhatCannotBePrintedIsAnError) {
  EXPECT_EQ(run().code, 0);
  for (const Words& words : {Words{"verify", path("out")}, Words{"explain", "all"}, Words{"--help"}}) {
    Words full = words;
    full.insert(full.begin(), RIGPROOF_PROGRAM);
    const Answer answer = answer_of({"sh", "-c", join_words(full) + " >/dev/full"});
    EXPECT_EQ(answer.code, 2) << words.front();
    EXPECT_THAT(answer.output, HasSubstr("No space left on device")) << words.front();
  }
}
// Catches: a run that ends, or is no longer what it was, because nobody reads what it prints.
TEST_F(RefusalTest, WhoeverStopsReadingDoesNotStopTheRun) {
  std::string cases;
  for (int i = 0; i < 300; ++i) cases += fmt::format("Case{}.pass ", i);
  suite("tcp", cases);
  const Answer answer =
      answer_of({"sh", "-c", "(" + join_words(run_words()) + "; echo $? >" + path("code") + ") | head -n 1"});
  EXPECT_EQ(scratch.read("code"), "0\n") << answer.output;
  EXPECT_EQ(rigproof_does({"verify", path("out")}).code, 0);
}
// Catches: a script whose variable is not set, and a folder that nobody has signed called intact, a run begun anew, or the rig
// measured in place of a snapshot.
TEST_F(RefusalTest, AnOptionWithoutAValueIsNotOneThatWasNotGiven) {
  EXPECT_EQ(run({"--out", path("signed")}).code, 0);
  for (const char* option : {"--signers", "--evidence"}) {
    const Answer answer = rigproof_does({"verify", path("signed"), option, ""});
    EXPECT_EQ(answer.code, 2) << option;
    EXPECT_THAT(answer.output, AllOf(HasSubstr(std::string(option) + ": the value is empty"),
                                     testing::Not(HasSubstr("INTACT"))));
  }
  for (const Words& words : {Words{"judge", path("signed"), "--thresholds", path("limits.toml"), "--out", ""},
                             Words{"power", path("signed"), "--out", ""},
                             Words{"compare", path("signed"), path("signed"), "--out", ""},
                             Words{"history", path("signed"), "--out", ""},
                             Words{"snapshot", "--rig", path("rig.toml"), "--out", ""}}) {
    const Answer answer = rigproof_does(words);
    EXPECT_EQ(answer.code, 2) << words.front();
    EXPECT_THAT(answer.output, HasSubstr("--out: the value is empty")) << words.front();
  }
  expect_refused(rigproof_does({"gate", "--rig", path("rig.toml"), "--store", ""}),
                 HasSubstr("--store: the value is empty"));
  for (const char* option : {"--resume", "--facts", "--out", "--launcher"})
    expect_refused(run({option, ""}), HasSubstr(std::string(option) + ": the value is empty"));
}
// Catches: an abort where even the message can't be written.
TEST_F(RefusalTest, AFullStderrIsNoCrash) {
  EXPECT_EQ(answer_of({"sh", "-c", RIGPROOF_PROGRAM " verify /nowhere 2>/dev/full"}).code, 2);
}
TEST_F(RefusalTest, AFileAtItsSizeLimitIsNamedAndNothingIsHalfWritten) {
  EXPECT_EQ(run().code, 0);
  const std::string limited = "ulimit -f 1; " RIGPROOF_PROGRAM " report --no-pdf " + path("out");
  const Answer answer = answer_of({"sh", "-c", limited});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("cannot write: File too large"));
  EXPECT_EQ(rigproof_does({"verify", path("out")}).code, 0);
}
TEST_F(RefusalTest, AFolderThatIsGoneIsNamed) {
  const std::string gone = "mkdir " + path("gone") + " && cd " + path("gone") + " && rmdir ../gone; ";
  expect_refused(answer_of({"sh", "-c", gone + join_words(run_words())}),
                 HasSubstr("the current folder was deleted"));
}
TEST_F(RefusalTest, ATreeOfFactsThatIsNotThereIsNoNodeWithoutAny) {
  expect_refused(rigproof_does({"facts", "--root", path("nowhere")}),
                 HasSubstr("nowhere: there is no such folder"));
}
TEST_F(RefusalTest, WhatFactsAreToReadIsToldInItsForm) {
  const auto refused = [&](const Words& words, const std::string& why) {
    Words all{"facts"};
    all.insert(all.end(), words.begin(), words.end());
    expect_refused(rigproof_does(all), HasSubstr(why));
  };
  refused({"--counters", "x"}, "--counters: expected PORT,SOURCE, got 'x'\n");
  refused({"--counters", "p,x"},
          "'x' is not a valid source of counters: expected a JSON object with source (ethtool or "
          "netlink), device and, with ethtool, four names\n");
  refused({"--route", "x"}, "--route: expected RAIL,FROM,TO, got 'x'\n");
  refused({"--login", "x"}, "--login: expected NODE,ADDRESS, got 'x'\n");
  refused({"--node", "bad name"}, "--node: 'bad name'");
}
TEST_F(RefusalTest, WhatIsToBeExplainedIsNamed) {
  expect_refused(rigproof_does({"explain", "all", "--profile", "x"}), HasSubstr("unknown profile 'x'"));
  expect_refused(rigproof_does({"explain", ""}), HasSubstr("ID: the value is empty"));
}
TEST_F(RefusalTest, ARigThatCannotBeIsNotAnnounced) {
  const Answer answer = rigproof_does({"model", "run", "--topology", "ring", "--nodes", "2"});
  expect_refused(answer,
                 AllOf(HasSubstr("a ring has 3 or more nodes, not 2"), Not(HasSubstr("model rig: 2 nodes"))));
}
TEST_F(RefusalTest, ATimeThatIsNoneIsNamed) {
  for (const char* time : {"nan", "inf", "-1", "0", "x", "1e300"})
    expect_refused(rigproof_does({"watch", "--rig", path("rig.toml"), "--seconds", time}),
                   HasSubstr(std::string("'") + time + "' is not a number of seconds above 0 and up to 1e9"));
}
TEST_F(RefusalTest, ALabelIsToldWhatItLacks) {
  expect_refused(run({"--label", "a"}), HasSubstr("expected KEY=VALUE, got 'a'"));
  expect_refused(run({"--label", "A b=c"}), HasSubstr("the key 'A b' must have 1 to 20 of a-z"));
  std::string value;
  for (int i = 0; i < 71; ++i) value += "\u00fc";
  expect_refused(run({"--label", "site=" + value}), HasSubstr("1 to 70 printable characters"));
  EXPECT_EQ(run({"--label", "site=" + value.substr(2)}).code, 0);
}
TEST_F(RefusalTest, ASuiteThatIsNamedTwiceRunsOnce) {
  EXPECT_THAT(run({"--suite", "tcp", "--suite", "tcp", "--first-look"}).output, Not(HasSubstr("tcp, tcp")));
}
TEST_F(RefusalTest, WithoutSuitesNothingIsProven) {
  std::filesystem::remove_all(path("bin"));
  const Answer answer = run();
  EXPECT_EQ(answer.code, 3);
  EXPECT_THAT(answer.output, HasSubstr("MPI"));
}

}  // namespace
}  // namespace rigproof
