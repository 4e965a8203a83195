// What the RoCE VM rig says on a machine that can't have one. The rig itself: tests/broken_rigs/roce_vm.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(RoceVmCommand, WithoutItsProgramsIsAbsentAndNamesThem) {
  const Answer answer =
      answer_of({"env", "PATH=/nonexistent", RIGPROOF_PROGRAM, "roce-vm", "exec", "--", "true"});
  EXPECT_EQ(answer.code, 77);
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("rig absent"), HasSubstr("qemu-system-x86_64 (package qemu-system-x86)")));
}

TEST(RoceVmCommand, RefusesAKernelThatIsNotThere) {
  const Answer answer = rigproof_does({"roce-vm", "run", "--kernel", "/nonexistent.deb"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("/nonexistent.deb"));
}

TEST(RoceVmCommand, RefusesAFolderBeforeThereIsARig) {
  const Scratch scratch;
  scratch.write("out/journal.jsonl", "precious");
  for (const std::string& out : {scratch.path("out").string(), scratch.path("out/journal.jsonl").string()}) {
    const Answer answer =
        answer_of({"env", "PATH=/nonexistent", RIGPROOF_PROGRAM, "roce-vm", "run", "--out", out});
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.output, HasSubstr("--out " + out));
  }
  EXPECT_EQ(scratch.read("out/journal.jsonl"), "precious");
}

// Without a kernel there is no rig, but what would have run is said. Catches: --suites taken for a choice, so that all
// suites run, those too that the rig has no limits for.
TEST(RoceVmCommand, RunsTheSuitesOfItsLimitsAndThoseOfOnesOwn) {
  const Scratch scratch;
  scratch.script("own/rigproof-suite-disk", "");
  const auto run = [&](Words words) {
    Words all{"env", "PATH=/nonexistent", RIGPROOF_PROGRAM, "roce-vm", "run", "--out", scratch.path("out")};
    all.insert(all.end(), words.begin(), words.end());
    return answer_of(all);
  };
  const std::string own = scratch.path("own");
  EXPECT_THAT(run({}).output, HasSubstr("suites link, mtu, rdma\n"));
  EXPECT_THAT(run({"--suites", own + "/"}).output, HasSubstr("suites link, mtu, rdma, disk\n"));
  EXPECT_THAT(run({"--suites=" + own, "--suite", "disk"}).output, HasSubstr("suites disk\n"));
  const Answer empty = run({"--suites", scratch.path("out")});
  EXPECT_EQ(empty.code, 2);
  EXPECT_THAT(empty.output, HasSubstr("there is no suite"));
}

TEST(RoceVmCommand, WithoutACommandIsRefused) { EXPECT_EQ(rigproof_does({"roce-vm", "exec"}).code, 2); }

}  // namespace
}  // namespace rigproof
