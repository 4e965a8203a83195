#include "framework/record/run_identity.h"

#include <fmt/format.h>
#include <pwd.h>
#include <rigproof_commit.h>  // written by commit.cmake
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>

#include "framework/record/files.h"

namespace rigproof::record {
namespace {

using std::chrono::milliseconds;
using Time = std::chrono::sys_time<milliseconds>;

constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd.dddZ";

bool has_form(std::string_view text) {
  return std::ranges::equal(text, kForm, [](char character, char form) {
    return form == 'd' ? character >= '0' && character <= '9' : character == form;
  });
}

std::optional<Time> parse_utc(std::string_view text) {
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

bool is_utc(std::string_view text) { return parse_utc(text).has_value(); }

double seconds_between(std::string_view from, std::string_view to) {
  const auto start = parse_utc(from), end = parse_utc(to);
  if (!start || !end || *end < *start) return 0;
  return std::chrono::duration<double>(*end - *start).count();
}

namespace {

constexpr std::string_view kAgain = "-again-";

std::string random_mark() {
  std::random_device entropy;
  return fmt::format("{:012x}",
                     std::uniform_int_distribution<std::uint64_t>(0, (std::uint64_t{1} << 48) - 1)(entropy));
}

// "2026-11-20T18:15:02.123Z" -> "20261120T181502Z"
std::string compact(std::string_view time) {
  std::string text(time.substr(0, time.find('.')));
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text.ends_with('Z') ? text : text + "Z";
}

}  // namespace

std::string new_run_id(std::string_view when, std::string_view rig) {
  return fmt::format("{}-{}-{}", compact(when), rig, random_mark());
}

std::string id_again(const std::string& run) { return fmt::format("{}{}{}", run, kAgain, random_mark()); }

Program this_program(std::string name) {
  static const std::string sha256 = sha256_of_file("/proc/self/exe");  // does not change while it runs
  return {std::move(name), RIGPROOF_VERSION, RIGPROOF_COMMIT, sha256};
}

std::string user_name() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> buffer{};
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
    return found->pw_name;
  return std::to_string(geteuid());
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace rigproof::record
