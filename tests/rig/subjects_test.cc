#include "framework/rig/subjects.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "framework/rig/counted_ports.h"
#include "framework/rig/subject_finder.h"
#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::MatchesRegex;

template <class Subjects>
std::vector<std::string> names_of(const Subjects& subjects) {
  std::vector<std::string> names;
  for (const Subject& subject : subjects) names.push_back(subject.name());
  return names;
}

std::size_t size_of_all_lists(const Rig& rig) {
  return every_node(rig).size() + every_port(rig).size() + every_half(rig).size() +
         every_rail_pair(rig).size() + every_rail_path(rig).size() + every_port_pair(rig).size() +
         every_port_path(rig).size() + every_node_pair(rig).size() + every_node_path(rig).size() +
         std::max(all_nodes_of(rig).size(), all_gpus_of(rig).size());
}

TEST(Subjects, AreNamedByTheirParts) {
  const Rig rig = rig_of(star_text(2));
  EXPECT_THAT(names_of(every_node(rig)), ElementsAre("node_a", "node_b"));
  EXPECT_THAT(names_of(every_port(rig)),
              ElementsAre("node_a_port0", "node_a_port1", "node_b_port0", "node_b_port1"));
  EXPECT_EQ(every_half(rig)[1].name(), "node_a_enP2p1s0f0np0");
  EXPECT_EQ(every_rail_pair(rig)[0].name(), "rail0_node_a_node_b");
  EXPECT_EQ(every_rail_path(rig)[1].name(), "rail0_node_b_to_node_a");
  EXPECT_EQ(every_port_pair(rig)[1].name(), "link1_node_a_node_b");
  EXPECT_THAT(names_of(every_node_path(rig)), ElementsAre("node_a_to_node_b", "node_b_to_node_a"));
}

TEST(Subjects, TellAPersonTheDevices) {
  const Rig rig = rig_of(star_text(2));
  EXPECT_EQ(every_half(rig)[0].text(), "node-a enp1s0f0np0");
  EXPECT_EQ(every_rail_path(rig)[0].text(), "rail0: node-a enp1s0f0np0 -> node-b enp1s0f0np0");
  EXPECT_EQ(every_rail_pair(rig)[0].text(), "rail0: node-a enp1s0f0np0 <-> node-b enp1s0f0np0");
  EXPECT_EQ(every_port_path(rig)[0].text(), "link0: node-a port0 -> node-b port0");
  EXPECT_EQ(every_node_pair(rig)[0].text(), "node-a <-> node-b");
  EXPECT_EQ(testing::PrintToString(every_node(rig)[0]), "node-a");
}

// Of four nodes each meets one other in one round; what is about one node, or about all, stays.
TEST(Subjects, OfFewerRoundsAreThoseOfFewerPairsAndAllElse) {
  const Rig whole = rig_of(star_text(4));
  Rig sampled = whole;
  EXPECT_EQ(keep_rounds(sampled, {.rounds = 1, .seed = 5}), 4U);
  EXPECT_EQ(every_node_pair(sampled).size(), 2U);
  EXPECT_EQ(every_node_path(sampled).size(), 4U);
  EXPECT_EQ(every_rail_pair(sampled).size(), every_rail_pair(whole).size() / 3);
  EXPECT_EQ(every_port_path(sampled).size(), every_port_path(whole).size() / 3);
  EXPECT_EQ(every_half(sampled).size(), every_half(whole).size());
  EXPECT_EQ(all_nodes_of(sampled).size(), 1U);
  EXPECT_EQ(keep_rounds(sampled, {.rounds = 3, .seed = 5}), 0U);
  EXPECT_EQ(every_node_pair(sampled).size(), 6U);
}

TEST(Subjects, OfTwoNodesOrOfAllRoundsAreAll) {
  Rig pair = rig_of(star_text(2)), star = rig_of(star_text(4));
  EXPECT_EQ(keep_rounds(pair, {.rounds = 1, .seed = 5}), 0U);
  EXPECT_EQ(keep_rounds(star, {}), 0U);
  EXPECT_EQ(every_node_pair(pair).size(), 1U);
  EXPECT_EQ(every_node_pair(star).size(), 6U);
}

