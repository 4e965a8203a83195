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

// The secret of one launch: 128 random bits. It travels in the environment of the launch alone, which only its own user
// (and root) can read: never in a command line, a log or the record.
class Key {
 public:
  static constexpr const char* kVariable = "RIGPROOF_CHANNEL_KEY";

  [[nodiscard]] static Key random() { return Key(random_digits()); }
  // Takes it out of this process's environment: programs that this process starts get none. Throws ChannelError, with
  // what to type, when it is not there.
  [[nodiscard]] static Key take_from_environment();

  // The value of the variable.
  [[nodiscard]] const std::string& digits() const { return digits_; }

 private:
  explicit Key(std::string digits) : digits_(std::move(digits)) {}
  std::string digits_;
};

// The words of a greeting. With the key, each end makes its proof of them, and the keys of both seals: other launches, other
// wishes and other connections have other ones.
struct Greeting {
  std::string launch, wish;                      // as the rank says them
  std::string nonce_of_rank, nonce_of_hub = {};  // random_digits()

  // HMAC-SHA-256 of all that for one purpose ("rank", "hub"): 64 hexadecimal digits.
  [[nodiscard]] std::string proof(const Key& key, std::string_view purpose) const;
};

// Whether two proofs are equal, in a time that does not depend on where they differ.
[[nodiscard]] bool is_equal(std::string_view one, std::string_view other);

// One direction of a connection. Each line carries an HMAC of its text and its number: lines of a stranger, changed,
// left out, repeated or reordered ones do not open.
class Seal {
 public:
  static constexpr std::size_t kSize = 65;  // what a line has beside its text and its newline

  explicit Seal(std::string key = {}) : key_(std::move(key)) {}
  // The line that carries the text, with its newline; the text has none.
  [[nodiscard]] std::string close(std::string_view text);
  // The text of a line without its newline. Throws ChannelError.
  [[nodiscard]] std::string_view open(std::string_view line);

 private:
  [[nodiscard]] std::string mark(std::string_view text);
  std::string key_;
  std::uint64_t number_ = 0;
};

}  // namespace rigproof::channel
