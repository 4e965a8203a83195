#pragma once

#include <string>
#include <string_view>

namespace rigproof {

// Foreign text made safe for a message: control characters, those that reorder text, and bytes that are
// not UTF-8 as \x1B.
[[nodiscard]] std::string printable(std::string_view text);

// The same, cut to a readable length; and in single quotes.
[[nodiscard]] std::string shortened(std::string_view text);
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace rigproof
