#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/facts/node_facts.h"
#include "framework/ranks/rank_group.h"
#include "framework/rig/rig.h"

namespace rigproof::preflight {

// The facts of every node of the rig, in the rig's order.
using RigFacts = std::vector<facts::NodeFacts>;

// Collective within a phase: every rank reads its node; rank 0 has all of them then, the others none.
[[nodiscard]] RigFacts read_rig_facts(const Rig& rig, RankGroup& ranks);

// From a snapshot's folder. Throws FactsError.
[[nodiscard]] RigFacts load_rig_facts(const Rig& rig, const std::filesystem::path& folder);

// Keeps every document (rank 0 has them) beside the run's journal, FOLDER/facts/NODE.json, and tells the
// reports what the nodes are made of. Throws FileError.
void keep_rig_facts(const RigFacts& all, const Rig& rig);

// Where the suite's cases keep the facts that they have read once.
[[nodiscard]] std::optional<RigFacts>& rig_facts_of_this_process();

// What a report says of a node: serials, firmware, drivers and versions of the node and of its parts ("PART
// PROPERTY": "enp1s0f0np0-module serial" -> "A1234"). What could not be read is left out. Pure.
[[nodiscard]] std::map<std::string, std::string> inventory_of(const facts::NodeFacts& facts, const Rig& rig,
                                                              std::size_t node);

// What to type on a node, so that runs of ordinary users have what root alone may read there.
[[nodiscard]] std::string root_facts_command();

}  // namespace rigproof::preflight
