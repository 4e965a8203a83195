#include "framework/record/utc.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace rigproof {
namespace {

using std::chrono::milliseconds;
using Time = std::chrono::sys_time<milliseconds>;

constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd.dddZ";

bool has_form(std::string_view text) {
  return std::ranges::equal(text, kForm, [](char character, char form) {
    return form == 'd' ? character >= '0' && character <= '9' : character == form;
  });
}

std::optional<Time> parse(std::string_view text) {
  if (!has_form(text)) return {};
  const auto number = [&](std::size_t position, std::size_t digits) {
    int value = 0;
    for (const char digit : text.substr(position, digits)) value = value * 10 + (digit - '0');
    return value;
  };
  const auto month = static_cast<unsigned>(number(5, 2)), day = static_cast<unsigned>(number(8, 2));
  const std::chrono::year_month_day date{std::chrono::year(number(0, 4)), std::chrono::month(month),
                                         std::chrono::day(day)};
  const int hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return {};
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second) + milliseconds(number(20, 3));
}

}  // namespace

std::string utc_now() {
  const auto now = std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(now - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

bool is_utc(std::string_view text) { return parse(text).has_value(); }

double seconds_between(std::string_view from, std::string_view to) {
  const auto start = parse(from), end = parse(to);
  if (!start || !end || *end < *start) return 0;
  return std::chrono::duration<double>(*end - *start).count();
}

}  // namespace rigproof
