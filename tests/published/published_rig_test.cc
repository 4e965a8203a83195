// What the words of a figure say: its size, the versions that it names.
#include <gtest/gtest.h>

#include "tests/published/published_rig.h"

namespace rigproof::published {
namespace {

TEST(PublishedFigure, NamesASize) {
  EXPECT_EQ(size_in("all_gather busbw, 16 GB"), DataSize::mebibytes(16384));
  EXPECT_EQ(size_in("all_reduce busbw, 64 MiB"), DataSize::mebibytes(64));
  EXPECT_EQ(size_in("all_gather busbw, 16G"), DataSize::mebibytes(16384));
  EXPECT_EQ(size_in("all_reduce busbw, 200G link, 8M"), DataSize::mebibytes(8));
  EXPECT_EQ(size_in("all_reduce busbw, 1.5 GiB"), DataSize::mebibytes(1536));
  EXPECT_EQ(size_in("all_reduce busbw, 33554432 B, 8 queue pairs"), DataSize::mebibytes(32));
  EXPECT_EQ(size_in("all_reduce busbw, 33,554,432 B"), DataSize::mebibytes(32));
  EXPECT_EQ(size_in("ib_write_bw -q 8 -s 65536"), DataSize::kibibytes(64));
  EXPECT_EQ(size_in("ib_write_bw 4 kB"), DataSize::kibibytes(4));
  EXPECT_EQ(size_in("all_reduce busbw"), std::nullopt);
  EXPECT_EQ(size_in("all_reduce busbw, 4 GPUs, 2 x 100 Gb/s"), std::nullopt);
}

TEST(PublishedVersions, AreCounted) {
  EXPECT_EQ(versions_in("2.28.9 on both"), 1u);
  EXPECT_EQ(versions_in("2.28.9-1+cuda13.0 and 2.30.7"), 2u);
  EXPECT_EQ(versions_in("6.17.0-1032-nvidia, 6.17.0-1032-nvidia"), 1u);
  EXPECT_EQ(versions_in("need not share an OS"), 0u);
}

}  // namespace
}  // namespace rigproof::published
