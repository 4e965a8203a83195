// Messages arrive as they were sent; what is no such message is an error, never undefined behaviour.
#include "framework/cbor/cbor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace rigproof::cbor {
namespace {

using nlohmann::json;

TEST(Cbor, TextsOfAnyBytesArrive) {
  const std::vector<std::string> texts{"", std::string("a\0\xff\n", 4), std::string(100'000, 'x')};
  EXPECT_EQ(decode<std::vector<std::string>>(encode(texts)), texts);
}
TEST(Cbor, BytesArrive) {
  const std::string bytes("\0\xff\x80", 3);
  EXPECT_EQ(bytes_of(decode_json(encode_json(byte_string(bytes)))), bytes);
}

TEST(Cbor, EveryTornMessageIsRefused) {
  const std::string bytes = encode(std::vector<std::string>{"one", "two", "three"});
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW((void)decode_json(bytes.substr(0, size)), Malformed);
  EXPECT_THROW((void)decode_json(bytes + "x"), Malformed);
}
TEST(Cbor, WhatClaimsToBeEndlessIsRefused) {
  for (const char type : {'\x5b', '\x7b', '\x9b', '\xbb'})  // bytes, text, array, map of 2^63 - 1 entries
    EXPECT_THROW((void)decode_json(std::string(1, type) + "\x7f\xff\xff\xff\xff\xff\xff\xff"), Malformed);
}
TEST(Cbor, WhatIsNestedTooDeeplyIsRefused) {
  EXPECT_THROW((void)decode_json(std::string(10'000'000, '\x81')), Malformed);
  EXPECT_NO_THROW((void)decode_json(std::string(kDeepest, '\x81') + '\x01'));
  EXPECT_THROW((void)decode_json(std::string(kDeepest + 1, '\x81') + '\x01'), Malformed);
}
TEST(Cbor, AnyBytesAreAMessageOrRefused) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    try {
      (void)decode<std::vector<std::string>>(bytes);
    } catch (const Malformed&) {
    }
  }
}
TEST(Cbor, OtherTypesAreRefused) {
  EXPECT_THROW((void)decode<std::string>(encode(1)), Malformed);
  EXPECT_THROW((void)decode<std::vector<std::string>>(encode(std::vector<int>{1})), Malformed);
  EXPECT_THROW((void)bytes_of(json("text")), Malformed);
}

TEST(Integer, IsWithinItsBounds) {
  EXPECT_EQ(integer(json(-1), -1, 3), -1);
  EXPECT_EQ(integer(json(3U), -1, 3), 3);
  for (const json& wrong : {json(4), json(-2), json(1.0), json(1e300), json("1"), json(true), json(nullptr),
                            json(std::numeric_limits<std::uint64_t>::max())})
    EXPECT_THROW((void)integer(wrong, -1, 3), Malformed) << wrong;
}

}  // namespace
}  // namespace rigproof::cbor
