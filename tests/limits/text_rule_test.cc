#include "framework/limits/limit.h"

#include <gmock/gmock.h>

#include "framework/limits/limit_table.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

constexpr std::string_view kRuleReasons =
    "basis = { kind = 'policy', source = 'us', quote = 'we say so' }\nremedy.check = 'sudo x {netdev} "
    "{wanted}'\n";

Limit read_rule(const std::string& rule) {
  const std::string text = "[[limit]]\nid = 'a'\n" + rule + "\n" + std::string(kRuleReasons);
  return LimitTable::read({toml::Document::parse(text, "t.toml")}, Profile::kStandard, {}).limits().front();
}

std::string rule_refusal(const std::string& rule) {
  try {
    (void)read_rule(rule);
  } catch (const toml::InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool met(const std::string& rule, std::string_view text) { return meets(read_rule(rule).rule.value(), text); }

TEST(TextRule, AcceptsOneOfItsWords) {
  EXPECT_TRUE(met("one_of = ['RS', 'LLRS']", "LLRS"));
  EXPECT_FALSE(met("one_of = ['RS', 'LLRS']", "Off"));
  EXPECT_FALSE(met("one_of = ['RS']", "rs"));
}
TEST(TextRule, TakesAnyWhiteSpaceForASpace) {
  EXPECT_TRUE(met("one_of = ['4096 87380 134217728']", "4096\t87380\t134217728\n"));
}
TEST(TextRule, MatchesPatterns) {
  EXPECT_TRUE(met("one_of = ['NJAAKK*']", "NJAAKK-N911"));
  EXPECT_TRUE(met("one_of = ['LMTQF02?-SD-R']", "LMTQF022-SD-R"));
  EXPECT_TRUE(met("one_of = ['*ab']", "aab"));
  EXPECT_FALSE(met("one_of = ['*ab']", "axb"));
  EXPECT_FALSE(met("one_of = ['*a*a*a*a*b']", std::string(10'000, 'a')));
}
TEST(TextRule, ComparesVersionsNumberByNumber) {
  EXPECT_TRUE(is_version_at_least("28.45.1200", "28.9.2000"));
  EXPECT_FALSE(is_version_at_least("28.9.2000", "28.45.1200"));
  EXPECT_TRUE(is_version_at_least("28.45.1200 (NVD0000000087)", "28.45"));
  EXPECT_TRUE(is_version_at_least("v2.28.3-1+cuda13.0", "2.28.3"));
  EXPECT_FALSE(is_version_at_least("2.28", "2.28.3"));
  EXPECT_FALSE(is_version_at_least("unknown", "1"));
  EXPECT_TRUE(is_version_at_least("99999999999999999999.1", "99999999999999999998.2"));
  EXPECT_TRUE(is_version_at_least("1.010", "1.9"));
}
TEST(TextRule, IsRefusedWhereItMakesNoSense) {
  EXPECT_THAT(rule_refusal("one_of = []"), HasSubstr("t.toml:3:10: 'one_of' is empty"));
  EXPECT_THAT(rule_refusal("one_of = 'RS'"), HasSubstr("t.toml:3:10"));
  EXPECT_THAT(rule_refusal("one_of = ['RS']\nequals = '1 B'"),
              HasSubstr("one_of cannot be combined with bounds"));
  EXPECT_THAT(rule_refusal("one_of = ['RS']\nat_least_version = '1'"), HasSubstr("cannot be combined"));
  EXPECT_THAT(rule_refusal("one_of = ['RS']\nunit = 'B'"), HasSubstr("no effect with one_of"));
  EXPECT_THAT(rule_refusal("one_of = ['RS']\nmarginal = '1 B'"), HasSubstr("t.toml:"));
  EXPECT_THAT(rule_refusal("at_least_version = 'new'"), HasSubstr("is not a valid version"));
  EXPECT_THAT(rule_refusal("one_off = ['RS']"), HasSubstr("unknown key 'one_off'; did you mean 'one_of'?"));
}

TEST(Limit, SaysItsBounds) {
  EXPECT_EQ(bounds_text(read_rule("one_of = ['1', '2']")), "one of 1, 2");
  EXPECT_EQ(bounds_text(read_rule("at_least = '1 MiB'\nat_most = '2 MiB'")), ">= 1 MiB and <= 2 MiB");
}
TEST(Limit, KnowsWhatItWants) {
  EXPECT_EQ(target_value(read_rule("one_of = ['1', '2']"), {}), "1");
  EXPECT_EQ(target_value(read_rule("at_least = '512 MiB'"), {}), "536870912");
  EXPECT_EQ(target_value(read_rule("at_least_version = '2.28'"), {}), "2.28");
}

}  // namespace
}  // namespace rigproof
