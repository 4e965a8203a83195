#pragma once

#include <map>
#include <string>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof {

// One [[limit]] as it stands in each profile that has it.
struct LimitEntry {
  std::string id;
  std::map<Profile, Limit> by_profile;
};

// Throws toml::InputError; see LimitTable for the keys.
[[nodiscard]] LimitEntry read_limit(const toml::Table&, const FactDimensions&);

}  // namespace rigproof
