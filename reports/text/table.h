#pragma once

#include <string>
#include <vector>

namespace rigproof {

// Rows of cells as aligned columns, two spaces between them, a newline behind each row. Columns in which
// every cell below the first row is empty are left out.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace rigproof
