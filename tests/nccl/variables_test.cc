// NCCL's variables as Rigproof proposes them: of this node's own devices, and never over what somebody has set. Catches:
// the acceptance run that sets nothing and gets 3 GB/s, a device left out, a user's setting overruled.
#include "fixtures/nccl/installation.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "fixtures/nccl/transport_log.h"
#include "tests/rig/rig_text.h"
#include "tests/support/temp_folder.h"

namespace rigproof::nccl {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Key;
using testing::Not;
using testing::Pair;
using testing::StartsWith;
using testing::UnorderedElementsAre;

TEST(NcclVariablesFor, NameTheNodesDevicesByRailAndItsManagementNetdev) {
  const Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  EXPECT_THAT(
      variables_for(rig, every_node_pair(rig).front(), 1),
      UnorderedElementsAre(Pair("NCCL_IB_HCA", "=rocep1s0f0,roceP2p1s0f0,rocep1s0f1,roceP2p1s0f1"),
                           Pair("NCCL_SOCKET_IFNAME", "=enP7s7"), Pair("NCCL_NCHANNELS_PER_NET_PEER", "4")));
}
TEST(NcclVariablesFor, TakeTheFirstRailWhereThereIsNoManagementNetwork) {
  Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  rig.nodes[0].management.reset();
  EXPECT_EQ(variables_for(rig, every_node_pair(rig).front(), 0).at("NCCL_SOCKET_IFNAME"), "=enp1s0f0np0");
}
TEST(NcclVariablesFor, NameNoDevicesWhereTheRigFileNamesNotAll) {
  Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  rig.nodes[0].ports[1].halves[0].rdma.reset();
  EXPECT_THAT(variables_for(rig, every_node_pair(rig).front(), 0), Not(Contains(Key("NCCL_IB_HCA"))));
}
// Catches: NCCL on a link-local GID, since it chooses GIDs of IPv4 unless told otherwise.
TEST(NcclVariablesFor, NameTheFamilyOfIpv6) {
  Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  const auto pair = every_node_pair(rig).front();
  EXPECT_THAT(variables_for(rig, pair, 0), Not(Contains(Key("NCCL_IB_ADDR_FAMILY"))));
  for (Node& node : rig.nodes)
    for (Port& port : node.ports)
      for (Half& half : port.halves)
        half.address = "fd93::" + half.address.substr(half.address.rfind('.') + 1);
  EXPECT_EQ(variables_for(rig, pair, 0).at("NCCL_IB_ADDR_FAMILY"), "AF_INET6");
}
TEST(NcclVariablesFor, NameTheClassOfServiceThatAllRailsHave) {
  Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  for (Rail& rail : rig.rails) rail.service = ServiceClass{.traffic_class = 106, .service_level = 3};
  const auto pair = every_node_pair(rig).front();
  EXPECT_EQ(variables_for(rig, pair, 0).at("NCCL_IB_TC"), "106");
  EXPECT_EQ(variables_for(rig, pair, 0).at("NCCL_IB_SL"), "3");
  rig.rails[1].service = ServiceClass{.traffic_class = 104};
  EXPECT_THAT(variables_for(rig, pair, 0), Not(Contains(Key("NCCL_IB_TC"))));
}

// NCCL can't be told which device leads to whom: of a node with a cable to each of two others it would take all four.
TEST(NcclVariablesFor, NameInARingTheDevicesThatLeadToTheOtherNodeOnly) {
  Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_ring_of_three.toml");
  const auto pairs = every_node_pair(rig);
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(variables_for(rig, pairs[0], 0).at("NCCL_IB_HCA"), "=roceP2p1s0f0,rocep1s0f0");
  EXPECT_EQ(variables_for(rig, pairs[1], 0).at("NCCL_IB_HCA"), "=roceP2p1s0f1,rocep1s0f1");
  rig.nodes[0].management.reset();
  EXPECT_EQ(variables_for(rig, pairs[1], 0).at("NCCL_SOCKET_IFNAME"), "=enP2p1s0f1np1");
  EXPECT_THAT(variables_for(rig, pairs[2], 0), testing::IsEmpty());
}

TEST(GpuPairs, LeaveOutANodeThatStatesThatItHasNoGpu) {
  Rig rig = rig_of(star_text(3));
  rig.kind = "hardware";
  EXPECT_EQ(every_gpu_pair(rig).size(), 3U);
  rig.nodes[1].gpus = 0;
  ASSERT_EQ(every_gpu_pair(rig).size(), 1U);
  EXPECT_EQ(every_gpu_pair(rig).front().nodes(), (std::vector<std::size_t>{0, 2}));
}

class Propose : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"NCCL_IB_HCA", "NCCL_NCHANNELS_PER_NET_PEER", "NCCL_SOCKET_IFNAME"})
      unsetenv(name);
  }
  void TearDown() override { SetUp(); }
  std::filesystem::path file(const std::string& text) {
    const auto path = folder_.path() / "nccl.conf";
    std::ofstream(path) << text;
    return path;
  }

 private:
  TempFolder folder_;
};
TEST_F(Propose, SetsWhatNobodyHasSetAndTellsWho) {
  setenv("NCCL_NCHANNELS_PER_NET_PEER", "2", 1);
  propose({{"NCCL_IB_HCA", "=a,b"}, {"NCCL_NCHANNELS_PER_NET_PEER", "4"}}, {});
  const NcclVariables now = variables_in_effect({});
  EXPECT_EQ(now.at("NCCL_IB_HCA"), "=a,b (set by Rigproof from the rig file)");
  EXPECT_EQ(now.at("NCCL_NCHANNELS_PER_NET_PEER"), "2 (set in the environment)");
}
TEST_F(Propose, LeavesWhatAConfigurationFileSets) {
  const auto conf = file("# NCCL_SOCKET_IFNAME=eth0\nNCCL_IB_HCA=mlx5_0\n");
  propose({{"NCCL_IB_HCA", "=a,b"}, {"NCCL_SOCKET_IFNAME", "=mgmt0"}}, {conf});
  EXPECT_EQ(getenv("NCCL_IB_HCA"), nullptr);
  EXPECT_STREQ(getenv("NCCL_SOCKET_IFNAME"), "=mgmt0");
  EXPECT_THAT(variables_in_effect({conf}),
              Contains(Pair("NCCL_IB_HCA", StartsWith("as NCCL's configuration"))));
}
TEST_F(Propose, DoesNotCountAsASettingOfTheOwner) {
  const auto conf = file("NCCL_IB_HCA=mlx5_0\n");
  setenv("NCCL_NCHANNELS_PER_NET_PEER", "2", 1);
  propose({{"NCCL_IB_HCA", "=a,b"}, {"NCCL_SOCKET_IFNAME", "=mgmt0"}}, {conf});
  EXPECT_THAT(settings_of_owner("2.30.7", {conf}).changed(),
              testing::ElementsAre(Pair("NCCL_IB_HCA", "mlx5_0 (" + conf.string() + ")"),
                                   Pair("NCCL_NCHANNELS_PER_NET_PEER", "2 (the environment)")));
}

