// The interval of a share. Catches: certainty from no hit at all, an interval that leaves its own estimate out.
#include "framework/stats/samples.h"

#include <gtest/gtest.h>

namespace rigproof {
namespace {

TEST(ShareInterval, IsThatOfClopperAndPearson) {
  const ShareInterval none = share_interval(0, 10, 0.05);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.3085, 1e-4);
  const ShareInterval some = share_interval(2, 10, 0.05);
  EXPECT_NEAR(some.low, 0.0252, 1e-4);
  EXPECT_NEAR(some.high, 0.5561, 1e-4);
  EXPECT_EQ(share_interval(10, 10, 0.05).high, 1);
}

TEST(ShareInterval, OfNothingIsEverything) {
  EXPECT_EQ(share_interval(0, 0, 0.05).low, 0);
  EXPECT_EQ(share_interval(0, 0, 0.05).high, 1);
}

}  // namespace
}  // namespace rigproof
