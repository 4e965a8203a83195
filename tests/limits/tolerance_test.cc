#include "framework/limits/limit_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/limits/limit_table.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string bounded_limit(const std::string& bounds) {
  return "[[limit]]\nid = 'a'\n" + bounds +
         "\nbasis = { kind = 'policy', source = 's', quote = 'q' }\nremedy.check = 'r'\n";
}

Tolerance tolerance(const std::string& bounds, Profile profile = Profile::kStandard) {
  return LimitTable::read({toml::Document::parse(bounded_limit(bounds), "t.toml")}, profile, {})
      .find("a")
      ->tolerance;
}

// By the reader that every run goes through.
std::string refusal_of_run(const std::string& text) {
  try {
    (void)LimitTable::read({toml::Document::parse(text, "t.toml")}, Profile::kStandard, {});
  } catch (const toml::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Tolerance, AToleranceIsAPartOfTheBaseOrAQuantity) {
  EXPECT_TRUE(tolerance("at_least = '1 B'").relative);
  EXPECT_EQ(tolerance("at_least = '1 B'").value, 0.05);
  EXPECT_TRUE(tolerance("at_least = '1 B'\ntolerance = '2 %'").relative);
  EXPECT_EQ(tolerance("at_least = '1 B'\ntolerance = '2 %'").text, "2 % of base");
  EXPECT_FALSE(tolerance("at_most = '1 us'\ntolerance = '20 ns'").relative);
  EXPECT_EQ(tolerance("at_most = '1 us'\ntolerance = '20 ns'").value, 20e-9);
}

TEST(Tolerance, AToleranceOfARatioCountsInPoints) {
  EXPECT_FALSE(tolerance("at_most = '5 %'\ntolerance = '2 %'").relative);
  EXPECT_TRUE(tolerance("at_most = '5 %'\ntolerance = '2 % of base'").relative);
}

TEST(Tolerance, OfWhatMustOnlyStaySmallIsAPartOfTheLimit) {
  EXPECT_TRUE(tolerance("at_most = '5 %'").of_limit);
  EXPECT_FALSE(tolerance("at_most = '5 %'").relative);
  EXPECT_FALSE(tolerance("at_most = '5 %'\ntolerance = '1 %'").of_limit);
  EXPECT_FALSE(tolerance("at_least = '1 %'\nat_most = '5 %'").of_limit);
  EXPECT_FALSE(tolerance("at_most = '5 us'").of_limit);  // a latency has a size of its own
}

bool gate(const std::string& bounds, Profile profile = Profile::kStandard) {
  return LimitTable::read({toml::Document::parse(bounded_limit(bounds), "t.toml")}, profile, {})
      .find("a")
      ->gate;
}

TEST(Gate, IsAMarkOfARequiredFigure) {
  EXPECT_TRUE(gate("at_least = '1 B'\ngate = true"));
  EXPECT_FALSE(gate("at_least = '1 B'"));
  EXPECT_FALSE(gate("at_least = '1 B'\nenforce = 'advice'\ngate = true"));
  EXPECT_THAT(refusal_of_run(bounded_limit("equals = '1 B'\ngate = true")),
              AllOf(StartsWith("t.toml:4:8:"), HasSubstr("no effect")));
  EXPECT_THAT(refusal_of_run(bounded_limit("at_least = '1 B'\ngate = 'yes'")), StartsWith("t.toml:4:8:"));
}

TEST(Tolerance, RefusesTolerancesThatMakeNoSense) {
  EXPECT_THAT(refusal_of_run(bounded_limit("at_most = '1 us'\ntolerance = '2 B'")),
              AllOf(StartsWith("t.toml:4:13:"), HasSubstr("write a percentage, or a time")));
  EXPECT_THAT(refusal_of_run(bounded_limit("at_most = '1 us'\ntolerance = '20 us of base'")),
              HasSubstr("'20 us of base'"));
  EXPECT_THAT(refusal_of_run(bounded_limit("at_most = '1 us'\ntolerance = '100 %'")),
              HasSubstr("a tolerance must be below 100 %"));
  EXPECT_THAT(refusal_of_run(bounded_limit("at_most = '1 us'\ntolerance = '-2 %'")), HasSubstr("negative"));
  EXPECT_THAT(refusal_of_run(bounded_limit("equals = '1 B'\ntolerance = '2 %'")),
              HasSubstr("allows no change"));
}

TEST(Tolerance, HigherIsBetterWhereThereIsALowerBound) {
  const auto better = [](const std::string& bounds) { return tolerance(bounds).better; };
  EXPECT_EQ(better("at_least = '1 B'"), Better::kHigher);
  EXPECT_EQ(better("at_least = '1 B'\nat_most = '2 B'"), Better::kHigher);
  EXPECT_EQ(better("at_most = '2 B'"), Better::kLower);
  EXPECT_EQ(better("at_least = '1 us'\nat_most = '200 us'"), Better::kLower);
  EXPECT_EQ(better("at_least = '1 B'\nat_most = '2 B'\nbetter = 'neither'"), Better::kNeither);
  EXPECT_EQ(better("at_least = '99 %'\nat_most = '101 %'"), Better::kNeither);
  EXPECT_THAT(refusal_of_run(bounded_limit("at_least = '1 B'\nbetter = 'more'")),
              HasSubstr("unknown better 'more'"));
}

TEST(Tolerance, AProfileMayHaveItsOwn) {
  const std::string both = "at_least = '1 B'\ntolerance = '2 %'\nprofile.smoke = { tolerance = '9 %' }";
  EXPECT_EQ(tolerance(both).value, 0.02);
  EXPECT_EQ(tolerance(both, Profile::kSmoke).value, 0.09);
}

}  // namespace
}  // namespace rigproof
