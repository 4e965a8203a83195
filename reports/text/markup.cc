#include "reports/text/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <ostream>
#include <sstream>

#include "framework/units/printable.h"

namespace rigproof::text {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_plain(char byte) { return (byte >= ' ' && byte <= '~') || byte == '\n' || byte == '\t'; }

// Most texts are. Without a branch per byte.
bool is_one_plain_line(std::string_view text) {
  unsigned others = 0;
  for (const char byte : text)
    others |= static_cast<unsigned>(byte < ' ') | static_cast<unsigned>(byte > '~');
  return others == 0;
}

std::size_t width_of(const std::string& cell) {
  return static_cast<std::size_t>(
      std::ranges::count_if(cell, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

// Column widths; 0 for a column to leave out.
std::vector<std::size_t> widths_of(std::size_t rows, const RowOf& row_of) {
  std::vector<std::size_t> widths;
  std::vector<bool> used;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<std::string> cells = row_of(row);
    widths.resize(std::max(widths.size(), cells.size()));
    used.resize(widths.size());
    for (std::size_t column = 0; column < cells.size(); ++column) {
      widths[column] = std::max(widths[column], width_of(cells[column]));
      used[column] = used[column] || (row > 0 && !cells[column].empty());
    }
  }
  for (std::size_t column = 0; column < widths.size(); ++column)
    if (!used[column] && rows > 1) widths[column] = 0;
  return widths;
}

}  // namespace

std::string clean(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return out;
    const std::optional<Character> character = first_character(text);
    const std::size_t length = character ? character->length : 1;
    out += character && is_harmless(character->code) ? text.substr(0, length) : kReplacement;
    text.remove_prefix(length);
  }
}

std::string one_line(std::string_view text) {
  if (is_one_plain_line(text)) return std::string(text);
  std::string out = clean(text);
  std::ranges::replace_if(
      out, [](char byte) { return byte == '\n' || byte == '\t'; }, ' ');
  return out;
}

std::string shortened(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes;
  while (end > 0 && continues_character(text[end])) --end;
  return text.substr(0, end) + "...";
}

void write_text_table(std::ostream& out, std::size_t rows, const RowOf& row_of) {
  const std::vector<std::size_t> widths = widths_of(rows, row_of);
  std::string line;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<std::string> cells = row_of(row);
    line.clear();
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (widths[column] == 0) continue;
      line += cells[column];
      line.append(widths[column] - width_of(cells[column]) + 2, ' ');
    }
    while (line.ends_with(' ')) line.pop_back();
    out << line << '\n';
  }
}

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  std::ostringstream out;
  write_text_table(out, rows.size(), [&](std::size_t row) { return rows[row]; });
  return out.str();
}

namespace {

constexpr std::size_t kLongestText = 4000;  // the journal has the full text

std::string_view entity_of(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

std::string short_text(std::string_view text) { return escaped(shortened(std::string(text), kLongestText)); }

std::string_view markdown_entity(char character) {
  if (character == '|') return "&#124;";
  return character == '"' || character == '\'' ? std::string_view() : entity_of(character);
}

bool needs_backslash(char character) {
  return std::string_view("\\`*_[]~$#").find(character) != std::string::npos;
}

// True for ":de:", which can occur in a MAC.
bool begins_emoji(std::string_view text) {
  if (!text.starts_with(':')) return false;
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_+-", 1);
  if (end == text.npos || text[end] != ':' || end == 1) return false;
  const std::string_view word = text.substr(1, end - 1);
  return word.find_first_not_of("0123456789") != word.npos || word == "100" || word == "1234";
}

// True for mentions, issue numbers and emoji, which forges expand after Markdown, where neither backslash nor entity helps.
// An HTML comment in between keeps the text.
bool needs_comment_behind(std::string_view text) {
  if (begins_emoji(text)) return true;
  if (text.size() < 2) return false;
  return text[0] == '@' || (text[0] == '#' && text[1] >= '0' && text[1] <= '9');
}

// The web address at the beginning of the text, as Markdown accepts it in <...>; empty if there is none.
std::string_view web_address(std::string_view text) {
  if (!text.starts_with("https://") && !text.starts_with("http://")) return {};
  text = text.substr(0, text.find_first_of(" <>|\"`$"));
  const bool has_brackets = text.find('(') != text.npos;
  text = text.substr(0, text.find_last_not_of(has_brackets ? ".,:;!?'*~]}\\" : ".,:;!?'*~]}\\)") + 1);
  return text.ends_with("//") ? std::string_view() : text;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char character : clean(text)) {
    const std::string_view entity = entity_of(character);
    if (entity.empty())
      out += character;
    else
      out += entity;
  }
  return out;
}

Markup::Element Markup::element(std::string_view tag, Attributes attributes) {
  open(tag, attributes, ">");
  return {*this, tag};
}

Markup::Element Markup::section(std::string_view title, std::string_view css) {
  std::string id = lower_case(title);
  std::erase_if(id, [](unsigned char c) { return std::isalnum(c) == 0 && c != ' '; });
  std::ranges::replace(id, ' ', '-');
  if (css.empty())
    open("section", {{"id", id}}, ">");
  else
    open("section", {{"id", id}, {"class", css}}, ">");
  leaf("h2", title);
  outline_.push_back({std::move(id), std::string(title)});
  return {*this, "section"};
}

void Markup::leaf(std::string_view tag, std::string_view text, Attributes attributes) {
  open(tag, attributes, ">");
  out_ << short_text(text);
  close(tag);
}

void Markup::empty(std::string_view tag, Attributes attributes) { open(tag, attributes, "/>"); }

void Markup::text(std::string_view text) { out_ << short_text(text); }

void Markup::raw(std::string_view markup) { out_ << markup; }

void Markup::open(std::string_view tag, Attributes attributes, std::string_view end) {
  out_ << '<' << tag;
  for (const auto& [name, value] : attributes) out_ << ' ' << name << "=\"" << escaped(value) << '"';
  out_ << end;
}

void Markup::close(std::string_view tag) { out_ << "</" << tag << ">\n"; }

std::string markdown(std::string_view text) {
  const std::string line = one_line(text);
  std::string out;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (const std::string_view address = web_address(std::string_view(line).substr(at)); !address.empty()) {
      out += fmt::format("<{}>", address);
      at += address.size() - 1;
      continue;
    }
    const std::string_view entity = markdown_entity(line[at]);
    if (needs_backslash(line[at])) out += '\\';
    if (entity.empty())
      out += line[at];
    else
      out += entity;
    if (needs_comment_behind(std::string_view(line).substr(at))) out += "<!-- -->";
  }
  return out;
}

}  // namespace rigproof::text
