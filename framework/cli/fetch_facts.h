#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/facts/document.h"
#include "framework/rig/rig.h"

namespace rigproof::cli {

inline constexpr std::chrono::seconds kFetch{20};  // for all hosts together

struct FactsRequest {
  std::string node, address;           // its name in the rig, its address
  std::vector<std::string> arguments;  // further arguments for `rigproof facts` there
};

// The facts of a node, or the reason why there are none.
struct FetchedFacts {
  std::string node;
  std::optional<facts::Document> facts;
  std::string error;
};

// Reads the facts of all hosts at the same time: runs `rigproof facts` there, at this program's own path (see
// supervisor::NodeCommands). A host without an answer within `deadline` has no facts. Results are in the order of
// `orders`.
[[nodiscard]] std::vector<FetchedFacts> fetch_facts(const std::vector<FactsRequest>& orders,
                                                    std::chrono::milliseconds deadline);

// Checks that the folder has the facts of every node of the rig. Throws FactsError naming the file and its error.
void check_snapshot(const Rig& rig, const std::filesystem::path& folder);

}  // namespace rigproof::cli