TEST(Subjects, NameTheSenderFirst) {
  const RailPath back = every_rail_path(rig_of(star_text(2)))[1];
  EXPECT_THAT(back.nodes(), ElementsAre(1U, 0U));
  EXPECT_EQ(back.from, (HalfRef{1, 0, 0}));
  EXPECT_EQ(back.to, (HalfRef{0, 0, 0}));
}

TEST(Subjects, APortPathHoldsThePathsOfItsHalves) {
  const PortPath path = every_port_path(rig_of(star_text(2))).back();
  EXPECT_EQ(path.name(), "link1_node_b_to_node_a");
  EXPECT_THAT(names_of(path.paths), ElementsAre("rail2_node_b_to_node_a", "rail3_node_b_to_node_a"));
}

TEST(Subjects, ANodePathHoldsAllPathsBetweenItsNodes) {
  const Rig rig = rig_of(star_text(3));
  const NodePath path = every_node_path(rig).back();
  EXPECT_EQ(path.name(), "node_c_to_node_b");
  EXPECT_EQ(path.paths.size(), 4U);
}

TEST(Subjects, ARingHasACablePerPair) {
  const Rig rig = rig_of(ring_text());
  EXPECT_THAT(names_of(every_port_pair(rig)),
              ElementsAre("cable_ab_node_a_node_b", "cable_bc_node_b_node_c", "cable_ca_node_a_node_c"));
  EXPECT_EQ(every_rail_pair(rig).size(), 6U);
  EXPECT_EQ(every_node_pair(rig).size(), 3U);
}

// Nothing is owed between nodes that share no cable unless the rig file says so.
TEST(Subjects, ARingOfFourHasDiagonalsWhereTheRigPromisesForwarding) {
  EXPECT_TRUE(every_forwarded_path(rig_of(ring_of_four(""))).empty());
  const Rig rig = rig_of(ring_of_four("forwarding = true\n"));
  EXPECT_THAT(names_of(every_forwarded_path(rig)),
              ElementsAre("node_a_to_node_c", "node_b_to_node_d", "node_c_to_node_a", "node_d_to_node_b"));
  EXPECT_EQ(every_node_pair(rig).size(), 4U);
  EXPECT_TRUE(all_nodes_of(rig).empty());
  EXPECT_TRUE(all_nodes_of(rig_of(ring_text())).empty());  // MPI finds no way between all by rails of two
  EXPECT_EQ(every_subject(rig).at("node_a_to_node_c").text(), "node-a -> node-c, forwarded");
  EXPECT_TRUE(
      every_forwarded_path(rig_of(replaced(ring_text(), "kind =", "forwarding = true\nkind ="))).empty());
}

TEST(Subjects, AreAllGpusWhereTheyAreMoreThanAPairAndFormARing) {
  EXPECT_EQ(all_gpus_of(rig_of(star_text(3))).size(), 1U);
  EXPECT_EQ(all_gpus_of(rig_of(ring_text())).size(), 1U);
  EXPECT_EQ(all_gpus_of(rig_of(ring_of_four(""))).size(), 1U);
  Rig pair = rig_of(star_text(2));
  EXPECT_TRUE(all_gpus_of(pair).empty()) << "the pair's own cases are the same";
  pair.nodes[1].gpus = 2;
  EXPECT_EQ(all_gpus_of(pair).size(), 1U);
  pair.nodes[0].gpus = 0;
  EXPECT_TRUE(all_gpus_of(pair).empty()) << "one node has no partner";
  Rig ring = rig_of(ring_of_four(""));
  ring.nodes[1].gpus = 0;
  EXPECT_TRUE(all_gpus_of(ring).empty()) << "no rail leads past the node without GPUs";
}

TEST(Subjects, AStarHasEveryPair) {
  const Rig rig = rig_of(star_text(8));
  EXPECT_EQ(every_node_pair(rig).size(), 28U);
  EXPECT_EQ(every_node_path(rig).size(), 56U);
  EXPECT_EQ(every_port_pair(rig).size(), 2 * 28U);
  EXPECT_EQ(every_rail_path(rig).size(), 4 * 56U);
}

