#include "fixtures/verbs/rdma_device.h"

#include <gtest/gtest.h>

#include <vector>

namespace rigproof {
namespace {

verbs::GidBytes mapped(std::uint8_t last) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 198, 18, 1, last};
}

// As a real port has it: a link-local pair, then the address as v1 and v2; a stranger's netdev too.
std::vector<verbs::GidEntry> table() {
  const verbs::GidBytes local{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return {{.index = 0, .roce_v2 = false, .netdev_index = 4, .bytes = local},
          {.index = 1, .roce_v2 = true, .netdev_index = 4, .bytes = local},
          {.index = 2, .roce_v2 = false, .netdev_index = 4, .bytes = mapped(1)},
          {.index = 3, .roce_v2 = true, .netdev_index = 9, .bytes = mapped(1)},
          {.index = 5, .roce_v2 = true, .netdev_index = 4, .bytes = mapped(1)}};
}

TEST(Gid, IsChosenByTypeAddressAndNetdevNeverByIndex) {
  EXPECT_EQ(choose_gid(table(), "198.18.1.1", 4)->index, 5U);
  EXPECT_EQ(choose_gid(table(), "198.18.1.1", 9)->index, 3U);
}

TEST(Gid, OfAnotherAddressOrNetdevIsNone) {
  EXPECT_FALSE(choose_gid(table(), "198.18.1.2", 4));
  EXPECT_FALSE(choose_gid(table(), "198.18.1.1", 5));
  EXPECT_FALSE(verbs::choose_gid({}, "198.18.1.1", 4));
}

TEST(Gid, OfAnIpv6AddressIsTheAddressItself) {
  auto entries = table();
  const verbs::GidBytes own{0xfd, 0x93, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  entries.push_back({.index = 6, .roce_v2 = false, .netdev_index = 4, .bytes = own});
  entries.push_back({.index = 7, .roce_v2 = true, .netdev_index = 4, .bytes = own});
  EXPECT_EQ(choose_gid(entries, "fd93::1", 4)->index, 7U);
  EXPECT_FALSE(choose_gid(entries, "fd93::2", 4));
}

TEST(Gid, OfTypeOneIsNotTaken) {
  auto entries = table();
  entries.pop_back();
  EXPECT_FALSE(choose_gid(entries, "198.18.1.1", 4));
}

TEST(Gid, IsShownAsTheAddressThatItStandsFor) {
  EXPECT_EQ(verbs::to_text(mapped(7)), "198.18.1.7");
  EXPECT_EQ(describe(table()).substr(0, 34), "0 RoCE v1 fe80::1, 1 RoCE v2 fe80:");
  EXPECT_EQ(verbs::describe(std::vector<verbs::GidEntry>{}), "none");
}

}  // namespace
}  // namespace rigproof
