#pragma once

#include <span>
#include <string_view>

namespace rigproof::text {

// What an expectation is, in words for a person: the same for `rigproof explain`, the man page and the report. Limits,
// sources and remedies are the thresholds file's.
struct Expectation {
  std::string_view id;       // or a family: "preflight.sysctl.*", "*.share"
  std::string_view title;    // "One half, one way"
  std::string_view meaning;  // one sentence
  std::string_view causes;   // what turns it red
};

// Every one, by suite. Of an id that a family and an entry of its own name, its own comes first.
[[nodiscard]] std::span<const Expectation> every_expectation();

// nullptr: nothing is known of such an id.
[[nodiscard]] const Expectation* expectation_of(std::string_view id);

}  // namespace rigproof::text
