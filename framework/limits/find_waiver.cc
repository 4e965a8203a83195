#include <algorithm>

#include "framework/limits/limit_table.h"

namespace rigproof {
namespace {

// * is any run of characters, ? is one. Goes back to the last star only, so it never blows up.
bool matches(std::string_view pattern, std::string_view text) {
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

bool covers(const Waiver& waiver, std::string_view limit_id, std::string_view case_name) {
  const bool limit_fits = waiver.limit.empty() || waiver.limit == limit_id;
  return limit_fits && (waiver.test.empty() || matches(waiver.test, case_name));
}

}  // namespace

const Waiver* find_waiver(const std::vector<Waiver>& waivers, std::string_view limit_id,
                          std::string_view case_name, std::string_view date) {
  const auto found = std::ranges::find_if(waivers, [&](const Waiver& waiver) {
    return date <= waiver.expires && covers(waiver, limit_id, case_name);
  });
  return found == waivers.end() ? nullptr : &*found;
}

}  // namespace rigproof
