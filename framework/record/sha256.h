#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace rigproof::record {

// SHA-256 of what is added, piece by piece.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void add(std::string_view bytes);
  [[nodiscard]] std::string hex();  // 64 lower-case digits, once

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] std::string sha256(std::string_view bytes);

// Of a regular file, in bounded memory. Throws std::system_error naming the file.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace rigproof::record
