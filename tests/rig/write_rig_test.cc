// A rig file that is written of a rig is read back as that rig, and what its remarks say stays beside it.
#include "framework/rig/write_rig.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "framework/rig/routed_rails.h"
#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

// NCCL's ring follows the ranks, and these follow the file: its order must not leave cases out.
TEST(ARingOfCables, GivesItsNodesTheirOrder) {
  const std::string b = node_text(1, 3, 5), c = node_text(2, 5, 7), sound = ring_of_four("");
  EXPECT_EQ(rig_file_text(rig_of(replaced(sound, b + c, c + b))), rig_file_text(rig_of(sound)));
}

TEST(WriteRig, EveryExampleIsReadBackAsItWas) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RIGPROOF_SOURCE_DIR "/tests/rig")) {
    if (entry.path().extension() != ".toml") continue;
    const Rig rig = load_rig(entry.path());
    const std::string text = rig_file_text(rig);
    const Rig again = rig_of(text);
    EXPECT_EQ(rig_file_text(again), text) << entry.path();
    EXPECT_EQ(again.kind, rig.kind);
    EXPECT_EQ(again.switches.size(), rig.switches.size());
    for (std::size_t node = 0; node < rig.nodes.size(); ++node) {
      EXPECT_EQ(again.node(node).address, rig.node(node).address);
      for (const HalfRef half : rig.halves_of(node)) {
        EXPECT_EQ(again.half(half).rdma, rig.half(half).rdma);
        EXPECT_EQ(again.half(half).rate, rig.half(half).rate);
        EXPECT_EQ(again.half(half).mtu, rig.half(half).mtu);
        ASSERT_EQ(again.port(half).counters.has_value(), rig.port(half).counters.has_value());
        if (rig.port(half).counters) {
          EXPECT_EQ(again.port(half).counters->tx_bytes, rig.port(half).counters->tx_bytes);
        }
      }
    }
    ++count;
  }
  EXPECT_GT(count, 5);
}
TEST(WriteRig, KeepsWhatAFileMayLeaveOut) {
  Rig rig = rig_of(replaced(replaced(star_text(2), "name = \"rail0\"", "name = \"rail0\"\nrouted = true"),
                            "10.1.0.1/16", "10.9.0.1/32"));
  rig.stand_in = "a \"stand-in\" \\ switch";
  rig.forwarding = true;
  rig.nodes[1].gpus = 8;
  rig.nodes[0].ports[0].rate = DataRate::bits_per_second(2e11 / 3);
  for (Half& half : rig.nodes[0].ports[0].halves) half.rate = DataRate::bits_per_second(1e11 / 3);
  rig.rails[1].service = ServiceClass{.traffic_class = 106, .service_level = 3};
  rig.rails[2].service = ServiceClass{.traffic_class = 0};
  rig.nodes[0].ports[0].counters->rx_packets = "rx \"total\" frames";
  rig.nodes[1].ports[0].counters.reset();
  for (Node& node : rig.nodes) node.ports[1].use = PortUse::kStorage;
  const Rig again = rig_of(rig_file_text(rig));
  EXPECT_EQ(again.stand_in, rig.stand_in);
  EXPECT_TRUE(again.forwarding);
  EXPECT_TRUE(again.rails[0].routed);
  EXPECT_FALSE(again.rails[1].routed);
  EXPECT_EQ(again.half({0, 0, 0}).prefix_length, 32);
  EXPECT_TRUE(restricted(again, {0, 1}).rails[0].routed);
  EXPECT_EQ(in_one_subnet(again, every_rail_pair(again)).size(), 3U);
  for (std::size_t rail = 0; rail < rig.rails.size(); ++rail)
    EXPECT_EQ(again.rails[rail].service, rig.rails[rail].service);
  EXPECT_EQ(again.node(0).gpus, std::nullopt);
  EXPECT_EQ(again.node(1).gpus, 8U);
  EXPECT_EQ(again.port(PortRef{0, 0}).rate, rig.port(PortRef{0, 0}).rate);
  EXPECT_EQ(again.half({0, 0, 0}).rate, rig.half({0, 0, 0}).rate);
  EXPECT_FALSE(again.port(PortRef{1, 0}).counters);
  EXPECT_EQ(again.port(PortRef{1, 0}).use, PortUse::kCompute);
  EXPECT_EQ(again.port(PortRef{1, 1}).use, PortUse::kStorage);
  EXPECT_EQ(again.port(PortRef{0, 0}).counters->rx_packets, rig.port(PortRef{0, 0}).counters->rx_packets);
}
TEST(WriteRig, RemarksStandWhereTheyBelong) {
  const Rig rig = rig_of(star_text(2));
  RigRemarks remarks;
  remarks.head.emplace_back("first\nname = \"other\"");
  remarks.beside(PortRef{1, 0}, "rate", "(?) a guess\n[[switch]]");
  remarks.above(HalfRef{0, 0, 0}, "netdev", "a cable");
  remarks.above(RigRemarks::LinkAt{0}, "end", "the link");
  const std::string text = rig_file_text(rig, remarks);
  EXPECT_EQ(rig_file_text(rig_of(text)), rig_file_text(rig)) << "remarks are no keys";
  EXPECT_THAT(text, testing::StartsWith("# first\\x0Aname = \"other\"\nformat = 1\n"));
  EXPECT_THAT(text, HasSubstr("Gbit/s\"  # (?) a guess\\x0A[[switch]]\n"));
  EXPECT_THAT(text, HasSubstr("[[node.port.half]]\n# a cable\nnetdev = "));
}

}  // namespace
}  // namespace rigproof
