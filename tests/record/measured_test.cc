#include "framework/record/measured.h"

#include <gtest/gtest.h>

namespace rigproof {
namespace {

using std::chrono::milliseconds;

TEST(Axis, SaysWhereAMeasurementStands) {
  EXPECT_EQ(to_text(record::at(to_quantity(DataSize::kibibytes(64)))), "at 64 KiB");
  EXPECT_EQ(to_text(record::at(to_quantity(DataSize::bytes(8)))), "at 8 B");
  EXPECT_EQ(to_text(record::at(to_quantity(DataSize::bytes(4 << 20)))), "at 4 MiB");
  EXPECT_EQ(to_text(record::at(8, "queue pairs")), "at 8 queue pairs");
  EXPECT_EQ(to_text(record::at(to_quantity(DataRate::gigabits_per_second(1)))), "at 1 Gbit/s");
  EXPECT_EQ(to_text(record::every(milliseconds(100))), "every 100 ms");
}

TEST(Axis, ASizeIsExact) {
  EXPECT_EQ(to_text(record::at(to_quantity(DataSize::bytes(65537)))), "at 65537 B");
}

TEST(Axis, KnowsWhatItIsOf) {
  EXPECT_EQ(record::at(to_quantity(DataSize::kibibytes(64))).of, "data size");
  EXPECT_EQ(record::at(8, "queue pairs").of, "queue pairs");
  EXPECT_EQ(record::every(milliseconds(100)).of, "time");
  EXPECT_EQ(record::every(milliseconds(100)).kind, record::Axis::Kind::kSeries);
}

TEST(DetailText, IsTheDetailAndTheAxisInWords) {
  EXPECT_EQ(record::detail_text("", {}), "");
  EXPECT_EQ(record::detail_text("tx", {}), "tx");
  EXPECT_EQ(detail_text("", record::every(milliseconds(100))), "every 100 ms");
  EXPECT_EQ(detail_text("rail0", record::at(to_quantity(DataSize::kibibytes(64)))), "rail0 at 64 KiB");
}

}  // namespace
}  // namespace rigproof
