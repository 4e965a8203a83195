#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/facts/document.h"
#include "framework/rig/rig.h"

namespace rigproof::cli {

inline constexpr std::chrono::seconds kFetch{20};  // how long the hosts may take

struct FactsRequest {
  std::string node, address;           // what to call it, and where it is
  std::vector<std::string> arguments;  // more for `rigproof facts` there
};

// What came of it: the facts, or why there are none.
struct FetchedFacts {
  std::string node;
  std::optional<facts::Document> facts;
  std::string error;
};

// Has every host read its facts: by `rigproof facts` there, at this program's own path, as
// supervisor::NodeCommands has it. All at once; a host that does not answer within `deadline`
// costs its own facts only. In the order asked.
[[nodiscard]] std::vector<FetchedFacts> fetch_facts(const std::vector<FactsRequest>& orders,
                                                    std::chrono::milliseconds deadline);

// Whether the folder has the facts of every node of the rig. Throws FactsError naming the file and what is
// wrong with it.
void check_snapshot(const Rig& rig, const std::filesystem::path& folder);

}  // namespace rigproof::cli
