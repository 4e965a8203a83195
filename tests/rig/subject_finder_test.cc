// A subject that is made when it is asked for is that of every_subject(). Catches: a path that is taken for another, a place
// that finds nothing, facts of another path, names that read in two ways.
#include "framework/rig/subject_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

using Kind = SubjectPlace::Kind;

bool same(const Facts& a, const Facts& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.first == other.first && one.second.value == other.second.value;
  });
}

void expect_finds(const SubjectFinder& finder, const Rig& rig, const Subject& subject) {
  const Subject* found = finder.find(subject.place(rig));
  ASSERT_NE(found, nullptr) << subject.name();
  EXPECT_EQ(found->name(), subject.name());
  EXPECT_EQ(found->text(), subject.text());
  EXPECT_EQ(found->nodes(), subject.nodes()) << subject.name();
  EXPECT_EQ(found->place(rig), subject.place(rig)) << subject.name();
  EXPECT_EQ(found->remedy_values(), subject.remedy_values()) << subject.name();
  EXPECT_TRUE(same(found->facts(), subject.facts())) << subject.name();
}

TEST(SubjectFinder, FindsEverySubjectByItsPlace) {
  std::set<Kind> kinds;
  for (const std::string& text : {star_text(2), star_text(4), ring_text(),
                                  replaced(star_text(2), "name = \"rail0\"", "name = \"rail.0-fast\"")}) {
    const Rig rig = rig_of(text);
    const SubjectFinder finder(rig);
    std::set<SubjectPlace> places;
    for (const auto& [name, subject] : every_subject(rig)) {
      expect_finds(finder, rig, subject);
      EXPECT_TRUE(places.insert(subject.place(rig)).second) << name;
      kinds.insert(subject.place(rig).kind);
    }
  }
  EXPECT_EQ(kinds, (std::set<Kind>{Kind::kNode, Kind::kPort, Kind::kHalf, Kind::kRail, Kind::kLink,
                                   Kind::kNodes, Kind::kAllNodes}));
}

TEST(SubjectFinder, FindsWhatIsForwarded) {
  const Rig rig = rig_of(ring_of_four("forwarding = true\n"));
  const SubjectFinder finder(rig);
  ASSERT_FALSE(every_forwarded_path(rig).empty());
  for (const ForwardedPath& path : every_forwarded_path(rig)) {
    EXPECT_EQ(path.place(rig).kind, Kind::kForwarded);
    expect_finds(finder, rig, path);
    SubjectPlace joined = path.place(rig);
    joined.kind = Kind::kNodes;
    EXPECT_EQ(finder.find(joined), nullptr);
  }
}

TEST(SubjectFinder, AForwardedPathIsNoneWhereARailJoinsItsNodes) {
  Rig rig = rig_of(ring_text());
  rig.forwarding = true;
  EXPECT_EQ(SubjectFinder(rig).find({Kind::kForwarded, "", {rig.nodes[0].name, rig.nodes[1].name}}), nullptr);
}

// GoogleTest's names of these are the same, or begin alike: "a_to_b" is a node, and the way from a to b.
TEST(SubjectFinder, TellsNamesApartThatReadInTwoWays) {
  Rig rig = rig_of(star_text(4));
  const char* names[] = {"a", "b", "a_to_b", "to_b"};
  for (std::size_t node = 0; node < 4; ++node) rig.nodes[node].name = names[node];
  rig.rails[0].name = rig.links[0].name = "a";
  const SubjectFinder finder(rig);
  const auto expect = [&](const auto& subjects) {
    for (const Subject& subject : subjects) expect_finds(finder, rig, subject);
  };
  expect(every_node(rig));
  for (const auto& paths : {every_rail_path(rig), every_rail_pair(rig)}) expect(paths);
  for (const auto& paths : {every_port_path(rig), every_port_pair(rig)}) expect(paths);
  for (const auto& paths : {every_node_path(rig), every_node_pair(rig)}) expect(paths);
  EXPECT_EQ(finder.find({Kind::kNode, "", {"a_to_b"}})->text(), "a_to_b");
  EXPECT_EQ(finder.find({Kind::kNodes, "", {"a", "b"}})->text(), "a -> b");
}

// A rig file may have it: among two nodes there are no cases about all of them.
TEST(SubjectFinder, FindsANodeThatIsCalledAsAllOfThemAre) {
  const Rig rig = rig_of(replaced_everywhere(star_text(2), "\"node-a", "\"all-nodes"));
  const SubjectFinder finder(rig);
  for (const NodeSubject& node : every_node(rig)) expect_finds(finder, rig, node);
}

TEST(SubjectFinder, FindsNothingElse) {
  const SubjectFinder finder(rig_of(star_text(3)));
  for (const SubjectPlace& place :
       {SubjectPlace{}, SubjectPlace{Kind::kRun, "", {"node-a"}}, SubjectPlace{Kind::kNode, "", {"node-z"}},
        SubjectPlace{Kind::kNode, "", {}}, SubjectPlace{Kind::kNode, "", {"node-a", "node-b"}},
        SubjectPlace{Kind::kPort, "port9", {"node-a"}}, SubjectPlace{Kind::kHalf, "port0", {"node-a"}},
        SubjectPlace{Kind::kNodes, "", {"node-a", "node-a"}}, SubjectPlace{Kind::kNodes, "", {"node-a"}},
        SubjectPlace{Kind::kNodes, "", {"node-b", "node-a"}, true},
        SubjectPlace{Kind::kRail, "rail0", {"node-b", "node-a"}, true},
        SubjectPlace{Kind::kRail, "rail9", {"node-a", "node-b"}},
        SubjectPlace{Kind::kLink, "rail0", {"node-a", "node-b"}},
        SubjectPlace{Kind::kLink, "link0", {"node-a", "node-z"}},
        SubjectPlace{Kind::kForwarded, "", {"node-a", "node-b"}}})
    EXPECT_EQ(finder.find(place), nullptr) << static_cast<int>(place.kind) << place.part;
  EXPECT_EQ(SubjectFinder().find({Kind::kNode, "", {"node-a"}}), nullptr);
  EXPECT_TRUE(SubjectFinder().empty());
}

TEST(SubjectFinder, KeepsItsRig) {
  SubjectFinder finder;
  {
    const SubjectFinder first(rig_of(star_text(2)));
    finder = first;
  }
  for (int i = 0; i < 200; ++i) (void)finder.find({Kind::kNode, "", {"unknown" + std::to_string(i)}});
  EXPECT_EQ(finder.find({Kind::kNodes, "", {"node-a", "node-b"}})->text(), "node-a -> node-b");
}

TEST(SubjectFinder, KnowsWhichNodesHaveRdma) {
  Rig rig = rig_of(star_text(2));
  for (Port& port : rig.nodes[1].ports)
    for (Half& half : port.halves) half.rdma.reset();
  EXPECT_TRUE(SubjectFinder(rig).has_rdma("node-a"));
  EXPECT_FALSE(SubjectFinder(rig).has_rdma("node-b"));
  EXPECT_FALSE(SubjectFinder(rig).has_rdma("node-c"));
  rig.nodes[1].ports[1].halves[0].rdma = "rocep1s0f1";
  EXPECT_TRUE(SubjectFinder(rig).has_rdma("node-b"));
  EXPECT_FALSE(SubjectFinder().has_rdma("node-a"));
}

}  // namespace
}  // namespace rigproof