TEST(Subjects, AreTheWholeRigWhereItIsMoreThanAPair) {
  EXPECT_TRUE(all_nodes_of(rig_of(star_text(2))).empty());
  const Rig rig = rig_of(star_text(3));
  const AllNodes whole = all_nodes_of(rig).at(0);
  EXPECT_EQ(whole.name(), "all_nodes");
  EXPECT_THAT(whole.nodes(), ElementsAre(0U, 1U, 2U));
  EXPECT_THAT(names_of(whole.pairs()), ElementsAre("node_a_node_b", "node_a_node_c", "node_b_node_c"));
}

std::vector<std::string> node_names(const Rig& rig, const Subject& subject) {
  std::vector<std::string> names;
  for (const std::size_t node : subject.nodes()) names.push_back(rig.node(node).name);
  return names;
}

// A case of a pair is the same case in the pair's job: a limit relative to the rig and a remedy, too.
TEST(RestrictedRig, HasEverythingAboutItsNodesAsTheWholeHasIt) {
  for (const Rig& rig : {rig_of(star_text(4)), rig_of(ring_text())}) {
    const auto whole = every_subject(rig);
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < rig.nodes.size(); ++a)
      for (std::size_t b = a + 1; b < rig.nodes.size(); ++b) {
        const Rig part = restricted(rig, {a, b});
        for (const auto& [name, subject] : every_subject(part)) {
          ASSERT_TRUE(whole.contains(name)) << name;
          const Subject& same = whole.at(name);
          EXPECT_EQ(subject.text(), same.text());
          EXPECT_EQ(subject.remedy_values(), same.remedy_values()) << name;
          EXPECT_EQ(node_names(part, subject), node_names(rig, same));
          ASSERT_EQ(subject.facts().size(), same.facts().size());
          for (const auto& [fact, value] : same.facts())
            EXPECT_EQ(subject.facts().at(fact).value, value.value) << name << " " << fact;
          pairs += subject.nodes().size() == 2 ? 1 : 0;
        }
      }
    std::size_t all_pairs = 0;
    for (const auto& [name, subject] : whole) all_pairs += subject.nodes().size() == 2 ? 1 : 0;
    EXPECT_EQ(pairs, all_pairs);
  }
}
TEST(RestrictedRig, KeepsWhatLeadsOutOfItAsLinksAndRailsOfOneEnd) {
  const Rig rig = rig_of(ring_text()), part = restricted(rig, {0, 2});
  EXPECT_EQ(part.links.size(), 3U);
  EXPECT_EQ(part.link_of({0, 1}).ports.size(), 1U);  // to node-b
  EXPECT_EQ(part.link_of({1, 1}).ports.size(), 2U);  // from node-c to node-a
  EXPECT_EQ(every_node_pair(part).size(), 1U);
  EXPECT_TRUE(all_nodes_of(part).empty());
}

std::string word(const Subject& subject, const std::string& node, const std::string& word) {
  const Subject::RemedyValues words = subject.remedy_values().at(node);
  const auto found = words.find(word);
  return found == words.end() ? "unknown" : found->second;
}

TEST(SubjectWords, OfARailAreEachEndsOwn) {
  const Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  const RailPath path = every_rail_path(rig)[0];
  for (const auto& [node, here, there, other] :
       {std::tuple("node-a", "198.18.1.1", "198.18.1.2", "node-b"),
        std::tuple("node-b", "198.18.1.2", "198.18.1.1", "node-a")}) {
    EXPECT_EQ(word(path, node, "netdev"), "enp1s0f0np0");
    EXPECT_EQ(word(path, node, "rdma"), "rocep1s0f0");
    EXPECT_EQ(word(path, node, "address"), here);
    EXPECT_EQ(word(path, node, "mtu"), "9000");
    EXPECT_EQ(word(path, node, "port"), "port0");
    EXPECT_EQ(word(path, node, "peer"), there);
    EXPECT_EQ(word(path, node, "peer_node"), other);
  }
  EXPECT_EQ(word(path, "node-a", "interface"), "qsfp56-dd-1-1");
  EXPECT_EQ(word(path, "node-b", "interface"), "qsfp56-dd-1-5");
}

