#include "framework/limits/limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <stdexcept>

#include "framework/units/printable.h"

namespace rigproof::inline limits {
namespace {

const std::array<std::string, 3> kNames = {"smoke", "standard", "acceptance"};

}  // namespace

std::string_view name(Profile profile) { return kNames.at(static_cast<std::size_t>(profile)); }

Profile parse_profile(std::string_view text) {
  const auto found = std::ranges::find(kNames, text);
  if (found == kNames.end()) {
    throw std::invalid_argument(
        fmt::format("unknown profile {}{}", in_quotes(text), suggestion(text, kNames)));
  }
  return static_cast<Profile>(found - kNames.begin());
}

namespace {

// Days since 1970; 0 for what is no date.
int days_of(std::string_view date) {
  int year = 0;
  unsigned month = 0, day = 0;
  const auto number = [](std::string_view text, auto& value) {
    return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
  };
  if (date.size() != 10 || !number(date.substr(0, 4), year) || !number(date.substr(5, 2), month) ||
      !number(date.substr(8, 2), day))
    return 0;
  const std::chrono::year_month_day calendar{std::chrono::year(year), std::chrono::month(month),
                                             std::chrono::day(day)};
  return static_cast<int>(std::chrono::sys_days(calendar).time_since_epoch().count());
}

}  // namespace

bool Waiver::is_too_long(std::string_view date) const {
  return days_of(expires) - days_of(date) > kLongestWaiver;
}

}  // namespace rigproof::inline limits
