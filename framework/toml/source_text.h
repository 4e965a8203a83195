#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace rigproof::toml {

// Both count from 1; a column is a character, not a byte.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};

// A file's text, and its name in messages.
struct SourceText {
  std::string name;
  std::string text;

  [[nodiscard]] Position position(std::size_t byte) const;

  // Throws InputError: NAME:LINE:COLUMN: MESSAGE, then the line of the text with a caret under the column.
  [[noreturn]] void fail(Position position, std::string_view message) const;
};

// Throws InputError: missing, not a regular file, unreadable, larger than 4 MiB.
[[nodiscard]] SourceText load_text(const std::filesystem::path& path);

// Throws InputError for input that toml++ does not handle safely: dotted keys ("a.b.c") nested too deeply for the
// stack, and characters beyond ASCII outside strings and comments (curly quotes, no-break spaces). TOML forbids the
// latter, but toml++ does not recognize all of them.
void prescan(const SourceText& source);

}  // namespace rigproof::toml
