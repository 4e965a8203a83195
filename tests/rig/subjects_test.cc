#include "framework/rig/subjects.h"

#include <gmock/gmock.h>

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
         every_whole_rig(rig).size();
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

TEST(Subjects, AStarHasEveryPair) {
  const Rig rig = rig_of(star_text(8));
  EXPECT_EQ(every_node_pair(rig).size(), 28U);
  EXPECT_EQ(every_node_path(rig).size(), 56U);
  EXPECT_EQ(every_port_pair(rig).size(), 2 * 28U);
  EXPECT_EQ(every_rail_path(rig).size(), 4 * 56U);
}

TEST(Subjects, AreTheWholeRigWhereItIsMoreThanAPair) {
  EXPECT_TRUE(every_whole_rig(rig_of(star_text(2))).empty());
  const Rig rig = rig_of(star_text(3));
  const WholeRig whole = every_whole_rig(rig).at(0);
  EXPECT_EQ(whole.name(), "all_nodes");
  EXPECT_THAT(whole.nodes(), ElementsAre(0U, 1U, 2U));
  EXPECT_THAT(names_of(whole.pairs), ElementsAre("node_a_node_b", "node_a_node_c", "node_b_node_c"));
}

std::string word(const Subject& subject, const std::string& node, const std::string& word) {
  const Subject::Words& words = subject.words().at(node);
  const auto found = words.find(word);
  return found == words.end() ? "unknown" : found->second;
}

TEST(SubjectWords, OfARailAreEachEndsOwn) {
  const RailPath path = every_rail_path(load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml"))[0];
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
  EXPECT_EQ(every_whole_rig(rig)[0].words().size(), 3U);
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
