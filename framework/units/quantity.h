#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <type_traits>

#include "framework/units/data_rate.h"
#include "framework/units/data_size.h"

namespace rigproof {

// What kind of thing a number measures. The base unit of each stands beside it; samples in the journal
// are in it.
enum class Dimension {
  kDataRate,  // bit/s
  kDataSize,  // B
  kTime,      // s
  kCount,     // 1 ("count" in text: "3 count", or a plain "0 count")
  kRatio,     // 1 ("%" in text: "5 %" is 0.05)
};

[[nodiscard]] std::string_view name(Dimension dimension);       // "data rate"
[[nodiscard]] std::string_view base_unit(Dimension dimension);  // "bit/s", "B", "s", "count", "ratio"

// A value with its dimension, in base units: how a quantity crosses a file or a judgement, where the type is
// only known at run time. Elsewhere use DataRate, DataSize, std::chrono.
struct Quantity {
  Dimension dimension;
  double value;  // in base_unit(dimension)

  bool operator==(const Quantity&) const = default;
};

[[nodiscard]] constexpr Quantity to_quantity(DataRate rate) {
  return {Dimension::kDataRate, rate.bits_per_second()};
}
[[nodiscard]] constexpr Quantity to_quantity(DataSize size) {
  return {Dimension::kDataSize, static_cast<double>(size.bytes())};
}
[[nodiscard]] constexpr Quantity to_quantity(std::chrono::duration<double> time) {
  return {Dimension::kTime, time.count()};
}
[[nodiscard]] constexpr Quantity count(double value) { return {Dimension::kCount, value}; }
[[nodiscard]] constexpr Quantity ratio(double value) { return {Dimension::kRatio, value}; }

// The dimension of a strong type: DataRate, DataSize or a std::chrono duration.
template <class Value>
[[nodiscard]] consteval Dimension dimension_of() {
  if constexpr (std::is_same_v<Value, DataRate>) {
    return Dimension::kDataRate;
  } else if constexpr (std::is_same_v<Value, DataSize>) {
    return Dimension::kDataSize;
  } else {
    return to_quantity(std::chrono::duration<double>(Value::zero())).dimension;
  }
}

// "170 Gbit/s" -> 1.7e11 bit/s. NUMBER UNIT, one or more spaces optional between them; units are
// case-sensitive: bit/s kbit/s Mbit/s Gbit/s Tbit/s, B/s kB/s MB/s GB/s KiB/s MiB/s GiB/s, B kB MB GB KiB MiB
// GiB TiB, ns us ms s min, count, %. The number is a plain decimal one, never negative, whatever the locale.
// Throws std::invalid_argument whose what() says what is wrong ("no unit in '170'", "unknown unit 'Gbps' ...
// did you mean 'Gbit/s'?", "not a finite number").
[[nodiscard]] Quantity parse_quantity(std::string_view text);

// The unit part of a text that parse_quantity accepts ("Gbit/s"). Throws the same.
[[nodiscard]] std::string unit_of(std::string_view text);

// "162.4 Gbit/s": four significant digits (digits before the point are all kept), no trailing zeros. In
// `unit` when given (std::invalid_argument when it is none of this dimension), else in the largest that
// leaves at least 1: bit/s and its prefixes for rates; B, MiB, GiB, TiB for sizes ("9000 B"); ns, us, ms, s
// for times. Counts print without a unit, ratios as percent.
[[nodiscard]] std::string to_text(Quantity quantity, std::string_view unit = {});

}  // namespace rigproof
