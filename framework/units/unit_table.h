#pragma once

#include <span>
#include <string>
#include <string_view>

#include "framework/units/quantity.h"

namespace rigproof::inline units {

struct Unit {
  std::string_view name;
  Dimension dimension;
  double scale;    // how many base units one of it is
  bool preferred;  // to_text picks it on its own
};

// Every unit there is; within a dimension from small to large.
[[nodiscard]] std::span<const Unit> every_unit();
[[nodiscard]] const Unit* find_unit(std::string_view name);

// The unit that a writer of `wrong` most likely meant ("Gbps" -> "Gbit/s"); empty when nothing is near.
[[nodiscard]] std::string_view suggest_unit(std::string_view wrong);

}  // namespace rigproof::inline units
