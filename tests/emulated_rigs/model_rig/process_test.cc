// How a model rig begins and ends: exit codes, signals, and that nothing outlives it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "fixtures/emulated_rigs/machine/stolen_cpu.h"
#include "tests/emulated_rigs/model_rig/in_rig.h"

namespace rigproof::model_rig {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr uid_t kNobody = 65534;

int code_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

auto quick_rig(const ModelRigSpec& spec = {}) {
  return [spec] { (void)run_in_model_rig(spec, [](const ModelRigFiles&) { return 0; }); };
}

// As a container's default seccomp profile: no new namespaces.
void forbid_namespaces() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWNS, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), program};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

TEST(ModelRig, ExitCodeOfTheCommandPassesThrough) { EXPECT_EQ(in_rig("exit 42").code, 42); }

TEST(ModelRig, AKilledCommandGives128AndTheSignal) { EXPECT_EQ(in_rig("kill -9 $$").code, 128 + SIGKILL); }

TEST(ModelRig, AnExceptionInsideIsAnError) {
  EXPECT_EQ(run_in_model_rig({}, [](const ModelRigFiles&) -> int { throw std::runtime_error("no"); }), 2);
}

TEST(ModelRig, TheRigFileIsThereAndInTheEnvironment) {
  EXPECT_EQ(in_rig("grep -c '^kind = \"model\"' \"$RIGPROOF_RIG\"").output, "1\n");
}

TEST(ModelRig, TheCallersFilesAreVisible) {
  EXPECT_EQ(in_rig("cat /proc/self/comm; ls -d /tmp").output, "cat\n/tmp\n");
}

// So that what else the machine does can be told from what the rig does.
TEST(ModelRig, TheMachinesProcessesAreSeen) {
  const std::string own = fmt::format("{}/{}/stat", machine::kMachineProc, getpid());
  EXPECT_EQ(in_rig("cut -d' ' -f1 " + own).output, fmt::format("{}\n", getpid()));
}

TEST(ModelRig, FewerThanTwoOrMoreThanEightNodesAreRefused) {
  EXPECT_THAT(quick_rig({.nodes = 1}), ThrowsMessage<ModelRigError>(HasSubstr("2 to 8 nodes, not 1")));
  EXPECT_THAT(quick_rig({.nodes = 3, .topology = ModelRigSpec::Topology::kPair}),
              ThrowsMessage<ModelRigError>(HasSubstr("a pair has 2 nodes")));
  EXPECT_THAT(quick_rig({.nodes = 2, .topology = ModelRigSpec::Topology::kRing}),
              ThrowsMessage<ModelRigError>(HasSubstr("3 or more nodes, not 2")));
  EXPECT_THAT(quick_rig({.nodes = 3, .topology = ModelRigSpec::Topology::kRing, .forwarding = true}),
              ThrowsMessage<ModelRigError>(HasSubstr("a ring of 4 or more")));
  EXPECT_THAT(quick_rig({.nodes = 9}), ThrowsMessage<ModelRigError>(HasSubstr("2 to 8 nodes, not 9")));
}

TEST(ModelRig, MissingProgramsAreNamedWithTheirPackage) {
  const pid_t child = in_child([] {
    setenv("PATH", "/nonexistent", 1);
    EXPECT_THAT(quick_rig(), ThrowsMessage<ModelRigError>(HasSubstr("unshare (package util-linux)")));
    return testing::Test::HasFailure() ? 1 : 0;
  });
  EXPECT_EQ(code_of(child), 0);
}

TEST(ModelRig, ForbiddenNamespacesAreExplainedWithAWayOut) {
  const pid_t child = in_child([] {
    forbid_namespaces();
    EXPECT_THAT(quick_rig(), ThrowsMessage<ModelRigError>(AllOf(
                                 HasSubstr("namespaces"), HasSubstr("not permitted"), HasSubstr("sudo"))));
    return testing::Test::HasFailure() ? 1 : 0;
  });
  EXPECT_EQ(code_of(child), 0);
}

TEST(ModelRig, AnOrdinaryUserCanHaveOne) {
  if (geteuid() != 0) GTEST_SKIP() << "this test already runs as an ordinary user";
  const pid_t child = in_child([] {
    if (setgid(kNobody) != 0 || setuid(kNobody) != 0) return 1;
    prctl(PR_SET_DUMPABLE, 1);  // as after an exec
    return in_rig("ip netns exec node-b ping -c 1 -W 5 198.18.1.1").code;
  });
  EXPECT_EQ(code_of(child), 0);
}

TEST(ModelRig, WhatACommandLeavesRunningIsKilled) {
  Line line;
  const int code = run_in_model_rig(
      {}, [&](const ModelRigFiles&) { return become_shell("setsid sleep 600 & echo left", line); });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(line.listen(), "left\n");  // would wait for the sleeping process if it lived
}

TEST(ModelRig, DiesWithTheProcessThatMadeIt) {
  Line up, alive;
  const pid_t owner = in_child([&] {
    return run_in_model_rig({}, [&](const ModelRigFiles&) {
      if (write(up.end(), "!", 1) != 1) return 1;
      return become_shell("ip netns exec node-b sleep 600 & sleep 600", alive);
    });
  });
  up.wait();
  kill(owner, SIGKILL);
  EXPECT_EQ(code_of(owner), -SIGKILL);
  EXPECT_EQ(alive.listen(), "");
}

TEST(ModelRig, ASignalToTheOwnerReachesTheCommand) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Line up;
    const pid_t owner = in_child([&] {
      return run_in_model_rig({}, [&](const ModelRigFiles&) {
        return become_shell("trap 'exit 42' INT TERM HUP; echo up; while :; do sleep 0.01; done", up);
      });
    });
    up.wait();
    kill(owner, signal);
    EXPECT_EQ(code_of(owner), 42) << strsignal(signal);
  }
}

TEST(ModelRig, RigsStandSideBySide) {
  EXPECT_EQ(in_rig("ip netns exec node-a true").code, 0);
  Line line;
  const pid_t first = in_child([&] { return in_rig("read stop < /dev/null; sleep 0.2").code; });
  EXPECT_EQ(in_rig("ip netns list | wc -l").output, "3\n");
  EXPECT_EQ(code_of(first), 0);
}

}  // namespace
}  // namespace rigproof::model_rig
