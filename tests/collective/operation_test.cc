// Specs, the arithmetic of nccl-tests with the figures that its documentation derives, and the sizes of a sweep.
#include "fixtures/collective/operation.h"

#include <gmock/gmock.h>

namespace rigproof::collective {
namespace {

using namespace std::chrono_literals;

constexpr DataSize kMebi = DataSize::mebibytes(1);

TEST(Bandwidth, OfAlgorithmIsTheSizeColumnOverTheTime) {
  const auto algbw = algorithm_bandwidth({Operation::kAllGather, DataSize::bytes(2'000'000)}, 1ms);
  EXPECT_DOUBLE_EQ(algbw.rate().bytes_per_second(), 2e9);
}
TEST(Bandwidth, OfTheBusHasTheFactorOfItsOperation) {
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kSendRecv, 2), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kBroadcast, 4), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kReduce, 4), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllReduce, 2), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllReduce, 4), 1.5);
  for (const Operation shared : {Operation::kAllGather, Operation::kReduceScatter, Operation::kAllToAll}) {
    EXPECT_DOUBLE_EQ(bus_factor(shared, 2), 0.5) << name(shared);
    EXPECT_DOUBLE_EQ(bus_factor(shared, 4), 0.75) << name(shared);
  }
}
TEST(Bandwidth, OfTheBusIsWhatAWireCarriesOneWay) {
  // Two ranks gather 1 MiB: half of it crosses the wire to each.
  const CollectiveSpec spec{Operation::kAllGather, kMebi};
  const auto busbw = bus_bandwidth(spec.operation, 2, algorithm_bandwidth(spec, 1s));
  EXPECT_DOUBLE_EQ(busbw.rate().bytes_per_second(), 524288);
}

TEST(CollectiveSpec, IsMadeWholeForItsRanks) {
  const auto size = [](Operation operation, std::uint64_t bytes, std::size_t ranks) {
    return whole({operation, DataSize::bytes(bytes)}, ranks).size.bytes();
  };
  EXPECT_EQ(size(Operation::kSendRecv, 1023, 3), 1020u);
  EXPECT_EQ(size(Operation::kAllGather, 1023, 3), 1020u);
  EXPECT_EQ(size(Operation::kAllGather, 1 << 20, 3), 1048572u);
  EXPECT_EQ(size(Operation::kSendRecv, 0, 2), 4u);
  EXPECT_EQ(size(Operation::kAllToAll, 1, 4), 16u);
}
TEST(CollectiveSpec, CountsElementsByOperation) {
  const auto counts = [](Operation operation) { return element_counts({operation, kMebi}, 4); };
  EXPECT_EQ(counts(Operation::kAllGather).send, 65536u);
  EXPECT_EQ(counts(Operation::kAllGather).receive, 262144u);
  EXPECT_EQ(counts(Operation::kReduceScatter).send, 262144u);
  EXPECT_EQ(counts(Operation::kReduceScatter).receive, 65536u);
  EXPECT_EQ(counts(Operation::kAllReduce).send, 262144u);
}

using testing::ElementsAre;

constexpr DataRate kSparks = DataRate::gigabits_per_second(400);

TEST(SweepSizes, OfAnAcceptanceAreThoseOfTheMission) {
  EXPECT_THAT(sweep_sizes(Operation::kSendRecv, Profile::kAcceptance, kSparks),
              ElementsAre(DataSize::mebibytes(256), DataSize::mebibytes(512), DataSize::mebibytes(1024),
                          DataSize::mebibytes(2048), DataSize::mebibytes(4096)));
  EXPECT_THAT(sweep_sizes(Operation::kAllGather, Profile::kAcceptance, kSparks),
              ElementsAre(DataSize::mebibytes(32), DataSize::mebibytes(1024), DataSize::mebibytes(16384)));
}
TEST(SweepSizes, OfOneCableAreThoseOfTwo) {
  for (const Operation operation : every_operation())
    for (const double cable : {100, 200})
      EXPECT_EQ(sweep_sizes(operation, Profile::kAcceptance, DataRate::gigabits_per_second(cable)),
                sweep_sizes(operation, Profile::kAcceptance, kSparks))
          << cable;
}
// Two ranks' shares of 16 GiB are 2^31 elements each, one more than an int holds.
TEST(SweepSizes, HaveOneThatMpiCannotCount) {
  EXPECT_FALSE(is_countable(DataSize::mebibytes(16384)));
  for (const Operation operation : every_operation())
    for (const DataSize size : sweep_sizes(operation, Profile::kAcceptance, kSparks))
      EXPECT_EQ(is_countable(size), size <= DataSize::mebibytes(4096)) << name(operation);
}
TEST(SweepSizes, HaveLargeOnesWithALimitOfTheirOwn) {
  EXPECT_TRUE(is_large(Operation::kAllGather, DataSize::mebibytes(16384)));
  EXPECT_FALSE(is_large(Operation::kAllGather, DataSize::mebibytes(1024)));
  EXPECT_TRUE(is_large(Operation::kAllReduce, DataSize::mebibytes(1024)));
  EXPECT_FALSE(is_large(Operation::kAllReduce, DataSize::mebibytes(256)));
  EXPECT_FALSE(is_large(Operation::kSendRecv, DataSize::mebibytes(4096)));
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

// Worked out by hand for 12 bytes among 3 ranks: what each has to say and to learn.
TEST(LeastMoved, IsWhatARankMustSendAndReceive) {
  const auto least = [](Operation operation) { return least_moved({operation, DataSize::bytes(12)}, 3); };
  EXPECT_EQ(least(Operation::kSendRecv), 24);       // 12 to the next, 12 from the previous
  EXPECT_EQ(least(Operation::kAllReduce), 24);      // its own 12, the others' sum of 12
  EXPECT_EQ(least(Operation::kAllGather), 12);      // its own 4, the others' 8
  EXPECT_EQ(least(Operation::kReduceScatter), 12);  // 8 for the others, 4 of them
  EXPECT_EQ(least(Operation::kAllToAll), 16);       // 4 to each other, 4 from each other
  EXPECT_EQ(least(Operation::kBroadcast), 12);
  EXPECT_EQ(least(Operation::kReduce), 12);
}

}  // namespace
}  // namespace rigproof::collective
