#pragma once

#include <array>
#include <ostream>
#include <streambuf>
#include <string>

#include "framework/record/sha256.h"

namespace rigproof {

// The SHA-256 of what is written to it; keeps nothing.
class HashingStream : private std::streambuf, public std::ostream {
 public:
  HashingStream();
  [[nodiscard]] std::string hex();  // once, when all is written

 private:
  int overflow(int character) override;
  int sync() override;
  Sha256 hash_;
  std::array<char, 4096> block_;
};

}  // namespace rigproof
