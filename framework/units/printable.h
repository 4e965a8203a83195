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
  std::size_t length;  // of its UTF-8, in bytes
};

// The character at the front of a text that is not empty, or nothing when the bytes there are none (overlong and surrogate
// forms included).
[[nodiscard]] std::optional<Character> first_character(std::string_view text);

// Whether the byte is one of a character's UTF-8 but not its first.
[[nodiscard]] bool continues_character(char byte);

// Whether a terminal or a reader takes it for what it is: no control character, none that reorders text or breaks a line,
// no noncharacter.
[[nodiscard]] bool is_harmless(std::uint32_t code);

// Foreign text made safe for a message: control characters, those that reorder text, and bytes that are
// not UTF-8 as \x1B.
[[nodiscard]] std::string printable(std::string_view text);

// The same, cut to a readable length (bytes of `text`); and in single quotes.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most = 60);
[[nodiscard]] std::string in_quotes(std::string_view text);

// The letters A to Z as a to z; every other byte as it is, whatever the locale.
[[nodiscard]] std::string lower_case(std::string_view text);

// The end of a message about an unknown word: "; did you mean 'at_least'?" when a known one is near, else
// " (known: at_least, at_most)".
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace rigproof::inline units
