#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigproof::inline limits {

// What a fact that is no number must be: one of some words, or a version that is new enough. Exactly one of
// the two is set.
struct TextRule {
  std::vector<std::string> one_of;  // in each, * stands for any characters and ? for one
  std::string at_least_version;     // "28.45.1200"

  bool operator==(const TextRule&) const = default;
};

// White space at the ends does not count, and any between words counts as one space ("4096\t87380" is "4096
// 87380").
[[nodiscard]] bool meets(const TextRule& rule, std::string_view text);

// "one of NJAAKK-N911, NJAAKK0006", "RS" (a single word), ">= 28.45.1200".
[[nodiscard]] std::string to_text(const TextRule& rule);

// Whether `text` has a number for every part of `version` and is not older, number by number: 28.45.1200 is
// newer than 28.9.2000. What stands in front of the first digit and behind the last number of either is left
// out ("v2.28.3-1+cuda13" against "2.28.3").
[[nodiscard]] bool is_version_at_least(std::string_view text, std::string_view version);

// Whether the text has any number to compare.
[[nodiscard]] bool is_version(std::string_view text);

// * is any run of characters, ? is one. Time grows with the product of the lengths, no more.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace rigproof::inline limits
