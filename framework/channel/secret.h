#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace rigproof::channel {

class ChannelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// 128 random bits, as 32 hexadecimal digits. Throws std::system_error.
[[nodiscard]] std::string random_digits();

// The secret of one launch: 128 random bits. Passed only in the launch's environment, which its user and root can
// read; never in a command line, a log or the record.
class Key {
 public:
  static constexpr const char* kVariable = "RIGPROOF_CHANNEL_KEY";

  [[nodiscard]] static Key random() { return Key(random_digits()); }
  // Removes the key from this process's environment, so that programs started later do not get it. If it is missing,
  // throws ChannelError with the command to type.
  [[nodiscard]] static Key take_from_environment();

  // The value of the variable.
  [[nodiscard]] const std::string& digits() const { return digits_; }

 private:
  explicit Key(std::string digits) : digits_(std::move(digits)) {}
  std::string digits_;
};

// The words of a greeting. Each end derives its proof and the seals' keys from the words and the launch's key, so
// they differ for each launch, wish and connection.
struct Greeting {
  std::string launch, wish;                      // as sent by the rank
  std::string nonce_of_rank, nonce_of_hub = {};  // random_digits()

  // HMAC-SHA-256 of all four for one purpose ("rank", "hub"): 64 hexadecimal digits.
  [[nodiscard]] std::string proof(const Key& key, std::string_view purpose) const;
};

// Compares two proofs in a time that does not depend on where they differ.
[[nodiscard]] bool is_equal(std::string_view one, std::string_view other);

// Protects one direction of a connection. Each line carries an HMAC of its number and text: forged, changed, repeated
// and reordered lines do not open, nor does a line after a missing one.
class Seal {
 public:
  static constexpr std::size_t kSize = 65;  // bytes that a line has in addition to its text and newline

  explicit Seal(std::string key = {}) : key_(std::move(key)) {}
  // Returns the line with its newline; the text must have none.
  [[nodiscard]] std::string close(std::string_view text);
  // Returns the text of a line without its newline. Throws ChannelError.
  [[nodiscard]] std::string_view open(std::string_view line);

 private:
  [[nodiscard]] std::string mark(std::string_view text);
  std::string key_;
  std::uint64_t number_ = 0;
};

}  // namespace rigproof::channel
