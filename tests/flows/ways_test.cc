// Halves that the kernel's routes don't tell apart are taken together, others each for itself. Catches a sound rig whose halves
// are in one subnet and that is red because one of them idles, and a rig of many subnets that is judged by ports alone.
#include "fixtures/flows/ways.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fixtures/flows/flows.h"
#include "framework/rig/rig.h"

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Rig rig_named(const std::string& file) { return load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/" + file); }

std::vector<std::string> ways_of(const Rig& rig) {
  std::vector<std::string> names;
  for (const auto& group : flows::by_subnet(rig, rig.halves_of(0)))
    names.push_back(flows::name_of(rig, group));
  return names;
}

TEST(WaysBySubnet, AreOneForEachHalfThatHasASubnetOfItsOwn) {
  const Rig rig = rig_named("dgx_spark_pair.toml");
  EXPECT_THAT(ways_of(rig), ElementsAre("enp1s0f0np0", "enP2p1s0f0np0", "enp1s0f1np1", "enP2p1s0f1np1"));
  EXPECT_FALSE(flows::share_subnets(rig, every_node_pair(rig)));
}
TEST(WaysBySubnet, AreOneForEachPortWhoseHalvesAreInOneSubnet) {
  const Rig rig = rig_named("dgx_spark_one_subnet_a_port.toml");
  EXPECT_THAT(ways_of(rig), ElementsAre("enP2p1s0f0np0 and enp1s0f0np0", "enP2p1s0f1np1 and enp1s0f1np1"));
  EXPECT_TRUE(flows::share_subnets(rig, every_node_pair(rig)));
}
// Catches: "rail1_node_a_node_b" in reports, where nobody sees which node sends.
TEST(PathDetails, NameTheRailAndWhichNodeSends) {
  const Rig rig = rig_named("dgx_spark_pair.toml");
  const RailPath there = every_rail_pair(rig).at(1);
  EXPECT_EQ(flows::detail_of(rig, there), there.rail + " " + rig.node(0).name + " -> " + rig.node(1).name);
  const auto paths = every_rail_path(rig);
  const auto back = std::ranges::find_if(
      paths, [&](const RailPath& path) { return path.rail == there.rail && path.from.node == 1; });
  ASSERT_NE(back, paths.end());
  EXPECT_EQ(flows::detail_of(rig, *back), there.rail + " " + rig.node(1).name + " -> " + rig.node(0).name);
}
TEST(WaysBySubnet, AreOneOfALinkLocalNode) {
  const Rig rig = rig_named("dgx_spark_link_local.toml");
  EXPECT_EQ(ways_of(rig).size(), 1u);
  EXPECT_TRUE(flows::share_subnets(rig, every_node_pair(rig)));
}
TEST(WaysBySubnet, AreNoneOfNoHalf) {
  EXPECT_THAT(flows::by_subnet(rig_named("dgx_spark_pair.toml"), {}), IsEmpty());
}

}  // namespace
}  // namespace rigproof
