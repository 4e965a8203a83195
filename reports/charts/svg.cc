#include "reports/charts/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/units/quantity.h"
#include "reports/text/describe.h"

namespace rigproof::charts {
namespace {

constexpr int kTicks = 6;

// 1, 2 or 5 times a power of ten (of two for sizes), so that about kTicks steps fill the range.
double step_of(double range) {
  const double rough = range / kTicks, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power) return factor * power;
  return 10 * power;
}

// Scale of the unit of the ticks, so that ticks are round numbers in it.
double unit_scale(const PlotAxis& axis, double high) {
  const Unit* unit = find_unit(axis.unit);
  if (unit != nullptr && unit->dimension == axis.dimension) return unit->scale;
  double scale = 1;
  for (const Unit& each : every_unit())
    if (each.dimension == axis.dimension && each.preferred && each.scale <= high) scale = each.scale;
  return scale;
}

}  // namespace

Scale::Scale(const PlotAxis& axis, double low, double high, double begin, double end)
    : axis_(axis), low_(low), high_(high), begin_(begin), end_(end) {
  if (axis_.tail)
    make_tail_ticks(high);
  else if (axis_.logarithmic)
    make_logarithmic_ticks();
  else
    make_linear_ticks();
}

double Scale::position(double value) const {
  if (axis_.tail) return -std::log10(std::max(1 - value, 1e-9));
  return axis_.logarithmic ? std::log10(std::max(value, low_)) : value;
}

double Scale::place(double value) const {
  const double low = position(low_), high = position(high_);
  const double share = high > low ? (position(value) - low) / (high - low) : 0.5;
  return begin_ + std::clamp(share, -0.02, 1.02) * (end_ - begin_);
}

void Scale::make_linear_ticks() {
  if (!(high_ > low_)) {
    const double room = high_ == 0 ? 1 : std::abs(high_) * 0.1;
    low_ -= room, high_ += room;
  }
  const double unit = unit_scale(axis_, std::max(std::abs(low_), std::abs(high_)));
  const double step = step_of((high_ - low_) / unit) * unit;
  low_ = std::floor(low_ / step + 1e-9) * step;
  high_ = std::ceil(high_ / step - 1e-9) * step;
  const auto count = static_cast<int>(std::lround((high_ - low_) / step));
  for (int tick = 0; tick <= count; ++tick) {
    const double value = low_ + tick * step;
    ticks_.push_back({value, text(std::abs(value) < step * 1e-6 ? 0 : value)});
  }
}

void Scale::make_logarithmic_ticks() {
  const double base = axis_.dimension == Dimension::kDataSize ? 2 : 10;
  const double first = std::floor(std::log(low_) / std::log(base) + 1e-9);
  const double last = std::ceil(std::log(high_) / std::log(base) - 1e-9);
  const double every = std::max(1.0, std::ceil((last - first) / 8));
  low_ = std::pow(base, first);
  high_ = std::pow(base, last);
  for (double power = first; power <= last; power += every) {
    const double value = std::pow(base, power);
    ticks_.push_back({value, text(value)});
  }
}

void Scale::make_tail_ticks(double high) {
  low_ = 0;
  ticks_ = {{0, "0 %"}, {0.5, "50 %"}};
  for (double rest = 0.1; rest >= 1e-6; rest /= 10) {
    const double value = 1 - rest;
    const int decimals = std::max(0, static_cast<int>(std::lround(-std::log10(rest))) - 2);
    ticks_.push_back({value, fmt::format("{:.{}f} %", value * 100, decimals)});
    high_ = value;
    if (value >= high) break;
  }
}

std::string Scale::text(double value) const {
  const bool words_only = axis_.dimension == Dimension::kCount;
  if (axis_.dimension == Dimension::kDataSize && axis_.logarithmic && value >= 1024 && value < 1024 * 1024)
    return text::quantity_text({axis_.dimension, value}, "KiB");  // "4 KiB", as details name it
  return words_only ? fmt::format("{:g}", value) : text::quantity_text({axis_.dimension, value}, axis_.unit);
}

}  // namespace rigproof::charts
