#pragma once

#include <vector>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof {

// The waivers of a thresholds file alone, without its limits: what a record needs, where the rig's facts are
// unknown. Throws toml::InputError as LimitTable::read does, for the [[waiver]] tables only.
[[nodiscard]] std::vector<Waiver> read_waivers(const toml::Document& document);

}  // namespace rigproof
