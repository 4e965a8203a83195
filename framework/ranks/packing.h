#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rigproof {

// Values as bytes for another rank of the same build: not a file format. Doubles travel bit by bit (a NaN
// stays one).
class Packer {
 public:
  Packer& put(std::uint64_t value);
  Packer& put(double value);
  Packer& put(std::string_view text);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reads in the order written. Throws std::out_of_range when the bytes end too early. Views `bytes`.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  [[nodiscard]] std::uint64_t integer();
  [[nodiscard]] double number();
  [[nodiscard]] std::string text();
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view take(std::size_t size);
  std::string_view rest_;
};

}  // namespace rigproof
