#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <limits>

namespace rigproof {

// CPU time of this thread: what else the machine does counts for little.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Ten times the length may cost fifteen times the CPU time: what grows with the square costs a hundred times. The least of
// several measurements counts, and is measured again while it looks too large.
class Linear {
 public:
  static constexpr double kMostRatio = 15;

  // `small` and `large` do the same with one length and with ten times that.
  template <class Small, class Large>
  static void expect(const Small& small, const Large& large) {
    constexpr int kRounds = 12, kOfSmall = 3;
    double least = std::numeric_limits<double>::infinity(), most = least;
    for (int round = 0; round < kRounds; ++round) {
      for (int i = 0; i < kOfSmall; ++i) least = std::min(least, seconds_of(small));
      most = std::min(most, seconds_of(large));
      if (most <= kMostRatio * least) break;
    }
    ASSERT_GT(least, 0);
    EXPECT_LE(most, kMostRatio * least)
        << fmt::format("{:.1f} ms, and {:.1f} ms of ten times the length", least * 1e3, most * 1e3);
    testing::Test::RecordProperty("ratio", fmt::format("{:.1f}", most / least));
  }

 private:
  template <class Work>
  static double seconds_of(const Work& work) {
    const double before = cpu_seconds();
    work();
    return cpu_seconds() - before;
  }
};

}  // namespace rigproof
