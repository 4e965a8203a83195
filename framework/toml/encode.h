#pragma once

#include <string>
#include <string_view>
#include <vector>

// Encodes texts for TOML files.
namespace rigproof::toml {

// A quoted string that Document reads back as the same text. Throws std::invalid_argument for a text that is not
// UTF-8, which no TOML file can hold.
[[nodiscard]] std::string encoded(std::string_view text);
[[nodiscard]] std::string encoded(const std::vector<std::string>& texts);  // ["a", "b"]

// "# TEXT" in one line. Characters that would end the comment or mislead a reader are escaped as \x0A.
[[nodiscard]] std::string comment(std::string_view text);

}  // namespace rigproof::toml
