// Every bound of every thresholds file, in every profile, decides: a value just inside passes and one just outside fails,
// and one on the limit's side of its marginal band is marked, by the judge of the product and the facts of the rig that the
// file is for. The bounds themselves are approved texts
// (tests/golden/limits), so that a limit that is lost, or a bound that was changed in passing, is seen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "fixtures/emulated_rigs/model_rig/layout.h"
#include "fixtures/emulated_rigs/roce_vm_rig/layout.h"
#include "framework/judge/judgement.h"
#include "framework/limits/limit_table.h"
#include "framework/record/measured.h"
#include "framework/rig/subjects.h"
#include "tests/support/golden.h"
#include "tests/thresholds/every_file.h"

namespace rigproof {
namespace {

namespace fs = std::filesystem;

constexpr std::array kProfiles{Profile::kSmoke, Profile::kStandard, Profile::kAcceptance};

// The rig that a thresholds file is for.
Rig rig_of(const fs::path& file) {
  const std::string name = file.stem();
  if (name.starts_with("dgx-spark-")) return load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  if (name.starts_with("roce-hosts")) return load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/roce_hosts_pair.toml");
  if (name == "model-rig") return read_rig(toml::Document::parse(model_rig::rig_text({}), "model-rig"));
  if (name == "roce-vm-rig") return read_rig(toml::Document::parse(roce_vm_rig::rig_text(2), "roce-vm-rig"));
  throw std::runtime_error(file.string() + " has no example rig: name one here");
}

// What the product says of one value, or one text. Advice and informative limits are judged as if they decided.
judge::Verdict verdict(Limit limit, double value, const Facts& facts) {
  limit.enforce = Enforce::kRequired;
  limit.also.clear();
  return judge::judge(limit, SampleSet{limit.dimension, {value}}, facts).verdict;
}
judge::Verdict verdict(Limit limit, const std::string& text) {
  limit.enforce = Enforce::kRequired;
  return judge::judge(limit, text).verdict;
}

bool passes(judge::Verdict verdict) {
  return verdict == judge::Verdict::kPass || verdict == judge::Verdict::kMarginal;
}

// The facts of the first subject of the rig that has all that the limit's bounds are parts of.
std::optional<Facts> facts_for(const Limit& limit, const Rig& rig) {
  std::vector<std::string> named;
  for (const auto& bound : {limit.at_least, limit.at_most, limit.equals, limit.marginal})
    if (bound && std::holds_alternative<RelativeBound>(bound->value))
      named.push_back(std::get<RelativeBound>(bound->value).fact);
  for (const auto& [name, subject] : every_subject(rig)) {
    const auto facts = subject.facts();
    if (std::ranges::all_of(named, [&](const std::string& fact) { return facts.contains(fact); }))
      return facts;
  }
  return {};
}

double value_of(const Bound& bound, const Facts& facts) {
  if (const auto* quantity = std::get_if<Quantity>(&bound.value)) return quantity->value;
  const auto& part = std::get<RelativeBound>(bound.value);
  return part.factor * facts.at(part.fact).value;
}

// The nearest value that differs from a bound: one more of what is counted, a millionth of what is measured.
double step_from(double bound, Dimension dimension) {
  const bool counted = dimension == Dimension::kCount || dimension == Dimension::kDataSize;
  if (counted && bound == std::round(bound)) return 1;
  return bound == 0 ? 1e-6 : std::abs(bound) * 1e-6;
}

void expect_inside(const Limit& limit, double value, const Facts& facts) {
  EXPECT_TRUE(passes(verdict(limit, value, facts)))
      << to_text(limit.where) << ": " << limit.id << " at " << value;
}
// Rates, sizes, times, counts and ratios are never negative: what only a negative value misses, nothing misses.
void expect_outside(const Limit& limit, double value, const Facts& facts) {
  EXPECT_GE(value, 0) << to_text(limit.where) << ": " << limit.id << ": nothing can miss this bound";
  EXPECT_EQ(verdict(limit, value, facts), judge::Verdict::kFail)
      << to_text(limit.where) << ": " << limit.id << " at " << value;
}

// The edge of the marginal band passes; what is nearer to the limit passes, too, and is marked.
void expect_margin_decides(const Limit& limit, const Facts& facts) {
  const double at = value_of(*limit.marginal, facts), step = step_from(at, limit.dimension);
  EXPECT_EQ(verdict(limit, at, facts), judge::Verdict::kPass)
      << to_text(limit.where) << ": " << limit.id << " at " << at;
  EXPECT_EQ(verdict(limit, at + (limit.at_least ? -step : step), facts), judge::Verdict::kMarginal)
      << to_text(limit.where) << ": " << limit.id << " beside " << at;
}

void expect_bounds_decide(const Limit& limit, const Rig& rig) {
  const auto facts = facts_for(limit, rig);
  ASSERT_TRUE(facts) << to_text(limit.where) << ": " << limit.id
                     << ": nothing in the rig has the facts of its bounds";
  for (const auto& [bound, way] : {std::pair{limit.at_least, -1}, std::pair{limit.at_most, +1}}) {
    if (!bound) continue;
    const double at = value_of(*bound, *facts), step = step_from(at, limit.dimension);
    expect_inside(limit, at, *facts);
    expect_outside(limit, at + way * step, *facts);
  }
  if (limit.equals) {
    const double at = value_of(*limit.equals, *facts), step = step_from(at, limit.dimension);
    expect_inside(limit, at, *facts);
    expect_outside(limit, at + step, *facts);
    if (at > 0) expect_outside(limit, std::max(0.0, at - step), *facts);
  }
  if (limit.marginal) expect_margin_decides(limit, *facts);
  for (const FurtherBounds& more : limit.also) {
    Limit alone = limit;
    alone.at_least = more.at_least;
    alone.at_most = more.at_most;
    alone.statistic = more.statistic;
    alone.marginal = more.marginal;
    alone.also.clear();
    expect_bounds_decide(alone, rig);
  }
}

// A text that a pattern of one_of stands for.
std::string example_of(std::string pattern) {
  std::ranges::replace_if(
      pattern, [](char c) { return c == '*' || c == '?'; }, 'x');
  return pattern;
}

// "28.45.1200" -> "28.45.1199" or "28.45.1201": the neighbour in its last number.
std::string version_beside(const std::string& version, int step) {
  const auto begin = version.find_last_not_of("0123456789") + 1;
  return version.substr(0, begin) + std::to_string(std::stol(version.substr(begin)) + step);
}

void expect_rule_decides(const Limit& limit) {
  const TextRule& rule = *limit.rule;
  for (const std::string& pattern : rule.one_of)
    EXPECT_TRUE(passes(verdict(limit, example_of(pattern))))
        << to_text(limit.where) << ": " << limit.id << " of " << pattern;
  if (!rule.one_of.empty()) {
    EXPECT_EQ(verdict(limit, "none of these"), judge::Verdict::kFail)
        << to_text(limit.where) << ": " << limit.id;
    EXPECT_EQ(verdict(limit, ""), judge::Verdict::kFail) << to_text(limit.where) << ": " << limit.id;
  }
  if (const std::string& version = rule.at_least_version; !version.empty()) {
    EXPECT_TRUE(passes(verdict(limit, version))) << to_text(limit.where) << ": " << limit.id;
    EXPECT_TRUE(passes(verdict(limit, version_beside(version, +1))))
        << to_text(limit.where) << ": " << limit.id;
    EXPECT_EQ(verdict(limit, version_beside(version, -1)), judge::Verdict::kFail)
        << to_text(limit.where) << ": " << limit.id;
  }
}

TEST(BothSides, OfEveryBoundDecide) {
  for (const fs::path& file : every_file()) {
    const Rig rig = rig_of(file);
    for (const Profile profile : kProfiles) {
      const LimitTable table = LimitTable::load({file}, profile, rig_fact_dimensions());
      for (const Limit& limit : table.limits())
        limit.rule ? expect_rule_decides(limit) : expect_bounds_decide(limit, rig);
    }
  }
}

std::string line_of(const Limit& limit) {
  std::string text = limit.is_required() ? "required" : limit.is_advice() ? "advice" : "informative";
  if (limit.rule) return text + ", " + to_text(*limit.rule);
  for (const auto& [word, bound] :
       {std::pair{"at_least", limit.at_least}, std::pair{"at_most", limit.at_most},
        std::pair{"equals", limit.equals}, std::pair{"marginal", limit.marginal}})
    if (bound) text += fmt::format(", {} {}", word, bound->text);
  text += limit.at_least || limit.at_most ? fmt::format(", {}", name(limit.statistic)) : "";
  for (const FurtherBounds& more : limit.also)
    for (const auto& [word, bound] :
         {std::pair{"at_least", more.at_least}, std::pair{"at_most", more.at_most},
          std::pair{"marginal", more.marginal}})
      if (bound)
        text += fmt::format(", {} {} {}{}", name(more.statistic), word, bound->text,
                            more.at ? " " + to_text(record::at(*more.at)) : "");
  return text;
}

// A line per limit, and one more for each profile in which it differs from the standard one.
std::string table_of(const fs::path& file) {
  std::map<std::string, std::map<Profile, std::string>> limits;
  for (const Profile profile : kProfiles) {
    const LimitTable table = LimitTable::load({file}, profile, rig_fact_dimensions());
    for (const Limit& limit : table.limits()) limits[limit.id][profile] = line_of(limit);
  }
  std::string text;
  for (const auto& [id, profiles] : limits) {
    const auto standard = profiles.find(Profile::kStandard);
    text += fmt::format("{}: {}\n", id, standard == profiles.end() ? "-" : standard->second);
    for (const Profile profile : {Profile::kSmoke, Profile::kAcceptance}) {
      const auto other = profiles.find(profile);
      const std::string bounds = other == profiles.end() ? "-" : other->second;
      if (standard == profiles.end() || bounds != standard->second)
        text += fmt::format("  {}: {}\n", name(profile), bounds);
    }
  }
  return text;
}

TEST(BothSides, AreThoseThatWereApproved) {
  for (const fs::path& file : every_file())
    expect_approved("limits/" + file.stem().string() + ".txt", table_of(file));
}

}  // namespace
}  // namespace rigproof
