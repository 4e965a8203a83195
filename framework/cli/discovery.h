#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fixtures/facts/discover.h"

namespace rigproof::cli {

// The name of a node for a host: with - for : in an address. Throws std::invalid_argument.
[[nodiscard]] std::string node_name(const std::string& host);

// Throws Refused unless these are two or more different hosts that other nodes can reach by these names.
// `command`: for the message.
void require_hosts(const std::string& command, const std::vector<std::string>& hosts);

// The facts of the hosts. Throws Refused if one does not answer.
[[nodiscard]] std::vector<facts::DiscoveredNode> discovered_nodes(const std::vector<std::string>& hosts);

// The rig of these nodes, which hear each other's announcements first. Prints warnings and what is left out. Throws Refused
// or facts::NoRig.
[[nodiscard]] facts::FoundRig describe_rig(std::vector<facts::DiscoveredNode>& nodes,
                                           const std::string& rig_name);

// The text of a file; empty if there is none.
[[nodiscard]] std::string text_of(const std::filesystem::path& file);

// Writes the rig file. Throws Refused if there is another file, which a person may have changed.
void write_rig_file(const std::filesystem::path& path, const std::string& text, bool replaces);

// The guesses in a rig file's text that `discover` wrote, one line each: "rig.toml:28: rate = ... # (?) ...". Equal guesses
// are one line.
[[nodiscard]] std::vector<std::string> guesses_in(const std::string& text, const std::string& file);

}  // namespace rigproof::cli
