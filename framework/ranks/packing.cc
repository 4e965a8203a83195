#include "framework/ranks/packing.h"

#include <cstring>
#include <stdexcept>

namespace rigproof {
namespace {

template <class Value>
void append(std::string& bytes, Value value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Value>
Value read(std::string_view bytes) {
  Value value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

Packer& Packer::put(std::uint64_t value) {
  append(bytes_, value);
  return *this;
}

Packer& Packer::put(double value) {
  append(bytes_, value);
  return *this;
}

Packer& Packer::put(std::string_view text) {
  put(std::uint64_t{text.size()});
  bytes_ += text;
  return *this;
}

std::string_view Unpacker::take(std::size_t size) {
  if (size > rest_.size()) throw std::out_of_range("a message of a rank ends too early");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint64_t Unpacker::integer() { return read<std::uint64_t>(take(sizeof(std::uint64_t))); }

double Unpacker::number() { return read<double>(take(sizeof(double))); }

std::string Unpacker::text() {
  const auto size = integer();
  return std::string(take(size));
}

}  // namespace rigproof
