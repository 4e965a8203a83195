// The jobs of a suite, by whole runs of scripted ones: all nodes are this machine, and mpirun is a script that starts rank 0
// alone. What the run hears is where a test stops it, so nothing depends on time.
#include "framework/supervisor/suite_jobs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "framework/supervisor/run_rig.h"
#include "tests/judge/judging.h"
#include "tests/rig/rig_text.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kAbsent = "rigproof-test.invalid";

class Listener final : public supervisor::RunListener {
 public:
  std::function<void(const record::EventBody&)> hear = [](const record::EventBody&) {};
  std::function<void()> report = [] {};
  void on_plan(const std::vector<supervisor::PlannedCount>&) override {}
  void on_notice(const std::string&) override {}
  void on_event(const judge::JudgedRun&, const record::Event& event, const judge::Attempt*) override {
    hear(event.body);
  }
  void on_change(const judge::JudgedRun&) override { report(); }
};

class SuiteJobsTest : public testing::Test {
 protected:
  SuiteJobsTest() {
    scratch.write("limits.toml", at_most("scripted.count", "1 count") +
                                     "[[limit]]\nid = \"scripted.rate\"\nat_least = \"0.5 Gbit/s\"\n"
                                     "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\n"
                                     "remedy = \"r\"\n");
    launcher(fmt::format("case \"$*\" in *{}*) exit 1;; esac", kAbsent));
    setenv("OMPI_MCA_plm_rsh_agent", scratch.script("agent", "exit 1").c_str(), 1);
  }
  ~SuiteJobsTest() override { unsetenv("OMPI_MCA_plm_rsh_agent"); }

  // `absent`: the last node is not there.
  void nodes(int count, bool absent = false) {
    std::string text = replaced(star_text(count), "test-rig", fmt::format("test-jobs-{}", getpid()));
    for (int node = 0; node < count; ++node)
      text =
          replaced(text, fmt::format("address = \"{}\"", node_name(node)),
                   fmt::format("address = \"{}\"",
                               absent && node + 1 == count ? kAbsent : fmt::format("127.0.0.{}", node + 1)));
    scratch.write("rig.toml", text);
  }
  void suite(const std::string& name, const std::string& script) {
    scratch.script("bin/rigproof-suite-" + name,
                   fmt::format("SCRIPT='{}' GATE={} {} {} \"$@\"\necho >>{}", script, gate(), SCRIPTED_SUITE,
                               name, scratch.path("ended").string()));
  }
  void launcher(const std::string& first) const {
    scratch.script("mpirun",
                   first + "\nwhile [ \"${1##*/rigproof-suite-}\" = \"$1\" ]; do shift; done\nexec \"$@\"");
  }
  void launcher_reaches_all() const { launcher(""); }
  void open_gate() const { scratch.write("gate", ""); }

  supervisor::RunOutcome run() { return run_rig(options(), listener); }
  supervisor::RunOutcome resume() { return resume_rig(options(), listener); }
  // Ends the run, as a signal, once `Body` is heard for the Nth time.
  template <class Body>
  void stop_at(int nth) {
    listener.hear = [nth, heard = 0](const record::EventBody& event) mutable {
      if (std::holds_alternative<Body>(event) && ++heard == nth) raise(SIGTERM);
    };
  }
  void hear_nothing() {
    listener.hear = [](const record::EventBody&) {};
  }

  [[nodiscard]] supervisor::RunOptions options() const {
    supervisor::RunOptions options;
    options.rig = scratch.path("rig.toml");
    options.out = scratch.path("out");
    options.thresholds = {scratch.path("limits.toml")};
    options.launcher = scratch.path("mpirun").string();
    options.suite_folders.installed = scratch.path("bin");
    options.timeouts.calm = calm;
    return options;
  }
  [[nodiscard]] std::string gate() const { return scratch.path("gate").string(); }

  std::chrono::milliseconds calm{0};
  Scratch scratch;
  Listener listener;
};

