// Absolute rates of a thresholds file against the rates of the rig.
#include "framework/limits/rates_for.h"

#include <gmock/gmock.h>

#include "framework/limits/limit_table.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const FactDimensions kRigFacts{{"half.rate", Dimension::kDataRate},
                               {"port.rate", Dimension::kDataRate},
                               {"half.mtu", Dimension::kDataSize}};

const std::string kForSparks =
    "[for]\nhalf.rate = { at_least = \"50 Gbit/s\", at_most = \"100 Gbit/s\" }\n"
    "port.rate = { at_most = \"200 Gbit/s\" }\n";

std::string limit_on_rate(const std::string& bounds, const std::string& id = "tcp.rate.half") {
  return "[[limit]]\nid = \"" + id + "\"\n" + bounds +
         "\nbasis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";
}

std::vector<NamedFacts> half_of(double gigabits) {
  const Quantity rate = to_quantity(DataRate::gigabits_per_second(gigabits));
  return {{"node-a:eth0", {{"half.rate", rate}, {"port.rate", rate}}}};
}

// "accepted", the notice, or why these files are refused on a rig with this rate.
std::string refused_on(double gigabits, const std::vector<std::string>& files,
                       Profile profile = Profile::kStandard) try {
  std::vector<toml::Document> documents;
  for (std::size_t i = 0; i < files.size(); ++i)
    documents.push_back(
        toml::Document::parse(files[i], std::string(1, static_cast<char>('a' + i)) + ".toml"));
  (void)LimitTable::read(documents, profile, kRigFacts);
  const auto notices = refuse_rates_of_other_rigs(documents, profile, kRigFacts, half_of(gigabits));
  return notices.empty() ? "accepted" : notices.size() == 1 ? notices[0] : "several notices";
} catch (const toml::InputError& error) {
  return error.what();
}

TEST(RatesFor, AnAbsoluteRateIsForTheRigsThatItsFileNames) {
  const std::string file = kForSparks + limit_on_rate("at_least = \"90 Gbit/s\"\nat_most = \"126 Gbit/s\"");
  EXPECT_EQ(refused_on(100, {file}), "accepted");
  EXPECT_EQ(refused_on(50, {file}), "accepted");
  EXPECT_THAT(refused_on(400, {file}),
              AllOf(HasSubstr("a.toml:6:"), HasSubstr("tcp.rate.half"),
                    HasSubstr("half.rate from 50 Gbit/s up to 100 Gbit/s"),
                    HasSubstr("node-a:eth0 has 400 Gbit/s"), HasSubstr("thresholds/roce-hosts.toml")));
  EXPECT_THAT(refused_on(25, {file}), HasSubstr("node-a:eth0 has 25 Gbit/s"));
}
TEST(RatesFor, AFileWithAnAbsoluteRateThatNamesNoneIsNoticed) {
  for (const char* bound :
       {"at_least = \"90 Gbit/s\"", "at_most = \"90 Gbit/s\"", "equals = \"90 Gbit/s\"",
        "at_least = \"90 % of half.rate\"\nalso = [{ statistic = \"mean\", at_least = \"9 "
        "Gbit/s\" }]"})
    EXPECT_THAT(refused_on(100, {limit_on_rate(bound)}),
                AllOf(HasSubstr("a.toml:"), HasSubstr("does not say for which rigs")))
        << bound;
}
TEST(RatesFor, WhatFollowsTheRigOrDecidesNothingNeedsNone) {
  EXPECT_EQ(refused_on(400, {limit_on_rate("at_least = \"90 % of half.rate\"")}), "accepted");
  EXPECT_EQ(refused_on(400, {limit_on_rate("at_least = \"90 Gbit/s\"\nenforce = \"informative\"")}),
            "accepted");
  EXPECT_EQ(refused_on(400, {limit_on_rate("at_least = \"90 %\"")}), "accepted");
  EXPECT_EQ(refused_on(400, {kForSparks + limit_on_rate("at_least = \"90 % of half.rate\"")}), "accepted");
}
TEST(RatesFor, ALimitThatALaterFileReplacesDoesNotMatter) {
  const std::string sparks = kForSparks + limit_on_rate("at_least = \"90 Gbit/s\"");
  EXPECT_EQ(refused_on(400, {sparks, limit_on_rate("at_least = \"90 % of half.rate\"")}), "accepted");
  const std::string own =
      "[for]\nhalf.rate = { at_least = \"400 Gbit/s\" }\n" + limit_on_rate("at_least = \"380 Gbit/s\"");
  EXPECT_EQ(refused_on(400, {sparks, own}), "accepted");
  EXPECT_THAT(refused_on(100, {sparks, own}), HasSubstr("b.toml:"));
}
TEST(RatesFor, OnlyTheProfileOfTheRunCounts) {
  const std::string file = limit_on_rate("at_least = \"90 % of half.rate\"") +
                           "[limit.profile.acceptance]\nat_least = \"90 Gbit/s\"\n";
  EXPECT_EQ(refused_on(100, {file}), "accepted");
  EXPECT_THAT(refused_on(100, {file}, Profile::kAcceptance), HasSubstr("does not say for which rigs"));
}
TEST(RatesFor, MistakesAreRefusedAtTheirPlace) {
  const std::string limit = limit_on_rate("at_least = \"90 % of half.rate\"");
  EXPECT_THAT(refused_on(100, {"[for]\nhalf.rat = { at_least = \"1 Gbit/s\" }\n" + limit}),
              AllOf(HasSubstr("a.toml:2:"), HasSubstr("rate")));
  EXPECT_THAT(refused_on(100, {"[for]\nhalf.mtu = { at_least = \"1 kB\" }\n" + limit}),
              HasSubstr("a.toml:2:12: unknown key 'half.mtu' (known: half.rate, port.rate, node.rate)"));
  EXPECT_THAT(refused_on(100, {"[for]\nhalf.rate = { at_lest = \"1 Gbit/s\" }\n" + limit}),
              HasSubstr("at_lest"));
  EXPECT_THAT(refused_on(100, {"[for]\nhalf.rate = {}\n" + limit}), HasSubstr("at_least, at_most or both"));
  EXPECT_THAT(refused_on(100, {"[for]\nhalf.rate = { at_least = \"9000 B\" }\n" + limit}),
              HasSubstr("a.toml:2:"));
  EXPECT_THAT(
      refused_on(100, {"[for]\nhalf.rate = { at_least = \"2 Gbit/s\", at_most = \"1 Gbit/s\" }\n" + limit}),
      HasSubstr("below at_least"));
  EXPECT_THAT(refused_on(100, {"[for]\n" + limit}), HasSubstr("names no rate"));
}

}  // namespace
}  // namespace rigproof
