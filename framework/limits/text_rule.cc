#include "framework/limits/text_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace rigproof::inline limits {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string with_single_spaces(std::string_view text) {
  std::string words;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space)
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  }
  if (words.ends_with(' ')) words.pop_back();
  return words;
}

// The numbers of a version without leading zeros, so that they compare by length, then by letter.
std::vector<std::string> numbers_of(std::string_view text) {
  std::vector<std::string> numbers;
  auto at = std::ranges::find_if(text, is_digit);
  while (at != text.end() && is_digit(*at)) {
    const auto end = std::find_if_not(at, text.end(), is_digit);
    std::string number(at, end);
    number.erase(0, std::min(number.find_first_not_of('0'), number.size() - 1));
    numbers.push_back(std::move(number));
    if (end == text.end() || *end != '.') break;
    at = end + 1;
  }
  return numbers;
}

bool less(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

bool is_version(std::string_view text) { return !numbers_of(text).empty(); }

bool is_version_at_least(std::string_view text, std::string_view version) {
  const std::vector<std::string> have = numbers_of(text), want = numbers_of(version);
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (i == have.size()) return false;
    if (have[i] != want[i]) return less(want[i], have[i]);
  }
  return true;
}

bool meets(const TextRule& rule, std::string_view text) {
  if (!rule.at_least_version.empty()) return is_version_at_least(text, rule.at_least_version);
  const std::string words = with_single_spaces(text);
  return std::ranges::any_of(rule.one_of, [&](const std::string& wanted) {
    return matches_glob(with_single_spaces(wanted), words);
  });
}

std::string to_text(const TextRule& rule) {
  if (!rule.at_least_version.empty()) return ">= " + rule.at_least_version;
  if (rule.one_of.size() == 1) return rule.one_of.front();
  return fmt::format("one of {}", fmt::join(rule.one_of, ", "));
}

// Goes back to the last star only, so it never blows up.
bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace rigproof::inline limits
