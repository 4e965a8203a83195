// NCCL's own lines, as its sources format them and as public logs show them.
#include "fixtures/nccl/transport_log.h"

#include <gmock/gmock.h>

#include <sstream>

#include "framework/rig/rig.h"
#include "tests/rig/rig_text.h"

namespace rigproof::nccl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TransportLog parse(const std::string& text) {
  std::istringstream in(text);
  return parse_transport_log(in);
}

TransportLog parse_line(const std::string& line) {
  return parse("spark-1:4711:4730 [0] NCCL INFO " + line + "\n");
}

TEST(TransportLog, NamesAChannelsTransportDeviceAndGdr) {
  const auto log = parse_line("Channel 02/0 : 0[0] -> 1[0] [send] via NET/IB/4/GDRDMA");
  ASSERT_THAT(log.channels, SizeIs(1));
  const NcclChannel& channel = log.channels[0];
  EXPECT_EQ(channel.number, 2);
  EXPECT_TRUE(channel.sends);
  EXPECT_EQ(channel.from, 0);
  EXPECT_EQ(channel.to, 1);
  EXPECT_EQ(channel.transport, "NET/IB");
  EXPECT_EQ(channel.device, 4);
  EXPECT_TRUE(channel.gdr);
}

struct Line {
  const char* name;
  const char* text;
  const char* transport;
  int device;
  bool gdr, sends;
};
class ChannelLine : public testing::TestWithParam<Line> {};
TEST_P(ChannelLine, IsUnderstood) {
  const auto log = parse_line(GetParam().text);
  ASSERT_THAT(log.channels, SizeIs(1));
  EXPECT_EQ(log.channels[0].transport, GetParam().transport);
  EXPECT_EQ(log.channels[0].device, GetParam().device);
  EXPECT_EQ(log.channels[0].gdr, GetParam().gdr);
  EXPECT_EQ(log.channels[0].sends, GetParam().sends);
}
INSTANTIATE_TEST_SUITE_P(
    Every, ChannelLine,
    testing::Values(
        Line{"Receive", "Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/0", "NET/IB", 0, false, false},
        Line{"OfAnOlderVersion", "Channel 00 : 0[b100] -> 1[b200] [send] via NET/Socket/0", "NET/Socket", 0,
             false, true},
        Line{"ByPcie", "Channel 03/0 : 0[0] -> 1[0] [send] via NET/IB/1/GDRDMA(PCI)/Shared", "NET/IB", 1,
             true, true},
        Line{"BusIds", "Channel 00/0 : 0[1000] -> 1[2000] [send] via NET/IB/3/GDRDMA", "NET/IB", 3, true,
             true},
        Line{"SharedBuffers", "Channel 01/1 : 0[0] -> 1[0] [send] via NET/Socket/0/Shared", "NET/Socket", 0,
             false, true},
        Line{"GdrOverPci", "Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA(PCI)/Shared", "NET/IB", 0,
             true, true},
        Line{"Relayed", "Channel 07/0 : 3[3] -> 8[0] [send] via NET/IB/2(1)/GDRDMA", "NET/IB", 2, true, true},
        Line{"APlugin", "Channel 00/0 : 1[0] -> 0[0] [receive] via NET/NCCL RDMA Plugin v10/0",
             "NET/NCCL RDMA Plugin v10", 0, false, false},
        Line{"ThePluginOfItsOwn", "Channel 03/0 : 0[0] -> 1[0] [send] via NET/IBext_v11/1", "NET/IBext_v11",
             1, false, true},
        Line{"ThePluginRelaying", "Channel 00/0 : 7[1] -> 0[0] [send] via NET/IBext_v8/1(6)/GDRDMA",
             "NET/IBext_v8", 1, true, true},
        Line{"WithItsCommunicator",
             "Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/1/GDRDMA comm 0x55d0 nRanks 02", "NET/IB", 1,
             true, true},
        Line{"RelayedInsideTheNode", "Channel 02/0 : 6[0] -> 7[1] via P2P/CUMEM/read", "P2P", -1, false,
             true},
        Line{"InsideTheNode", "Channel 00 : 0[0] -> 1[1] via P2P/direct pointer", "P2P", -1, false, true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(TransportLog, TellsTheProtocolOfACollective) {
  const auto log = parse(
      "a:1:1 [0] NCCL INFO AllReduce: 8 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}\n"
      "a:1:1 [0] NCCL INFO AllGather: 4194304 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..7} "
      "cgaClusterSize 4\n");
  ASSERT_THAT(log.choices, SizeIs(2));
  EXPECT_EQ(log.choices[0].function, "AllReduce");
  EXPECT_EQ(log.choices[0].protocol, "LL");
  EXPECT_EQ(log.choices[1].bytes, 4194304U);
  EXPECT_EQ(log.choices[1].algorithm, "RING");
  EXPECT_EQ(log.choices[1].protocol, "SIMPLE");
  EXPECT_EQ(log.choices[1].last, 7);
}

TEST(TransportLog, TellsWhichVariablesNcclTook) {
  const auto log = parse(
      "a:1:1 [0] NCCL INFO NCCL_IB_QPS_PER_CONNECTION set by environment to 4.\n"
      "a:1:1 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to enp1s0f0np0\n");
  EXPECT_EQ(log.settings.at("NCCL_IB_QPS_PER_CONNECTION"), "4");
  EXPECT_EQ(log.settings.at("NCCL_SOCKET_IFNAME"), "enp1s0f0np0");
}

TEST(TransportLog, NamesTheDevicesUpToTheOneOfTheBootstrap) {
  const auto log = parse_line(
      "NET/IB : Using [0]rocep1s0f0:1/RoCE [1]roceP2p1s0f0:1/RoCE [RO]; OOB enP7s7:192.168.100.12<0>");
  EXPECT_THAT(log.devices, SizeIs(2));
  EXPECT_THAT(log.devices.at({"NET/IB", 1}), ElementsAre("roceP2p1s0f0"));
}
TEST(TransportLog, ResolvesADeviceThatNcclMadeOfTwo) {
  const auto log = parse(
      "a:1:1 [0] NCCL INFO NET/IB : Using [0]rocep1s0f0:1/RoCE [1]roceP2p1s0f0:1/RoCE [RO]; OOB "
      "eth0:192.0.2.1<0>\n"
      "a:1:1 [0] NCCL INFO NET/IB : Made virtual device [2] name=rocep1s0f0+roceP2p1s0f0 speed=400000 "
      "ndevs=2\n"
      "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/2\n");
  EXPECT_THAT(log.channels.at(0).nics, ElementsAre("roceP2p1s0f0", "rocep1s0f0"));
}
// Up to 2.23: there is no line for such a device of its own, and a single one has the number that verbs gave it.
TEST(TransportLog, ResolvesDevicesThatAnOlderNcclMadeOfTwo) {
  const auto log = parse(
      "a:1:1 [0] NCCL INFO NET/IB : Using [0]={[0] rocep1s0f0:1/RoCE, [1] rocep1s0f1:1/RoCE} "
      "[2]roceP2p1s0f0:1/RoCE [RO]; OOB eth0:192.0.2.1<0>\n"
      "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
      "a:1:1 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/1/GDRDMA/Shared\n"
      "a:1:1 [0] NCCL INFO Channel 02/0 : 0[0] -> 1[0] [send] via NET/IB/2\n");
  EXPECT_THAT(log.channels.at(0).nics, ElementsAre("rocep1s0f0", "rocep1s0f1"));
  EXPECT_THAT(log.channels.at(1).nics, ElementsAre("roceP2p1s0f0"));
  EXPECT_THAT(log.channels.at(2).nics, IsEmpty());
}
// mpirun --tag-output, a timestamp, a rank that has no GPU yet, and Windows' line ends.
TEST(TransportLog, KnowsItsLinesBehindWhatLaunchersPutThere) {
  const auto log = parse(
      "[1,0]<stdout>:[2026-11-22 12:00:00] a:1:9 [-1] NCCL INFO NET/IB : Using [0]mlx5_10:1/RoCE "
      "[1]mlx5_1:1/RoCE "
      "[RO]; OOB eth0.7:fe80::1%eth0.7<0>\r\n"
      "[1,0]<stdout>:[2026-11-22 12:00:01] a:1:9 [-1] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via "
      "NET/IB/1\r\n");
  ASSERT_THAT(log.channels, SizeIs(1));
  EXPECT_THAT(log.channels[0].nics, ElementsAre("mlx5_1"));
}
TEST(TransportLog, NamesNothingForADeviceThatWasNotAnnounced) {
  const auto log = parse_line("Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/9");
  EXPECT_THAT(log.channels.at(0).nics, IsEmpty());
}
TEST(TransportLog, TellsVersionBootstrapAndWarnings) {
  const auto log = parse(
      "spark-1:1:1 [0] NCCL INFO Bootstrap: Using enp1s0f0np0:169.254.1.1<0>\n"
      "spark-1:1:1 [0] NCCL INFO NCCL version 2.28.9+cuda13.0\n"
      "\n"
      "[2026-11-21 12:00:00] spark-1:1:1 [0] transport/net_ib.cc:1 NCCL WARN Call to ibv_modify_qp failed\n");
  EXPECT_EQ(log.version, "2.28.9+cuda13.0");
  EXPECT_EQ(log.bootstrap, "enp1s0f0np0");
  EXPECT_THAT(log.warnings, ElementsAre("Call to ibv_modify_qp failed"));
}
TEST(TransportLog, IsNotFooledByForeignOrTornLines) {
  EXPECT_THAT(parse("a:1:1 [0] NCCL INFO Using network IB\n"
                    "Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n")
                  .channels,
              IsEmpty());
  EXPECT_THAT(
      parse_line("Channel 00/0 : 0[0] -> 1[0] [send] via NET/" + std::string(1 << 20, 'x') + "/0").channels,
      IsEmpty());
  EXPECT_THAT(parse("a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/1").channels,
              IsEmpty())
      << "a device number may go on in what is not written yet";
  EXPECT_THAT(parse("a:1:1 [0] NCCL INFO Channel 00/02 : 0 1\n").channels, IsEmpty());
}

// Catches: a channel by sockets that nobody counts because its line was cut or mixed with another's.
TEST(TransportLog, CountsAChannelWhoseLineCannotBeReadAsOneByAnUnknownWay) {
  const auto rig = read_rig(toml::Document::parse(star_text(2), "rig.toml"));
  for (const char* line :
       {"Channel 99999999999999999999/0 : 0[0] -> 1[0] [send] via NET/IB/0",
        "Channel 01/0 : 0[0] -> 1[0] [send] via NET/Sock", "Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/x",
        "Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/0spark-1:4712:4730 [0] NCCL INFO x",
        "Channel 01/0 : 0[0] -> 1 [send] via NET/IB/0"}) {
    const auto log = parse(
        "a:1:1 [0] NCCL INFO NET/IB : Using [0]rdma-enp1s0f0np0:1/RoCE [RO]\n"
        "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
        "a:1:1 [0] NCCL INFO " +
        std::string(line) + "\n");
    ASSERT_THAT(log.channels, SizeIs(2)) << line;
    const TransportProof proof = prove_transport(log, rig.nodes[0], rig.halves_of(0));
    EXPECT_EQ(proof.channels, 2U);
    EXPECT_EQ(proof.by_rdma, 1U) << line;
    EXPECT_EQ(proof.foreign, 1U) << line;
    EXPECT_THAT(proof.findings, testing::Contains(testing::HasSubstr("cannot be read"))) << line;
  }
}
// A process was interrupted in its line by another: the fallback to sockets stands in the middle of it.
TEST(TransportLog, KnowsAChannelInTheMiddleOfAnotherProcessesLine) {
  const auto log = parse(
      "spark-1:1:1 [0] NCCL INFO Using netwspark-2:7:7 [0] NCCL INFO Channel 01/0 : 1[0] -> 0[0] [send] via "
      "NET/Socket/0\nork IB\n");
  ASSERT_THAT(log.channels, SizeIs(1));
  EXPECT_EQ(log.channels[0].transport, "NET/Socket");
}
TEST(TransportLog, MayHaveLostWhatStandsInFrontOfEveryLine) {
  const auto log = parse(
      "NET/IB : Using [0]rocep1s0f0:1/RoCE [1]roceP2p1s0f0:1/RoCE [RO]\n"
      "Channel 00/0 : 0[0] -> 1[0] [send] via NET/IBext_v11/0\n");
  ASSERT_THAT(log.channels, SizeIs(1));
  EXPECT_THAT(log.channels[0].nics, ElementsAre("rocep1s0f0"));
}
TEST(TransportLog, KnowsTheTwoNumberingsOfDevicesApart) {
  const auto log = parse(
      "a:1:1 [0] NCCL INFO NET/IB: [0] rocep1s0f0:uverbs0:1/RoCE provider=Mlx5 speed=200000 context=0x1 "
      "pciPath=/sys/devices/x ar=0\n"
      "a:1:1 [0] NCCL INFO NET/IB : Made virtual device [0] name=rocep1s0f0 speed=200000 ndevs=1\n"
      "a:1:1 [0] NCCL INFO NET/IB: [2] roceP2p1s0f0:uverbs2:1/RoCE provider=Mlx5 speed=200000 context=0x2 "
      "pciPath=/sys/devices/y ar=0\n"
      "a:1:1 [0] NCCL INFO NET/IB : Made virtual device [1] name=roceP2p1s0f0 speed=200000 ndevs=1 rail=-1 "
      "plane=-1\n"
      "a:1:1 [0] NCCL INFO NET/IB : Using [0]rocep1s0f0:1:0:1/RoCE [1]roceP2p1s0f0:1::2/RoCE [RO]; OOB "
      "a:1.2.3.4<0>\n"
      "a:1:1 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/1\n");
  EXPECT_THAT(log.devices, SizeIs(2));
  EXPECT_THAT(log.channels.at(0).nics, ElementsAre("roceP2p1s0f0"));
}
// NVIDIA's script for rings sets NCCL_IB_SUBNET_AWARE_ROUTING; NCCL says so whenever it asks the connection how far it is.
TEST(TransportLog, TakesTheDeviceThatAConnectionWasReroutedTo) {
  const auto log = parse(
      "a:1:1 [0] NCCL INFO NET/IB : Using [0]rocep1s0f0:1/RoCE [1]rocep1s0f1:1/RoCE [RO]; OOB a:1.2.3.4<0>\n"
      "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
      "a:1:1 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/1\n"
      "a:1:3 [0] NCCL INFO NET/IB: Subnet-aware routing: overriding dev 0 with dev 1\n"
      "a:1:3 [0] NCCL INFO NET/IB: Subnet-aware routing: overriding dev 0 with dev 1\n");
  ASSERT_THAT(log.channels, SizeIs(2));
  EXPECT_THAT(log.channels[0].nics, ElementsAre("rocep1s0f1"));
  EXPECT_THAT(log.channels[1].nics, ElementsAre("rocep1s0f1"));
  EXPECT_TRUE(log.is_rerouted);
}
TEST(TransportLog, KnowsADeviceByItsDirectWayToTheGpu) {
  const auto log = parse(
      "a:1:1 [0] NCCL INFO NET/IB : Made virtual device [1] name=mlx5_0_dma+mlx5_1_dma speed=800000 ndevs=2\n"
      "a:1:1 [0] NCCL INFO NET/IB : Using [0]mlx5_0_dma:1/RoCE [RO]; OOB a:1.2.3.4<0>\n"
      "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA\n");
  EXPECT_THAT(log.channels.at(0).nics, ElementsAre("mlx5_0"));
  EXPECT_THAT(log.devices.at({"NET/IB", 1}), ElementsAre("mlx5_0", "mlx5_1"));
}
// A crossed cable: what is device 0 to one node is another port than to the other.
TEST(TransportLog, OfSeveralProcessesKnowsEachOnesDevices) {
  const auto log = parse(
      "b:7:9 [0] NCCL INFO NET/IB : Using [0]rocep1s0f1:1/RoCE [RO]; OOB eth0:192.0.2.2<0>\n"
      "a:1:1 [0] NCCL INFO Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/0\n"
      "# size time algbw\n"
      "b:7:8 [0] NCCL INFO Channel 00/0 : 1[0] -> 0[0] [send] via NET/IB/0\n"
      "(Worker pid=3) a:1:1 [0] NCCL INFO NET/IB : Using [0]rocep1s0f0:1/RoCE [RO]; OOB eth0:192.0.2.1<0>\n");
  ASSERT_THAT(log.channels, SizeIs(2));
  EXPECT_EQ(log.channels[0].process, "a:1");
  EXPECT_EQ(log.channels[0].rank(), 0);
  EXPECT_THAT(log.channels[0].nics, ElementsAre("rocep1s0f0"));
  EXPECT_EQ(log.channels[1].rank(), 1);
  EXPECT_THAT(log.channels[1].nics, ElementsAre("rocep1s0f1"));
}
TEST(TransportLog, TakesDevicesOfAnotherProcessWhereAllThatNameThemAgree) {
  const std::string channel = "b:7:8 [0] NCCL INFO Channel 00/0 : 1[0] -> 0[0] [send] via NET/IB/0\n",
                    one = "a:1:1 [0] NCCL INFO NET/IB : Using [0]rocep1s0f0:1/RoCE [RO]; OOB x:1.2.3.4<0>\n",
                    other =
                        "c:1:1 [0] NCCL INFO NET/IB : Using [0]rocep1s0f1:1/RoCE [RO]; OOB x:1.2.3.4<0>\n";
  EXPECT_THAT(parse(channel + one).channels.at(0).nics, ElementsAre("rocep1s0f0"));
  EXPECT_THAT(parse(channel + one + other).channels.at(0).nics, IsEmpty());
}
TEST(TransportLog, IsNotFooledByProseAboutNccl) {
  const auto log = parse(
      "#> NCCL WARN of a bond, without \"host:pid:tid [gpu] NCCL INFO \"\n"
      "NET/IB : Using [0]rocep1s0f0:1/RoCE [RO]\n"
      "Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n");
  EXPECT_THAT(log.warnings, IsEmpty());
  EXPECT_THAT(log.channels, SizeIs(1)) << "no line begins as NCCL's do";
}
// NCCL names its devices, its version and its variables once a process.
TEST(TransportLog, KeepsWhatWasSaidBeforeTheCommunicatorThatIsAskedFor) {
  const std::string before =
      "a:1:1 [0] NCCL INFO NCCL version 2.28.9+cuda13.0\n"
      "a:1:1 [0] NCCL INFO NCCL_IB_HCA set to rocep1s0f0,roceP2p1s0f0\n"
      "a:1:1 [0] NCCL INFO NET/IB : Using [0]rocep1s0f0:1/RoCE [1]roceP2p1s0f0:1/RoCE [RO]; OOB "
      "a:1.2.3.4<0>\n"
      "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
      "a:1:1 [0] a.cc:1 NCCL WARN of the first one\n";
  std::istringstream in(before + "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/1\n");
  const auto log = parse_transport_log(in, before.size());
  ASSERT_THAT(log.channels, SizeIs(1));
  EXPECT_THAT(log.channels[0].nics, ElementsAre("roceP2p1s0f0"));
  EXPECT_EQ(log.version, "2.28.9+cuda13.0");
  EXPECT_EQ(log.settings.at("NCCL_IB_HCA"), "rocep1s0f0,roceP2p1s0f0");
  EXPECT_THAT(log.warnings, IsEmpty());
}
TEST(TransportLog, JoinsAWarningOfSeveralLines) {
  const auto log = parse(
      "[2026-11-21 12:00:00] a:1:3 [0] transport/net_ib.cc:2470 (ncclIbTest) NCCL WARN NET/IB: \n"
      "Got completion from peer 192.0.2.2<35162> with status=12 opcode=129\n"
      "hca rocep1s0f0\n"
      "\n"
      "a: Test NCCL failure common.cu:401\n"
      "a:1:1 [0] NCCL INFO comm 0x1 rank 1 nranks 2 - Abort COMPLETE\n");
  EXPECT_THAT(
      log.warnings,
      ElementsAre(
          "NET/IB: Got completion from peer 192.0.2.2<35162> with status=12 opcode=129 hca rocep1s0f0"));
}

// --- against the rig file ---

Half half(const std::string& netdev, const std::string& rdma) {
  return {.netdev = netdev,
          .rdma = rdma,
          .address = "198.18.1.1",
          .prefix_length = 24,
          .mac = {},
          .rate = DataRate::gigabits_per_second(100),
          .mtu = DataSize::bytes(9000)};
}

Node spark() {
  Port port{
      .name = "port0",
      .rate = DataRate::gigabits_per_second(200),
      .counters =
          CounterSource{.kind = CounterSource::Kind::kEthtool, .device = "enp1s0f0np0", .name_space = {}},
      .halves = {half("enp1s0f0np0", "rocep1s0f0"), half("enP2p1s0f0np0", "roceP2p1s0f0")}};
  return {.name = "spark-1", .address = "spark-1", .management = "enP7s7", .ports = {port}};
}

constexpr char kDevices[] =
    "a:1:1 [0] NCCL INFO NET/IB : Using [0]rocep1s0f0:1/RoCE [1]roceP2p1s0f0:1/RoCE [RO]; OOB "
    "enP7s7:192.0.2.1<0>\n";

TransportProof prove(const std::string& text) {
  return prove_transport(parse(text), spark(), {{0, 0, 0}, {0, 0, 1}});
}

TEST(TransportProof, IsCompleteWhenEveryHalfCarriesChannelsByRdma) {
  const auto proof =
      prove(kDevices + std::string("a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
                                   "a:1:1 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/1\n"));
  EXPECT_EQ(proof.channels, 2u);
  EXPECT_EQ(proof.by_rdma, 2u);
  EXPECT_EQ(proof.foreign, 0u);
  EXPECT_THAT(proof.unused, IsEmpty());
  EXPECT_THAT(proof.findings, IsEmpty());
}
TEST(TransportProof, SharesTheLoadOutOverTheChannelsOfEachDirection) {
  const auto proof = prove(
      kDevices + std::string("a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
                             "a:1:1 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
                             "a:1:1 [0] NCCL INFO Channel 02/0 : 0[0] -> 1[0] [send] via NET/IB/1\n"
                             "a:1:1 [0] NCCL INFO Channel 03/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
                             "a:1:1 [0] NCCL INFO Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/1\n"));
  EXPECT_DOUBLE_EQ(proof.shares.at("enp1s0f0np0").sends, 0.75);
  EXPECT_DOUBLE_EQ(proof.shares.at("enp1s0f0np0").receives, 0);
  EXPECT_DOUBLE_EQ(proof.shares.at("enP2p1s0f0np0").sends, 0.25);
  EXPECT_DOUBLE_EQ(proof.shares.at("enP2p1s0f0np0").receives, 1);
}
// A ring: the second port leads to a third node. NCCL takes it for a way to this one, too.
TEST(TransportProof, FindsAChannelByTheCableToAnotherNode) {
  Node node = spark();
  Port other = node.ports[0];
  other.name = "port1";
  other.halves = {half("enp1s0f1np1", "rocep1s0f1"), half("enP2p1s0f1np1", "roceP2p1s0f1")};
  node.ports.push_back(other);
  const auto log = parse(
      "a:1:1 [0] NCCL INFO NET/IB : Using [0]rocep1s0f0:1/RoCE [1]rocep1s0f1:1/RoCE [RO]; OOB "
      "enP7s7:192.0.2.1<0>\n"
      "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
      "a:1:1 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/1\n");
  const auto proof = prove_transport(log, node, {{0, 0, 0}, {0, 0, 1}});
  EXPECT_EQ(proof.foreign, 1U);
  EXPECT_THAT(proof.used, ElementsAre("enp1s0f0np0"));
  EXPECT_THAT(proof.findings,
              ElementsAre("channel 01 to rank 1 goes by NET/IB/1 (rocep1s0f1), which does not lead to "
                          "the other node",
                          "no channel uses enP2p1s0f0np0"));
}
TEST(TransportProof, HalvesAChannelOfTwoNics) {
  const auto proof =
      prove(kDevices +
            std::string("a:1:1 [0] NCCL INFO NET/IB : Made virtual device [2] name=rocep1s0f0+roceP2p1s0f0 "
                        "speed=200000 ndevs=2\n"
                        "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/2/GDRDMA\n"));
  EXPECT_DOUBLE_EQ(proof.shares.at("enp1s0f0np0").sends, 0.5);
  EXPECT_DOUBLE_EQ(proof.shares.at("enP2p1s0f0np0").sends, 0.5);
}
TEST(TransportProof, DescribesTheWayOfAChannel) {
  const auto log = parse(
      kDevices + std::string("a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/1/GDRDMA\n"));
  EXPECT_EQ(describe_way(log.channels.at(0)), "NET/IB/1 (roceP2p1s0f0), GDR on");
}
TEST(TransportProof, FindsAHalfThatIdles) {
  const auto proof =
      prove(kDevices + std::string("a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"));
  EXPECT_THAT(proof.unused, ElementsAre("enP2p1s0f0np0"));
  EXPECT_THAT(proof.findings, ElementsAre("no channel uses enP2p1s0f0np0"));
}
TEST(TransportProof, FindsTheSocketFallback) {
  const auto proof = prove(
      "a:1:1 [0] NCCL INFO NET/IB : No device found.\n"
      "a:1:1 [0] NCCL INFO NET/Socket : Using [0]enp1s0f0np0:169.254.1.1<0> [1]enP2p1s0f0np0:169.254.2.1<0>\n"
      "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0\n"
      "a:1:1 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/Socket/1\n");
  EXPECT_EQ(proof.by_rdma, 0u);
  EXPECT_EQ(proof.foreign, 0u);
  EXPECT_THAT(proof.findings, ElementsAre("channel 00 to rank 1 goes by NET/Socket/0 (enp1s0f0np0)",
                                          "channel 01 to rank 1 goes by NET/Socket/1 (enP2p1s0f0np0)"));
}
TEST(TransportProof, TakesNcclsPluginForRdma) {
  const auto proof = prove(
      kDevices + std::string("a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IBext_v11/0\n"
                             "a:1:1 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/IBext_v11/1\n"));
  EXPECT_EQ(proof.by_rdma, 2U);
  EXPECT_THAT(proof.unused, IsEmpty());
  EXPECT_THAT(proof.findings, IsEmpty());
}
TEST(TransportProof, CountsADeviceOfTwoNicsAsBothHalves) {
  const auto proof =
      prove(kDevices +
            std::string("a:1:1 [0] NCCL INFO NET/IB : Made virtual device [2] name=rocep1s0f0+roceP2p1s0f0 "
                        "speed=400000 ndevs=2\n"
                        "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/2\n"));
  EXPECT_EQ(proof.channels, 1U);
  EXPECT_THAT(proof.used, SizeIs(2));
  EXPECT_THAT(proof.findings, IsEmpty());
}
TEST(TransportProof, FindsTheManagementNetwork) {
  const auto proof = prove(
      "a:1:1 [0] NCCL INFO NET/Socket : Using [0]enP7s7:192.0.2.1<0>\n"
      "a:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0\n");
  EXPECT_EQ(proof.foreign, 1u);
  EXPECT_EQ(proof.findings.at(0), "channel 00 to rank 1 goes by NET/Socket/0 (enP7s7)");
}
TEST(TransportProof, OfALogWithoutChannelsProvesNothing) {
  const auto proof = prove(kDevices);
  EXPECT_EQ(proof.channels, 0u);
  EXPECT_EQ(proof.findings.at(0), "NCCL's log names no channel through the network");
}
TEST(TransportProof, LeavesChannelsInsideTheNodeOut) {
  EXPECT_EQ(prove("a:1:1 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/IPC\n").channels, 0u);
}

}  // namespace
}  // namespace rigproof::nccl