// NCCL among all GPUs of the rig uses the owner's settings, not those of the pair before.
TEST_F(Propose, TakesBackWhatItProposedBefore) {
  setenv("NCCL_SOCKET_IFNAME", "eth0", 1);
  propose({{"NCCL_IB_HCA", "=a,b"}, {"NCCL_SOCKET_IFNAME", "=mgmt0"}, {"NCCL_NCHANNELS_PER_NET_PEER", "4"}},
          {});
  setenv("NCCL_NCHANNELS_PER_NET_PEER", "8", 1);  // the owner's, since then
  propose({}, {});
  EXPECT_EQ(getenv("NCCL_IB_HCA"), nullptr);
  EXPECT_STREQ(getenv("NCCL_SOCKET_IFNAME"), "eth0");
  EXPECT_STREQ(getenv("NCCL_NCHANNELS_PER_NET_PEER"), "8");
}

// A device that leads to another node can't connect: the error must say who chose it.
TEST_F(Propose, TellsWhichDevicesSomebodyHasChosenInstead) {
  propose({{"NCCL_IB_HCA", "=a,b"}}, {});
  EXPECT_EQ(overruled_devices({}), "");
  propose({{"NCCL_IB_HCA", "=a,b"}}, {});
  EXPECT_EQ(overruled_devices({}), "") << "set by Rigproof before";
  setenv("NCCL_IB_HCA", "roce", 1);
  propose({{"NCCL_IB_HCA", "=a,b"}}, {});
  EXPECT_EQ(overruled_devices({}),
            "NCCL_IB_HCA is roce (set in the environment); the devices that lead to the other node: =a,b");
  unsetenv("NCCL_IB_HCA");
  const auto conf = file("NCCL_IB_HCA=mlx5_0\n");
  propose({{"NCCL_IB_HCA", "=a,b"}}, {conf});
  EXPECT_EQ(
      overruled_devices({conf}),
      "NCCL_IB_HCA is as NCCL's configuration file has it; the devices that lead to the other node: =a,b");
}

// Its time is taken off what NCCL costs the CPU: nameless it counts as that, 5 % of a Spark. Its file is where no other user
// can leave a link that NCCL would follow to forged lines.
TEST(NcclLog, HasNcclNameItsProxyThreadAndIsNoSettingOfTheUsers) {
  namespace fs = std::filesystem;
  const NcclLog log;
  EXPECT_EQ(fs::status(fs::path(getenv("NCCL_DEBUG_FILE")).parent_path()).permissions(),
            fs::perms::owner_all);
  EXPECT_STREQ(getenv("NCCL_SET_THREAD_NAME"), "1");
  EXPECT_THAT(variables_in_effect({}), Not(Contains(Key("NCCL_SET_THREAD_NAME"))));
}

}  // namespace
}  // namespace rigproof::nccl
