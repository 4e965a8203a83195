// A later thresholds file that asks less than an earlier one is told of: else a required limit could be taken away in silence.
#include "framework/limits/weakened.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const FactDimensions kFacts = {{"half.rate", Dimension::kDataRate}, {"port.rate", Dimension::kDataRate}};
const Facts kHalf = {{"half.rate", {Dimension::kDataRate, 1e9}}};

std::string limit(std::string_view lines, std::string_view id = "a") {
  return fmt::format(
      "[[limit]]\nid = '{}'\n{}\nbasis = {{ kind = 'policy', source = 'us', quote = 'so' }}\nremedy = "
      "'look'\n",
      id, lines);
}

std::vector<std::string> weakened(const std::vector<std::string>& texts, const std::vector<Facts>& rig = {}) {
  std::vector<toml::Document> files;
  for (const std::string& text : texts)
    files.push_back(toml::Document::parse(text, fmt::format("{}.toml", files.size())));
  std::vector<std::string> found;
  for (const Weakened& one : weakened_limits(files, Profile::kStandard, kFacts, rig))
    found.push_back(to_text(one));
  return found;
}

bool is_weaker(std::string_view before, std::string_view after) {
  return !weakened({limit(before), limit(after)}).empty();
}

TEST(Weakened, SaysWhatItWasAndWhatItIs) {
  EXPECT_THAT(
      weakened({limit("at_least = '5 B'\nat_most = '9 B'"),
                limit("at_least = '5 B'\nat_most = '9 B'\nenforce = 'informative'")}),
      ElementsAre("a: >= 5 B and <= 9 B (0.toml:1) is now >= 5 B and <= 9 B, informative only (1.toml:1)"));
  EXPECT_THAT(weakened({limit("at_least = '5 B'"), limit("at_least = '5 B'\nprofiles = ['smoke']")}),
              ElementsAre("a: >= 5 B (0.toml:1) is now no limit in profile standard (1.toml:1)"));
}

TEST(Weakened, IsWhatMayPassThatDidNot) {
  EXPECT_TRUE(is_weaker("at_least = '5 B'", "at_least = '4 B'"));
  EXPECT_TRUE(is_weaker("at_most = '5 B'", "at_most = '6 B'"));
  EXPECT_TRUE(is_weaker("at_least = '5 B'\nat_most = '9 B'", "at_least = '5 B'"));
  EXPECT_TRUE(is_weaker("equals = '5 B'", "equals = '6 B'"));
  EXPECT_TRUE(is_weaker("equals = '5 B'", "at_least = '5 B'"));
  EXPECT_TRUE(is_weaker("at_least = '5 B'", "at_least = '5 B'\nenforce = 'advice'"));
  EXPECT_TRUE(is_weaker("at_least = '5 B'\nenforce = 'advice'", "at_least = '5 B'\nenforce = 'informative'"));
  EXPECT_TRUE(is_weaker("at_least = '5 B'\nstatistic = 'min'", "at_least = '5 B'"));
  EXPECT_TRUE(is_weaker("one_of = ['RS']", "one_of = ['RS', 'Off']"));
  EXPECT_TRUE(is_weaker("at_least_version = '28.45'", "at_least_version = '28.44'"));
  EXPECT_TRUE(is_weaker("at_least_version = '28.45'", "one_of = ['1']"));
}

TEST(Weakened, IsAComparisonThatLetsMorePass) {
  EXPECT_THAT(
      weakened({limit("at_least = '5 B'\ngate = true\ntolerance = '2 %'"), limit("at_least = '6 B'")}),
      ElementsAre("a: gate = true, a tolerance of 2 % of base, higher is better (0.toml:1) is now a "
                  "tolerance of 5 % of base, higher is better (1.toml:1)"));
  EXPECT_TRUE(is_weaker("at_least = '5 B'\ngate = true", "at_least = '5 B'"));
  EXPECT_TRUE(is_weaker("at_least = '5 B'", "at_least = '5 B'\ntolerance = '6 %'"));
  EXPECT_TRUE(is_weaker("at_least = '5 B'", "at_least = '5 B'\ntolerance = '1 B'"));
  EXPECT_TRUE(is_weaker("at_least = '5 B'", "at_least = '5 B'\nbetter = 'lower'"));
  EXPECT_FALSE(is_weaker("at_least = '5 B'", "at_least = '5 B'\ngate = true\ntolerance = '4 %'"));
  EXPECT_FALSE(is_weaker("at_least = '5 B'", "equals = '5 B'"));
  EXPECT_FALSE(is_weaker("at_least = '5 B'\nenforce = 'advice'",
                         "at_least = '5 B'\nenforce = 'advice'\ntolerance = '9 %'"));
}

