#include "framework/supervisor/launch_command.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

#include "framework/supervisor/exit_code.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::ThrowsMessage;

const Rig kPair = rig_of({node("node-a", "10.0.0.1", "mgmt0"), node("node-b", "10.0.0.2", "mgmt0")});

TEST(MpirunAdditions, NameHostsAndRanksInTheRigsOrder) {
  EXPECT_THAT(
      supervisor::mpirun_additions(kPair, {"mpirun"}),
      IsSupersetOf({"-np", "2", "--host", "10.0.0.1:1,10.0.0.2:1", "--map-by", "seq", "--bind-to", "none"}));
}
// Catches: names with a domain, of which Open MPI 4 cuts the domain off and then finds none; its own host is known to it by the
// kernel's name alone.
TEST(MpirunAdditions, KeepTheDomainOfANameAndCallThisHostByItsOwn) {
  // 127.1: a name with a dot that is this host wherever the test runs.
  const Rig pair = rig_of({node("node-a", "127.1", "mgmt0"), node("node-b", "spark-3c4d.invalid", "mgmt0")});
  char own[256] = "";
  ASSERT_EQ(gethostname(own, sizeof own - 1), 0);
  EXPECT_THAT(
      supervisor::mpirun_additions(pair, {"mpirun"}),
      IsSupersetOf({std::string("--host"), std::string(own) + ":1,spark-3c4d.invalid:1", std::string("--mca"),
                    std::string("orte_keep_fqdn_hostnames"), std::string("1")}));
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun"}), Not(Contains("orte_keep_fqdn_hostnames")));
}
TEST(MpirunAdditions, AreNoneWhenTheLauncherNamesHosts) {
  for (const char* option :
       {"-H", "-host", "--host", "--hostfile", "-machinefile", "-n", "-np", "--np", "-c"}) {
    EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun", option, "x"}, {.root = true}), IsEmpty())
        << option;
  }
}
// NCCL in a user's home is in no run path: mpirun hands the folder on, to hosts that the launcher names, too.
TEST(MpirunAdditions, HandOnTheFoldersOfAUsersLibraries) {
  const supervisor::MpirunSetting setting{.ld_library_path = "/home/anna/nccl/build/lib"};
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"mpirun"}, {"mpirun", "-np", "2", "-H", "a,b"}})
    EXPECT_THAT(supervisor::mpirun_additions(kPair, words, setting), IsSupersetOf({"-x", "LD_LIBRARY_PATH"}));
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun", "-x", "LD_LIBRARY_PATH"}, setting),
              Not(Contains("-x")));
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun"}), Not(Contains("-x")));
}
TEST(MpirunAdditions, RespectABindingOrMappingOfTheLauncher) {
  const auto added = supervisor::mpirun_additions(kPair, {"mpirun", "--bind-to", "core", "--map-by=node"});
  EXPECT_THAT(added, Not(Contains("--bind-to")));
  EXPECT_THAT(added, Not(Contains("--map-by")));
}
TEST(MpirunAdditions, AllowRootOnlyForRoot) {
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun"}, {.root = true}),
              Contains("--allow-run-as-root"));
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun"}), Not(Contains("--allow-run-as-root")));
}
TEST(MpirunAdditions, KeepMpiToTheManagementNetwork) {
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun"}),
              IsSupersetOf({"--mca", "btl_tcp_if_include", "mgmt0", "--mca", "oob_tcp_if_include", "mgmt0"}));
}
TEST(MpirunAdditions, NameNoLoopbackToTheLauncherWhichOpenMpi5WouldRefuse) {
  Rig rig = kPair;
  for (Node& node : rig.nodes) node.management = "lo";
  const auto added = supervisor::mpirun_additions(rig, {"mpirun"});
  EXPECT_THAT(added, IsSupersetOf({"--mca", "btl_tcp_if_include", "lo"}));
  EXPECT_THAT(added, Not(Contains("oob_tcp_if_include")));
}
TEST(MpirunAdditions, LeaveInterfacesToTheEnvironment) {
  const auto added =
      supervisor::mpirun_additions(kPair, {"mpirun"}, {.set_elsewhere = {"btl_tcp_if_exclude"}});
  EXPECT_THAT(added, Not(Contains("btl_tcp_if_include")));
  EXPECT_THAT(added, Contains("oob_tcp_if_include"));
}
TEST(MpirunAdditions, LeaveInterfacesToTheLauncher) {
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun", "--mca", "btl_tcp_if_include", "eth1"}),
              Not(Contains("btl_tcp_if_include")));
}
TEST(MpirunAdditions, LeaveInterfacesToTheLauncherByOpenMpi5sNamesToo) {
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun", "--prtemca", "prte_if_include", "eth1"}),
              Not(Contains("oob_tcp_if_include")));
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun"}, {.set_elsewhere = {"prte_if_exclude"}}),
              Not(Contains("oob_tcp_if_include")));
}
// A pair with one rail, whose netdevs have other names on each node.
Rig pair_with_a_rail() {
  Rig rig = kPair;
  for (std::size_t node = 0; node < 2; ++node) {
    const Half half{.netdev = "eth" + std::to_string(node),
                    .rdma = {},
                    .address = "198.18.1." + std::to_string(node + 1),
                    .prefix_length = 24,
                    .mac = {},
                    .rate = DataRate::gigabits_per_second(1),
                    .mtu = DataSize::bytes(9000)};
    rig.nodes[node].ports = {
        {.name = "port0",
         .rate = half.rate,
         .counters =
             CounterSource{.kind = CounterSource::Kind::kNetlink, .device = half.netdev, .name_space = {}},
         .halves = {half}}};
  }
  rig.rails = {{"rail0", {{0, 0, 0}, {1, 0, 0}}}};
  return rig;
}
TEST(MpirunAdditions, SendTheLoadOfASuiteByTheRailsAndItsTalkByTheManagement) {
  const auto added =
      supervisor::mpirun_additions(pair_with_a_rail(), {"mpirun"}, {.set_elsewhere = {"btl_tcp_if_include"}},
                                   supervisor::MpiTraffic::kRails);
  EXPECT_THAT(added, IsSupersetOf({"btl_tcp_if_include", "mgmt0,198.18.1.0/24", "btl_tcp_latency_mgmt0",
                                   "oob_tcp_if_include", "mgmt0"}));
}
TEST(MpirunAdditions, SendALoadByAllSubnetsOfARoutedRail) {
  Rig rig = pair_with_a_rail();
  rig.nodes[1].ports[0].halves[0].address = "198.19.1.2";
  rig.rails[0].routed = true;
  EXPECT_THAT(supervisor::mpirun_additions(rig, {"mpirun"}, {}, supervisor::MpiTraffic::kRails),
              Contains("mgmt0,198.18.1.0/24,198.19.1.0/24"));
}
// Catches: a load that leaves by the management network alone, since Open MPI takes "fd93::/64" for a netdev's name.
TEST(MpirunAdditions, SendALoadByTheNetdevsOfARailOfIpv6) {
  Rig rig = pair_with_a_rail();
  for (Node& node : rig.nodes) {
    Half& half = node.ports[0].halves[0];
    half.address = "fd93::" + half.address.substr(half.address.rfind('.') + 1);
    half.prefix_length = 64;
  }
  EXPECT_THAT(supervisor::mpirun_additions(rig, {"mpirun"}, {}, supervisor::MpiTraffic::kRails),
              IsSupersetOf({"btl_tcp_if_include", "mgmt0,eth0,eth1"}));
}
TEST(MpirunAdditions, LeaveTheRailsToALauncherThatNamesInterfaces) {
  const auto added =
      supervisor::mpirun_additions(pair_with_a_rail(), {"mpirun", "--mca", "btl_tcp_if_include", "eth1"}, {},
                                   supervisor::MpiTraffic::kRails);
  EXPECT_THAT(added, Not(Contains("btl_tcp_if_include")));
}
// Without these, UCX, openib, libfabric or hcoll take an mlx5 device, and no parameter of btl_tcp counts.
TEST(MpirunAdditions, HaveMpiGoByTcpWhateverElseItWasBuiltWith) {
  for (const supervisor::MpiTraffic traffic :
       {supervisor::MpiTraffic::kManagement, supervisor::MpiTraffic::kRails})
    EXPECT_THAT(
        supervisor::mpirun_additions(pair_with_a_rail(), {"mpirun"}, {.set_elsewhere = {"pml"}}, traffic),
        IsSupersetOf({"pml", "ob1", "btl", "^openib,ofi,uct,usnic", "coll", "^hcoll,ucc"}));
}
TEST(MpirunAdditions, LeaveTheTransportToALauncherThatNamesOne) {
  const auto added = supervisor::mpirun_additions(kPair, {"mpirun", "--mca", "pml", "ucx"});
  EXPECT_THAT(added, Not(Contains("ob1")));
  EXPECT_THAT(added, Contains("btl_tcp_if_include"));
}
TEST(MpirunAdditions, OverruleAnEnvironmentThatNamesInterfaces) {
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun"}, {.set_elsewhere = {"btl_tcp_if_include"}}),
              IsSupersetOf({"btl_tcp_if_include", "mgmt0"}));
}
// A netdev that one node lacks ends Open MPI there; a bridge like docker0 has the same address on every node.
TEST(MpirunAdditions, KeepMpiToTheNetworksOfTheNodesWhereTheyNameNoNetdevInCommon) {
  for (const Rig& rig : {rig_of({node("a", "a", "mgmt0"), node("b", "b", "eth0")}),
                         rig_of({node("a", "a"), node("b", "b")})}) {
    const auto added = supervisor::mpirun_additions(rig, {"mpirun"}, {.networks = "10.0.0.0/24"});
    EXPECT_THAT(added,
                IsSupersetOf({"btl_tcp_if_include", "10.0.0.0/24", "oob_tcp_if_include", "10.0.0.0/24"}));
    EXPECT_THAT(added, Not(Contains("mgmt0")));
  }
}
TEST(MpirunAdditions, SendTheTalkOfALoadByEachNodesManagementNetdev) {
  Rig rig = pair_with_a_rail();
  rig.nodes[1].management = "wlan0";
  const auto added = supervisor::mpirun_additions(rig, {"mpirun"}, {.networks = "10.0.0.0/24"},
                                                  supervisor::MpiTraffic::kRails);
  EXPECT_THAT(added, IsSupersetOf({"btl_tcp_if_include", "10.0.0.0/24,198.18.1.0/24", "btl_tcp_latency_mgmt0",
                                   "btl_tcp_latency_wlan0", "btl_tcp_bandwidth_wlan0"}));
}
TEST(MpirunAdditions, SendALoadByTheRailsAloneWhereNoManagementIsNamed) {
  Rig rig = pair_with_a_rail();
  for (Node& node : rig.nodes) node.management.reset();
  const auto added = supervisor::mpirun_additions(rig, {"mpirun"}, {.networks = "10.0.0.0/24"},
                                                  supervisor::MpiTraffic::kRails);
  EXPECT_THAT(added,
              IsSupersetOf({"btl_tcp_if_include", "198.18.1.0/24", "oob_tcp_if_include", "10.0.0.0/24"}));
}
// Seen: 35 % of a load went by the management netdev that one node's entry does not name.
TEST(MpirunAdditions, SendALoadByTheRailsAloneWhereOneNodeNamesNoManagement) {
  Rig rig = pair_with_a_rail();
  rig.nodes[0].management.reset();
  const auto added = supervisor::mpirun_additions(rig, {"mpirun"}, {.networks = "10.0.0.0/24"},
                                                  supervisor::MpiTraffic::kRails);
  EXPECT_THAT(added,
              IsSupersetOf({"btl_tcp_if_include", "198.18.1.0/24", "oob_tcp_if_include", "10.0.0.0/24"}));
  EXPECT_THAT(added, Not(Contains("btl_tcp_flags")));
}
TEST(MpirunAdditions, OversubscribeOnlyAHostThatRepeats) {
  EXPECT_THAT(supervisor::mpirun_additions(kPair, {"mpirun"}), Not(Contains("--oversubscribe")));
  const Rig twice = rig_of({node("a", "localhost"), node("b", "localhost")});
  EXPECT_THAT(supervisor::mpirun_additions(twice, {"mpirun"}), Contains("--oversubscribe"));
}

