#include "framework/toml/encode.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "framework/units/printable.h"

namespace rigproof::toml {

std::string encoded(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const auto character = first_character(text);
    if (!character) throw std::invalid_argument(in_quotes(text) + " is not UTF-8");
    const std::string_view bytes = text.substr(0, character->length);
    if (bytes == "\"" || bytes == "\\")
      out += fmt::format("\\{}", bytes);
    else if (is_harmless(character->code))
      out += bytes;
    else
      out += fmt::format("\\U{:08X}", character->code);
    text.remove_prefix(character->length);
  }
  return out + "\"";
}

std::string encoded(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(encoded(text));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

std::string comment(std::string_view text) { return "# " + printable(text); }

}  // namespace rigproof::toml
