#pragma once

#include <map>
#include <string>

#include "fixtures/facts/node_facts.h"
#include "framework/rig/rig.h"

namespace rigproof {

// What a report says of a node whose facts were read whole: serials, firmware, drivers and versions of the node
// and of its parts ("PART PROPERTY": "enp1s0f0np0-module serial" -> "A1234"). What could not be read is left out.
// Pure.
[[nodiscard]] std::map<std::string, std::string> inventory_of(const NodeFacts& facts, const Rig& rig,
                                                              std::size_t node);

}  // namespace rigproof
