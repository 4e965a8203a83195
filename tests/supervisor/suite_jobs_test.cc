// The jobs of a suite, by whole runs of scripted ones: all nodes are this machine, and mpirun is a script that starts rank 0
// alone. What the run hears is where a test stops it, so nothing depends on time.
#include "framework/supervisor/suite_jobs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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
                                     "remedy.check = \"r\"\n");
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
  // `variables`: "LIE='a stop'".
  void suite(const std::string& name, const std::string& script, const std::string& variables = {}) {
    scratch.script("bin/rigproof-suite-" + name,
                   fmt::format("SCRIPT='{}' GATE={} {} {} {} \"$@\"\necho >>{}", script, gate(), variables,
                               SCRIPTED_SUITE, name, scratch.path("ended").string()));
  }
  void launcher(const std::string& first, const std::string& last = "exec \"$@\"") const {
    scratch.script("mpirun",
                   first + "\nwhile [ \"${1##*/rigproof-suite-}\" = \"$1\" ]; do shift; done\n" + last);
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
// Catches: a rig that was switched off when it was resumed, told as nodes that were lost in the run.
TEST_F(SuiteJobsTest, NodesOfARigThatIsAbsentAreNotLost) {
  nodes(2), suite("tcp", "A.pass_ab B.gate_ab"), launcher_reaches_all();
  std::string rig = scratch.read("rig.toml");
  for (int node = 0; node < 2; ++node) rig = replaced(rig, "\"127.0.0.", "\"203.0.113.");
  scratch.write("rig.toml", rig);
  stop_at<record::CaseEnded>(1);
  EXPECT_THAT(problems_of(run()), Contains("interrupted"));
  hear_nothing(), launcher("exit 1");
  setenv("OMPI_MCA_plm_rsh_agent", scratch.script("agent", "exit 255").c_str(), 1);
  const supervisor::RunOutcome outcome = resume();
  EXPECT_THAT(problems_of(outcome), Contains("node-absent"));
  EXPECT_THAT(outcome.run.lost, testing::IsEmpty());
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

// --- who is believed ---

// The value of --report-to in the command line of a process that was started for this folder: every user sees it.
std::string address_of_launch(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::string line = file_text(entry.path() / "cmdline");
    std::ranges::replace(line, '\0', ' ');
    const auto at = line.find("--report-to ");
    if (at == line.npos || line.find(folder) == line.npos) continue;
    return line.substr(at + 12, line.find(' ', at + 12) - at - 12);
  }
  return {};
}

process::FileDescriptor connected_to(const std::string& launch) {
  process::FileDescriptor fd(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(launch.substr(launch.rfind(':') + 1))));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return process::FileDescriptor();
  return fd;
}

// An ordinary user, who reads process lists and an old record. He is there before rank 0 and says what a sound rig said.
class Forger {
 public:
  Forger(std::string folder, std::string words) : folder_(std::move(folder)), words_(std::move(words)) {}

  // In a process of his own; then `gate` is written: "0" where there was something to attack.
  void attack(const std::filesystem::path& gate) const {
    if (fork() != 0) return;
    const pid_t forger = fork();
    if (forger == 0) {
      if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) _exit(2);
      _exit(forge() ? 0 : 1);
    }
    int status = 0;
    waitpid(forger, &status, 0);
    write_text(gate, std::to_string(status));
    _exit(0);
  }

 private:
  [[nodiscard]] bool forge() const {
    const std::string to = address_of_launch(folder_);
    const auto slash = to.find('/');
    if (slash == to.npos) return false;
    const std::string key = to.substr(slash + 1);
    for (const std::string& first : {key + "\n", key + " meets\n", "rigproof/1 " + key + " reports n\n"}) {
      const process::FileDescriptor fd = connected_to(to);
      if (!fd) return false;
      (void)send(fd.get(), first.data(), first.size(), MSG_NOSIGNAL);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      std::array<char, 65536> answer;
      (void)recv(fd.get(), answer.data(), answer.size(), MSG_DONTWAIT);
      (void)send(fd.get(), words_.data(), words_.size(), MSG_NOSIGNAL);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return true;
  }
  std::string folder_, words_;
};

// The lines of a record that a suite had sent.
std::string words_of_suites(const std::string& journal) {
  std::string words;
  std::istringstream lines(journal);
  for (std::string line; std::getline(lines, line);)
    for (const char* event : {"suite_planned", "case_started", "phase_started", "case_ended", "suite_done"})
      if (line.find(fmt::format("\"event\":\"{}\"", event)) != line.npos) words += line + "\n";
  return words;
}

