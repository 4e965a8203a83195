#pragma once

#include <map>
#include <string>
#include <string_view>

#include "framework/limits/limit.h"

namespace rigproof::inline limits {

// What the placeholders of a remedy stand for in one finding: "netdev" -> "enp1s0f0np0".
using RemedyValues = std::map<std::string, std::string, std::less<>>;

// What stands for the words of a rig that are not known of a finding: "netdev" -> "NETDEV".
[[nodiscard]] const RemedyValues& generic_values();

// The remedy with each {word} that `words`, or else generic_values(), knows replaced; other braces stay as they are.
[[nodiscard]] std::string fill_placeholders(std::string_view remedy, const RemedyValues& words);

// What the limit asks for, to be typed: the first of the texts, the version, or the bound as a bare number
// (sizes in bytes) with the rig's facts filled in. Empty when it has none.
[[nodiscard]] std::string target_value(const Limit& limit, const Facts& facts);

}  // namespace rigproof::inline limits