std::vector<std::string> problems_of(const supervisor::RunOutcome& outcome) {
  std::vector<std::string> types;
  for (const record::Problem& problem : outcome.run.problems) types.push_back(problem.type);
  return types;
}

std::map<std::string, std::size_t> attempts_of(const supervisor::RunOutcome& outcome) {
  std::map<std::string, std::size_t> counts;
  for (const judge::JudgedSuite& suite : outcome.run.suites)
    for (const judge::JudgedCase& test : suite.cases) counts[test.plan.name] = test.attempts.size();
  return counts;
}

void expect_interrupted(const supervisor::RunOutcome& outcome) {
  EXPECT_THAT(problems_of(outcome), Contains("interrupted"));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.run.verdict(), "ERROR");
}
void expect_qualified(const supervisor::RunOutcome& outcome) {
  EXPECT_THAT(outcome.run.problems, IsEmpty());
  EXPECT_EQ(outcome.run.verdict(), "QUALIFIED");
  EXPECT_EQ(outcome.exit_code, 0);
}

// --- a signal while nothing runs ---

TEST_F(SuiteJobsTest, ASignalBetweenTwoSuitesStopsTheRun) {
  nodes(2), suite("tcp", "A.pass"), suite("phy", "B.pass");
  stop_at<record::SuiteEnded>(1);
  expect_interrupted(run());
  hear_nothing();
  expect_qualified(resume());
}
TEST_F(SuiteJobsTest, ASignalWithASuitesLastWordStopsTheRun) {
  nodes(2), suite("tcp", "A.pass"), suite("phy", "B.pass");
  stop_at<record::SuiteDone>(1);
  expect_interrupted(run());
  hear_nothing();
  expect_qualified(resume());
}
TEST_F(SuiteJobsTest, ASignalBetweenTwoRoundsStopsTheRun) {
  nodes(3), suite("tcp", "A.pass_ab B.pass_ac C.pass_bc");
  stop_at<record::SuiteEnded>(1);
  expect_interrupted(run());
  hear_nothing();
  expect_qualified(resume());
}
TEST_F(SuiteJobsTest, ASignalAfterTheLastWordOfAllEndsNothing) {
  nodes(2), suite("tcp", "A.pass");
  stop_at<record::SuiteEnded>(1);
  expect_qualified(run());
}

// --- what was still to be measured again ---

TEST_F(SuiteJobsTest, AVoidCaseIsMeasuredAgainAfterAStop) {
  nodes(2), suite("tcp", "A.recovered B.pass");
  calm = std::chrono::hours(1);
  stop_at<record::SuiteEnded>(1);
  expect_interrupted(run());
  hear_nothing();
  const supervisor::RunOutcome outcome = resume();
  expect_qualified(outcome);
  EXPECT_EQ(attempts_of(outcome), (std::map<std::string, std::size_t>{{"A.recovered", 2}, {"B.pass", 1}}));
}
// A pair that was slow beside another one, which goes on until the first is over.
TEST_F(SuiteJobsTest, ACaseThatWasSlowBesideOthersIsMeasuredAloneAfterAStop) {
  nodes(4), suite("tcp", "A.slow_ab B.gate_cd");
  listener.hear = [this, ended = 0](const record::EventBody& event) mutable {
    if (!std::holds_alternative<record::SuiteEnded>(event)) return;
    if (++ended == 1) open_gate();
    if (ended == 2) raise(SIGTERM);
  };
  expect_interrupted(run());
  hear_nothing();
  const supervisor::RunOutcome outcome = resume();
  expect_qualified(outcome);
  EXPECT_EQ(attempts_of(outcome), (std::map<std::string, std::size_t>{{"A.slow_ab", 2}, {"B.gate_cd", 1}}));
}
// Its job has more to do first: what it measures then may be beside others.
TEST_F(SuiteJobsTest, ACaseThatWasSlowBesideOthersIsMeasuredAloneAfterItsJobWentOn) {
  nodes(4), suite("tcp", "A.slow_ab C.pass_ab B.gate_cd");
  listener.hear = [ended = 0](const record::EventBody& event) mutable {
    if (std::holds_alternative<record::CaseEnded>(event) && ++ended == 1) raise(SIGTERM);
  };
  expect_interrupted(run());
  open_gate();
  hear_nothing();
  const supervisor::RunOutcome outcome = resume();
  expect_qualified(outcome);
  EXPECT_EQ(attempts_of(outcome).at("A.slow_ab"), 2U);
}

