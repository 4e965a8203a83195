#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rigproof::inline stats {

// Finds sets of values that are lower than the rest, each by an amount of its own. The other values are noise
// about one centre per group. Returns as few sets as possible, by forward selection with exchange.

struct GroupedValue {
  double value;
  std::size_t group;  // values of one group have the same centre and scatter
};
struct ValueSet {
  std::vector<std::uint32_t> members;  // indices into the values, ascending
  int kind = 0;                        // sets of one kind are similar: a set must also exceed their scatter
};
struct SlowSet {
  std::size_t set;                     // index into the sets
  std::vector<std::uint32_t> members;  // members that no earlier set explains
};

// Error rate: at most kSlowSetErrors if the values are normal noise with one scatter per group; about 1 in
// 1000 if the lower tail is exponential. No set may be as good in the same values shuffled. With fewer than
// 24 values shuffling rarely helps: a set must then lie far below all others. Give only one of several sets
// with equal members. Empty if no set stands out. Pure.
inline constexpr double kSlowSetErrors = 3e-4;
[[nodiscard]] std::vector<SlowSet> find_slow_sets(const std::vector<GroupedValue>& values,
                                                  const std::vector<ValueSet>& sets, double least_depth);

}  // namespace rigproof::inline stats
