#include <gtest/gtest.h>

#include "framework/rig/subjects.h"
#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

DataRate gigabits(double value) { return DataRate::gigabits_per_second(value); }

double rate(const Facts& facts, const char* name) { return facts.at(name).value / 1e9; }

TEST(Facts, AHalfHasThoseOfItsPortAndNode) {
  const Facts facts = facts_of(rig_of(star_text(2)), HalfRef{0, 1, 0});
  EXPECT_EQ(facts.at("half.rate"), to_quantity(gigabits(100)));
  EXPECT_EQ(facts.at("half.mtu"), to_quantity(DataSize::bytes(9000)));
  EXPECT_EQ(facts.at("half.path_mtu"), to_quantity(DataSize::bytes(4096)));
  EXPECT_EQ(facts.at("port.rate"), to_quantity(gigabits(200)));
  EXPECT_EQ(facts.at("port.halves"), count(2));
  EXPECT_EQ(facts.at("node.rate"), to_quantity(gigabits(400)));
  EXPECT_EQ(facts.at("paths.rate"), to_quantity(gigabits(100)));
}

TEST(Facts, PayloadIsThePathsRateLessTheHeadersAtTheRigsMtu) {
  const Facts jumbo = facts_of(rig_of(star_text(2)), HalfRef{0, 1, 0});
  EXPECT_NEAR(rate(jumbo, "paths.tcp_payload"), 100. * 8948 / 9038, 1e-9);
  EXPECT_NEAR(rate(jumbo, "paths.rdma_payload"), 100. * 4096 / 4178, 1e-9);
  std::string text = star_text(2);
  for (std::size_t at = 0; (at = text.find("\"9000 B\"")) != std::string::npos;)
    text.replace(at, 8, "\"1500 B\"");
  const Facts usual = every_port_path(rig_of(text))[0].facts();
  EXPECT_NEAR(rate(usual, "paths.tcp_payload"), 200. * 1448 / 1538, 1e-9);
  EXPECT_NEAR(rate(usual, "paths.rdma_payload"), 200. * 1024 / 1106, 1e-9);
}

// Catches: a limit of 99 % of what fits on the wire that no rail of IPv6 can reach.
TEST(Facts, PayloadOfIpv6IsLessByTheLongerHeader) {
  const Rig rig = rig_of(over_ipv6(star_text(2)));
  const Facts facts = facts_of(rig, HalfRef{0, 1, 0});
  EXPECT_NEAR(rate(facts, "paths.tcp_payload"), 100. * 8928 / 9038, 1e-9);
  EXPECT_NEAR(rate(facts, "paths.rdma_payload"), 100. * 4096 / 4198, 1e-9);
  EXPECT_EQ(facts.at("half.path_mtu"), to_quantity(DataSize::bytes(4096)));
}

TEST(Facts, EverySubjectHasEachThatALimitMayName) {
  const Rig rig = rig_of(ring_text());
  for (const auto& [name, subject] : every_subject(rig)) {
    EXPECT_EQ(subject.facts().size(), rig_fact_dimensions().size()) << name;
    for (const auto& [fact, quantity] : subject.facts()) {
      EXPECT_EQ(quantity.dimension, rig_fact_dimensions().at(fact)) << name;
    }
  }
}

TEST(Facts, AreTheSmallerOfBothEnds) {
  const Rig rig = rig_of(replaced(star_text(2), "rate = \"100 Gbit/s\"", "rate = \"40 Gbit/s\""));
  const Facts facts = every_rail_path(rig)[1].facts();  // node-b to node-a, whose half is the slow one
  EXPECT_EQ(rate(facts, "half.rate"), 40);
  EXPECT_EQ(rate(facts, "paths.rate"), 40);
}

TEST(Facts, PathsOfAPortAddUp) {
  const Rig rig = rig_of(replaced(star_text(2), "rate = \"100 Gbit/s\"", "rate = \"40 Gbit/s\""));
  EXPECT_EQ(rate(every_port_pair(rig)[0].facts(), "paths.rate"), 140);
  EXPECT_EQ(rate(every_node_pair(rig)[0].facts(), "paths.rate"), 340);
  EXPECT_EQ(rate(every_node_pair(rig)[0].facts(), "half.rate"), 40);
  EXPECT_EQ(rate(every_port(rig)[0].facts(), "paths.rate"), 140);
}

TEST(Facts, OfTheWholeRigAreThoseOfTheNodeThatSendsLeast) {
  EXPECT_EQ(rate(all_nodes_of(rig_of(star_text(3)))[0].facts(), "paths.rate"), 400);
  const Rig rig = rig_of(replaced(star_text(3), "rate = \"100 Gbit/s\"", "rate = \"40 Gbit/s\""));
  EXPECT_EQ(rate(all_nodes_of(rig)[0].facts(), "paths.rate"), 340);
  EXPECT_EQ(rate(all_nodes_of(rig)[0].facts(), "half.rate"), 40);
}

// A node of a ring sends to the next one by one of its two cables.
TEST(Facts, OfAllGpusTellWhatOneStepOfTheirRingCarries) {
  Rig ring = rig_of(ring_text());
  const double cable = rate(every_node_pair(ring)[0].facts(), "paths.rate");
  EXPECT_EQ(rate(all_gpus_of(ring).at(0).facts(), "ring.rate"), cable);
  EXPECT_EQ(rate(all_gpus_of(ring).at(0).facts(), "paths.rate"), 2 * cable);
  ring.nodes[1].gpus = 8;
  EXPECT_EQ(rate(all_gpus_of(ring).at(0).facts(), "gpu.rate"), cable / 8);
  const Rig star = rig_of(replaced(star_text(3), "rate = \"100 Gbit/s\"", "rate = \"40 Gbit/s\""));
  EXPECT_EQ(rate(all_gpus_of(star).at(0).facts(), "ring.rate"), 340);
}

TEST(Facts, PathsCarryNoMoreThanTheirPort) {
  const Rig rig = rig_of(replaced(star_text(2), "rate = \"200 Gbit/s\"", "rate = \"150 Gbit/s\""));
  EXPECT_EQ(rate(every_port_path(rig)[1].facts(), "paths.rate"), 150);
  EXPECT_EQ(rate(every_node_path(rig)[0].facts(), "paths.rate"), 350);
  EXPECT_EQ(rate(every_node_path(rig)[0].facts(), "node.rate"), 350);
}

}  // namespace
}  // namespace rigproof
