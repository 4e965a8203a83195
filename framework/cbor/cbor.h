#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Messages between processes of one build, as CBOR (RFC 8949): between ranks, and with NCCL's process. Not a file format.
// A message is a struct with to_json() and from_json(). To be included by few: nlohmann/json.hpp is large.

namespace rigproof::cbor {

class Malformed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// decode() throws Malformed: the bytes are not one CBOR value, are nested deeper than kDeepest, or are no such value.
inline constexpr int kDeepest = 32;
[[nodiscard]] std::string encode_json(const nlohmann::json& value);
[[nodiscard]] nlohmann::json decode_json(std::string_view bytes);

template <class Value>
[[nodiscard]] std::string encode(const Value& value) {
  return encode_json(nlohmann::json(value));
}

template <class Value>
[[nodiscard]] Value decode(std::string_view bytes) {
  try {
    return decode_json(bytes).template get<Value>();
  } catch (const nlohmann::json::exception& error) {
    throw Malformed(error.what());
  }
}

// For from_json(): an integer within these bounds; get<int>() would take any number, and cut it. Throws Malformed.
[[nodiscard]] std::int64_t integer(const nlohmann::json& value, std::int64_t least, std::int64_t most);

template <class Enum>
[[nodiscard]] Enum enumerator(const nlohmann::json& value, Enum last) {
  return static_cast<Enum>(integer(value, 0, static_cast<std::int64_t>(last)));
}

// Bytes as a byte string. bytes_of() throws Malformed.
[[nodiscard]] nlohmann::json byte_string(std::string_view bytes);
[[nodiscard]] std::string bytes_of(const nlohmann::json& value);

}  // namespace rigproof::cbor
