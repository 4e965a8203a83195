#pragma once

#include <optional>
#include <string>

#include "framework/units/quantity.h"

namespace rigproof {

// What a measurement's detail says about its place in a curve or a series: the convention of suites/README.md.

// "rail0 at 64 KiB" -> {"rail0", 65536, data size, "data size"}; "at 8 queue pairs" -> {"", 8, count, "queue pairs"}.
struct CurvePlace {
  std::string name;
  double x;  // in base units
  Dimension dimension;
  std::string words;  // for what x is
};
[[nodiscard]] std::optional<CurvePlace> curve_place(const std::string& detail);

// "node-a:port0 tx every 100 ms" -> {"node-a:port0 tx", 0.1}.
struct SeriesPlace {
  std::string name;
  double interval_s;
};
[[nodiscard]] std::optional<SeriesPlace> series_place(const std::string& detail);

}  // namespace rigproof
