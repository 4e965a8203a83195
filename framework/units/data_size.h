#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

#include "framework/units/data_rate.h"

namespace rigproof {

// An amount of data, kept in whole bytes. KiB/MiB/GiB are binary, kB/MB/GB decimal.
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

// The mean rate at which `size` moved in `time`; `time` must be positive.
[[nodiscard]] constexpr DataRate operator/(DataSize size, std::chrono::duration<double> time) {
  return DataRate::bytes_per_second(static_cast<double>(size.bytes()) / time.count());
}

}  // namespace rigproof
