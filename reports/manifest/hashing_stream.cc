#include "reports/manifest/hashing_stream.h"

namespace rigproof {

HashingStream::HashingStream() : std::ostream(static_cast<std::streambuf*>(this)) {
  setp(block_.data(), block_.data() + block_.size());
}

std::string HashingStream::hex() {
  flush();
  return hash_.hex();
}

int HashingStream::overflow(int character) {
  HashingStream::sync();
  if (character != std::streambuf::traits_type::eof()) sputc(static_cast<char>(character));
  return std::streambuf::traits_type::not_eof(character);
}

int HashingStream::sync() {
  hash_.add({pbase(), static_cast<std::size_t>(pptr() - pbase())});
  setp(block_.data(), block_.data() + block_.size());
  return 0;
}

}  // namespace rigproof
