#include "reports/text/places.h"

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace rigproof {
namespace {

// What stands before and behind the last WORD, a word of its own.
struct Halves {
  std::string before, behind;
};
std::optional<Halves> split_at(const std::string& text, const std::string& word) {
  const std::string inner = " " + word + " ";
  if (const auto place = text.rfind(inner); place != text.npos)
    return Halves{text.substr(0, place), text.substr(place + inner.size())};
  if (text.starts_with(word + " ")) return Halves{"", text.substr(word.size() + 1)};
  return {};
}

std::optional<Quantity> quantity_of(const std::string& text) try {
  return parse_quantity(text);
} catch (const std::invalid_argument&) {
  return {};
}

// "8 queue pairs": a number, a space and the words for what it counts.
std::optional<CurvePlace> counted_place(const Halves& halves) {
  double number = 0;
  const char* end = halves.behind.data() + halves.behind.size();
  const auto [stop, error] = std::from_chars(halves.behind.data(), end, number);
  if (error != std::errc() || !std::isfinite(number) || number < 0 || stop == end || *stop != ' ') return {};
  const std::string words(stop + 1, end);
  if (words.empty()) return {};
  return CurvePlace{halves.before, number, Dimension::kCount, words};
}

}  // namespace

std::optional<CurvePlace> curve_place(const std::string& detail) {
  const auto halves = split_at(detail, "at");
  if (!halves) return {};
  const auto quantity = quantity_of(halves->behind);
  if (!quantity) return counted_place(*halves);
  return CurvePlace{halves->before, quantity->value, quantity->dimension,
                    std::string(name(quantity->dimension))};
}

std::optional<SeriesPlace> series_place(const std::string& detail) {
  const auto halves = split_at(detail, "every");
  if (!halves) return {};
  const auto quantity = quantity_of(halves->behind);
  if (!quantity || quantity->dimension != Dimension::kTime || quantity->value <= 0) return {};
  return SeriesPlace{halves->before, quantity->value};
}

}  // namespace rigproof
