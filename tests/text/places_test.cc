#include "reports/text/places.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rigproof {
namespace {

std::string curve(const std::string& detail) {
  const auto place = curve_place(detail);
  return place ? fmt::format("{}|{}|{}", place->name, place->x, place->words) : "none";
}

std::string series(const std::string& detail) {
  const auto place = series_place(detail);
  return place ? fmt::format("{}|{}", place->name, place->interval_s) : "none";
}

TEST(CurvePlace, IsAQuantityOrANumberWithWords) {
  EXPECT_EQ(curve("at 64 KiB"), "|65536|data size");
  EXPECT_EQ(curve("rail0 at 64 KiB"), "rail0|65536|data size");
  EXPECT_EQ(curve("look at rail0 at 1 MiB"), "look at rail0|1048576|data size");
  EXPECT_EQ(curve("at 8 queue pairs"), "|8|queue pairs");
  EXPECT_EQ(curve("rail0 at 0.5 s"), "rail0|0.5|time");
}

TEST(CurvePlace, IsNothingElse) {
  for (const char* detail : {"", "at", "at ", "at 64", "at KiB", "rat 64 KiB", "at -3 things",
                             "at nan things", "at inf things", "at 1e999 things", "enp1s0f0np0 tx"})
    EXPECT_EQ(curve(detail), "none") << detail;
}

TEST(SeriesPlace, IsAnIntervalOfTime) {
  EXPECT_EQ(series("node-a:port0 tx every 100 ms"), "node-a:port0 tx|0.1");
  EXPECT_EQ(series("every 1 s"), "|1");
  for (const char* detail : {"", "every", "every 0 s", "every 64 KiB", "every now and then"})
    EXPECT_EQ(series(detail), "none") << detail;
}

}  // namespace
}  // namespace rigproof
