#pragma once

#include <span>
#include <string_view>

namespace rigproof::text {

// Text about an expectation: the same for `rigproof explain`, the man page and the report. Limits, sources and remedies are
// in the thresholds file.
struct Expectation {
  std::string_view id;       // or a family: "preflight.sysctl.*", "*.share"
  std::string_view title;    // "One half, one way"
  std::string_view meaning;  // one sentence
  std::string_view causes;   // faults that make it fail
};

// All expectations, by suite. An id's own entry comes before a matching family.
[[nodiscard]] std::span<const Expectation> every_expectation();

// nullptr: unknown id.
[[nodiscard]] const Expectation* expectation_of(std::string_view id);

}  // namespace rigproof::text
