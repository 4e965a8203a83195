#include "framework/record/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace rigproof::record {
namespace {

void require(int status) {
  if (status != 1) throw std::runtime_error("libcrypto cannot compute SHA-256");
}

}  // namespace

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  require(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  require(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()));
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  require(EVP_DigestFinal_ex(state_->context, digest.data(), &size));
  std::string text;
  for (unsigned byte = 0; byte < size; ++byte) text += fmt::format("{:02x}", digest[byte]);
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const auto fail = [&](int error) {
    throw std::system_error(error, std::generic_category(), path.string() + ": cannot read");
  };
  if (!std::filesystem::is_regular_file(path)) fail(std::filesystem::exists(path) ? EINVAL : ENOENT);
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(errno);
  Sha256 hash;
  std::vector<char> block(1 << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0)
    hash.add({block.data(), static_cast<std::size_t>(file.gcount())});
  if (file.bad()) fail(EIO);
  return hash.hex();
}

}  // namespace rigproof::record
