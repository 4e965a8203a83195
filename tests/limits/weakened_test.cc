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

const FactDimensions kRateFacts = {{"half.rate", Dimension::kDataRate}, {"port.rate", Dimension::kDataRate}};
const Facts kHalf = {{"half.rate", {Dimension::kDataRate, 1e9}}};

std::string limit_of(std::string_view lines, std::string_view id = "a") {
  return fmt::format(
      "[[limit]]\nid = '{}'\n{}\nbasis = {{ kind = 'policy', source = 'us', quote = 'so' }}\nremedy.check = "
      "'look'\n",
      id, lines);
}

std::vector<std::string> weakened(const std::vector<std::string>& texts, const std::vector<Facts>& rig = {}) {
  std::vector<toml::Document> files;
  for (const std::string& text : texts)
    files.push_back(toml::Document::parse(text, fmt::format("{}.toml", files.size())));
  std::vector<std::string> found;
  for (const Weakened& one : weakened_limits(files, Profile::kStandard, kRateFacts, rig))
    found.push_back(to_text(one));
  return found;
}

// The lines of a limit, and those of a later file.
struct Change {
  const char *before, *after;
};

constexpr Change kWeaker[] = {
    {"at_least = '5 B'", "at_least = '4 B'"},
    {"at_most = '5 B'", "at_most = '6 B'"},
    {"at_least = '5 B'\nat_most = '9 B'", "at_least = '5 B'"},
    {"equals = '5 B'", "equals = '6 B'"},
    {"equals = '5 B'", "at_least = '5 B'"},
    {"at_least = '5 B'", "at_least = '5 B'\nenforce = 'advice'"},
    {"at_least = '5 B'\nenforce = 'advice'", "at_least = '5 B'\nenforce = 'informative'"},
    {"at_least = '5 B'\nstatistic = 'min'", "at_least = '5 B'"},
    {"at_least = '5 B'\nalso = [{ statistic = 'mean', at_least = '4 B' }]", "at_least = '5 B'"},
    {"at_least = '5 B'\nalso = [{ statistic = 'mean', at_least = '4 B' }]",
     "at_least = '5 B'\nalso = [{ statistic = 'mean', at_least = '3 B' }]"},
    {"at_least = '5 B'\nalso = [{ statistic = 'mean', at_most = '9 B' }]",
     "at_least = '5 B'\nalso = [{ statistic = 'mean', at_least = '5 B' }]"},
    {"at_most = '5 B'", "at_most = '5 B'\nalso = [{ at = '1 KiB', at_most = '6 B' }]"},
    {"at_most = '5 B'\nalso = [{ at = '1 KiB', at_most = '4 B' }]", "at_most = '5 B'"},
    {"unit = 'B'\nalso = [{ at = '1 KiB', at_most = '4 B' }]",
     "unit = 'B'\nalso = [{ at = '2 KiB', at_most = '4 B' }]"},
    {"one_of = ['RS']", "one_of = ['RS', 'Off']"},
    {"at_least_version = '28.45'", "at_least_version = '28.44'"},
    {"at_least_version = '28.45'", "one_of = ['1']"},
    // Comparisons of runs let more pass.
    {"at_least = '5 B'\ngate = true", "at_least = '5 B'"},
    {"at_least = '5 B'", "at_least = '5 B'\ntolerance = '6 %'"},
    {"at_least = '5 B'", "at_least = '5 B'\ntolerance = '1 B'"},
    {"at_least = '5 B'", "at_least = '5 B'\nbetter = 'lower'"},
    // Without a rig nobody can say which is more: a person is told.
    {"at_least = '95 % of half.rate'", "at_least = '95 % of port.rate'"},
    {"at_least = '95 % of half.rate'", "at_least = '1 Gbit/s'"},
};

constexpr Change kAsStrong[] = {
    {"at_least = '5 B'", "at_least = '5 B'"},
    {"at_least = '5 B'", "at_least = '6 B'\nat_most = '9 B'"},
    {"at_least = '95 % of half.rate'", "at_least = '96 % of half.rate'"},
    {"at_most = '5 B'", "at_most = '4 B'"},
    {"at_least = '5 B'", "at_least = '5 B'\nalso = [{ statistic = 'mean', at_least = '4 B' }]"},
    {"at_least = '5 B'\nalso = [{ statistic = 'mean', at_least = '4 B' }]",
     "at_least = '5 B'\nalso = [{ statistic = 'mean', at_least = '4.5 B' }]"},
    {"at_most = '5 B'", "at_most = '5 B'\nalso = [{ at = '1 KiB', at_most = '4 B' }]"},
    {"at_most = '9 B'\nalso = [{ at = '1 KiB', at_most = '4 B' }]", "at_most = '4 B'"},
    {"at_least = '5 B'", "equals = '6 B'"},
    {"at_least = '5 B'", "equals = '5 B'"},
    {"one_of = ['RS', 'Off']", "one_of = ['RS']"},
    {"at_least_version = '28.45'", "at_least_version = '28.46'"},
    {"at_least = '5 B'\nenforce = 'informative'", "at_least = '1 B'"},
    {"at_least = '5 B'", "at_least = '5 B'\ngate = true\ntolerance = '4 %'"},
    {"at_least = '5 B'\nenforce = 'advice'", "at_least = '5 B'\nenforce = 'advice'\ntolerance = '9 %'"},
};

