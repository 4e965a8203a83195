#include "fixtures/host/memory.h"

#include <gmock/gmock.h>

#include <sstream>

namespace rigproof {
namespace {

TEST(AvailableMemory, IsReadInKibibytes) {
  std::istringstream text("MemTotal:  1000 kB\nMemFree:  10 kB\nMemAvailable:    512 kB\n");
  EXPECT_EQ(host::parse_available_memory(text), DataSize::kibibytes(512));
}
TEST(AvailableMemory, IsNeverGuessed) {
  std::istringstream text("MemTotal:  1000 kB\nMemFree:  10 kB\n");
  EXPECT_THROW((void)host::parse_available_memory(text), std::runtime_error);
}
TEST(UnpinnableMemory, IsWhatKhoKeeps) {
  std::istringstream kho("MemFree: 92274688 kB\nCmaTotal:        0 kB\nCmaFree:    940604 kB\n");
  EXPECT_EQ(host::why_unpinnable(kho),
            "the kernel can't pin 918 MiB that it keeps for KHO: boot with kho=off");
  std::istringstream sound("MemFree: 92274688 kB\nCmaTotal:    32768 kB\nCmaFree:    31232 kB\n");
  EXPECT_EQ(host::why_unpinnable(sound), "");
  std::istringstream none("MemFree: 92274688 kB\n");
  EXPECT_EQ(host::why_unpinnable(none), "");
}
TEST(UsableMemory, LeavesATenthAndAtLeast256MiB) {
  EXPECT_EQ(host::usable_of(DataSize::mebibytes(10000)), DataSize::mebibytes(9000));
  EXPECT_EQ(host::usable_of(DataSize::mebibytes(1000)), DataSize::mebibytes(744));
  EXPECT_EQ(host::usable_of(DataSize::mebibytes(200)), DataSize::bytes(0));
}
TEST(UsableMemory, IsRefusedBeyondWithBothSizes) {
  EXPECT_NO_THROW(host::require_memory(DataSize::bytes(1)));
  EXPECT_THAT([] { host::require_memory(DataSize::mebibytes(1ull << 40)); },
              testing::ThrowsMessage<host::TooLarge>(testing::HasSubstr("MiB are available")));
}

}  // namespace
}  // namespace rigproof
