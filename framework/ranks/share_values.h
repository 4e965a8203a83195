#pragma once

#include <string>
#include <vector>

#include "framework/ranks/rank_group.h"
#include "framework/record/codec.h"

namespace rigproof::inline ranks {

// Collective within a phase: RankGroup::share() of a number, a text, a type of the record or one that has fields(), or of
// lists, maps and optionals of these: every rank's, in rank order, on every rank. To be included by few: codec.h is large.
template <class Value>
[[nodiscard]] std::vector<Value> share_values(RankGroup& ranks, const Value& mine) {
  std::vector<Value> all;
  for (const std::string& bytes : ranks.share(record::codec::to_bytes(mine)))
    all.push_back(record::codec::from_bytes<Value>(bytes));
  return all;
}

}  // namespace rigproof::inline ranks