// It has an order of its own: ranks find their nodes by what follows the suite.
TEST(LaunchCommand, TakesAnotherLauncherAsACompletePrefix) {
  const supervisor::LaunchCommand launcher(kPair, "env A='b c'");
  EXPECT_THAT(launcher.with({"suite", "--rig"}, supervisor::MpiTraffic::kManagement, {0, 1}),
              ElementsAre("env", "A=b c", "suite", "--rig", "--hosts=node-a/10.0.0.1,node-b/10.0.0.2"));
  EXPECT_FALSE(launcher.is_mpirun());
}
TEST(LaunchCommand, KnowsMpirunByItsFileName) {
  const Scratch scratch;
  const supervisor::LaunchCommand launcher(kPair, scratch.script("mpiexec", "").string());
  EXPECT_TRUE(launcher.is_mpirun());
  EXPECT_THAT(launcher.with({"suite"}, supervisor::MpiTraffic::kManagement, {0, 1}),
              Contains("10.0.0.1:1,10.0.0.2:1"));
}
// The key's name, never its value; also where mpirun stands behind another program.
TEST(LaunchCommand, HandsTheKeyOnByItsName) {
  const Scratch scratch;
  const std::string mpirun = scratch.script("mpirun", "").string();
  for (const std::string& words : {mpirun, mpirun + " -np 2 --host a,b", "env A=b " + mpirun + " -np 2"}) {
    const auto command =
        supervisor::LaunchCommand(kPair, words).with({"suite"}, supervisor::MpiTraffic::kManagement, {0, 1});
    const auto suite = std::ranges::find(command, "suite");
    EXPECT_THAT(std::vector(suite - 2, suite), ElementsAre("-x", "RIGPROOF_CHANNEL_KEY")) << words;
  }
}
// A job of `sbatch --export=NONE`: its steps get none of its variables.
TEST(SlurmStep, HandsTheKeyOnWhereNotAllVariablesAre) {
  const auto exported = [](const std::string& variable) {
    const auto step = supervisor::slurm_step(kPair, {"a", "b"}, {.slurm_export = variable});
    const auto option =
        std::ranges::find_if(step, [](const std::string& word) { return word.starts_with("--export"); });
    return option == step.end() ? "" : *option;
  };
  EXPECT_EQ(exported(""), "");
  EXPECT_EQ(exported("ALL"), "");
  EXPECT_EQ(exported("ALL,A=b"), "");
  EXPECT_EQ(exported("NONE"), "--export=RIGPROOF_CHANNEL_KEY");
  EXPECT_EQ(exported("NIL"), "--export=RIGPROOF_CHANNEL_KEY");
  EXPECT_EQ(exported("PATH,HOME"), "--export=PATH,HOME,RIGPROOF_CHANNEL_KEY");
}
TEST(LaunchCommand, RefusesAProgramThatIsNotThere) {
  EXPECT_THAT([] { supervisor::LaunchCommand(kPair, "no-such-launcher -x"); },
              ThrowsMessage<supervisor::Refused>(HasSubstr("no program 'no-such-launcher'")));
}
// As in a container or a login shell that has Slurm's variables alone.
TEST(LaunchCommand, OfAnAllocationWithoutSrunSaysWhatToType) {
  const Scratch empty;
  const std::string path = getenv("PATH");
  setenv("SLURM_JOB_ID", "7", 1), setenv("PATH", empty.path("").c_str(), 1);
  EXPECT_THAT([] { supervisor::LaunchCommand(kPair, ""); },
              ThrowsMessage<supervisor::Refused>(
                  AllOf(HasSubstr("no program 'srun'"), HasSubstr("--launcher mpirun"))));
  unsetenv("SLURM_JOB_ID"), setenv("PATH", path.c_str(), 1);
}
TEST(LaunchCommand, RefusesNothing) {
  EXPECT_THROW(supervisor::LaunchCommand(kPair, "  "), supervisor::Refused);
}
TEST(LaunchCommand, RefusesAnOpenQuote) {
  EXPECT_THAT([] { supervisor::LaunchCommand(kPair, "mpirun 'x"); },
              ThrowsMessage<supervisor::Refused>(HasSubstr("no closing '")));
}

}  // namespace
}  // namespace rigproof
