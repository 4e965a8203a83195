#include "framework/limits/limit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "framework/units/printable.h"

namespace rigproof::inline limits {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string with_single_spaces(std::string_view text) {
  std::string words;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space)
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  }
  if (words.ends_with(' ')) words.pop_back();
  return words;
}

// Numbers of a version without leading zeros, so that they compare by length, then by digits.
std::vector<std::string> numbers_of(std::string_view text) {
  std::vector<std::string> numbers;
  auto at = std::ranges::find_if(text, is_digit);
  while (at != text.end() && is_digit(*at)) {
    const auto end = std::find_if_not(at, text.end(), is_digit);
    std::string number(at, end);
    number.erase(0, std::min(number.find_first_not_of('0'), number.size() - 1));
    numbers.push_back(std::move(number));
    if (end == text.end() || *end != '.') break;
    at = end + 1;
  }
  return numbers;
}

bool less(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

bool is_version(std::string_view text) { return !numbers_of(text).empty(); }

bool is_version_at_least(std::string_view text, std::string_view version) {
  const std::vector<std::string> have = numbers_of(text), want = numbers_of(version);
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (i == have.size()) return false;
    if (have[i] != want[i]) return less(want[i], have[i]);
  }
  return true;
}

bool meets(const TextRule& rule, std::string_view text) {
  if (!rule.at_least_version.empty()) return is_version_at_least(text, rule.at_least_version);
  const std::string words = with_single_spaces(text);
  return std::ranges::any_of(rule.one_of, [&](const std::string& wanted) {
    return matches_glob(with_single_spaces(wanted), words);
  });
}

std::string to_text(const TextRule& rule) {
  if (!rule.at_least_version.empty()) return ">= " + rule.at_least_version;
  if (rule.one_of.size() == 1) return rule.one_of.front();
  return fmt::format("one of {}", fmt::join(rule.one_of, ", "));
}

// Backtracks to the last star only, so the time cannot grow exponentially.
bool matches_glob(std::string_view pattern, std::string_view text) {
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

// Days since 1970; 0: not a date.
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

namespace {

std::string bare(Quantity quantity) {
  const bool whole = quantity.dimension == Dimension::kDataSize || quantity.dimension == Dimension::kCount;
  return whole ? fmt::format("{:.0f}", quantity.value) : to_text(quantity);
}

}  // namespace

std::vector<RemedyStep> steps_of(const Remedy& remedy) {
  std::vector<RemedyStep> steps;
  for (const std::string& command : remedy.check) steps.push_back({"check", command});
  for (const std::string& command : remedy.fix) steps.push_back({"fix", command});
  for (const std::string& hint : remedy.hint) steps.push_back({"hint", hint});
  return steps;
}

std::string to_text(const Remedy& remedy) {
  std::string text;
  for (const auto& [what, step] : steps_of(remedy))
    text += (text.empty() ? "" : "; ") + (what == "hint" ? step : fmt::format("{}: {}", what, step));
  return text;
}

Limit limit_at(const Limit& limit, const std::optional<Quantity>& place) {
  Limit here = limit;
  std::erase_if(here.also, [&](const FurtherBounds& more) { return more.at && more.at != place; });
  const auto own = std::ranges::find_if(
      here.also, [&](const FurtherBounds& more) { return more.statistic == limit.statistic; });
  if (own != here.also.end()) {
    here.at_least = own->at_least;
    here.at_most = own->at_most;
    here.marginal = own->marginal;
    here.also.erase(own);
  }
  if (!limit.also.empty() && here.also.empty() && !here.at_least && !here.at_most)
    here.enforce = Enforce::kInformative;
  return here;
}

namespace {

// The binary unit in which a place of a sweep over sizes is a whole number; empty: the usual one.
std::string_view unit_of_place(const Quantity& at) {
  if (at.dimension != Dimension::kDataSize) return {};
  return std::fmod(at.value, 1 << 20) == 0 ? "MiB" : std::fmod(at.value, 1 << 10) == 0 ? "KiB" : "B";
}

}  // namespace

std::string bounds_text(const Limit& limit) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& sign, const std::optional<Bound>& bound,
                       const std::string& place = {}) {
    if (bound) parts.push_back(fmt::format("{} {}{}", sign, bound->text, place));
  };
  add(">=", limit.at_least);
  add("<=", limit.at_most);
  add("=", limit.equals);
  for (const FurtherBounds& more : limit.also) {
    const std::string place = more.at ? " at " + to_text(*more.at, unit_of_place(*more.at)) : "";
    const std::string of = more.statistic == limit.statistic ? "" : fmt::format("{} ", name(more.statistic));
    add(of + ">=", more.at_least, place);
    add(of + "<=", more.at_most, place);
  }
  if (limit.rule) parts.push_back(to_text(*limit.rule));
  return parts.empty() ? "no bound" : fmt::format("{}", fmt::join(parts, " and "));
}

std::string target_value(const Limit& limit, const Facts& facts) {
  if (limit.rule) return limit.rule->one_of.empty() ? limit.rule->at_least_version : limit.rule->one_of[0];
  for (const auto& bound : {limit.equals, limit.at_least, limit.at_most}) {
    if (!bound) continue;
    if (const auto* quantity = std::get_if<Quantity>(&bound->value)) return bare(*quantity);
    const auto& part = std::get<RelativeBound>(bound->value);
    const auto fact = facts.find(part.fact);
    if (fact == facts.end()) return {};
    return bare({limit.dimension, part.factor * fact->second.value});
  }
  return {};
}

}  // namespace rigproof::inline limits