std::vector<std::string> weakened_by(const Change& change) {
  return weakened({limit_of(change.before), limit_of(change.after)});
}

TEST(Weakened, SaysWhatItWasAndWhatItIs) {
  EXPECT_THAT(
      weakened({limit_of("at_least = '5 B'\nat_most = '9 B'"),
                limit_of("at_least = '5 B'\nat_most = '9 B'\nenforce = 'informative'")}),
      ElementsAre("a: >= 5 B and <= 9 B (0.toml:1) is now >= 5 B and <= 9 B, informative only (1.toml:1)"));
  EXPECT_THAT(weakened({limit_of("at_least = '5 B'"), limit_of("at_least = '5 B'\nprofiles = ['smoke']")}),
              ElementsAre("a: >= 5 B (0.toml:1) is now no limit in profile standard (1.toml:1)"));
}

TEST(Weakened, IsWhatMayPassThatDidNot) {
  for (const Change& change : kWeaker)
    EXPECT_THAT(weakened_by(change), SizeIs(1)) << change.before << "\n-> " << change.after;
}

TEST(Weakened, IsNotWhatAsksAsMuchOrMore) {
  for (const Change& change : kAsStrong)
    EXPECT_THAT(weakened_by(change), IsEmpty()) << change.before << "\n-> " << change.after;
}

TEST(Weakened, SaysWhatAComparisonLetsPass) {
  EXPECT_THAT(
      weakened({limit_of("at_least = '5 B'\ngate = true\ntolerance = '2 %'"), limit_of("at_least = '6 B'")}),
      ElementsAre("a: gate = true, a tolerance of 2 % of base, higher is better (0.toml:1) is now a "
                  "tolerance of 5 % of base, higher is better (1.toml:1)"));
}

TEST(Weakened, TheProfileOfTheRunCounts) {
  const std::string limits = limit_of("at_least = '5 B'"),
                    here = limits + "[limit.profile.standard]\nat_least = '4 B'\n",
                    elsewhere = limits + "[limit.profile.smoke]\nat_least = '4 B'\n";
  EXPECT_THAT(weakened({limits, here}), ElementsAre("a: >= 5 B (0.toml:1) is now >= 4 B (1.toml:1)"));
  EXPECT_THAT(weakened({limits, elsewhere}), IsEmpty());
  EXPECT_THAT(weakened({here, limits}), IsEmpty());
  EXPECT_THAT(weakened({limits, limits + "[limit.profile.standard]\nenforce = 'advice'\n"}), SizeIs(1));
}

TEST(Weakened, ARigCompares) {
  const std::string part = limit_of("at_least = '95 % of half.rate'");
  EXPECT_THAT(weakened({part, limit_of("at_least = '1 Gbit/s'")}, {kHalf}), IsEmpty());
  EXPECT_THAT(weakened({part, limit_of("at_least = '0.9 Gbit/s'")}, {kHalf}), SizeIs(1));
  EXPECT_THAT(weakened({part, limit_of("at_least = '1 Gbit/s'")},
                       {kHalf, {{"half.rate", {Dimension::kDataRate, 2e9}}}}),
              SizeIs(1));
  EXPECT_THAT(weakened({part, limit_of("at_least = '1 % of port.rate'")}, {kHalf}), SizeIs(1));
}

TEST(Weakened, TheLastFileCounts) {
  const std::string strict = limit_of("at_least = '5 B'"), weak = limit_of("at_least = '1 B'");
  EXPECT_THAT(weakened({strict, weak, strict}), IsEmpty());
  EXPECT_THAT(weakened({limit_of("at_least = '3 B'"), strict, limit_of("at_least = '4 B'"),
                        limit_of("at_most = '1 B'", "b")}),
              ElementsAre("a: >= 5 B (1.toml:1) is now >= 4 B (2.toml:1)"));
  EXPECT_THAT(weakened({strict}), IsEmpty());
}

}  // namespace
}  // namespace rigproof
