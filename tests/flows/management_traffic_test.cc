#include "fixtures/flows/management_traffic.h"

#include <gtest/gtest.h>

#include <vector>

namespace rigproof::flows {
namespace {

// The supervisor's traffic with one node, or a copy to it, is not the case's: only what both ends counted is.
TEST(ManagementTraffic, CountsWhatNodesSentToEachOther) {
  const auto exchanged = [](const std::vector<ManagementTraffic::Bytes>& counted) {
    return ManagementTraffic::exchanged(counted, 0).bytes();
  };
  EXPECT_EQ(exchanged({{900, 20}, {20, 900}}), 920U);
  EXPECT_EQ(exchanged({{5'000'000, 3'000'000}, {40, 30}}), 70U);
  EXPECT_EQ(exchanged({{600, 8'000'000}, {0, 200}, {50, 400}}), 650U);
}

}  // namespace
}  // namespace rigproof::flows
