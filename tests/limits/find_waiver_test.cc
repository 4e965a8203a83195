#include <gtest/gtest.h>

#include "framework/limits/limit_table.h"

namespace rigproof {
namespace {

constexpr std::string_view kCase = "tcp.ManyStreams.FillTheHalf/rail0";

bool covered(const Waiver& waiver, std::string_view limit, std::string_view date = "2026-11-20") {
  return find_waiver({waiver}, limit, kCase, date) != nullptr;
}

Waiver of(std::string limit, std::string test) {
  return {std::move(limit), std::move(test), "r", "o", "2026-12-31", "w"};
}

TEST(FindWaiver, CountsOnItsLastDayAndNoLongerAfterIt) {
  EXPECT_TRUE(covered(of("a", ""), "a", "2026-12-31"));
  EXPECT_FALSE(covered(of("a", ""), "a", "2027-01-01"));
}

TEST(FindWaiver, WhatEndsMoreThanHalfAYearLaterIsNotInForce) {
  EXPECT_TRUE(covered(of("a", ""), "a", "2026-07-04"));
  EXPECT_FALSE(covered(of("a", ""), "a", "2026-07-03"));
  EXPECT_TRUE(of("a", "").is_too_long("2026-07-03"));
  EXPECT_FALSE(of("a", "").is_too_long("2027-07-03"));
}

TEST(FindWaiver, DaysAreCountedByTheCalendar) {
  Waiver leap = of("a", "");
  leap.expires = "2028-02-29";
  EXPECT_TRUE(covered(leap, "a", "2028-02-29"));
  EXPECT_FALSE(covered(leap, "a", "2028-03-01"));
  leap.expires = "2028-03-01";  // 180 days after 2027-09-03, the 29th of February included
  EXPECT_FALSE(leap.is_too_long("2027-09-03"));
  EXPECT_TRUE(leap.is_too_long("2027-09-02"));
}

TEST(FindWaiver, OfALimitCoversItInEveryCaseButNotAnUnprovenCase) {
  EXPECT_TRUE(covered(of("a", ""), "a"));
  EXPECT_FALSE(covered(of("a", ""), "b"));
  EXPECT_FALSE(covered(of("a", ""), ""));
}

TEST(FindWaiver, OfACaseCoversItsLimitsAndItsNotBeingProven) {
  EXPECT_TRUE(covered(of("", "tcp.*"), "b"));
  EXPECT_TRUE(covered(of("", "tcp.*"), ""));
  EXPECT_FALSE(covered(of("", "mtu.*"), ""));
}

TEST(FindWaiver, OfBothCoversThatLimitInThatCaseOnly) {
  EXPECT_TRUE(covered(of("a", "*rail0"), "a"));
  EXPECT_FALSE(covered(of("a", "*rail1"), "a"));
  EXPECT_FALSE(covered(of("a", "*rail0"), ""));
}

TEST(FindWaiver, PatternsKnowStarsAndQuestionMarks) {
  EXPECT_TRUE(covered(of("", "tcp.*.FillTheHalf/rail?"), ""));
  EXPECT_TRUE(covered(of("", "*"), ""));
  EXPECT_TRUE(covered(of("", std::string(kCase) + "*"), ""));
  EXPECT_FALSE(covered(of("", "tcp.?.FillTheHalf/rail0"), ""));
  EXPECT_FALSE(covered(of("", "tcp"), ""));
  EXPECT_FALSE(covered(of("", std::string(kCase) + "?"), ""));
}

TEST(FindWaiver, ManyStarsAgainstALongNameAreQuick) {
  std::string pattern;
  for (int i = 0; i < 2000; ++i) pattern += "*a";
  EXPECT_EQ(find_waiver({of("", pattern + "b")}, "", std::string(4000, 'a'), "2026-12-01"), nullptr);
}

TEST(FindWaiver, TakesTheFirstInForce) {
  std::vector<Waiver> waivers = {of("a", ""), of("a", "tcp.*")};
  waivers[0].expires = "2026-01-01";
  EXPECT_EQ(find_waiver(waivers, "a", kCase, "2026-11-20"), &waivers[1]);
}

}  // namespace
}  // namespace rigproof
