// Which sets of values lie below the rest. Catches: a set named for values that two others explain, and a scattered group that hides
// what a quiet one shows. The tests of blame find the parts of simulated rigs by them.
#include "framework/stats/slow_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Values about 1 of these groups, each `count` times with this scatter.
std::vector<GroupedValue> values_of(const std::vector<double>& scatters, std::size_t count = 40) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::vector<GroupedValue> values;
  for (std::size_t group = 0; group < scatters.size(); ++group)
    for (std::size_t i = 0; i < count; ++i) values.push_back({1 + scatters[group] * normal(random), group});
  return values;
}

std::vector<std::uint32_t> range(std::uint32_t begin, std::uint32_t end) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t i = begin; i < end; ++i) members.push_back(i);
  return members;
}

std::vector<std::size_t> found(const std::vector<GroupedValue>& values, const std::vector<ValueSet>& sets) {
  std::vector<std::size_t> found;
  for (const SlowSet& slow : find_slow_sets(values, sets, 0.02)) found.push_back(slow.set);
  return found;
}

// All twelve values of the third set are slow, more than of either other one; but it leaves four unexplained.
TEST(SlowSets, AFirstChoiceGivesWayToTwoThatExplainMore) {
  std::vector<GroupedValue> values = values_of({0.003});
  for (std::uint32_t i = 0; i < 16; ++i) values[i].value -= 0.2;
  EXPECT_THAT(found(values, {{range(0, 8), 0}, {range(8, 16), 0}, {range(2, 14), 0}}),
              testing::UnorderedElementsAre(0, 1));
}

TEST(SlowSets, AQuietGroupShowsWhatAScatteredOneHides) {
  std::vector<GroupedValue> values = values_of({0.003, 0.3});
  std::vector<std::uint32_t> members = range(0, 6);
  for (const std::uint32_t i : members) values[i].value -= 0.05;
  for (const std::uint32_t i : range(40, 46)) members.push_back(i);
  EXPECT_THAT(found(values, {{members, 0}}), ElementsAre(0));
  EXPECT_THAT(found(values_of({0.003, 0.3}), {{members, 0}}), IsEmpty());
}

}  // namespace
}  // namespace rigproof
