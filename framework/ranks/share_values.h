#pragma once

#include <string>
#include <vector>

#include "framework/ranks/rank_group.h"
#include "framework/record/codec.h"

namespace rigproof::inline ranks {

// Collective within a phase: RankGroup::share() of a number, a text, a type with fields(), or lists, maps and
// optionals of these. Returns every rank's value, in rank order, on every rank. Include it in few files:
// codec.h is large.
template <class Value>
[[nodiscard]] std::vector<Value> share_values(RankGroup& ranks, const Value& mine) {
  std::vector<Value> all;
  for (const std::string& bytes : ranks.share(record::codec::to_bytes(mine)))
    all.push_back(record::codec::from_bytes<Value>(bytes));
  return all;
}

}  // namespace rigproof::inline ranks