// --- numbers of jobs ---

// Twice a job of four nodes is split because one of them is absent, with a stop in between.
TEST_F(SuiteJobsTest, JobsForDeadNodesGetNumbersOfTheirOwnAfterAStop) {
  nodes(4, true), suite("tcp", "A.pass_abcd B.gate_abc");
  stop_at<record::SuiteEnded>(2);
  EXPECT_THAT(problems_of(run()), Contains("interrupted"));
  hear_nothing(), open_gate();
  for (const record::Problem& problem : resume().run.problems)
    EXPECT_NE(problem.type, "journal") << problem.message;
}

// A node that was absent for a while is on the record of the run that went on, by its name.
TEST_F(SuiteJobsTest, ANodeThatWasLostIsCounted) {
  nodes(4, true), suite("tcp", "A.pass_abcd B.pass_abc");
  EXPECT_EQ(run().run.lost, (std::map<std::string, int>{{"node-d", 1}}));
  EXPECT_EQ(resume().run.lost, (std::map<std::string, int>{{"node-d", 2}}));
}
TEST_F(SuiteJobsTest, ANodeThatWasLostTwiceAndIsBackCostsNothing) {
  nodes(4, true), suite("tcp", "A.pass_abcd B.gate_abc");
  stop_at<record::SuiteEnded>(2);
  EXPECT_THAT(problems_of(run()), Contains("interrupted"));
  hear_nothing(), open_gate();
  EXPECT_EQ(resume().exit_code, 2);
  launcher_reaches_all();
  const supervisor::RunOutcome outcome = resume();
  expect_qualified(outcome);
  EXPECT_EQ(outcome.run.lost, (std::map<std::string, int>{{"node-d", 2}}));
}

TEST_F(SuiteJobsTest, AMissingSshIsNamedAndNotTheNodesAlone) {
  nodes(4, true), suite("tcp", "A.pass_abcd B.pass_abc");
  setenv("OMPI_MCA_plm_rsh_agent", "rigproof-no-such-ssh -q", 1);
  EXPECT_THAT(run().run.problems,
              Contains(testing::Field(&record::Problem::message,
                                      HasSubstr("there is no program 'rigproof-no-such-ssh'"))));
}

// --- too little room ---

std::size_t open_descriptors() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

