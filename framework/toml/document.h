#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "framework/units/quantity.h"

namespace rigproof::toml {

// Bad input. what() is the whole message for a person:
//   thresholds.toml:12:12: no unit in '170' (write e.g. "170 Gbit/s")
//     12 | at_least = "170"
//        |            ^
// A long line is cut around the column; control characters are escaped.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A line of a file; line 0: none.
struct Place {
  std::string file;
  std::uint32_t line = 0;
  auto operator<=>(const Place&) const = default;
};
[[nodiscard]] std::string to_text(const Place& place);  // "rig.toml:12"; empty without a line

class Document;

// A strict view of one table. Each read marks its key as known; finish() refuses keys that were not read. Each view
// of a table counts on its own. A wrong type, a missing key or a bad value throws InputError with file:line:column. A
// Table keeps the data of its Document alive.
class Table {
 public:
  [[nodiscard]] bool has(std::string_view key) const;

  [[nodiscard]] std::string text(std::string_view key) const;                        // a non-empty string
  [[nodiscard]] Quantity quantity(std::string_view key, Dimension dimension) const;  // a string "200 Gbit/s"
  [[nodiscard]] std::int64_t integer(std::string_view key) const;
  [[nodiscard]] std::string date(std::string_view key) const;  // "2026-12-31", with or without quotes
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;  // a non-empty array of strings
  [[nodiscard]] Table table(std::string_view key) const;
  [[nodiscard]] std::vector<Table> tables(std::string_view key) const;  // [[key]]; empty when absent

  [[nodiscard]] std::optional<std::string> maybe_text(std::string_view key) const;
  [[nodiscard]] std::optional<std::vector<std::string>> maybe_texts(std::string_view key) const;
  // A non-empty string, or a non-empty array of them; empty when absent.
  [[nodiscard]] std::vector<std::string> one_or_more_texts(std::string_view key) const;
  [[nodiscard]] std::optional<bool> maybe_boolean(std::string_view key) const;
  [[nodiscard]] std::optional<Table> maybe_table(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> keys() const;
  // Makes finish() accept the key, whatever its value.
  void allow(std::string_view key) const;

  // Throws InputError at the first key that was not read, naming the nearest known key.
  void finish() const;

  // Throws InputError at the value of `key`, or at element `index` of its array; at the table if `key` is absent or
  // empty.
  [[noreturn]] void fail(std::string_view key, std::string_view message,
                         std::optional<std::size_t> index = {}) const;

  // Position of this table, for messages after loading.
  [[nodiscard]] Place where() const;

 private:
  friend class Document;
  struct Node;
  explicit Table(std::shared_ptr<Node> node);
  std::shared_ptr<Node> node_;
};

// A parsed TOML file. No other class uses toml++.
class Document {
 public:
  // Throws InputError: unreadable, not a regular file, larger than 4 MiB, not UTF-8, a syntax error, a duplicate key,
  // nested too deeply.
  [[nodiscard]] static Document load(const std::filesystem::path& path);
  [[nodiscard]] static Document parse(std::string_view text, std::string name);

  [[nodiscard]] Table root() const;
  [[nodiscard]] const std::string& text() const;  // without a byte order mark

  // Throws InputError at the first `word` in quotes from the line of `place` on; at that line if there is none. For
  // messages after loading.
  [[noreturn]] void fail(const Place& place, std::string_view word, std::string_view message) const;

 private:
  struct Source;
  explicit Document(std::shared_ptr<Source> source);
  std::shared_ptr<Source> source_;
};

}  // namespace rigproof::toml
