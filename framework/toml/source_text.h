#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace rigproof::toml {

// Both from 1; a column is a character, not a byte.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};

// A file's text and the name that messages call it by.
struct SourceText {
  std::string name;
  std::string text;

  [[nodiscard]] Position position(std::size_t byte) const;

  // Throws InputError: NAME:LINE:COLUMN: MESSAGE, then that line of the text with a caret under the column.
  [[noreturn]] void fail(Position position, std::string_view message) const;
};

// Throws InputError: missing, not a regular file, unreadable, larger than 4 MiB.
[[nodiscard]] SourceText load_text(const std::filesystem::path& path);

// Throws InputError for what toml++ is not safe against: dotted keys ("a.b.c") nested deeper than a stack is
// large, and characters beyond ASCII outside of strings and comments (curly quotes, no-break spaces), which
// TOML forbids and its tables of characters do not all know.
void prescan(const SourceText& source);

}  // namespace rigproof::toml
