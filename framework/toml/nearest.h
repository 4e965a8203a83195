#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rigproof {

// The end of a message about an unknown word: "; did you mean 'at_least'?" when a known one is near, else
// " (known: at_least, at_most)".
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace rigproof