// As `ulimit -n`, of so many descriptors more than are open.
class FewDescriptors {
 public:
  explicit FewDescriptors(std::size_t free) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{open_descriptors() + free, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

// Eight pairs that wait for one another's room: the gate opens once nothing more can be started.
TEST_F(SuiteJobsTest, JobsThatCannotBeStartedWaitForOthers) {
  nodes(16), suite("tcp", "A.gate_ab B.gate_cd C.gate_ef D.gate_gh E.gate_ij F.gate_kl G.gate_mn H.gate_op");
  const FewDescriptors few(32);
  int running = 0, most = 0;
  listener.hear = [&](const record::EventBody& event) {
    if (std::holds_alternative<record::SuiteStarted>(event)) most = std::max(most, ++running);
    if (std::holds_alternative<record::SuiteEnded>(event)) --running;
    if (std::holds_alternative<record::CaseStarted>(event)) open_gate();
  };
  const supervisor::RunOutcome outcome = run();
  expect_qualified(outcome);
  EXPECT_EQ(attempts_of(outcome).size(), 8U);
  EXPECT_LT(most, 8) << "the limit is no limit";
}
TEST_F(SuiteJobsTest, WhereNothingElseRunsARunThatCannotStartItsJobsSaysWhatToType) {
  nodes(4), suite("tcp", "A.pass_ab B.pass_cd");
  const FewDescriptors few(20);
  const supervisor::RunOutcome outcome = run();
  ASSERT_THAT(problems_of(outcome), ElementsAre("harness"));
  EXPECT_THAT(outcome.run.problems.front().message, HasSubstr("type ulimit -n 1024"));
  EXPECT_THAT(outcome.run.problems.front().message, HasSubstr("cannot start " + options().launcher));
}

// --- two at once ---

// Reports of many nodes take longer than a rank waits for its order, and the thread that gives it writes them.
TEST_F(SuiteJobsTest, NoReportIsWrittenWhileALaunchWaitsForItsOrder) {
  nodes(4), suite("tcp", "A.pass_ab B.pass_cd C.pass_ac D.pass_bd");
  launcher("sleep 0.3");  // longer than the pause between two reports
  std::set<record::JobNumber> waiting;
  std::size_t reports = 0, planned = 0;
  listener.hear = [&](const record::EventBody& event) {
    if (const auto* started = std::get_if<record::SuiteStarted>(&event)) waiting.insert(started->job);
    if (const auto* plan = std::get_if<record::SuitePlanned>(&event)) planned += waiting.erase(plan->job);
  };
  listener.report = [&] {
    ++reports;
    EXPECT_THAT(waiting, IsEmpty());
  };
  expect_qualified(run());
  EXPECT_EQ(planned, 4U);
  EXPECT_GT(reports, 1U);
}

// Open MPI 4's launcher fails where another, in the same folder, is about to end.
TEST_F(SuiteJobsTest, LaunchersHaveATemporaryFolderEachWhichIsGoneAfterTheRun) {
  nodes(4), suite("tcp", "A.pass_ab B.pass_cd");
  launcher(fmt::format("case \"$*\" in *--report-to*) echo $TMPDIR >>{};; esac",
                       scratch.path("folders").string()));
  expect_qualified(run());
  std::istringstream lines(scratch.read("folders"));
  std::vector<std::string> folders;
  for (std::string folder; std::getline(lines, folder);) {
    EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
    folders.push_back(folder);
  }
  EXPECT_THAT(folders, SizeIs(2));
  EXPECT_THAT(std::set<std::string>(folders.begin(), folders.end()), SizeIs(folders.size()));
}
// Of a resource manager: mpirun starts its daemons by programs that take all of the environment to the nodes.
TEST_F(SuiteJobsTest, InAnAllocationLaunchersHaveTheTemporaryFolderThatItGaveThem) {
  nodes(2), suite("tcp", "A.pass_ab");
  launcher(fmt::format("case \"$*\" in *--report-to*) echo $TMPDIR >>{};; esac",
                       scratch.path("folders").string()));
  setenv("PBS_JOBID", "7.head", 1), setenv("TMPDIR", scratch.path().c_str(), 1);
  expect_qualified(run());
  unsetenv("PBS_JOBID"), unsetenv("TMPDIR");
  EXPECT_EQ(scratch.read("folders"), scratch.path().string() + "\n");
}

TEST_F(SuiteJobsTest, TwoJobsMayEndInOneStep) {
  nodes(4), suite("tcp", "A.gate_ab B.gate_cd C.gate_ac D.gate_bd E.gate_ad F.gate_bc");
  listener.hear = [this, plans = 0](const record::EventBody& event) mutable {
    if (!std::holds_alternative<record::SuitePlanned>(event) || ++plans != 2) return;
    open_gate();  // both have their orders: what they say now is heard at once
    while (std::ranges::count(scratch.read("ended"), '\n') < 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const supervisor::RunOutcome outcome = run();
  expect_qualified(outcome);
  const std::map<std::string, std::size_t> attempts = attempts_of(outcome);
  EXPECT_EQ(attempts.size(), 6U);
  for (const auto& [name, count] : attempts) EXPECT_EQ(count, 1U) << name;
}

}  // namespace
}  // namespace rigproof
