// A run from the outside: verdicts, exit codes, outputs.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class RunTest : public ProgramTest {};

// Tokens and passwords reach the suite, and nothing that others read.
TEST_F(RunTest, TheValuesOfALaunchersVariablesAreInNoFileOfTheRun) {
  suite("tcp", "A.pass", "case \"$*\" in *--report-to*) [ \"$TOKEN\" = s3cret ] || exit 9;; esac;");
  Words words = run_words();
  *(std::ranges::find(words, "--launcher") + 1) = "env TOKEN=s3cret";
  const Answer answer = answer_of(words);
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_EQ(answer_of({"grep", "-r", "s3cret", path("out")}).output, "");
  for (const char* event : {"run_started", "suite_started"})
    EXPECT_EQ(answer_of({"grep", "-c", std::string(event) + ".*TOKEN=[*]", path("out/journal.jsonl")}).output,
              "1\n")
        << event;
}

// Nobody knows which word of a wrapper is a password.
TEST_F(RunTest, WhatALaunchersWrapperIsGivenIsInNoFileOfTheRun) {
  suite("tcp", "A.pass");
  scratch.script("wrap", "while [ \"$1\" != env ]; do shift; done; exec \"$@\"");
  const Answer answer =
      run({"--launcher", path("wrap") + " --password s3cret -ps3cret --token=s3cret s3cret env"});
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, Not(HasSubstr("s3cret")));
  EXPECT_EQ(answer_of({"grep", "-r", "s3cret", path("out")}).output, "");
  const Answer refused = run({"--launcher", path("wrap") + " --password 's3cret", "--out", path("other")});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, AllOf(HasSubstr("--launcher: no closing '"), Not(HasSubstr("s3cret"))));
}

// Catches: a log that is another one than the record's, because its launcher wrote to it after its hash was taken.
TEST_F(RunTest, TheHashesOfFactsAndLogsAreOnRecord) {
  suite("tcp", "A.pass");
  scratch.script("slow", "\"$@\"; code=$?; sleep 0.3; echo the last words; exit $code");
  ASSERT_EQ(run({"--launcher", path("slow")}).code, 0);
  EXPECT_THAT(scratch.read("out/logs/tcp.1.log"), HasSubstr("the last words"));
  EXPECT_THAT(scratch.read("out/journal.jsonl"),
              HasSubstr("\"logs/tcp.1.log\":\"" + record::sha256_of_file(path("out/logs/tcp.1.log"))));
  const Answer answer = rigproof_does({"verify", path("out")});
  EXPECT_EQ(answer.code, 0) << answer.output;
}

