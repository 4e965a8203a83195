#pragma once

#include <string_view>

namespace rigproof {

// Whether the text is a day of the calendar as ISO writes it: "2026-12-31".
[[nodiscard]] bool is_date(std::string_view text);

}  // namespace rigproof
