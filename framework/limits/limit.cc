#include "framework/limits/limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "framework/units/printable.h"

namespace rigproof::inline limits {
namespace {

const std::array<std::string, 3> kNames = {"smoke", "standard", "acceptance"};

}  // namespace

std::string_view name(Profile profile) { return kNames.at(static_cast<std::size_t>(profile)); }

Profile parse_profile(std::string_view text) {
  const auto found = std::ranges::find(kNames, text);
  if (found == kNames.end()) {
    throw std::invalid_argument(
        fmt::format("unknown profile {}{}", in_quotes(text), suggestion(text, kNames)));
  }
  return static_cast<Profile>(found - kNames.begin());
}

}  // namespace rigproof::inline limits
