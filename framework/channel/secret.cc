#include "framework/channel/secret.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace rigproof::channel {
namespace {

constexpr std::size_t kKeySize = 16;
constexpr std::size_t kMarkDigits = Seal::kSize - 1;

std::string hex(const unsigned char* bytes, std::size_t size) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * size);
  for (std::size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

std::string hmac(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size) == nullptr)
    throw std::runtime_error("libcrypto cannot compute HMAC-SHA-256");
  return hex(digest.data(), size);
}

bool is_digits(std::string_view text) {
  return text.size() == 2 * kKeySize && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string random_digits() {
  std::array<unsigned char, kKeySize> bytes{};
  ssize_t size = 0;
  do size = getrandom(bytes.data(), bytes.size(), 0);
  while (size < 0 && errno == EINTR);
  if (size != static_cast<ssize_t>(bytes.size()))
    throw std::system_error(errno, std::generic_category(), "getrandom");
  return hex(bytes.data(), bytes.size());
}

Key Key::take_from_environment() {
  const char* value = std::getenv(kVariable);
  const std::string digits = value == nullptr ? "" : value;
  unsetenv(kVariable);
  if (is_digits(digits)) return Key(digits);
  throw ChannelError(
      fmt::format("{0} is {1} in this process's environment: the launcher must hand this variable on to all "
                  "ranks (mpirun -x {0}; "
                  "srun --export=ALL; docker exec -e {0})",
                  kVariable, value == nullptr ? "not" : "not a key"));
}

std::string Greeting::proof(const Key& key, std::string_view purpose) const {
  return hmac(key.digits(),
              fmt::format("rigproof 1 {} {} {} {} {}", purpose, launch, wish, nonce_of_rank, nonce_of_hub));
}

bool is_equal(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string Seal::mark(std::string_view text) { return hmac(key_, fmt::format("{} {}", number_++, text)); }

std::string Seal::close(std::string_view text) { return fmt::format("{} {}\n", mark(text), text); }

std::string_view Seal::open(std::string_view line) {
  const std::string_view text = line.substr(std::min(kMarkDigits + 1, line.size()));
  if (line.size() <= kMarkDigits || line[kMarkDigits] != ' ' ||
      !is_equal(line.substr(0, kMarkDigits), mark(text)))
    throw ChannelError("a line whose seal is wrong: it is not from the other end of this launch");
  return text;
}

}  // namespace rigproof::channel
