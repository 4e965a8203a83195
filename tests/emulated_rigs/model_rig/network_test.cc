// What stands in a model rig: names, addresses, real packets, shaped rates, and hosts for mpirun.
#include <gmock/gmock.h>

#include "framework/rig/rig.h"
#include "tests/emulated_rigs/model_rig/in_rig.h"

namespace rigproof::model_rig {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ModelRigNetwork, TheFabricHoldsThePortsAndTheSwitch) {
  const std::string links = in_rig("ip -n fabric -br link").output;
  for (const char* name : {"a-port0", "a-port1", "b-port0", "b-port1", "sw-a-port0", "sw-a-port1",
                           "sw-b-port0", "sw-b-port1", "sw-port0", "sw-port1"}) {
    EXPECT_THAT(links, HasSubstr(name));
  }
}

TEST(ModelRigNetwork, EveryDeviceRunsFromTheStart) {
  const std::string down = in_rig(
                               "for n in node-a node-b fabric; do ip -n $n -br link | grep -v "
                               "'^sw-mgmt\\|^sw-port\\|^docker0\\|^virbr0\\| UP \\|^lo '; done")
                               .output;
  EXPECT_EQ(down, "");
}

TEST(ModelRigNetwork, EveryNodeHasItsAddresses) {
  const std::string addresses = in_rig("ip -n node-b -br -4 addr").output;
  for (const char* address :
       {"198.18.0.2/24", "198.18.1.2/24", "198.18.2.2/24", "198.18.3.2/24", "198.18.4.2/24"}) {
    EXPECT_THAT(addresses, HasSubstr(address));
  }
}

