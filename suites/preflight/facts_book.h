#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/facts/node_facts.h"
#include "framework/ranks/rank_group.h"
#include "framework/rig/rig.h"
#include "framework/units/quantity.h"

namespace rigproof {

// The facts of every node of the rig, by the rig's order.
using FactsBook = std::vector<NodeFacts>;

// Collective within a phase: every rank reads its node; rank 0 has all of them then, the others none.
[[nodiscard]] FactsBook read_book(const Rig& rig, RankGroup& ranks);

// Keeps every document (rank 0 has them) beside the run's journal, FOLDER/facts/NODE.json, and tells the
// reports what the nodes are made of. Throws FileError.
void keep_book(const FactsBook& book, const Rig& rig);

// From a snapshot's folder. Throws FactsError.
[[nodiscard]] FactsBook load_book(const Rig& rig, const std::filesystem::path& folder);

// Where the suite's cases keep the facts that they have read once.
[[nodiscard]] std::optional<FactsBook>& book_of_this_process();

// What of a fact is to be judged: the value, or why there is none.
template <class Value>
struct Found {
  std::optional<Value> value;
  std::string why;
};
[[nodiscard]] Found<std::string> find_text(const NodeFacts& facts, NodeFacts::Path path);
[[nodiscard]] Found<std::string> find_texts(const NodeFacts& facts,
                                            NodeFacts::Path path);  // "RS, LLRS"; "none"
[[nodiscard]] Found<double> find_number(const NodeFacts& facts, NodeFacts::Path path);

[[nodiscard]] Found<Quantity> as(Dimension dimension, const Found<double>& number);
// How many faults were found. None, where `unread` says what could not be read, is not known to be none.
[[nodiscard]] Found<Quantity> as_faults(std::size_t found, const std::string& unread);

// Whether the node has this netdev. Nothing: it is not known.
[[nodiscard]] std::optional<bool> has_netdev(const NodeFacts& facts, const std::string& netdev);

}  // namespace rigproof
