#include "framework/cbor/cbor.h"

#include <fmt/format.h>

#include <limits>

namespace rigproof::cbor {
namespace {

using nlohmann::json;

// nlohmann's parser calls itself for each level: a message of a million brackets would use up the stack.
class DepthCheck : public nlohmann::json_sax<json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }
  bool key(std::string&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ <= kDeepest; }
  bool start_array(std::size_t) override { return ++depth_ <= kDeepest; }
  bool end_object() override { return --depth_ >= 0; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }

 private:
  int depth_ = 0;
};

}  // namespace

std::string encode_json(const json& value) {
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

json decode_json(std::string_view bytes) {
  DepthCheck depth;
  if (!json::sax_parse(bytes.begin(), bytes.end(), &depth, json::input_format_t::cbor))
    throw Malformed(
        fmt::format("a message of {} B is not valid CBOR, or is nested too deeply", bytes.size()));
  try {
    return json::from_cbor(bytes.begin(), bytes.end());
  } catch (const json::exception& error) {
    throw Malformed(error.what());
  }
}

std::int64_t integer(const json& value, std::int64_t least, std::int64_t most) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max()
                        : value.is_number_integer();
  const std::int64_t number = fits ? value.get<std::int64_t>() : 0;
  if (!fits || number < least || number > most)
    throw Malformed(fmt::format("a message has no integer from {} to {}", least, most));
  return number;
}

json byte_string(std::string_view bytes) {
  return json::binary(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
}

std::string bytes_of(const json& value) {
  if (!value.is_binary()) throw Malformed("a message has no byte string");
  const auto& bytes = value.get_binary();
  return {bytes.begin(), bytes.end()};
}

}  // namespace rigproof::cbor
