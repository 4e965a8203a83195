#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigproof::text {

// Foreign text made safe for XML, Markdown and terminals: valid UTF-8 without control characters (newline and
// tab stay), without characters that reorder text and without noncharacters. Each of those becomes U+FFFD.
[[nodiscard]] std::string clean(std::string_view text);

// The same on one line: newlines and tabs become spaces.
[[nodiscard]] std::string one_line(std::string_view text);

// At most `bytes` of clean text, cut between characters, with "..." where something was cut.
[[nodiscard]] std::string shortened(std::string text, std::size_t bytes);

// Rows of cells as aligned columns, two spaces between them, a newline behind each row. Columns in which
// every cell below the first row is empty are left out.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace rigproof::text