TEST(Weakened, TheProfileOfTheRunCounts) {
  const std::string limits = limit("at_least = '5 B'"),
                    here = limits + "[limit.profile.standard]\nat_least = '4 B'\n",
                    elsewhere = limits + "[limit.profile.smoke]\nat_least = '4 B'\n";
  EXPECT_THAT(weakened({limits, here}), ElementsAre("a: >= 5 B (0.toml:1) is now >= 4 B (1.toml:1)"));
  EXPECT_THAT(weakened({limits, elsewhere}), IsEmpty());
  EXPECT_THAT(weakened({here, limits}), IsEmpty());
  EXPECT_THAT(weakened({limits, limits + "[limit.profile.standard]\nenforce = 'advice'\n"}), SizeIs(1));
}

TEST(Weakened, WhatCannotBeComparedIsForAPerson) {
  EXPECT_TRUE(is_weaker("at_least = '95 % of half.rate'", "at_least = '95 % of port.rate'"));
  EXPECT_TRUE(is_weaker("at_least = '95 % of half.rate'", "at_least = '1 Gbit/s'"));
}

TEST(Weakened, ARigCompares) {
  const std::string part = limit("at_least = '95 % of half.rate'");
  EXPECT_THAT(weakened({part, limit("at_least = '1 Gbit/s'")}, {kHalf}), IsEmpty());
  EXPECT_THAT(weakened({part, limit("at_least = '0.9 Gbit/s'")}, {kHalf}), SizeIs(1));
  EXPECT_THAT(
      weakened({part, limit("at_least = '1 Gbit/s'")}, {kHalf, {{"half.rate", {Dimension::kDataRate, 2e9}}}}),
      SizeIs(1));
  EXPECT_THAT(weakened({part, limit("at_least = '1 % of port.rate'")}, {kHalf}), SizeIs(1));
}

TEST(Weakened, IsNotWhatAsksAsMuchOrMore) {
  EXPECT_FALSE(is_weaker("at_least = '5 B'", "at_least = '5 B'"));
  EXPECT_FALSE(is_weaker("at_least = '5 B'", "at_least = '6 B'\nat_most = '9 B'"));
  EXPECT_FALSE(is_weaker("at_least = '95 % of half.rate'", "at_least = '96 % of half.rate'"));
  EXPECT_FALSE(is_weaker("at_most = '5 B'", "at_most = '4 B'"));
  EXPECT_FALSE(is_weaker("at_least = '5 B'", "equals = '6 B'"));
  EXPECT_FALSE(is_weaker("one_of = ['RS', 'Off']", "one_of = ['RS']"));
  EXPECT_FALSE(is_weaker("at_least_version = '28.45'", "at_least_version = '28.46'"));
  EXPECT_FALSE(is_weaker("at_least = '5 B'\nenforce = 'informative'", "at_least = '1 B'"));
}

TEST(Weakened, TheLastFileCounts) {
  const std::string strict = limit("at_least = '5 B'"), weak = limit("at_least = '1 B'");
  EXPECT_THAT(weakened({strict, weak, strict}), IsEmpty());
  EXPECT_THAT(
      weakened({limit("at_least = '3 B'"), strict, limit("at_least = '4 B'"), limit("at_most = '1 B'", "b")}),
      ElementsAre("a: >= 5 B (1.toml:1) is now >= 4 B (2.toml:1)"));
  EXPECT_THAT(weakened({strict}), IsEmpty());
}

}  // namespace
}  // namespace rigproof
