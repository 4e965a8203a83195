#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rigproof::inline stats {

// Values that are noise about one centre per group, but for some sets of them that lie lower, each by an amount of its
// own: which sets? Finds the fewest that explain the values, by forward selection with exchange.

struct GroupedValue {
  double value;
  std::size_t group;  // values of one group share a centre and a scatter
};
struct ValueSet {
  std::vector<std::uint32_t> members;  // indices into the values, ascending
  int kind = 0;  // sets of one kind are alike: a set is held against their own scatter, too
};
struct SlowSet {
  std::size_t set;                     // index into the sets
  std::vector<std::uint32_t> members;  // those that no earlier set explains
};

// Wrong once in 1 / kSlowSetErrors times at most where the values are normal noise of one scatter per group; about once in
// a thousand where its tail below is as long as an exponential one's. Of the same noise shuffled, no set may be as good;
// fewer than 24 values hardly ever show more than that, and a set of them must lie far below all others. Sets with equal
// members can't be told apart: give one of them. Empty where nothing stands out. Pure.
inline constexpr double kSlowSetErrors = 3e-4;
[[nodiscard]] std::vector<SlowSet> find_slow_sets(const std::vector<GroupedValue>& values,
                                                  const std::vector<ValueSet>& sets, double least_depth);

}  // namespace rigproof::inline stats
