// Files of known faults, good and bad.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/faults/fault.h"
#include "framework/rig/subjects.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

constexpr std::string_view kWhen = R"(when = [{ id = "a.rate", at_most = "5 Gbit/s" }])";

std::string fault(std::string_view when = kWhen, std::string_view more = "", std::string_view name = "slow") {
  return fmt::format(
      "[[fault]]\nname = \"{}\"\ncertainty = \"likely\"\n{}\n"
      "basis = {{ kind = \"policy\", source = \"s\", quote = \"q\" }}\nremedy.check = \"r\"\n{}\n",
      name, when, more);
}

std::vector<Fault> read(const std::string& text) {
  return read_faults({toml::Document::parse(text, "f.toml")}, rig_fact_dimensions());
}

std::string refusal(const std::string& text) try {
  (void)read(text);
  return "accepted";
} catch (const toml::InputError& error) {
  return error.what();
}

TEST(Faults, HaveSignsInTheGrammarOfLimits) {
  const std::vector<Fault> faults =
      read(fault(R"(when = [{ id = "a.rate", at_least = "8 % of half.rate", statistic = "min" },
                             { id = "a.text", one_of = ["x*"] }])",
                 R"(unless = [{ id = "a.version", at_least_version = "2.3" }]
                    explains = ["a.*"])"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].when.at(0).condition->statistic, Statistic::kMin);
  EXPECT_EQ(faults[0].when.at(1).condition->rule->one_of, std::vector<std::string>{"x*"});
  EXPECT_EQ(faults[0].unless.at(0).condition->rule->at_least_version, "2.3");
  EXPECT_EQ(faults[0].explains, std::vector<std::string>{"a.*"});
  EXPECT_EQ(to_text(faults[0].where), "f.toml:1");
}

TEST(Faults, MayBeShownByAMissedLimit) {
  const std::vector<Fault> faults = read(fault(R"(when = [{ id = "a.rate", missed = true }])"));
  EXPECT_EQ(faults.at(0).when.at(0).id, "a.rate");
  EXPECT_FALSE(faults.at(0).when.at(0).condition);
  EXPECT_THAT(refusal(fault(R"(when = [{ id = "a.rate", missed = false }])")),
              HasSubstr("f.toml:4:35: expected true"));
  EXPECT_THAT(refusal(fault(R"(when = [{ id = "a.rate", missed = true, at_most = "5 B" }])")),
              HasSubstr("unknown key 'at_most'"));
}

TEST(Faults, AreRefusedWithTheirPlace) {
  EXPECT_THAT(refusal(fault(R"(when = [{ id = "a.rate", at_most = "5" }])")),
              HasSubstr("f.toml:4:36: no unit in '5'"));
  EXPECT_THAT(refusal(fault(R"(when = [{ id = "a.rate" }])")),
              HasSubstr("f.toml:4:9: no condition: write at_least, at_most, equals, one_of or "
                        "at_least_version, or missed = true"));
  EXPECT_THAT(refusal(fault(R"(when = [{ id = "a.rate", at_most = "5 B", one_of = ["x"] }])")),
              HasSubstr("cannot be combined with bounds"));
  EXPECT_THAT(refusal(fault(R"(when = [{ id = "a.rate", above = "5 B" }])")),
              HasSubstr("f.toml:4:26: unknown key 'above'"));
  EXPECT_THAT(refusal(fault("")), HasSubstr("no sign"));
  EXPECT_THAT(refusal(fault(kWhen, "unles = []")), HasSubstr("unknown key 'unles'; did you mean 'unless'?"));
  EXPECT_THAT(refusal(fault() + fault()), HasSubstr("duplicate fault 'slow' (first at f.toml:1)"));
  EXPECT_THAT(refusal("[[limit]]\nid = \"a\"\n"), HasSubstr("unknown key 'limit'"));
  EXPECT_THAT(refusal("# nothing\n"), HasSubstr("no fault"));
  std::string sure = fault();
  sure.replace(sure.find("likely"), 6, "sure");
  EXPECT_THAT(refusal(sure), HasSubstr("f.toml:3:13: unknown certainty 'sure'"));
  std::string unfounded = fault();
  unfounded.replace(unfounded.find("basis"), 5, "baser");
  EXPECT_THAT(refusal(unfounded), HasSubstr("unknown key 'baser'"));
}

}  // namespace
}  // namespace rigproof
