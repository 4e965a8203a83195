#include "fixtures/collective/sizes.h"

#include <gmock/gmock.h>

namespace rigproof {
namespace {

using testing::ElementsAre;

constexpr DataRate kSparks = DataRate::gigabits_per_second(400);

TEST(SweepSizes, OfAnAcceptanceAreThoseOfTheMission) {
  EXPECT_THAT(sweep_sizes(Operation::kSendRecv, Profile::kAcceptance, kSparks),
              ElementsAre(DataSize::mebibytes(256), DataSize::mebibytes(1024), DataSize::mebibytes(4096)));
  EXPECT_THAT(sweep_sizes(Operation::kAllGather, Profile::kAcceptance, kSparks),
              ElementsAre(DataSize::mebibytes(32), DataSize::mebibytes(1024), DataSize::mebibytes(16384)));
}
TEST(SweepSizes, ShrinkWithTheRig) {
  EXPECT_THAT(sweep_sizes(Operation::kSendRecv, Profile::kStandard, DataRate::gigabits_per_second(4)),
              ElementsAre(DataSize::mebibytes(2), DataSize::mebibytes(10)));
}
TEST(SweepSizes, NeverGrowBeyondThemNorRepeat) {
  EXPECT_EQ(sweep_sizes(Operation::kSendRecv, Profile::kSmoke, DataRate::gigabits_per_second(1600)),
            sweep_sizes(Operation::kSendRecv, Profile::kSmoke, kSparks));
  EXPECT_THAT(sweep_sizes(Operation::kAllGather, Profile::kStandard, DataRate::megabits_per_second(80)),
              ElementsAre(DataSize::mebibytes(1)));
}

}  // namespace
}  // namespace rigproof
