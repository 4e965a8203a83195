#pragma once

#include <string>
#include <string_view>
#include <vector>

// Texts as a TOML file has them, for whoever writes one.
namespace rigproof::toml {

// A string between its quotes, with whatever the text holds: Document reads the same text again. Throws
// std::invalid_argument for a text that is not UTF-8, which no TOML file can hold.
[[nodiscard]] std::string encoded(std::string_view text);
[[nodiscard]] std::string encoded(const std::vector<std::string>& texts);  // ["a", "b"]

// "# TEXT" in one line: what would end the comment, or mislead whoever reads it, is escaped as \x0A.
[[nodiscard]] std::string comment(std::string_view text);

}  // namespace rigproof::toml
