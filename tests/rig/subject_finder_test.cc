// A subject that is made when it is asked for is that of every_subject(). Catches: a path that is taken for another, a name
// that finds nothing, facts of another path.
#include "framework/rig/subject_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/rig/rig_text.h"

namespace rigproof {
namespace {

bool same(const Facts& a, const Facts& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.first == other.first && one.second.value == other.second.value;
  });
}

TEST(SubjectFinder, FindsEverySubjectByItsName) {
  for (const std::string& text : {star_text(2), star_text(4), ring_text(),
                                  replaced(star_text(2), "name = \"rail0\"", "name = \"rail.0-fast\"")}) {
    const SubjectFinder finder(rig_of(text));
    const Rig rig = rig_of(text);
    for (const auto& [name, subject] : every_subject(rig)) {
      const Subject* found = finder.find(name);
      ASSERT_NE(found, nullptr) << name;
      EXPECT_EQ(found->name(), name);
      EXPECT_EQ(found->text(), subject.text());
      EXPECT_EQ(found->nodes(), subject.nodes()) << name;
      EXPECT_EQ(found->remedy_values(), subject.remedy_values()) << name;
      EXPECT_TRUE(same(found->facts(), subject.facts())) << name;
    }
  }
}

TEST(SubjectFinder, FindsNothingElse) {
  const SubjectFinder finder(rig_of(star_text(3)));
  for (const char* name :
       {"", "_", "node_a_to_node_a", "node_b_node_a", "rail0_node_b_node_a", "rail9_node_a_node_b",
        "node_a_port9", "rail0", "node_a_to_", "link0_node_a_to_node_z"})
    EXPECT_EQ(finder.find(name), nullptr) << name;
  EXPECT_EQ(SubjectFinder().find("node_a"), nullptr);
  EXPECT_TRUE(SubjectFinder().empty());
}

TEST(SubjectFinder, KeepsItsRig) {
  SubjectFinder finder;
  {
    const SubjectFinder first(rig_of(star_text(2)));
    finder = first;
  }
  for (int i = 0; i < 200; ++i) (void)finder.find("unknown" + std::to_string(i));
  EXPECT_EQ(finder.find("node_a_to_node_b")->text(), "node-a -> node-b");
}

TEST(PairsOfCases, AreThoseOfTheirSubjects) {
  const Rig rig = rig_of(star_text(4));
  EXPECT_THAT(pairs_of_cases(rig, {"EachRail/Streams.Fill/rail0_node_c_to_node_a", "EachNode/A.x/node_b",
                                   "Pairs/B.x/node_a_node_c", "Pairs/B.x/node_b_node_d", "All/C.x/all_nodes",
                                   "Plain.Test"}),
              testing::ElementsAre(NodePair{0, 2}, NodePair{1, 3}));
}

}  // namespace
}  // namespace rigproof
