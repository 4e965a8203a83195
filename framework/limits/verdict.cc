#include <algorithm>
#include <array>

#include "framework/limits/judge.h"

namespace rigproof {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"pass", "marginal", "fail", "error", "recorded"};

}  // namespace

std::string_view name(Verdict verdict) { return kNames.at(static_cast<std::size_t>(verdict)); }

std::optional<Verdict> parse_verdict(std::string_view text) {
  const auto found = std::ranges::find(kNames, text);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Verdict>(found - kNames.begin());
}

}  // namespace rigproof
