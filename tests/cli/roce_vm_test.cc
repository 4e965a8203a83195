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

TEST(RoceVmCommand, WithoutACommandIsRefused) { EXPECT_EQ(rigproof_does({"roce-vm", "exec"}).code, 2); }

}  // namespace
}  // namespace rigproof