TEST_F(RunTest, QualifiesWhenEveryCasePasses) {
  suite("tcp", "A.pass B.pass");
  suite("link", "L.pass");
  const Answer answer = run();
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_EQ(verdict("tcp.A.pass"), "pass");
  for (const char* file : {"journal.jsonl", "junit.xml", "junit-strict.xml", "summary.md"}) {
    EXPECT_TRUE(std::filesystem::exists(scratch.path("out") / file)) << file;
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.path("out/.reserve")));
}
TEST_F(RunTest, ShowsALineAnExpectationAndTheVerdictLast) {
  suite("tcp", "A.pass B.fail");
  const Answer answer = run();
  EXPECT_THAT(answer.output, ContainsRegex("\\[1/2\\] PASS +tcp +A\\.pass +1 of 1 "));
  EXPECT_THAT(answer.output, ContainsRegex("\\[2/2\\] FAIL +tcp\\.B\\.fail"));
  EXPECT_THAT(answer.output, ContainsRegex("\n[0-9.]+ s: [0-9.]+ s measuring, [0-9.]+ s overhead\n"));
  EXPECT_THAT(answer.output, HasSubstr(path("out/junit.xml")));
  EXPECT_THAT(answer.output, ContainsRegex("NOT QUALIFIED[^\n]*\n$"));
  EXPECT_THAT(answer.output, Not(HasSubstr("\033")));
}
TEST_F(RunTest, ShowsALineACaseOnRequest) {
  suite("tcp", "A.pass B.fail");
  const Answer answer = run({"-v"});
  EXPECT_THAT(answer.output, ContainsRegex("\\[1/2\\] PASS +tcp\\.A\\.pass"));
  EXPECT_THAT(answer.output, ContainsRegex("\\[2/2\\] FAIL +tcp\\.B\\.fail"));
}
TEST_F(RunTest, RunsSuitesFromTheGroundUp) {
  for (const char* name : {"phy", "tcp", "link"}) suite(name, "A.pass");
  EXPECT_THAT(run({"--verbose"}).output,
              ContainsRegex("link\\.A\\.pass(.|\n)*tcp\\.A\\.pass(.|\n)*phy\\.A\\.pass"));
}
// Catches: a required limit that one more file takes away, and no reader learns of it.
TEST_F(RunTest, ALimitThatALaterFileWeakensIsOnEveryFirstPage) {
  suite("tcp", "A.pass");
  scratch.write("later.toml", at_most("scripted.count", "1 count", "enforce = \"informative\""));
  scratch.write("strict.toml", at_most("scripted.count", "0 count"));
  const std::string limit =
      fmt::format("scripted.count: <= 1 count ({}:1) is now <= 1 count, informative only ({}:1)",
                  path("limits.toml"), path("later.toml"));
  const std::string in_all = "1 limit weakened by a later thresholds file";
  const Answer answer = run({"--thresholds", path("later.toml")});
  EXPECT_THAT(answer.output, AllOf(HasSubstr("NOTE  limit weakened by a later thresholds file: " + limit),
                                   HasSubstr("; " + in_all)));
  EXPECT_THAT(scratch.read("out/summary.md"),
              AllOf(HasSubstr("- Weakened limit: scripted.count"), HasSubstr(in_all)));
  EXPECT_THAT(scratch.read("out/report.html"), AllOf(HasSubstr(in_all), HasSubstr("limits.toml, later.toml"),
                                                     HasSubstr("informative only (")));
  std::filesystem::remove_all(path("out"));
  EXPECT_THAT(run({"--thresholds", path("strict.toml")}).output, Not(HasSubstr("weakened")));
}
TEST_F(RunTest, AMissedLimitIsOne) {
  suite("tcp", "A.pass B.fail");
  EXPECT_EQ(run().code, 1);
  EXPECT_THAT(verdict("tcp.B.fail"), StartsWith("failure"));
}
TEST_F(RunTest, ASkippedCaseIsNotProven) {
  suite("tcp", "A.pass B.skip");
  EXPECT_EQ(run().code, 3);
  EXPECT_THAT(verdict("tcp.B.skip"), StartsWith("skipped"));
}
TEST_F(RunTest, AMissOnADisturbedMachineIsMeasuredAgain) {
  thresholds(at_most("scripted.count", "1 count") + rate_limit());
  suite("tcp", "A.pass B.recovered C.fail");
  const Answer answer = run_with_short_timeouts();
  EXPECT_EQ(answer.code, 1) << answer.output;
  EXPECT_EQ(verdict("tcp.B.recovered"), "pass");
  EXPECT_THAT(scratch.read("out/junit.xml"), HasSubstr("attempt in launch 1, iteration 1: not proven"));
  EXPECT_FALSE(std::filesystem::exists(path("out/logs/tcp.3.log")));  // what was no void attempt stands
}
TEST_F(RunTest, OnAMachineThatStaysDisturbedNothingIsProven) {
  thresholds(at_most("scripted.count", "1 count") + rate_limit());
  suite("tcp", "A.pass B.disturbed");
  const Answer answer = run_with_short_timeouts();
  EXPECT_EQ(answer.code, 3) << answer.output;
  EXPECT_THAT(verdict("tcp.B.disturbed"),
              AllOf(StartsWith("skipped: "), HasSubstr("disturbed: void: others used up to 50 %")));
  EXPECT_FALSE(std::filesystem::exists(path("out/logs/tcp.8.log")));
}
TEST_F(RunTest, AnErrorOutweighsAMissedLimit) {
  suite("tcp", "A.fail B.error C.pass");
  EXPECT_EQ(run().code, 2);
}
TEST_F(RunTest, OnHardwareNothingIsExcused) {
  thresholds(at_most("scripted.count", "1 count") + rate_limit());
  rig(replaced(star_text(2), "kind = \"model\"", "kind = \"hardware\""));
  suite("tcp", "A.pass B.disturbed");
  const Answer answer = run_with_short_timeouts();
  EXPECT_EQ(answer.code, 1) << answer.output;
  EXPECT_FALSE(std::filesystem::exists(path("out/logs/tcp.2.log")));
}
TEST_F(RunTest, ALimitThatNoCaseOfThisRigCanReportDoesNotApply) {
  suite("tcp", "A.pass");
  thresholds(at_most("scripted.count", "1 count") + rate_limit());
  const Answer answer = run();
  EXPECT_EQ(answer.code, 0) << answer.output;
}
TEST_F(RunTest, AnOwedMeasurementThatNeverCameIsNotProven) {
  suite("tcp", "A.pass B.forget");
  EXPECT_EQ(run().code, 3);
  EXPECT_THAT(verdict("tcp.B.forget"),
              AllOf(StartsWith("skipped"), HasSubstr("'scripted.count' was not reported")));
}
TEST_F(RunTest, LimitsOfASuiteThatIsNotBuiltAreNotProven) {
  suite("tcp", "A.pass");
  thresholds(at_most("scripted.count", "1 count") + at_most("rdma.count", "1 count"));
  EXPECT_EQ(run().code, 3);
  EXPECT_THAT(verdict("run.Suites.Built/rdma"), AllOf(StartsWith("skipped"), HasSubstr("rdma.count")));
}
TEST_F(RunTest, RunsOnlyTheChosenSuites) {
  suite("tcp", "A.pass");
  suite("mtu", "B.pass");
  suite("phy", "C.pass");
  EXPECT_EQ(run({"--suite", "phy", "--suite=mtu"}).code, 0);
  EXPECT_EQ(verdict("mtu.B.pass"), "pass");
  EXPECT_EQ(verdict("phy.C.pass"), "pass");
  EXPECT_EQ(verdict("tcp.A.pass"), "no such case");
}
// Catches: the package with NCCL, installed where NVIDIA's libraries are not, which ended every run.
TEST_F(RunTest, WithoutTheLibrariesOfNcclTheSuitesWithoutItRunAndOneNoticeSaysWhy) {
  for (const char* name : {"tcp", "collective", "phy"}) suite(name, "A.pass");
  for (const char* name : {"collective", "phy"})
    scratch.script(
        std::string("bin/nccl/rigproof-suite-") + name,
        "echo \"$0: error while loading shared libraries: libnccl.so.2: cannot open it\" >&2; exit 127");
  EXPECT_EQ(run({"--suite", "tcp", "--out", path("tcp")}).code, 0);
  const Answer answer = run();
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_EQ(verdict("collective.A.pass"), "pass");
  const auto notice = answer.output.find("not proven: libnccl.so.2: cannot open it. ");
  EXPECT_NE(notice, std::string::npos) << answer.output;
  EXPECT_EQ(answer.output.find("libnccl.so.2", notice + 20), std::string::npos) << answer.output;
}
TEST_F(RunTest, StartsNoSuiteWithoutAMatchingCase) {
  suite("tcp", "A.pass B.pass");
  suite("mtu", "C.pass");
  EXPECT_EQ(run({"--gtest_filter=B.*"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("out/logs/mtu.1.log")));
}
TEST_F(RunTest, HandsGoogleTestsFlagsOn) {
  suite("tcp", "A.pass");
  EXPECT_EQ(run({"--gtest_repeat=1", "--gtest_shuffle", "--gtest_random_seed=7"}).code, 0);
  EXPECT_THAT(scratch.read("out/journal.jsonl"), HasSubstr("--gtest_shuffle --gtest_random_seed=7"));
}
TEST_F(RunTest, ASuiteThatWasAskedForAndHasNoCaseIsNotProven) {
  suite("tcp", "A.pass");
  suite("rdma", "");
  const Answer answer = run({"--suite", "tcp", "--suite", "rdma"});
  EXPECT_EQ(answer.code, 3) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("no case of suite 'rdma', which --suite asks for"));
}
TEST_F(RunTest, TakesRigAndThresholdsFromTheEnvironment) {
  suite("tcp", "A.pass");
  const Answer answer = answer_of({"env", "RIGPROOF_RIG=" + path("rig.toml"),
                                   "RIGPROOF_THRESHOLDS=" + path("limits.toml"), RIGPROOF_PROGRAM, "run",
                                   "--out", path("out"), "--suite-dir", path("bin"), "--launcher", "env"});
  EXPECT_EQ(answer.code, 0) << answer.output;
}

