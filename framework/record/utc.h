#pragma once

#include <string>
#include <string_view>

namespace rigproof {

// Now, as Event::time: "2026-11-20T18:15:02.123Z".
[[nodiscard]] std::string utc_now();

// A time in that form, and one that exists.
[[nodiscard]] bool is_utc(std::string_view text);

// From one such time to another; 0 when either is none, or for a clock that was set back.
[[nodiscard]] double seconds_between(std::string_view from, std::string_view to);

}  // namespace rigproof
