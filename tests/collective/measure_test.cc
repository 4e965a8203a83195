// How many operations fill a block: so many that a block takes its time, whatever the first operations looked like.
#include "fixtures/collective/measure.h"

#include <gmock/gmock.h>

namespace rigproof::collective {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Ge;
using testing::Le;

// A way of `rate` operations per second whose buffers take the first `burst` of them in no time, 100 per ms.
class Way {
 public:
  Way(double rate, double burst) : rate_(rate), room_(burst) {}
  double operator()(int operations) {
    const double at_once = std::min(room_, static_cast<double>(operations));
    room_ -= at_once;
    took_ += at_once / 1e5 + (operations - at_once) / rate_;
    return at_once / 1e5 + (operations - at_once) / rate_;
  }
  [[nodiscard]] double took() const { return took_; }

 private:
  double rate_, room_, took_ = 0;
};

TEST(OperationsInABlock, TakeItsTime) {
  Way way(200, 0);
  EXPECT_THAT(operations_in_a_block({.warm_up = 100ms, .window = 3s, .blocks = 3}, std::ref(way)),
              AllOf(Ge(199), Le(201)));
}
// Seen: one operation in a full bucket took 1 ms, so a block of a second got a thousand, which took 26 s.
TEST(OperationsInABlock, AreNotReckonedFromABurst) {
  for (const double burst : {1.0, 5.0, 10.0}) {
    Way way(100, burst);
    EXPECT_LE(operations_in_a_block({.warm_up = 0ms, .window = 1s, .blocks = 1}, std::ref(way)), 210)
        << burst;
    EXPECT_LE(way.took(), 2) << burst;
  }
}
TEST(OperationsInABlock, AreFourWhereTheyTakeNoMoreThanHalfASecond) {
  Way way(8, 0);
  EXPECT_EQ(operations_in_a_block({.warm_up = 0ms, .window = 100ms, .blocks = 1}, std::ref(way)), 4);
}
TEST(OperationsInABlock, AreOneWhereOneTakesLonger) {
  Way way(0.5, 0);
  EXPECT_EQ(operations_in_a_block({.warm_up = 1s, .window = 1s, .blocks = 1}, std::ref(way)), 1);
}
// nccl-tests' -w 5 -n 30: operations of 0.2 s that would fill a block by four.
TEST(OperationsInABlock, AreAtLeastAsManyAsAskedFor) {
  Way way(5, 0);
  int warm_ups = 0;
  const CollectiveTiming timing{
      .warm_up = 0ms, .window = 300ms, .blocks = 3, .warm_ups = 5, .operations = 31};
  EXPECT_EQ(operations_in_a_block(timing,
                                  [&](int operations) {
                                    warm_ups += operations;
                                    return way(operations);
                                  }),
            11);
  EXPECT_GE(warm_ups, 5);
}
TEST(OperationsInABlock, OfNothingEnd) {
  EXPECT_EQ(operations_in_a_block({.warm_up = 0ms, .window = 1s, .blocks = 1}, [](int) { return 0.0; }),
            10'000);
}
TEST(OperationsInABlock, WithoutAWindowAreTriedOnce) {
  int times = 0;
  (void)operations_in_a_block({.warm_up = 0ms, .window = 0ms, .blocks = 1}, [&times](int) {
    ++times;
    return 1e-3;
  });
  EXPECT_EQ(times, 1);
}

}  // namespace
}  // namespace rigproof::collective