class ReportTest : public ProgramTest {};

TEST_F(ReportTest, RebuildsWhatTheRunWrote) {
  suite("tcp", "A.pass B.fail C.skip D.segv E.pass");
  const int code = run().code;
  std::map<std::string, std::string> before;
  for (const char* file : {"out/junit.xml", "out/junit-strict.xml", "out/summary.md"}) {
    before[file] = scratch.read(file);
    std::filesystem::remove(path(file));
  }
  EXPECT_EQ(rigproof_does({"report", path("out")}).code, code);
  for (const auto& [file, text] : before) EXPECT_EQ(scratch.read(file), text) << file;
}
TEST_F(ReportTest, ExitsAsTheRunDid) {
  suite("tcp", "A.pass");
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(rigproof_does({"report", path("out")}).code, 0);
}
TEST_F(ReportTest, NamesTheFaultyLineOfAJournal) {
  suite("tcp", "A.pass");
  EXPECT_EQ(run().code, 0);
  std::ofstream(path("out/journal.jsonl"), std::ios::app) << "{nonsense}\n";
  std::filesystem::remove(path("out/manifest.sha256"));  // else nobody reads beyond its hash
  const Answer answer = rigproof_does({"report", path("out")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, ContainsRegex("journal\\.jsonl:[0-9]+: "));
}
TEST_F(ReportTest, RefusesAFolderWithoutARun) {
  const Answer answer = rigproof_does({"report", path("nowhere")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr(path("nowhere")));
}

class ListTest : public ProgramTest {};

TEST_F(ListTest, ShowsSuitesAndCases) {
  suite("tcp", "A.pass B.pass");
  suite("link", "C.pass");
  const Answer answer = rigproof_does({"list", "--rig", path("rig.toml"), "--suite-dir", path("bin")});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.output, "link\n  C.pass\ntcp\n  A.pass\n  B.pass\n");
}

TEST_F(ListTest, RefusesLimitsThatARunWouldRefuse) {
  const std::string file = path("bad_limits.toml");
  std::ofstream(file) << "nonsense = [";
  const Answer answer =
      rigproof_does({"list", "--rig", path("rig.toml"), "--suite-dir", path("bin"), "--thresholds", file});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("bad_limits.toml:1:"));
}
// A NaN is in every range, and no probability is less than it.
TEST_F(ListTest, RefusesASampleByANumberThatIsNone) {
  for (const Words& option : {Words{"--sample", "nan"}, Words{"--sample", "10", "--power", "nan"}}) {
    Words words{"list", "--rig", path("rig.toml"), "--suite-dir", path("bin")};
    words.insert(words.end(), option.begin(), option.end());
    const Answer answer = rigproof_does(words);
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.output, HasSubstr("'nan' is no number"));
  }
}
TEST_F(ListTest, IsWhatGoogleTestsFlagDoesToo) {
  suite("tcp", "A.pass B.pass");
  const Answer answer = rigproof_does({"run", "--gtest_list_tests", "--gtest_filter=B*", "--rig",
                                       path("rig.toml"), "--suite-dir", path("bin"), "--out", path("out")});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.output, "tcp\n  B.pass\n");
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST(CommandLine, TellsItsVersion) {
  const Answer answer = rigproof_does({"--version"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.output, MatchesRegex("rigproof [0-9.]+\ncommit [0-9a-z-]+\nbuilt with .+\n"));
}
// What the shell asks when somebody presses Tab. Catches: a hidden command that is offered, a value that the option refuses.
TEST(CommandLine, SaysWhatMayComeNext) {
  const auto next = [](Words words) {
    words.insert(words.begin(), {"complete", "--"});
    return rigproof_does(words).output;
  };
  EXPECT_EQ(next({"mo"}), "model\n");
  EXPECT_EQ(next({"man"}), "");
  EXPECT_EQ(next({"model", "run", "--profile", ""}), "smoke\nstandard\nacceptance\n");
  EXPECT_EQ(next({"run", "--thr"}), "--thresholds\n");
  EXPECT_EQ(next({"run", "--rig", ""}), "");  // a file: the shell's own business
}
// Catches: suites of one's own that a run finds and Tab does not, a rig file that Tab does not see.
TEST_F(RunTest, TabKnowsTheRigAndTheSuitesHoweverTheyAreNamed) {
  suite("tcp", "A.pass B.pass");
  for (const std::string own : {"disk", "wind"})
    scratch.script(own + "/rigproof-suite-" + own,
                   fmt::format("SCRIPT=O.pass exec {} {} \"$@\"", SCRIPTED_SUITE, own));
  const std::string own = path("disk") + ":" + path("wind");
  const auto next = [&](const std::string& variable, Words words) {
    Words all{"env",      "-u", "RIGPROOF_RIG", variable,      RIGPROOF_PROGRAM,
              "complete", "--", "run",          "--suite-dir", path("bin")};
    all.insert(all.end(), words.begin(), words.end());
    return answer_of(all).output;
  };
  EXPECT_EQ(next("RIGPROOF_SUITES=" + own, {"--suite", ""}), "disk\ntcp\nwind\n");
  EXPECT_EQ(next("X=", {"--suites", own, "--suite", ""}), "disk\ntcp\nwind\n");
  EXPECT_EQ(next("X=", {"--suites=" + path("disk"), "--suite=d"}), "--suite=disk\n");
  EXPECT_EQ(next("X=", {"--rig=" + path("rig.toml"), "--gtest_filter", "B"}), "B.pass\n");
  EXPECT_EQ(next("X=", {"--profile=st"}), "--profile=standard\n");
}
// The script for bash asks the program. Catches: ~/rig.toml taken for a file of that name, = within a word.
TEST_F(RunTest, BashCompletesWhatTheProgramSays) {
  suite("tcp", "A.pass");
  const auto tab = [&](const std::string& line) {
    return answer_of({"env", "HOME=" + path(""), "bash", "-c",
                      ". " RIGPROOF_SOURCE_DIR
                      "/ci/packaging/completion/rigproof; COMP_LINE=$1 COMP_POINT=${#1}; "
                      "_rigproof; echo \"${COMPREPLY[*]}\"",
                      "bash", RIGPROOF_PROGRAM " " + line})
        .output;
  };
  EXPECT_EQ(tab("mo"), "model\n");
  EXPECT_EQ(tab("run --suite-dir ~/bin --rig ~/rig.toml --gtest_filter "), "A.pass\n");
  EXPECT_EQ(tab("run --suite-dir ~/bin --suite=t"), "tcp\n");
}
TEST_F(RunTest, WritesAManPageForEachCommand) {
  EXPECT_EQ(rigproof_does({"manual", path("man")}).code, 0);
  const std::string text = scratch.read("man/man1/rigproof-model-run.1");
  EXPECT_THAT(text,
              AllOf(StartsWith(".TH \"RIGPROOF-MODEL-RUN\" 1"), HasSubstr("smoke, standard or acceptance"),
                    HasSubstr("0 qualified; 1 a limit missed"), HasSubstr("\\-\\-profile")));
  EXPECT_FALSE(std::filesystem::exists(path("man/man1/rigproof-manual.1")));
  EXPECT_TRUE(std::filesystem::exists(path("man/man1/rigproof.1")));
  EXPECT_THAT(scratch.read("man/man7/rigproof-expectations.7"),
              AllOf(HasSubstr(".B tcp.rate.half\n"), HasSubstr("\nRed: ")));
}
// Every id that a person can meet in a shipped thresholds file.
TEST(CommandLine, ExplainsEveryLimit) {
  std::set<std::string> ids;
  for (const auto& entry : std::filesystem::directory_iterator(RIGPROOF_SOURCE_DIR "/thresholds")) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    const std::regex id("^id *= *\"([^\"]+)\".*");
    std::smatch match;
    for (std::string line; std::getline(file, line);)
      if (std::regex_match(line, match, id)) ids.insert(match[1]);
  }
  EXPECT_GT(ids.size(), 100u);
  for (const std::string& id : ids) {
    const Answer answer = rigproof_does({"explain", id});
    EXPECT_EQ(answer.code, 0) << id;
    for (const char* part : {"means ", "red ", "limit ", "source "})
      EXPECT_THAT(answer.output, HasSubstr(std::string("\n  ") + part)) << id;
    EXPECT_THAT(answer.output,
                testing::AnyOf(HasSubstr("\n  check "), HasSubstr("\n  fix "), HasSubstr("\n  hint ")))
        << id;
    EXPECT_FALSE(std::regex_search(answer.output, std::regex("\\{[a-z_]+\\}"))) << answer.output;
  }
}
// Catches: a new measurement of which `rigproof explain`, the man page and the reports know nothing.
TEST(CommandLine, EveryMetricOfASuiteSaysWhatItIs) {
  std::size_t metrics = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(RIGPROOF_PROGRAM).parent_path())) {
    const std::string program = entry.path().filename();
    if (!program.starts_with("rigproof-suite-")) continue;
    const std::string described = answer_of({entry.path(), "--describe"}).output;
    for (const record::Declared& metric : record::decode_description(described).declared) {
      ++metrics;
      EXPECT_FALSE(metric.title.empty() || metric.meaning.empty() || metric.causes.empty())
          << program << ": " << metric.id;
      EXPECT_TRUE(metric.meaning.ends_with('.') && metric.causes.ends_with('.')) << metric.id;
      EXPECT_FALSE(metric.title.ends_with('.')) << metric.id;
    }
  }
  EXPECT_GT(metrics, 250U);
}
TEST(CommandLine, NamesTheNearestExpectation) {
  const auto asked = [](const char* id) { return rigproof_does({"explain", id}); };
  EXPECT_EQ(asked("tcp.rate.hlf").code, 2);
  EXPECT_THAT(asked("tcp.rate.hlf").output, HasSubstr("'tcp.rate.hlf'; did you mean 'tcp.rate.half'?"));
  EXPECT_THAT(asked("TCP.Rate.Half").output, ContainsRegex("^tcp\\.rate\\.half +One half, one way\n"));
  EXPECT_THAT(asked("both halves").output, ContainsRegex("tcp\\.rate\\.port +"));
  EXPECT_EQ(asked("zzzzzzzz").code, 2);
  EXPECT_THAT(asked("tcp.EachRail/RailRate.FillsTheHalf/rail0_node_a_to_node_b").output,
              AllOf(HasSubstr("is a case, not an id: explain the id of one of its measurements"),
                    HasSubstr("rigproof explain tcp\n")));
  EXPECT_THAT(asked("RailRate.FillsTheHalf").output, HasSubstr("rigproof explain SUITE\n"));
  EXPECT_EQ(asked("pairs.beside").code, 0);
  EXPECT_THAT(asked("zzzzzzzz").output, AllOf(HasSubstr("explain all"), Not(HasSubstr("mean"))));
}
// By the limits that a run on the same command line would judge by.
TEST(CommandLine, ExplainsByTheLimitsAndTheProfileOfARun) {
  const Scratch scratch{};
  const auto limit = [](const std::string& bound, const std::string& in_acceptance) {
    return "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"" + bound +
           "\"\nremedy.check = \"r\"\nbasis = { kind = \"policy\", source = \"s\", quote = \"q\" }\n"
           "[limit.profile.acceptance]\nat_least = \"" +
           in_acceptance + "\"\n";
  };
  scratch.write("base.toml", limit("10 Gbit/s", "11 Gbit/s"));
  scratch.write("own.toml", limit("20 Gbit/s", "21 Gbit/s"));
  scratch.write(
      "waivers.toml",
      "[[waiver]]\nlimit = \"tcp.rate.half\"\nreason = \"r\"\nowner = \"o\"\nexpires = \"2026-12-31\"\n");
  const std::string base = scratch.path("base.toml"), own = scratch.path("own.toml"),
                    waivers = scratch.path("waivers.toml");
  const auto explained = [&](const std::string& variable, Words more) {
    Words words{"env", "RIGPROOF_THRESHOLDS=" + variable, RIGPROOF_PROGRAM, "explain", "tcp.rate.half"};
    words.insert(words.end(), more.begin(), more.end());
    const Answer answer = answer_of(words);
    EXPECT_EQ(answer.code, 0) << answer.output;
    return answer.output;
  };
  EXPECT_THAT(explained(base, {}), HasSubstr(">= 10 Gbit/s"));
  EXPECT_THAT(explained(base, {"--profile", "acceptance"}), HasSubstr(">= 11 Gbit/s"));
  const std::string text = limit("10 Gbit/s", "11 Gbit/s");
  scratch.write("late.toml", text.substr(0, text.find("[limit.profile")) + "profiles = [\"acceptance\"]\n");
  EXPECT_THAT(explained(scratch.path("late.toml"), {}),
              AllOf(HasSubstr("no limit of this id in the profile standard; in acceptance:"),
                    HasSubstr(">= 10 Gbit/s")));
  EXPECT_THAT(explained(base + ":" + own + ":" + waivers, {}),
              AllOf(HasSubstr(">= 20 Gbit/s"), Not(HasSubstr("10 Gbit/s"))));
  EXPECT_THAT(explained(base, {"--thresholds", own}),
              AllOf(HasSubstr(">= 20 Gbit/s"), Not(HasSubstr("10 Gbit/s"))));
}
TEST(CommandLine, HelpsEverywhere) {
  const std::pair<Words, const char*> commands[] = {
      {{}, "0 qualified"},
      {{"run"}, "0 qualified"},
      {{"list"}, "0 listed"},
      {{"report"}, "0 qualified"},
      {{"model"}, "0 qualified"},
      {{"model", "run"}, "0 qualified"},
      {{"model", "exec"}, "the command's own"},
  };
  for (auto [words, codes] : commands) {
    words.emplace_back("--help");
    const Answer answer = rigproof_does(words);
    EXPECT_EQ(answer.code, 0);
    EXPECT_THAT(answer.output,
                AllOf(HasSubstr("Usage: rigproof"), HasSubstr(std::string("Exit codes: ") + codes)));
  }
}
TEST(CommandLine, RefusesWhatItDoesNotKnow) {
  for (const Words& words :
       {Words{}, Words{"fly"}, Words{"run", "--no-such-option"}, Words{"run", "--profile", "quick"},
        Words{"run", "--gtest_output=xml:x"}, Words{"run", "--gtest_repeat=0"},
        Words{"run", "--gtest_repeat=-1"}, Words{"model"}, Words{"model", "exec"},
        Words{"model", "run", "--nodes", "1"}, Words{"report"}}) {
    EXPECT_EQ(rigproof_does(words).code, 2) << testing::PrintToString(words);
  }
}

}  // namespace
}  // namespace rigproof