TEST(SubjectWords, OfSeveralHalvesNameNoneAlone) {
  const Rig rig = rig_of(star_text(3));
  const PortPath port = every_port_path(rig)[0];
  EXPECT_EQ(word(port, "node-a", "netdevs"), "enp1s0f0np0 enP2p1s0f0np0");
  EXPECT_EQ(word(port, "node-a", "port"), "port0");
  EXPECT_EQ(word(port, "node-a", "peer_node"), "node-b");
  for (const char* alone : {"netdev", "rdma", "address", "peer", "interface"})
    EXPECT_EQ(word(port, "node-a", alone), "unknown") << alone;
  const NodePath node = every_node_path(rig)[0];
  EXPECT_EQ(word(node, "node-b", "rdma_list"),
            "rdma-enp1s0f0np0,rdma-enP2p1s0f0np0,rdma-enp1s0f1np1,rdma-enP2p1s0f1np1");
  EXPECT_EQ(word(node, "node-b", "port"), "unknown");
  EXPECT_EQ(word(every_node(rig)[2], "node-c", "management"), "mgmt0");
  EXPECT_EQ(all_nodes_of(rig)[0].remedy_values().size(), 3U);
}

// Catches: NCCL, MPI or a node's rate that counts a NIC which jobs leave to storage; a storage port that no case loads.
TEST(Subjects, OfPairsLeaveOutPortsForStorage) {
  Rig rig = rig_of(star_text(3));
  for (Node& node : rig.nodes) node.ports[1].use = PortUse::kStorage;
  const NodePath pair = every_node_pair(rig)[0];
  EXPECT_EQ(pair.paths.size(), 2U);
  EXPECT_EQ(pair.halves_of(0).size(), 2U);
  EXPECT_EQ(pair.facts().at("node.rate"), to_quantity(DataRate::gigabits_per_second(200)));
  EXPECT_EQ(all_nodes_of(rig)[0].facts().at("paths.rate"), to_quantity(DataRate::gigabits_per_second(200)));
  EXPECT_EQ(every_rail_pair(rig).size(), 12U);
  EXPECT_EQ(every_port_pair(rig).size(), 6U);
  const SubjectFinder finder(rig);
  EXPECT_EQ(finder.find(pair.place(rig))->facts(), pair.facts());
  EXPECT_NE(finder.find(every_port_pair(rig).back().place(rig)), nullptr);
  for (Node& node : rig.nodes) node.ports[0].use = PortUse::kStorage;
  EXPECT_TRUE(every_node_path(rig).empty());
  EXPECT_TRUE(all_nodes_of(rig).empty());
  EXPECT_EQ(every_subject(rig).size(), size_of_all_lists(rig));
}

TEST(Subjects, AreCountedWhereBothEndsHaveCounters) {
  Rig rig = rig_of(star_text(2));
  rig.nodes[1].ports[0].counters.reset();
  EXPECT_EQ(counted(rig, every_port(rig)).size(), 3U);
  EXPECT_EQ(counted(rig, every_port_pair(rig)).size(), 1U);
  EXPECT_EQ(counted(rig, every_rail_path(rig)).size(), 4U);
  EXPECT_TRUE(counted(rig, every_node_pair(rig)).empty());
}

TEST(Subjects, HaveNamesThatAreUniqueAmongAllKinds) {
  for (const std::string& text : {star_text(2), star_text(8), ring_text()}) {
    const Rig rig = rig_of(text);
    EXPECT_EQ(every_subject(rig).size(), size_of_all_lists(rig));
  }
}

TEST(Subjects, HaveNamesThatGoogleTestAccepts) {
  const std::string text = replaced(star_text(2), "name = \"rail0\"", "name = \"rail.0-fast\"");
  const auto subjects = every_subject(rig_of(text));
  for (const auto& [name, subject] : subjects) EXPECT_THAT(name, MatchesRegex("[A-Za-z0-9_]+"));
  EXPECT_TRUE(subjects.contains("rail_0_fast_node_a_to_node_b"));
}

}  // namespace
}  // namespace rigproof
