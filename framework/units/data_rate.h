#pragma once

#include <compare>

namespace rigproof {

// A data rate, kept in bits per second. There is no default and no bare number: every way in or out names its
// unit. Decimal prefixes (1 Gbit/s = 10^9 bit/s), as NICs, ethtool and iperf3 use them.
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

}  // namespace rigproof
