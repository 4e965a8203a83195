#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rigproof::inline units {

struct Character {
  std::uint32_t code;
  std::size_t length;  // UTF-8 bytes
};

// First character of a text that is not empty. nullopt: its bytes are not valid UTF-8 (overlong and surrogate forms
// included).
[[nodiscard]] std::optional<Character> first_character(std::string_view text);

// True for a byte of a UTF-8 character that is not its first.
[[nodiscard]] bool continues_character(char byte);

// False for control characters, noncharacters, and characters that reorder text or break a line.
[[nodiscard]] bool is_harmless(std::uint32_t code);

// Makes foreign text safe for a message. Control characters, characters that reorder text and bytes that are not
// UTF-8 become \x1B.
[[nodiscard]] std::string printable(std::string_view text);

// The same, cut to `most` bytes; and in single quotes.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most = 60);
[[nodiscard]] std::string in_quotes(std::string_view text);

// Replaces A to Z by a to z in any locale; all other bytes stay.
[[nodiscard]] std::string lower_case(std::string_view text);

// End of a message about an unknown word: "; did you mean 'at_least'?" if a known word is similar, else " (known:
// at_least, at_most)".
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace rigproof::inline units