TEST(ModelRigNetwork, FullSizePacketsCrossEveryRailOfEveryPairUnfragmented) {
  const Outcome outcome = in_rig(
      "for rail in 1 2 3 4; do for to in 1 2 3; do for from in a b c; do"
      " ip netns exec node-$from ping -q -c 1 -W 5 -M do -s 8972 198.18.$rail.$to || exit 1; done; done; "
      "done",
      {.nodes = 3});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

TEST(ModelRigNetwork, TheHalvesOfAPortShareASwitchPort) {
  const std::string table =
      in_rig(
          "ping -q -c 1 198.18.1.2 >&2; ping -q -c 1 198.18.2.2 >&2; bridge -n fabric fdb show br sw-port0")
          .output;
  EXPECT_THAT(table, AllOf(HasSubstr("02:00:00:02:00:00 dev sw-b-port0"),
                           HasSubstr("02:00:00:02:00:01 dev sw-b-port0")));
}

TEST(ModelRigNetwork, SegmentationIsOffSoThatCountersSeeRealPackets) {
  EXPECT_THAT(in_rig("ip -n node-a -d link show enp1s0f0np0").output, HasSubstr("gso_max_segs 1 "));
}

TEST(ModelRigNetwork, RatesAreThoseOfTheRigFile) {
  EXPECT_THAT(in_rig("tc -n node-b qdisc show dev enP2p1s0f1np1").output, HasSubstr("rate 1Gbit"));
  EXPECT_THAT(in_rig("tc -n fabric qdisc show dev b-port1").output, HasSubstr("rate 2Gbit"));
}

TEST(ModelRigNetwork, ScaleNoneLeavesOutTheShaping) {
  const std::string disciplines =
      in_rig("tc -n node-a qdisc show; tc -n fabric qdisc show", {.shaped = false}).output;
  EXPECT_THAT(disciplines, Not(HasSubstr("tbf")));
}

TEST(ModelRigNetwork, NothingMovesOnAQuietRig) {
  const Outcome outcome =
      in_rig("cat /proc/sys/net/ipv6/conf/*/disable_ipv6; ip -n fabric -d link show sw-port0");
  EXPECT_THAT(outcome.output,
              AllOf(Not(HasSubstr("0\n1")), HasSubstr("stp_state 0"), HasSubstr("mcast_snooping 0")));
}

TEST(ModelRigNetwork, TheRigFileLoadsAndNamesWhatIsThere) {
  const int code = run_in_model_rig({.nodes = 3}, [](const ModelRigFiles& files) {
    const Rig rig = load_rig(files.rig);
    std::string command = "true";
    for (std::size_t node = 0; node < rig.nodes.size(); ++node) {
      for (const Port& port : rig.nodes[node].ports) {
        for (const Half& half : port.halves) {
          command +=
              " && ip -n " + rig.nodes[node].name + " link show " + half.netdev + " | grep -q " + *half.mac;
        }
      }
    }
    return std::system(command.c_str()) == 0 ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

// Open MPI connects to a node's every address, docker0's too, unless it is told otherwise.
constexpr const char* kMpirun = "mpirun --allow-run-as-root --mca oob_tcp_if_include mgmt0 ";

TEST(ModelRigNetwork, EveryNodeHasBridgesWithTheSameAddresses) {
  for (const char* node : {"node-a", "node-b"}) {
    const std::string addresses = in_rig(std::string("ip -n ") + node + " -br -4 addr").output;
    EXPECT_THAT(addresses, AllOf(HasSubstr("172.17.0.1/16"), HasSubstr("192.168.122.1/24")));
  }
}

TEST(ModelRigHosts, NothingIsSetForOpenMpiThatTheProductDoesNotSet) {
  EXPECT_EQ(in_rig("env | grep -E '^(OMPI|PRTE|PMIX)_'; cat /etc/openmpi/openmpi-mca-params.conf").output,
            "");
}

TEST(ModelRigHosts, MpirunStartsOneProcessOnEachNode) {
  const Outcome outcome =
      in_rig(std::string(kMpirun) + "-np 2 --host node-a:1,node-b:1 hostname 2>/dev/null | sort");
  EXPECT_EQ(outcome.output, "node-a\nnode-b\n");
}

TEST(ModelRigHosts, MpirunReachesEightNodes) {
  const Outcome outcome = in_rig(
      std::string(kMpirun) +
          "--host node-a,node-b,node-c,node-d,node-e,node-f,node-g,node-h hostname 2>/dev/null | sort | "
          "tr -d '\\n'",
      {.nodes = 8});
  EXPECT_EQ(outcome.output, "node-anode-bnode-cnode-dnode-enode-fnode-gnode-h");
}

TEST(ModelRigHosts, ArgumentsReachTheOtherNodeAsThroughSsh) {
  EXPECT_EQ(
      in_rig(std::string(kMpirun) + "--host node-b printf '[%s]' 'a  b' '$HOME' '\"c\"' 2>/dev/null").output,
      "[a  b][$HOME][\"c\"]");
  EXPECT_EQ(in_rig("ssh -x -o BatchMode=yes node-b 'cd /tmp; printf \"[%s]\"' '\"a  b\"' '$(pwd)'").output,
            "[a  b][/tmp]");
}

// As on hardware: a variable that is set at the head alone leaves the other nodes as they are.
TEST(ModelRigHosts, TheHeadsEnvironmentStaysThere) {
  const std::string set = "export NCCL_IB_HCA=rocep1s0f0 LD_LIBRARY_PATH=/opt/nccl STAND_IN_FAULT=socket; ";
  const std::string show =
      "sh -c 'echo \"$(hostname):$NCCL_IB_HCA:$LD_LIBRARY_PATH:$STAND_IN_FAULT\"' 2>/dev/null";  // mpirun may warn
  EXPECT_EQ(in_rig(set + "ssh node-b 'echo \"$NCCL_IB_HCA$LD_LIBRARY_PATH$STAND_IN_FAULT\"'").output, "\n");
  EXPECT_EQ(in_rig(set + kMpirun + "--host node-b " + show).output, "node-b:::\n");
  EXPECT_EQ(in_rig(set + kMpirun + "--host node-b -x NCCL_IB_HCA " + show).output, "node-b:rocep1s0f0::\n");
}

TEST(ModelRigHosts, AnUnknownHostIsNamed) {
  const Outcome outcome = in_rig("ssh node-x true");
  EXPECT_EQ(outcome.code, 255);
  EXPECT_THAT(outcome.output, HasSubstr("no node 'node-x'"));
}

}  // namespace
}  // namespace rigproof::model_rig
