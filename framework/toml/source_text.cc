#include "framework/toml/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "framework/toml/document.h"
#include "framework/units/printable.h"

namespace rigproof::toml {

namespace {

constexpr std::size_t kLargestFile = std::size_t{4} << 20;
constexpr std::size_t kCharactersEachSide = 60;

std::string_view line_of(std::string_view text, std::size_t number) {
  for (; number > 1; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  return text.substr(0, text.find_last_not_of('\r') + 1);
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

// Byte offset of the character `number`, counted from 0.
std::size_t byte_of(std::string_view text, std::size_t number) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (starts_character(text[at]) && number-- == 0) break;
  }
  return at;
}

std::string shown(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '\t', ' ');
  return printable(spaced);
}

// Cuts the line around the column, so that the message fits on one screen line.
std::string excerpt(std::string_view line, Position position) {
  const std::size_t column = position.column - 1;
  const std::size_t first = column > kCharactersEachSide ? column - kCharactersEachSide : 0;
  const std::size_t begin = byte_of(line, first);
  const std::size_t caret = byte_of(line, column);
  const std::size_t end = byte_of(line, column + kCharactersEachSide);
  const std::string before = (first > 0 ? "..." : "") + shown(line.substr(begin, caret - begin));
  const std::string after = shown(line.substr(caret, end - caret)) + (end < line.size() ? "..." : "");
  const std::string number = std::to_string(position.line);
  return fmt::format("  {} | {}{}\n  {:{}} | {:{}}^", number, before, after, "", number.size(), "",
                     characters(before));
}

[[noreturn]] void fail_file(const std::filesystem::path& path, std::string_view why) {
  throw InputError(fmt::format("{}: {}", printable(path.string()), why));
}

void require_regular_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error) fail_file(path, fmt::format("cannot be read: {}", error.message()));
  if (std::filesystem::is_directory(status)) fail_file(path, "is a folder, not a TOML file");
  if (!std::filesystem::is_regular_file(status)) fail_file(path, "is not a regular file");
}

}  // namespace

Position SourceText::position(std::size_t byte) const {
  const std::string_view before = std::string_view(text).substr(0, byte);
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  return {lines + 1, characters(before.substr(before.rfind('\n') + 1)) + 1};
}

void SourceText::fail(Position position, std::string_view message) const {
  throw InputError(fmt::format("{}:{}:{}: {}\n{}", printable(name), position.line, position.column, message,
                               excerpt(line_of(text, position.line), position)));
}

SourceText load_text(const std::filesystem::path& path) {
  require_regular_file(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_file(path, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
  std::string text(kLargestFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) fail_file(path, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestFile) fail_file(path, "is larger than 4 MiB");
  return {path.string(), std::move(text)};
}

namespace {

constexpr int kMostDots = 16;

// A scan over TOML text that skips strings and comments.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }

  // True if the last skipped string has no closing quote.
  [[nodiscard]] bool is_open() const { return is_open_; }

  // Returns the next character outside strings and comments; for a string or comment, its first character.
  char next() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      skip_string(c);
    } else {
      at_ = c == '#' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
    }
    return c;
  }

 private:
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool multiline = text_.substr(at_).starts_with(three);
    const std::string_view end = multiline ? std::string_view(three) : std::string_view(three).substr(0, 1);
    at_ += end.size();
    while (!done() && !text_.substr(at_).starts_with(end) && (multiline || text_[at_] != '\n')) {
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    is_open_ = done() || !text_.substr(at_).starts_with(end);
    at_ = std::min(at_ + end.size(), text_.size());
    while (multiline && !done() && text_[at_] == quote) ++at_;  // """a quote at the end""""
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_open_ = false;
};

[[noreturn]] void refuse_character(const SourceText& source, std::size_t at) {
  const std::string_view text = source.text;
  const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  source.fail(source.position(at), utf16 ? "the file is UTF-16; save it as UTF-8"
                                         : "only plain ASCII is allowed outside of strings and comments");
}

}  // namespace

void prescan(const SourceText& source) {
  int dots = 0;
  for (Scanner scanner(source.text); !scanner.done();) {
    const std::size_t at = scanner.at();
    const char c = scanner.next();
    if (static_cast<unsigned char>(c) >= 0x80) refuse_character(source, at);
    if (scanner.is_open()) source.fail(source.position(at), "this string has no closing quote");
    if (c == '.' && ++dots > kMostDots) source.fail(source.position(at), "this key is nested too deeply");
    if (std::string_view("=,[]{}\n#").find(c) != std::string_view::npos) dots = 0;
  }
}

}  // namespace rigproof::toml
