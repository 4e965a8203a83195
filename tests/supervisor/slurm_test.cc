#include "framework/supervisor/slurm.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/launch_command.h"
#include "framework/supervisor/launch_watch.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using supervisor::SlurmNode;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;
using testing::ThrowsMessage;

const Rig kSlurmPair = rig_of({node("node-a", "10.0.0.1"), node("node-b", "10.0.0.2")});

TEST(SlurmNodes, AreReadFromWhatScontrolPrints) {
  const auto nodes = supervisor::parse_slurm_nodes(
      "NodeName=spark[x] Arch=aarch64 CoresPerSocket=20 NodeAddr=10.0.0.1 NodeHostName=spark-a "
      "Version=23.11.4 "
      "OS=Linux 6.11.0 #1 SMP State=IDLE\n"
      "\nslurm_load_node error\n");
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes[0].name, "spark[x]");
  EXPECT_EQ(nodes[0].host, "spark-a");
  EXPECT_EQ(nodes[0].address, "10.0.0.1");
}
TEST(SlurmNodes, AreFoundByNameHostNameOrAddressInTheRigsOrder) {
  EXPECT_THAT(supervisor::slurm_names(kSlurmPair, {{"node-b", "x", "y"}, {"node-a", "x", "z"}}),
              ElementsAre("node-a", "node-b"));
  EXPECT_THAT(
      supervisor::slurm_names(kSlurmPair, {{"n1", "node-a.lab.example", ""}, {"n2", "x", "10.0.0.2"}}),
      ElementsAre("n1", "n2"));
}
TEST(SlurmNodes, OfTwoDomainsAreKnownByTheirWholeNames) {
  const Rig rig = rig_of({node("n1.rack-b", "n1.rack-b"), node("n1.rack-a", "n1.rack-a")});
  EXPECT_THAT(supervisor::slurm_names(rig, {{"s1", "n1.rack-a", ""}, {"s2", "n1.rack-b", ""}}),
              ElementsAre("s2", "s1"));
}
TEST(SlurmNodes, AreNotNamedByWhatPeopleWroteOfThem) {
  const auto nodes = supervisor::parse_slurm_nodes(
      "NodeName=gpu-01 NodeAddr=10.0.0.1 NodeHostName=gpu-01 State=IDLE Comment=was NodeName=gpu-02 "
      "NodeAddr=10.0.0.2 before\n");
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes[0].name, "gpu-01");
  EXPECT_EQ(nodes[0].address, "10.0.0.1");
}
// "10.0.0.1" is no host "10" of the domain "0.0.1".
TEST(SlurmNodes, AnAddressHasNoDomain) {
  const auto find = [] {
    return supervisor::slurm_names(kSlurmPair, {{"n1", "", "10.1.1.1"}, {"n2", "", "10.2.2.2"}});
  };
  EXPECT_THROW((void)find(), supervisor::Refused);
}
TEST(SlurmNodes, ThatTheAllocationLacksAreAllNamed) {
  const Rig rig =
      rig_of({node("node-a", "10.0.0.1"), node("node-b", "10.0.0.2"), node("node-c", "10.0.0.3")});
  const auto find = [&] { return supervisor::slurm_names(rig, {{"node-a", "", ""}}); };
  EXPECT_THAT(find, ThrowsMessage<supervisor::Refused>(
                        AllOf(HasSubstr("has node-a"), HasSubstr("node-b (10.0.0.2), node-c (10.0.0.3)"))));
}
TEST(SlurmNodes, OneIsNotTwoOfTheRig) {
  const auto find = [] { return supervisor::slurm_names(kSlurmPair, {{"node-a", "", "10.0.0.2"}}); };
  EXPECT_THAT(find, ThrowsMessage<supervisor::Refused>(HasSubstr("one node of Slurm")));
}

TEST(SlurmNodes, ThatCannotBeListedAreNotSaidToBeNone) {
  const Scratch scratch;
  const std::string path = getenv("PATH");
  const auto refusal = [] {
    try {
      (void)supervisor::allocated_nodes();
    } catch (const supervisor::Refused& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  unsetenv("SLURM_NODELIST"), unsetenv("SLURM_JOB_NODELIST");
  EXPECT_THAT(refusal(), HasSubstr("but not SLURM_JOB_NODELIST"));
  setenv("SLURM_JOB_NODELIST", "spark-[a-b]", 1), setenv("PATH", scratch.path("").c_str(), 1);
  EXPECT_THAT(refusal(), HasSubstr("there is no program 'scontrol'"));
  scratch.script("scontrol", "exit 1");
  EXPECT_THAT(refusal(), HasSubstr("`scontrol show node spark-[a-b]` lists no node"));
  setenv("PATH", path.c_str(), 1), unsetenv("SLURM_JOB_NODELIST");
}
TEST(SlurmStep, RunsOneRankANodeBesideOtherSteps) {
  const auto words = supervisor::slurm_step(kSlurmPair, {"n1", "n2"});
  EXPECT_THAT(words, IsSupersetOf({"srun", "--mpi=pmix", "--overlap", "--nodes=2", "--ntasks=2",
                                   "--ntasks-per-node=1", "--nodelist=n1,n2", "--cpu-bind=none"}));
}
TEST(SlurmStep, SetsOpenMpisParametersByTheEnvironment) {
  Rig rig = kSlurmPair;
  for (Node& node : rig.nodes) node.management = "mgmt0";
  const auto words = supervisor::slurm_step(rig, {"n1", "n2"});
  EXPECT_THAT(words, IsSupersetOf({"env", "OMPI_MCA_pml=ob1", "OMPI_MCA_btl_tcp_if_include=mgmt0"}));
  EXPECT_THAT(words, Not(Contains("--mca")));
  EXPECT_THAT(words, Not(Contains(HasSubstr("oob"))));
  EXPECT_THAT(supervisor::slurm_step(rig, {"n1", "n2"}, {.set_elsewhere = {"btl_tcp_if_exclude"}}),
              Not(Contains(StartsWith("OMPI_MCA_btl_tcp_if_include"))));
}

TEST(SlurmFailure, NamesTheNodeOfTheTaskThatFailed) {
  const auto crashed =
      supervisor::examine("srun", 139 << 8, "srun: error: node-b: task 1: Segmentation fault\n");
  EXPECT_EQ(crashed.type, "crash");
  EXPECT_EQ(crashed.host, "node-b");
  EXPECT_EQ(crashed.rank, -1);
  const auto left =
      supervisor::examine("srun", 3 << 8, "srun: error: node-a: tasks 0-1: Exited with exit code 3\n");
  EXPECT_EQ(left.type, "exited");
  EXPECT_THAT(left.reason, HasSubstr("exit code 3"));
}
TEST(SlurmFailure, NamesTheNodeThatIsGone) {
  const auto lost = supervisor::examine("srun", 1 << 8, "srun: error: Node failure on node-b\n");
  EXPECT_EQ(lost.type, "lost-peer");
  EXPECT_EQ(lost.host, "node-b");
  const auto unstarted = supervisor::examine(
      "srun", 1 << 8,
      "srun: error: Task launch for StepId=2.0 failed on node node-c: Communication connection failure\n");
  EXPECT_EQ(unstarted.host, "node-c");
  EXPECT_THAT(unstarted.reason, HasSubstr("Communication connection failure"));
}

}  // namespace
}  // namespace rigproof
