// Who sends to a port together with others. Catches: a case that loads hundreds of senders, a node of a large rail that never
// sends or receives.
#include "framework/rig/many_to_one.h"

#include <gtest/gtest.h>

#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

TEST(PathsTo, ComeFromAllOtherNodesOfASmallRig) {
  const Rig rig = rig_of(star_text(3));
  const auto paths = paths_to(rig, {1, 0});
  ASSERT_EQ(paths.size(), 4U);
  for (const RailPath& path : paths) {
    EXPECT_EQ(path.to.node, 1U);
    EXPECT_NE(path.from.node, 1U);
  }
}

TEST(PathsTo, OfALargeRigLetEveryNodeSendAsOftenAsItReceives) {
  const Rig rig = rig_of(star_text(40));
  std::map<std::size_t, std::size_t> sends;
  for (const PortSubject& port : every_port_of_many(rig)) {
    const auto paths = paths_to(rig, port.port);
    EXPECT_EQ(paths.size(), 2 * kMostSenders);
    for (const RailPath& path : paths) ++sends[path.from.node];
  }
  ASSERT_EQ(sends.size(), 40U);
  for (const auto& [node, paths] : sends) EXPECT_EQ(paths, 4 * kMostSenders) << node;
}

TEST(PortsOfMany, AreNoneBetweenTwoNodes) {
  EXPECT_FALSE(has_port_of_many(rig_of(star_text(2))));
  EXPECT_TRUE(has_port_of_many(rig_of(star_text(3))));
}

TEST(PartsOfSenders, AreSharesOfAnEvenPart) {
  const Rig rig = rig_of(star_text(3));
  const auto paths = paths_to(rig, {0, 0});
  std::vector<double> rates;
  for (const RailPath& path : paths) rates.push_back(path.from.node == 1 ? 30 : 10);
  EXPECT_EQ(parts_of_senders(paths, rates), (std::map<std::size_t, double>{{1, 1.5}, {2, 0.5}}));
  EXPECT_EQ(parts_of_senders(paths, {{0, 0, 0, 0}}), (std::map<std::size_t, double>{{1, 0.0}, {2, 0.0}}));
}

}  // namespace
}  // namespace rigproof
