#pragma once

#include <string>
#include <string_view>

namespace rigproof {

// The report's style sheet: light and dark, A4 and Letter, with these texts at the head and foot of every
// printed page.
struct PageTexts {
  std::string_view title, warning, foot;
};
[[nodiscard]] std::string style_sheet(const PageTexts& texts);

}  // namespace rigproof
