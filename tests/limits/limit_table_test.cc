#include "framework/limits/limit_table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const FactDimensions kFacts = {{"port.rate", Dimension::kDataRate},
                               {"half.rate", Dimension::kDataRate},
                               {"half.mtu", Dimension::kDataSize}};

constexpr std::string_view kReasons =
    "basis = { kind = 'policy', source = 'us', quote = 'we say so' }\nremedy.check = 'look'\n";

TEST(SuiteOf, IsWhatStandsBeforeTheFirstDot) {
  EXPECT_EQ(suite_of("tcp.rate.half"), "tcp");
  EXPECT_EQ(suite_of("tcp.EachRail/RailRate.FillsTheHalf/rail0_node_a_to_node_b"), "tcp");
  EXPECT_EQ(suite_of("tcp"), "tcp");
}

LimitTable read(std::string_view text, Profile profile = Profile::kStandard) {
  return LimitTable::read({toml::Document::parse(text, "t.toml")}, profile, kFacts);
}

// One limit that has all it needs but its bounds, which stand on line 3 and below.
std::string limit(std::string_view bounds, std::string_view more = "") {
  return fmt::format("[[limit]]\nid = 'a'\n{}\n{}{}", bounds, kReasons, more);
}

std::string refusal(std::string_view text) {
  try {
    (void)read(text);
  } catch (const toml::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LimitTable, ReadsEveryKey) {
  const LimitTable table = read(
      "[[limit]]\nid = 'tcp.rate.half'\nat_least = '96 Gbit/s'\nat_most = '100 Gbit/s'\nmarginal = '97 "
      "Gbit/s'\n"
      "statistic = 'p99'\nenforce = 'informative'\nheadline = true\n"
      "basis = { kind = 'measured', source = 'us', quote = '96' }\nremedy.check = 'look'\n");
  const Limit* limit = table.find("tcp.rate.half");
  ASSERT_NE(limit, nullptr);
  EXPECT_EQ(std::get<Quantity>(limit->at_least->value), parse_quantity("96 Gbit/s"));
  EXPECT_EQ(limit->at_most->text, "100 Gbit/s");
  EXPECT_EQ(limit->marginal->text, "97 Gbit/s");
  EXPECT_EQ(limit->statistic, Statistic::kP99);
  EXPECT_EQ(limit->enforce, Enforce::kInformative);
  EXPECT_TRUE(limit->headline);
  EXPECT_EQ(limit->basis.kind, "measured");
  EXPECT_EQ(limit->remedy, (Remedy{.check = {"look"}}));
  EXPECT_EQ(limit->unit, "Gbit/s");
  EXPECT_EQ(to_text(limit->where), "t.toml:1");
}

TEST(LimitTable, ALimitMayHoldSeveralStatistics) {
  const LimitTable table =
      read(limit("at_least = '5 B'\nalso = [{ statistic = 'mean', at_least = '4 B' }, { statistic = 'p90', "
                 "at_most = '9 B' }]",
                 "[limit.profile.smoke]\nalso = [{ statistic = 'max', at_most = '8 B' }]\n"));
  const std::vector<FurtherBounds>& also = table.find("a")->also;
  ASSERT_EQ(also.size(), 2u);
  EXPECT_EQ(also[0].statistic, Statistic::kMean);
  EXPECT_EQ(also[0].at_least->text, "4 B");
  EXPECT_EQ(also[1].at_most->text, "9 B");
  EXPECT_EQ(bounds_text(*table.find("a")), ">= 5 B and mean >= 4 B and p90 <= 9 B");
}

TEST(LimitAt, HasTheBoundsOfItsPlace) {
  const LimitTable table = read(limit(
      "at_most = '5 B'\nalso = [{ statistic = 'p99', at_most = '9 B' }, { at = '64 KiB', at_most = '7 B', "
      "marginal = '6 B' }, { at = '64 KiB', statistic = 'max', at_most = '8 B' }]"));
  const Limit& limit = *table.find("a");
  EXPECT_EQ(bounds_text(limit), "<= 5 B and p99 <= 9 B and <= 7 B at 64 KiB and max <= 8 B at 64 KiB");
  EXPECT_EQ(bounds_text(limit_at(limit, std::nullopt)), "<= 5 B and p99 <= 9 B");
  EXPECT_EQ(bounds_text(limit_at(limit, to_quantity(DataSize::bytes(8)))), "<= 5 B and p99 <= 9 B");
  const Limit there = limit_at(limit, to_quantity(DataSize::kibibytes(64)));
  EXPECT_EQ(bounds_text(there), "<= 7 B and p99 <= 9 B and max <= 8 B at 64 KiB");
  EXPECT_EQ(there.marginal->text, "6 B");
}
TEST(LimitAt, IsInformativeWhereNothingIsBounded) {
  const LimitTable table = read(limit("unit = 'B'\nalso = [{ at = '64 KiB', at_most = '7 B' }]"));
  EXPECT_TRUE(limit_at(*table.find("a"), to_quantity(DataSize::kibibytes(64))).is_required());
  EXPECT_EQ(limit_at(*table.find("a"), to_quantity(DataSize::bytes(8))).enforce, Enforce::kInformative);
}

TEST(LimitTable, DefaultsToTheMedianAndToBeingRequired) {
  const LimitTable table = read(limit("equals = '9000 B'"));
  EXPECT_EQ(table.find("a")->statistic, Statistic::kMedian);
  EXPECT_TRUE(table.find("a")->is_required());
  EXPECT_FALSE(table.find("a")->headline);
  EXPECT_EQ(table.find("a")->dimension, Dimension::kDataSize);
  EXPECT_EQ(table.find("b"), nullptr);
}

TEST(LimitTable, ALimitMayBeAdvice) {
  const LimitTable table = read(limit("equals = '9000 B'\nenforce = 'advice'"));
  EXPECT_TRUE(table.find("a")->is_advice());
  EXPECT_FALSE(table.find("a")->is_required());
  EXPECT_THAT(refusal("[[limit]]\nid = 'a'\nequals = '1 B'\nenforce = 'advice'\n"
                      "basis = { kind = 'policy', source = 'x', quote = 'y' }\n"),
              HasSubstr("missing key 'remedy'"));
}

TEST(Sampling, IsReadFromTheLastFileThatHasIt) {
  EXPECT_FALSE(read(limit("at_least = '1 Gbit/s'")).sampling());
  const auto table = read(limit("at_least = '1 Gbit/s'", "[sampling]\nnames = '10 % of a node'\n"));
  ASSERT_TRUE(table.sampling());
  EXPECT_DOUBLE_EQ(table.sampling()->slower, 0.1);
  EXPECT_DOUBLE_EQ(table.sampling()->power, 0.99);
  const auto farm = LimitTable::read(
      {toml::Document::parse(limit("at_least = '1 Gbit/s'"), "t.toml"),
       toml::Document::parse("[sampling]\nnames = '5 % of a node'\npower = '95 %'\n", "farm.toml")},
      Profile::kStandard, kFacts);
  ASSERT_TRUE(farm.sampling());
  EXPECT_DOUBLE_EQ(farm.sampling()->slower, 0.05);
  EXPECT_DOUBLE_EQ(farm.sampling()->power, 0.95);
  EXPECT_EQ(farm.sampling()->where, "farm.toml:1");
}
TEST(Sampling, MistakesAreRefusedByTheirPlace) {
  const auto said = [](std::string_view keys) {
    return refusal(limit("at_least = '1 Gbit/s'", fmt::format("[sampling]\n{}\n", keys)));
  };
  EXPECT_THAT(said("names = '10 %'"), HasSubstr("t.toml:7:9: expected \"10 % of a node\", got '10 %'"));
  EXPECT_THAT(said("names = '10 Gbit/s of a node'"), HasSubstr("expected a percentage from 1 % to 50 %"));
  EXPECT_THAT(said("names = '60 % of a node'"), HasSubstr("expected a percentage from 1 % to 50 %"));
  EXPECT_THAT(said("names = '10 % of a node'\npower = '40 %'"),
              HasSubstr("expected a percentage from 50 % to 99.5 %, got '40 %'"));
  EXPECT_THAT(said("power = '99 %'"), HasSubstr("names"));
  EXPECT_THAT(said("names = '10 % of a node'\nrounds = 3"), HasSubstr("rounds"));
}
TEST(LimitTable, KeepsTheOrderOfTheFile) {
  const LimitTable table =
      read("[[limit]]\nid = 'z'\nat_least = '1 B'\n" + std::string(kReasons) + limit("at_least = '1 B'"));
  ASSERT_EQ(table.limits().size(), 2U);
  EXPECT_EQ(table.limits()[0].id, "z");
}

TEST(LimitTable, ABoundMayBePartOfAFact) {
  const LimitTable table = read(limit("at_least = '85 %  of port.rate'"));
  const Bound& bound = *table.find("a")->at_least;
  EXPECT_EQ(std::get<RelativeBound>(bound.value).factor, 0.85);
  EXPECT_EQ(std::get<RelativeBound>(bound.value).fact, "port.rate");
  EXPECT_EQ(bound.text, "85 %  of port.rate");
  EXPECT_EQ(table.find("a")->unit, "Gbit/s");
}

TEST(LimitTable, ValuesPrintInTheUnitThatIsAskedFor) {
  EXPECT_EQ(read(limit("at_most = '1 ms'\nunit = 'us'")).find("a")->unit, "us");
  EXPECT_THAT(refusal(limit("at_most = '1 ms'\nunit = 'B'")),
              HasSubstr("'1 ms' is a time, expected a data size"));
  EXPECT_THAT(refusal(limit("at_most = '1 ms'\nunit = ' us'")),
              StartsWith("t.toml:4:8: ' us' is not a valid unit"));
}

TEST(LimitTable, AnInformativeLimitNeedsOnlyItsUnit) {
  const LimitTable table = read("[[limit]]\nid = 'a'\nenforce = 'informative'\nunit = '%'\n");
  EXPECT_EQ(table.find("a")->dimension, Dimension::kRatio);
  EXPECT_EQ(table.find("a")->enforce, Enforce::kInformative);
  EXPECT_THAT(refusal("[[limit]]\nid = 'a'\nenforce = 'informative'\n"), HasSubstr("no bound"));
}

struct Mistake {
  std::string text;
  std::string message;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.text; }

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreRefusedAtTheirPlace) {
  EXPECT_THAT(refusal(GetParam().text), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Bounds, Mistakes,
    testing::Values(
        Mistake{limit(""), "t.toml:1:1: no bound"}, Mistake{limit("unit = 'B'"), "t.toml:1:1: no bound"},
        Mistake{limit("at_least = 170"), "t.toml:3:12: 'at_least' must be a string"},
        Mistake{limit("at_least = '170'"), "t.toml:3:12: no unit in '170'"},
        Mistake{limit("at_least = '170 Gbps'"), "t.toml:3:12: unknown unit 'Gbps'"},
        Mistake{limit("at_least = 'nan Gbit/s'"), "not a finite number"},
        Mistake{limit("at_least = '1 Gbit/s'\nat_most = '1 B'"),
                "t.toml:4:11: wrong dimension: '1 B' is a data size, expected a data rate"},
        Mistake{limit("at_least = '1 Gbit/s'\nat_most = '90 % of half.mtu'"),
                "t.toml:4:11: wrong dimension: '90 % of half.mtu' is a data size"},
        Mistake{limit("at_least = '1 Gbit/s'\nmarginal = '90 %'"), "\"85 % of port.rate\""},
        Mistake{limit("at_least = '0 Gbit/s'"), "t.toml:3:12: at_least '0 Gbit/s' can never be missed"},
        Mistake{limit("at_least = '2 B'\nat_most = '1 B'"),
                "t.toml:3:12: at_least '2 B' is above at_most '1 B'"},
        Mistake{limit("at_least = '9 % of port.rate'\nat_most = '8 % of port.rate'"), "is above at_most"},
        Mistake{limit("at_least = '2 B'\nmarginal = '1 B'"),
                "t.toml:4:12: marginal '1 B' is not above at_least '2 B'"},
        Mistake{limit("at_least = '2 B'\nmarginal = '2 B'"), "is not above at_least"},
        Mistake{limit("at_most = '2 B'\nmarginal = '3 B'"), "marginal '3 B' is not below at_most '2 B'"},
        Mistake{limit("at_least = '1 B'\nat_most = '3 B'\nmarginal = '4 B'"), "is not below at_most"},
        Mistake{limit("equals = '1 B'\nat_most = '3 B'"), "t.toml:3:10: 'equals' cannot be combined"},
        Mistake{limit("equals = '1 B'\nmarginal = '3 B'"), "'equals' cannot be combined"},
        Mistake{limit("marginal = '3 B'\nenforce = 'informative'"), "marginal needs at_least or at_most"},
        Mistake{limit("at_least = '85 % of port.rte'"),
                "t.toml:3:12: the rig has no fact 'port.rte'; did you mean 'port.rate'?"},
        Mistake{limit("at_least = '85 % of moon'"), "(known: half.mtu, half.rate, port.rate)"},
        Mistake{limit("at_least = '85 of port.rate'"), "no unit in '85'"},
        Mistake{limit("at_least = '85 B of port.rate'"), "a part of a fact is a percentage"},
        Mistake{limit("at_least = ' of '"), "empty"}));

INSTANTIATE_TEST_SUITE_P(
    FurtherStatistics, Mistakes,
    testing::Values(
        Mistake{limit("at_least = '1 B'\nalso = [{ statistic = 'avg', at_least = '1 B' }]"),
                "t.toml:4:23: unknown statistic 'avg'"},
        Mistake{limit("at_least = '1 B'\nalso = [{ at_least = '1 B' }]"),
                "t.toml:4:9: missing key 'statistic'"},
        Mistake{limit("at_least = '1 B'\nalso = [{ statistic = 'mean' }]"), "t.toml:4:9: no bound"},
        Mistake{limit("at_least = '1 B'\nalso = [{ statistic = 'mean', at_lest = '1 B', at_most = '2 B' }]"),
                "unknown key 'at_lest'"},
        Mistake{limit("at_least = '1 B'\nalso = [{ statistic = 'mean', at_least = '1 Gbit/s' }]"),
                "'1 Gbit/s' is a data rate, expected a data size"},
        Mistake{limit("at_least = '1 B'\nalso = [{ statistic = 'median', at_least = '1 B' }]"),
                "the limit itself has bounds for the median"},
        Mistake{limit("at_least = '1 B'\nalso = [{ statistic = 'mean', at_least = '0 B' }]"),
                "at_least '0 B' can never be missed"},
        Mistake{limit("at_least = '1 B'\nalso = [{ statistic = 'mean', at_least = '3 B', at_most = '2 B' }]"),
                "at_least '3 B' is above at_most '2 B'"},
        Mistake{limit("equals = '1 B'\nalso = [{ statistic = 'mean', at_least = '1 B' }]"),
                "t.toml:4:9: 'also' without 'at' needs at_least or at_most"},
        Mistake{limit("unit = 'B'\nalso = [{ at = '8 furlongs', at_least = '1 B' }]"), "t.toml:4:"},
        Mistake{limit("unit = 'B'\nalso = [{ at = '8 B' }]"), "no bound"},
        Mistake{limit("unit = 'B'\nalso = [{ at = '8 B', at_most = '2 B', marginal = '3 B' }]"),
                "marginal '3 B' is not inside the bounds"},
        Mistake{limit("at_most = '9 B'\nalso = [{ statistic = 'p99', at_most = '2 B', marginal = '1 B' }]"),
                "marginal needs 'at'"},
        Mistake{limit("one_of = ['a']\nalso = [{ statistic = 'mean', at_least = '1 B' }]"),
                "also has no effect with one_of"}));

INSTANTIATE_TEST_SUITE_P(
    Words, Mistakes,
    testing::Values(
        Mistake{"", "t.toml:1:1: no limit"}, Mistake{"limit = []", "no limit"},
        Mistake{"[limit]\nid = 'a'", "write [[limit]]"},
        Mistake{"[[limits]]\nid = 'a'", "t.toml:1:1: unknown key 'limits'; did you mean 'limit'?"},
        Mistake{"limits = 3\n" + limit("at_least = '1 B'"),
                "t.toml:1:10: unknown key 'limits'; did you mean 'limit'?"},
        Mistake{limit("at_lest = '1 B'\nat_least = '1 B'"),
                "t.toml:3:1: unknown key 'at_lest'; did you mean 'at_least'?"},
        Mistake{limit("at_lest = '1 count'"), "t.toml:3:1: unknown key 'at_lest'; did you mean 'at_least'?"},
        Mistake{limit("at_least = '1 B'") + limit("at_least = '1 B'"),
                "duplicate limit 'a' (first at t.toml:1)"},
        Mistake{"[[limit]]\nat_least = '1 B'\n", "t.toml:1:1: missing key 'id'"},
        Mistake{"[[limit]]\nid = 'a b'\n", "t.toml:2:6: id 'a b': only letters"},
        Mistake{limit("at_least = '1 B'\nstatistic = 'avg'"), "t.toml:4:13: unknown statistic 'avg'"},
        Mistake{limit("at_least = '1 B'\nenforce = 'yes'"),
                "t.toml:4:11: unknown enforce 'yes' (known: required, advice, informative)"},
        Mistake{limit("at_least = '1 B'\nheadline = 'yes'"), "t.toml:4:12: 'headline' must be true or false"},
        Mistake{limit("at_least = '1 B'", "[limit.profile.smoke]\nheadline = true\n"),
                "unknown key 'headline'"},
        Mistake{"[[limit]]\nid = 'a'\nat_least = '1 B'\nremedy.check = 'x'\n", "missing key 'basis'"},
        Mistake{
            "[[limit]]\nid = 'a'\nat_least = '1 B'\nbasis = { kind = 'policy', source = 'x', quote = 'y' }\n",
            "missing key 'remedy'"},
        Mistake{
            "[[limit]]\nid = 'a'\nat_least = '1 B'\nbasis = { kind = 'guess', source = 'x', quote = 'y' }\n",
            "unknown kind 'guess' (known: measured, specification"},
        Mistake{
            "[[limit]]\nid = 'a'\nat_least = '1 B'\nbasis = { kind = 'policy', source = ' ', quote = 'y' }\n",
            "'source' is empty"},
        Mistake{"[[limit]]\nid = 'a'\nat_least = '1 B'\nbasis = { kind = 'policy', source = 'x' }\n",
                "t.toml:4:9: missing key 'quote' or 'reasoning'"},
        Mistake{limit("at_least = '1 B'\nremedy.fix = ['a', \"b\\nc\"]"),
                "t.toml:4:20: 'b\\x0Ac' has a newline or another control character"},
        Mistake{"[[limit]]\nid = 'a'\nat_least = '1 B'\nbasis = 'trust me'\n", "'basis' must be a table"}));

TEST(Profiles, AnOverrideReplacesSingleKeysInItsProfileOnly) {
  const std::string text =
      limit("at_least = '95 % of half.rate'\nmarginal = '96 % of half.rate'",
            "[limit.profile.smoke]\nat_least = '90 % of half.rate'\nstatistic = 'max'\n");
  EXPECT_EQ(read(text, Profile::kSmoke).find("a")->at_least->text, "90 % of half.rate");
  EXPECT_EQ(read(text, Profile::kSmoke).find("a")->marginal->text, "96 % of half.rate");
  EXPECT_EQ(read(text, Profile::kSmoke).find("a")->statistic, Statistic::kMax);
  EXPECT_EQ(read(text, Profile::kStandard).find("a")->at_least->text, "95 % of half.rate");
}

TEST(Profiles, AnOverrideMayMakeALimitInformative) {
  const std::string text = limit("at_least = '1 B'", "[limit.profile.smoke]\nenforce = 'informative'\n");
  EXPECT_EQ(read(text, Profile::kSmoke).find("a")->enforce, Enforce::kInformative);
  EXPECT_TRUE(read(text, Profile::kAcceptance).find("a")->is_required());
}

TEST(Profiles, ALimitOfOtherProfilesIsKnownToBeElsewhere) {
  const std::string text = limit("at_least = '1 B'\nprofiles = ['acceptance']");
  EXPECT_EQ(read(text).find("a"), nullptr);
  EXPECT_TRUE(read(text).in_other_profile("a"));
  EXPECT_FALSE(read(text).in_other_profile("b"));
  EXPECT_FALSE(read(text, Profile::kAcceptance).in_other_profile("a"));
}

INSTANTIATE_TEST_SUITE_P(
    Profiles, Mistakes,
    testing::Values(
        Mistake{limit("at_least = '2 B'", "[limit.profile.smok]\n"),
                "unknown profile 'smok'; did you mean 'smoke'?"},
        Mistake{limit("at_least = '2 B'\nprofiles = ['smoke', 'x']"), "t.toml:4:22: unknown profile 'x'"},
        Mistake{limit("at_least = '2 B'\nprofiles = []"), "'profiles' is empty"},
        Mistake{limit("at_least = '2 B'\nprofiles = ['standard']", "[limit.profile.smoke]\n"),
                "the limit is not in the profile 'smoke'"},
        Mistake{limit("at_least = '2 B'", "[limit.profile.smoke]\nat_lest = '1 B'\n"),
                "t.toml:7:1: unknown key 'at_lest'; did you mean 'at_least'?"},
        Mistake{limit("at_least = '2 B'", "[limit.profile.acceptance]\nat_most = '1 B'\n"),
                "is above at_most '1 B'"},
        Mistake{limit("at_least = '2 B'",
                      "[limit.profile.smoke]\nat_least = '1 s'\n[limit.profile.standard]\nat_most = '1 s'\n"),
                "t.toml:9:11: wrong dimension: '1 s' is a time"}));

TEST(Waivers, AreRead) {
  const LimitTable table = read(limit("at_least = '1 B'",
                                      "[[waiver]]\nlimit = 'a'\ncase = 'tcp.*'\nreason = 'r'\n"
                                      "owner = 'o'\nexpires = 2026-12-31\n"));
  ASSERT_EQ(table.waivers().size(), 1U);
  EXPECT_EQ(table.waivers()[0].test, "tcp.*");
  EXPECT_EQ(table.waivers()[0].expires, "2026-12-31");
  EXPECT_EQ(table.waivers()[0].where, "t.toml:6");
}

TEST(Waivers, MayNameALimitOfAnotherProfile) {
  const std::string waiver = "[[waiver]]\nlimit = 'a'\nreason = 'r'\nowner = 'o'\nexpires = '2026-12-31'\n";
  EXPECT_EQ(read(limit("at_least = '1 B'\nprofiles = ['smoke']", waiver)).waivers().size(), 1U);
}

// --- several files ---

toml::Document file(const std::string& name, const std::string& text) {
  return toml::Document::parse(text, name);
}

LimitTable layered(const std::vector<std::string>& texts, Profile profile = Profile::kStandard) {
  std::vector<toml::Document> files;
  for (const std::string& text : texts) files.push_back(file(fmt::format("{}.toml", files.size()), text));
  return LimitTable::read(files, profile, kFacts);
}

std::string refusal_of(const std::vector<std::string>& texts) {
  try {
    (void)layered(texts);
  } catch (const toml::InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string named(std::string_view id, std::string_view bounds, std::string_view more = "") {
  return fmt::format("[[limit]]\nid = '{}'\n{}\n{}{}", id, bounds, kReasons, more);
}

TEST(Layers, ALaterFileReplacesALimitAsAWhole) {
  const std::string base =
      named("a", "at_least = '1 B'\nat_most = '9 B'", "[limit.profile.standard]\nat_least = '5 B'\n");
  const LimitTable table = layered({base + named("b", "at_least = '1 B'"), named("a", "at_least = '2 B'")});
  const Limit& limit = *table.find("a");
  EXPECT_EQ(limit.at_least->text, "2 B");
  EXPECT_EQ(limit.at_most, std::nullopt);
  EXPECT_EQ(limit.where, (toml::Place{"1.toml", 1}));
  EXPECT_EQ(to_text(table.find("b")->where), "0.toml:9");
  ASSERT_EQ(table.limits().size(), 2U);
  EXPECT_EQ(table.limits()[0].id, "a");
}
TEST(Layers, AnOverrideByProfileBelongsToItsLimit) {
  const std::string over = "[limit.profile.standard]\nat_least = '5 B'\n";
  EXPECT_EQ(layered({named("a", "at_least = '1 B'"), named("a", "at_least = '2 B'", over)})
                .find("a")
                ->at_least->text,
            "5 B");
}
TEST(Layers, ALimitMayBeTakenOutOfAProfile) {
  const LimitTable table =
      layered({named("a", "at_least = '1 B'"), named("a", "at_least = '2 B'\nprofiles = ['smoke']")});
  EXPECT_EQ(table.find("a"), nullptr);
  EXPECT_TRUE(table.in_other_profile("a"));
}
TEST(Layers, WithinOneFileALimitStandsOnce) {
  EXPECT_THAT(refusal_of({named("a", "at_least = '1 B'"),
                          named("a", "at_least = '2 B'") + named("a", "at_least = '3 B'")}),
              HasSubstr("duplicate limit 'a' (first at 1.toml:1)"));
}
TEST(Layers, WaiversAddUpAndMayNameALimitOfAnyFile) {
  const std::string waiver = "[[waiver]]\nlimit = 'a'\nreason = 'r'\nowner = 'o'\nexpires = '2026-12-31'\n";
  const LimitTable table = layered({named("a", "at_least = '1 B'", waiver), waiver});
  ASSERT_EQ(table.waivers().size(), 2U);
  EXPECT_EQ(table.waivers()[1].where, "1.toml:1");
  EXPECT_EQ(layered({waiver, named("a", "at_least = '1 B'")}).waivers().size(), 1U);
}
TEST(Layers, AFileOfNothingIsRefused) {
  EXPECT_THAT(refusal_of({named("a", "at_least = '1 B'"), ""}), StartsWith("1.toml:1:1: no limit"));
  EXPECT_THAT(refusal_of({}), StartsWith("no limit"));
}
TEST(Layers, AMistakeIsToldInItsOwnFile) {
  EXPECT_THAT(refusal_of({named("a", "at_least = '1 B'"), named("a", "at_lest = '2 B'")}),
              StartsWith("1.toml:3:1: unknown key 'at_lest'"));
  EXPECT_THAT(refusal_of({named("a", "at_least = '1 B'"), "limits = 3\n" + named("a", "at_least = '2 B'")}),
              StartsWith("1.toml:1:10: unknown key 'limits'"));
}

std::string waiver(std::string_view lines) {
  return limit("at_least = '1 B'", fmt::format("[[waiver]]\n{}\n", lines));
}

INSTANTIATE_TEST_SUITE_P(
    Waivers, Mistakes,
    testing::Values(
        Mistake{waiver("reason = 'r'\nowner = 'o'\nexpires = '2026-12-31'"),
                "a waiver names a 'limit', a 'case' or both"},
        Mistake{
            waiver("case = 'tcp.*'\nreason = 'r'\nowner = 'o'\nexpires = '2026-12-31'"),
            "t.toml:7:8: 'tcp.*' is a pattern: without a 'limit' a waiver names one case by its full name"},
        Mistake{waiver("case = '*'\nreason = 'r'\nowner = 'o'\nexpires = '2026-12-31'"), "'*' is a pattern"},
        Mistake{waiver("limit = 'b'\nreason = 'r'\nowner = 'o'\nexpires = '2026-12-31'"),
                "t.toml:7:9: no limit has the id 'b'"},
        Mistake{waiver("limit = 'a'\nowner = 'o'\nexpires = '2026-12-31'"), "missing key 'reason'"},
        Mistake{waiver("limit = 'a'\nreason = 'r'\nowner = ''\nexpires = '2026-12-31'"), "'owner' is empty"},
        Mistake{waiver("limit = 'a'\nreason = 'r'\nowner = 'o'"), "missing key 'expires'"},
        Mistake{waiver("limit = 'a'\nreason = 'r'\nowner = 'o'\nexpires = '2026-02-30'"),
                "'2026-02-30' is not a valid date"},
        Mistake{waiver("limit = 'a'\nreason = 'r'\nowner = 'o'\nexpires = '31.12.2026'"),
                "is not a valid date"},
        Mistake{waiver("limit = 'a'\nreason = 'r'\nowner = 'o'\nexpires = '2026-12-31'\nuntil = 1"),
                "unknown key 'until'"}));

TEST(ProfileNames, GoBothWays) {
  for (const auto text : {"smoke", "standard", "acceptance"}) EXPECT_EQ(name(parse_profile(text)), text);
  EXPECT_THROW((void)parse_profile("Smoke"), std::invalid_argument);
}

}  // namespace
}  // namespace rigproof
