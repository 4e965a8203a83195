#pragma once

#include <map>
#include <string>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof {

// One [[waiver]]. `limits` are the file's ids (and where they stand): a waiver of another limit is refused.
// Throws toml::InputError.
[[nodiscard]] Waiver read_waiver(const toml::Table&,
                                 const std::map<std::string, std::string, std::less<>>& limits);

}  // namespace rigproof
