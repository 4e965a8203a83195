#include "framework/units/ip_address.h"

#include <gtest/gtest.h>

namespace rigproof {
namespace {

std::string canonical(const std::string& text) {
  const auto address = IpAddress::parse(text);
  return address ? address->text() : "refused";
}

IpInterface interface(const std::string& text) { return IpInterface::parse(text).value(); }

// As in the examples of RFC 5952. Catches: two spellings of one address that count as two.
TEST(IpAddress, HasOneText) {
  EXPECT_EQ(canonical("198.18.1.1"), "198.18.1.1");
  EXPECT_EQ(canonical("FD93:0:0:0:0:0:0:1"), "fd93::1");
  EXPECT_EQ(canonical("2001:0db8::0001"), "2001:db8::1");
  EXPECT_EQ(canonical("2001:db8:0:1:1:1:1:1"), "2001:db8:0:1:1:1:1:1");
  EXPECT_EQ(canonical("2001:db8:0:0:1:0:0:1"), "2001:db8::1:0:0:1");
}

TEST(IpAddress, RefusesOtherTexts) {
  for (const char* text : {"", "198.18.1", "198.18.1.01", "198.18.1.256", "+1.1.1.1", "fd93:::1",
                           "fd93::1%eth0", "::ffff:198.18.1.1", "fd93::12345", "node-a"})
    EXPECT_EQ(canonical(text), "refused") << text;
}

TEST(IpAddress, KnowsItsFamilyAndItsGid) {
  EXPECT_EQ(IpAddress::parse("198.18.1.1")->family(), IpFamily::kIpv4);
  EXPECT_EQ(IpAddress::parse("fd93::1")->family(), IpFamily::kIpv6);
  const std::array<std::uint8_t, 16> gid{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 198, 18, 1, 1};
  EXPECT_EQ(IpAddress::parse("198.18.1.1")->bytes(), gid);
}

TEST(IpAddress, CountsWithinItsFamily) {
  EXPECT_EQ(IpAddress::parse("198.18.1.255")->plus(1)->text(), "198.18.2.0");
  EXPECT_EQ(IpAddress::parse("fd93::1:0")->plus(-1)->text(), "fd93::ffff");
  EXPECT_FALSE(IpAddress::parse("255.255.255.255")->plus(1));
  EXPECT_FALSE(IpAddress::parse("0.0.0.0")->plus(-1));
}

TEST(IpInterface, KnowsItsSubnet) {
  EXPECT_EQ(interface("198.18.1.7/20").network_text(), "198.18.0.0/20");
  EXPECT_EQ(interface("198.18.1.7/20").last().text(), "198.18.15.255");
  EXPECT_EQ(interface("fd93:198:18:1::7/64").network_text(), "fd93:198:18:1::/64");
  EXPECT_EQ(interface("fd93::ff/125").first().text(), "fd93::f8");
  EXPECT_EQ(interface("fd93::f8/125").last().text(), "fd93::ff");
}

TEST(IpInterface, SharesASubnetOfItsFamilyAndLength) {
  EXPECT_TRUE(interface("fd93::1/64").same_subnet(interface("fd93::2/64")));
  EXPECT_FALSE(interface("fd93::1/64").same_subnet(interface("fd93:0:0:1::2/64")));
  EXPECT_FALSE(interface("fd93::1/64").same_subnet(interface("fd93::2/65")));
  EXPECT_FALSE(interface("198.18.1.1/24").same_subnet(interface("fd93::1/24")));
}

TEST(IpInterface, OfTheWholeAddressHasNoSubnet) {
  EXPECT_FALSE(interface("198.18.1.1/32").has_subnet());
  EXPECT_FALSE(interface("fd93::1/128").has_subnet());
  EXPECT_TRUE(interface("fd93::1/32").has_subnet());
}

TEST(IpInterface, RefusesOtherTexts) {
  for (const char* text :
       {"198.18.1.1", "198.18.1.1/", "198.18.1.1/33", "198.18.1.1/024", "fd93::1/129", "/24"})
    EXPECT_FALSE(IpInterface::parse(text)) << text;
}

}  // namespace
}  // namespace rigproof
