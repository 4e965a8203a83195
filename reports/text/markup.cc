#include "reports/text/markup.h"

#include <ostream>

#include "reports/text/clean.h"

namespace rigproof::text {
namespace {

constexpr std::size_t kLongestText = 4000;  // a name of a megabyte helps nobody; the journal has it

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

// A mention or an autolink of a forge must not come to life either: an entity is text in Markdown and for
// them.
std::string_view markdown_entity(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '@':
      return "&#64;";
    case '|':
      return "&#124;";
    default:
      return {};
  }
}

bool needs_backslash(char character) {
  return std::string_view("\\`*_[]~$#").find(character) != std::string::npos;
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
  std::string out;
  for (const char character : one_line(text)) {
    const std::string_view entity = markdown_entity(character);
    if (needs_backslash(character)) out += '\\';
    if (entity.empty())
      out += character;
    else
      out += entity;
  }
  return out;
}

}  // namespace rigproof::text
