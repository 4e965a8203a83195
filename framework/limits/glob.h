#pragma once

#include <string_view>

namespace rigproof {

// * is any run of characters, ? is one. Time grows with the product of the lengths, no more.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace rigproof