// Seen to make a QUALIFIED of a broken rig when the key stood in the command line.
TEST_F(SuiteJobsTest, AUserWhoReplaysTheRecordOfASoundRigForgesNothing) {
  nodes(2), suite("mtu", "A.rate B.rate");
  expect_qualified(run());
  const std::string words = words_of_suites(scratch.read("out/journal.jsonl"));
  EXPECT_EQ(std::ranges::count(words, '\n'), 8);
  std::filesystem::remove_all(scratch.path("out"));

  suite("mtu", "A.rate B.rate", "RATE=1e6");
  launcher(
      fmt::format("case \"$*\" in *--report-to*) while [ ! -e {} ]; do sleep 0.01; done;; esac", gate()));
  const Forger forger(scratch.path().string(), words);
  listener.hear = [&](const record::EventBody& event) {
    if (std::holds_alternative<record::SuiteStarted>(event)) forger.attack(gate());
  };
  const supervisor::RunOutcome outcome = run();
  EXPECT_EQ(scratch.read("gate"), "0") << "nobody was attacked";
  EXPECT_THAT(outcome.run.problems, IsEmpty());
  EXPECT_EQ(outcome.exit_code, 1);
}
// Seen to end a run at `ulimit -n 1024`: no rank was let in, and no report could be written.
TEST_F(SuiteJobsTest, SilentConnectionsStopNoRun) {
  nodes(2), suite("tcp", "A.pass B.pass");
  launcher(
      fmt::format("case \"$*\" in *--report-to*) while [ ! -e {} ]; do sleep 0.01; done;; esac", gate()));
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  pid_t attack = 0;
  listener.hear = [&](const record::EventBody& event) {
    if (!std::holds_alternative<record::SuiteStarted>(event) || attack != 0) return;
    attack = fork();
    if (attack != 0) return;
    setrlimit(RLIMIT_NOFILE, &before);
    const std::string to = address_of_launch(scratch.path().string());
    std::vector<process::FileDescriptor> silent;
    for (int i = 0; i < 1020; ++i) silent.push_back(connected_to(to));
    open_gate();
    while (true) pause();
  };
  const rlimit few{1024, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  expect_qualified(run());
  setrlimit(RLIMIT_NOFILE, &before);
  kill(attack, SIGKILL);
  waitpid(attack, nullptr, 0);
}
TEST_F(SuiteJobsTest, TheKeyOfALaunchStandsNowhereButInItsEnvironment) {
  nodes(2), suite("tcp", "A.pass");
  launcher(
      fmt::format("case \"$*\" in *--report-to*) echo \"$RIGPROOF_CHANNEL_KEY\" >{}; echo \"$*\" >{};; esac",
                  scratch.path("key").string(), scratch.path("words").string()));
  expect_qualified(run());
  const std::string key = scratch.read("key").substr(0, 32);
  EXPECT_THAT(key, testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_THAT(scratch.read("words"), HasSubstr("-x RIGPROOF_CHANNEL_KEY "));
  EXPECT_THAT(scratch.read("words"), testing::Not(HasSubstr(key)));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch.path("out")))
    EXPECT_THAT(entry.is_regular_file() ? file_text(entry.path()) : "", testing::Not(HasSubstr(key)))
        << entry.path();
}

// A launch that says so is over, and with its launcher goes the proof that all ranks came to their end.
TEST_F(SuiteJobsTest, TheLastWordOfASuiteWhoseLauncherFailsIsAnError) {
  for (const char* end : {"\"$@\"; exit 3", "\"$@\"; sleep 0.2; exit 3", "\"$@\"; kill -9 $$"}) {
    nodes(2), suite("tcp", "A.pass"), suite("link", "B.pass");
    launcher("", fmt::format("case \"$*\" in *suite-tcp*) {};; *) exec \"$@\";; esac", end));
    const supervisor::RunOutcome outcome = run();
    EXPECT_THAT(problems_of(outcome), ElementsAre("launcher")) << end;
    ASSERT_FALSE(outcome.run.problems.empty());
    EXPECT_THAT(outcome.run.problems.front().message,
                testing::AllOf(HasSubstr("suite tcp: launch 1: "), HasSubstr("had reported its end")));
    EXPECT_EQ(outcome.exit_code, 2) << end;
    std::filesystem::remove_all(scratch.path("out"));
  }
}

// Each costs the launch, and nothing else: the other suite runs, and the run's own files are whole.
class LiesTest : public SuiteJobsTest, public testing::WithParamInterface<const char*> {};
TEST_P(LiesTest, CostTheLaunchAndNotTheRun) {
  nodes(2), suite("tcp", "A.pass B.pass", fmt::format("LIE='{}'", GetParam())), suite("phy", "C.pass");
  const supervisor::RunOutcome outcome = run();
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(problems_of(outcome), testing::Not(Contains("harness")));
  EXPECT_EQ(outcome.recording_error, "");
  EXPECT_TRUE(outcome.run.end);
  EXPECT_EQ(attempts_of(outcome)["C.pass"], 1U) << "the other suite did not run";
  EXPECT_EQ(attempts_of(outcome)["A.pass"], 0U);
  EXPECT_THAT(scratch.read("out/journal.jsonl"), HasSubstr("sent an invalid event"));
  for (const char* file :
       {"x", "out/x", "out/facts/node-z.json", "out/signatures/x.sig", "out/manifest.sha256"})
    EXPECT_FALSE(std::filesystem::exists(scratch.path(file))) << file;
  EXPECT_THAT(scratch.read("out/journal.jsonl"), testing::Not(HasSubstr("forged")));
}
INSTANTIATE_TEST_SUITE_P(All, LiesTest,
                         testing::Values("file journal.jsonl", "file manifest.sha256", "file ../x", "file x",
                                         "file /etc/x", "file facts/../x", "file facts/node-z.json",
                                         "file facts/node-a.json/", "file facts//node-a.json",
                                         "file facts/.json", "file signatures/x.sig", "file logs/tcp.1.log",
                                         "file ", "fewer cases", "more cases", "a case twice", "owes less",
                                         "owes nothing", "another place", "another counter", "another suite",
                                         "event of another suite", "case of nobody", "facts of nobody",
                                         "a counter of nobody", "carrier losses of nobody",
                                         "a measurement of nobody", "a failure of nobody", "end of the run",
                                         "a lost node", "a stop", "a second plan"));
TEST_F(SuiteJobsTest, FactsOfItsOwnNodesAreKept) {
  nodes(2), suite("tcp", "A.pass", "LIE='file facts/node-b.json'");
  expect_qualified(run());
  EXPECT_EQ(scratch.read("out/facts/node-b.json"), "forged");
}

}  // namespace
}  // namespace rigproof
