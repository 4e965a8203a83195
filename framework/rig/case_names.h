#pragma once

#include <string>
#include <string_view>

#include "framework/rig/rig.h"

namespace rigproof::inline rig {

// The names of the subjects' cases, in one place: [A-Za-z0-9_] and never a value.
[[nodiscard]] std::string case_name(const Rig&);                    // all_nodes
[[nodiscard]] std::string case_name(const Rig&, std::size_t node);  // node_a
[[nodiscard]] std::string case_name(const Rig&, PortRef);           // node_a_port0
[[nodiscard]] std::string case_name(const Rig&, HalfRef);           // node_a_enp1s0f0np0

enum class Ways { kBoth, kOne };

// Two nodes over a rail or link, or, with an empty `over`, over everything between them: rail0_node_a_node_b,
// one way rail0_node_a_to_node_b.
[[nodiscard]] std::string case_name(const Rig&, std::string_view over, std::size_t from, std::size_t to,
                                    Ways);

// The part of a case's full name that names its subject: what stands behind the last '/', or nothing.
[[nodiscard]] std::string subject_name(const std::string& case_name);

}  // namespace rigproof::inline rig
