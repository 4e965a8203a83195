#include "reports/markdown/escape.h"

#include "reports/text/clean.h"

namespace rigproof {
namespace {

// A mention or an autolink of a forge must not come to life either: an entity is text in Markdown and for
// them.
std::string_view entity_of(char character) {
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

std::string markdown(std::string_view text) {
  std::string out;
  for (const char character : one_line(text)) {
    const std::string_view entity = entity_of(character);
    if (needs_backslash(character)) out += '\\';
    if (entity.empty())
      out += character;
    else
      out += entity;
  }
  return out;
}

}  // namespace rigproof
