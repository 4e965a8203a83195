#pragma once

#include <chrono>
#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace rigproof::inline units {

// A data rate in bits per second. Each conversion names its unit: there is no default and no bare number. Decimal
// prefixes (1 Gbit/s = 10^9 bit/s), as in ethtool and iperf3.
class DataRate {
 public:
  [[nodiscard]] static constexpr DataRate bits_per_second(double value) { return DataRate(value); }
  [[nodiscard]] static constexpr DataRate megabits_per_second(double value) { return DataRate(value * 1e6); }
  [[nodiscard]] static constexpr DataRate gigabits_per_second(double value) { return DataRate(value * 1e9); }
  [[nodiscard]] static constexpr DataRate bytes_per_second(double value) { return DataRate(value * 8); }

  [[nodiscard]] constexpr double bits_per_second() const { return bits_per_second_; }
  [[nodiscard]] constexpr double gigabits_per_second() const { return bits_per_second_ / 1e9; }
  [[nodiscard]] constexpr double bytes_per_second() const { return bits_per_second_ / 8; }

  constexpr auto operator<=>(const DataRate&) const = default;

  friend constexpr DataRate operator+(DataRate a, DataRate b) {
    return DataRate(a.bits_per_second_ + b.bits_per_second_);
  }
  friend constexpr DataRate operator*(DataRate rate, double factor) {
    return DataRate(rate.bits_per_second_ * factor);
  }

 private:
  explicit constexpr DataRate(double bits_per_second) : bits_per_second_(bits_per_second) {}
  double bits_per_second_;
};

// An amount of data in whole bytes. KiB, MiB and GiB are binary; kB, MB and GB are decimal.
class DataSize {
 public:
  [[nodiscard]] static constexpr DataSize bytes(std::uint64_t value) { return DataSize(value); }
  [[nodiscard]] static constexpr DataSize kibibytes(std::uint64_t value) { return DataSize(value << 10); }
  [[nodiscard]] static constexpr DataSize mebibytes(std::uint64_t value) { return DataSize(value << 20); }

  [[nodiscard]] constexpr std::uint64_t bytes() const { return bytes_; }

  constexpr auto operator<=>(const DataSize&) const = default;

  friend constexpr DataSize operator+(DataSize a, DataSize b) { return DataSize(a.bytes_ + b.bytes_); }

 private:
  explicit constexpr DataSize(std::uint64_t bytes) : bytes_(bytes) {}
  std::uint64_t bytes_;
};

// Mean rate of `size` in `time`; `time` must be positive.
[[nodiscard]] constexpr DataRate operator/(DataSize size, std::chrono::duration<double> time) {
  return DataRate::bytes_per_second(static_cast<double>(size.bytes()) / time.count());
}

// Physical dimension of a number, with its base unit. Samples in the journal are in base units.
enum class Dimension {
  kDataRate,  // bit/s
  kDataSize,  // B
  kTime,      // s
  kCount,     // 1 ("count" in text: "3 count", or a plain "0 count")
  kRatio,     // 1 ("%" in text: "5 %" is 0.05)
};

[[nodiscard]] std::string_view name(Dimension dimension);       // "data rate"
[[nodiscard]] std::string_view base_unit(Dimension dimension);  // "bit/s", "B", "s", "count", "ratio"

// A value with its dimension, in base units: for files and verdicts, where the type is known only at run time.
// Elsewhere use DataRate, DataSize, std::chrono.
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
[[nodiscard]] constexpr Quantity count(std::integral auto number) {
  return count(static_cast<double>(number));
}
[[nodiscard]] constexpr Quantity ratio(double value) { return {Dimension::kRatio, value}; }

// Dimension of a DataRate, a DataSize or a std::chrono duration.
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

// "170 Gbit/s" -> 1.7e11 bit/s. NUMBER UNIT, with or without spaces between them. Units are case-sensitive: bit/s
// kbit/s Mbit/s Gbit/s Tbit/s, B/s kB/s MB/s GB/s KiB/s MiB/s GiB/s, B kB MB GB KiB MiB GiB TiB, ns us ms s min,
// count, %. The number is a plain decimal, not negative, in any locale. Throws std::invalid_argument; what() names
// the error ("no unit in '170'", "unknown unit 'Gbps' ... did you mean 'Gbit/s'?", "not a finite number").
[[nodiscard]] Quantity parse_quantity(std::string_view text);

// The unit part of a text that parse_quantity accepts ("Gbit/s"). Throws the same.
[[nodiscard]] std::string unit_of(std::string_view text);

// "162.4 Gbit/s": four significant digits, but all digits before the point; no trailing zeros. Uses `unit` if given
// (throws std::invalid_argument if the unit has another dimension) and the value is at least a thousandth of it, else
// the largest unit that leaves at least 1: bit/s and its prefixes for rates; B, MiB, GiB, TiB for sizes ("9000 B");
// ns, us, ms, s for times. Counts print without a unit, ratios as percent.
[[nodiscard]] std::string to_text(Quantity quantity, std::string_view unit = {});

// Facts of the rig for the subject of one case, for relative bounds: "port.rate" -> 200 Gbit/s.
using Facts = std::map<std::string, Quantity, std::less<>>;

// All facts that exist, with their dimensions, to check a thresholds file without a subject.
using FactDimensions = std::map<std::string, Dimension, std::less<>>;

struct Unit {
  std::string_view name;
  Dimension dimension;
  double scale;    // base units in one of this unit
  bool preferred;  // to_text() may choose it
};

// All units; within a dimension from small to large.
[[nodiscard]] std::span<const Unit> every_unit();
[[nodiscard]] const Unit* find_unit(std::string_view name);

// The unit most likely meant by `wrong` ("Gbps" -> "Gbit/s"); empty: no unit is similar.
[[nodiscard]] std::string_view suggest_unit(std::string_view wrong);

}  // namespace rigproof::inline units
