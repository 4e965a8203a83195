// The limits for two Sparks against figures that others have published of theirs: each figure of a sound rig, of its
// settings, too, passes the limit that speaks of it at that size and setup; each faulty rig is red by at least one of
// its figures, or is listed as one whose fault no figure with a limit shows. Rigs on cables of 100 Gbit/s by choice are
// judged as README says: by dgx-spark-100g.toml over dgx-spark-pair.toml. An id that nothing reports, and a value that
// its limit cannot judge, are mistakes of the file.
//
// The figures are those of the file RIGPROOF_PUBLISHED, else of figures.toml beside this file, where the format is told.
// With RIGPROOF_PUBLISHED every figure is printed with its verdict, or with why it has none.
#include <gmock/gmock.h>

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>

#include "fixtures/collective/operation.h"
#include "framework/judge/judgement.h"
#include "framework/limits/limit_table.h"
#include "framework/rig/subjects.h"
#include "tests/published/published_rig.h"

namespace rigproof::published {
namespace {

const char* const kOtherFile = std::getenv("RIGPROOF_PUBLISHED");

std::vector<PublishedRig> published_rigs() {
  return read_rigs(kOtherFile != nullptr ? kOtherFile : RIGPROOF_SOURCE_DIR "/tests/published/figures.toml");
}

// What the suites' sources name as what they report, families ("preflight.sysctl.*") included.
std::set<std::string> declared_by_suites() {
  static const std::regex kReports("\"([a-z0-9_]+(?:\\.[a-z0-9_*-]+)+)\"");
  std::set<std::string> ids;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(RIGPROOF_SOURCE_DIR "/suites")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator one(text.begin(), text.end(), kReports), end; one != end; ++one)
      ids.insert((*one)[1]);
  }
  return ids;
}

bool is_reported(const LimitTable& limits, const std::string& id) {
  static const std::set<std::string> declared = declared_by_suites();
  return limits.find(id) != nullptr ||
         std::ranges::any_of(declared, [&](const std::string& pattern) { return matches_glob(pattern, id); });
}

LimitTable table_of(std::vector<std::filesystem::path> names) {
  for (auto& name : names) name = RIGPROOF_SOURCE_DIR "/thresholds" / name;
  return LimitTable::load(names, Profile::kAcceptance, rig_fact_dimensions());
}
const LimitTable& usual_limits() {
  static const LimitTable table = table_of({"dgx-spark-pair.toml"});
  return table;
}
const LimitTable& limits_at(DataRate cable) {
  static const LimitTable at100 = table_of({"dgx-spark-pair.toml", "dgx-spark-100g.toml"});
  return cable < DataRate::gigabits_per_second(200) ? at100 : usual_limits();
}

// What a figure came to: a verdict, or why it has none. A mistake is the file's.
struct Outcome {
  std::optional<judge::Judgement> judgement = {};
  std::string none_because = {};
  bool mistake = false;
};
Outcome not_judged(std::string why) { return {{}, std::move(why)}; }
Outcome mistaken(std::string why) { return {{}, std::move(why), true}; }

// The facts of a rig file that says so.
Facts facts_of(const Setup& setup) {
  static const Rig pair = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  Facts facts = every_rail_path(pair).front().facts();
  const double rate = setup.cable.bits_per_second();
  facts["half.mtu"] = to_quantity(setup.mtu);
  facts["half.path_mtu"] = to_quantity(roce_path_mtu(setup.mtu));
  facts["half.rate"] = {Dimension::kDataRate, rate / 2};
  facts["port.rate"] = {Dimension::kDataRate, rate};
  for (const char* all : {"node.rate", "paths.rate"})
    if (facts.contains(all)) facts[all] = {Dimension::kDataRate, rate * setup.cables};
  return facts;
}

// The id of the limit that speaks of the figure; or why there is none.
std::string id_for(const PublishedRig& rig, const Figure& figure, std::string& none_because) {
  const std::string& id = figure.limit;
  const auto size = size_in(figure.what);
  const bool is_latency = id.find(".latency") != std::string::npos;
  if (is_of_a_lifetime(figure)) none_because = "counted since a start, not in a run";
  if (id == "phy.collective.port_share" && rig.is_ring)
    none_because = "the ports of a node in a ring lead to different nodes";
  if (size && is_latency && *size > DataSize::bytes(64)) none_because = "a larger message than the limit's";
  if (size && id.starts_with("rdma.") && is_rate(id) && *size < DataSize::kibibytes(64))
    none_because = "a smaller message than the limit's";
  if (size && id.starts_with("collective.nccl.busbw.")) {
    if (*size < DataSize::mebibytes(32)) none_because = "a smaller message than the limit's";
    for (const collective::Operation operation : collective::every_operation())
      if (id == "collective.nccl.busbw." + std::string(name(operation)) && is_large(operation, *size))
        return id + ".large";
  }
  return id == "rdma.write.latency" && rig.is_switched ? id + ".switched" : id;
}

Outcome judged_by_number(const Limit& limit, const Figure& figure, const Setup& setup) {
  std::optional<Quantity> value;
  try {
    value = quantity_of(figure, limit.dimension);
  } catch (const std::invalid_argument& error) {
    return mistaken(error.what());
  }
  if (!value && limit.id.starts_with("preflight.same."))
    if (const std::size_t different = versions_in(figure.published)) value = count(different);
  if (!value) return not_judged("told in words");
  if (value->dimension != limit.dimension)
    return mistaken(
        fmt::format("a {} against a limit of a {}", name(value->dimension), name(limit.dimension)));
  return {judge::judge(limit, {value->dimension, {value->value}}, facts_of(setup))};
}

// By the limits for one of the setups that the rig may have.
Outcome judged_in(const PublishedRig& rig, const Figure& figure, const Setup& setup) {
  std::string none_because;
  const std::string id = id_for(rig, figure, none_because);
  if (!none_because.empty()) return not_judged(none_because);
  const Limit* limit = limits_at(setup.cable).find(id);
  if (limit == nullptr) limit = limits_at(setup.cable).find(figure.limit);
  if (limit == nullptr) return not_judged("has no limit");
  if (!limit->rule) return judged_by_number(*limit, figure, setup);
  if (figure.published.find(' ') != std::string::npos) return not_judged("told in words");
  return {judge::judge(*limit, figure.published)};
}

// Where the file leaves more than one setup open, the one in which the figure looks best.
Outcome outcome_of(const PublishedRig& rig, const Figure& figure) {
  if (figure.limit.empty()) return not_judged("names no limit");
  if (!is_reported(usual_limits(), figure.limit)) return mistaken("nothing reports " + figure.limit);
  std::optional<Outcome> best;
  for (const Setup& setup : rig.setups) {
    const Outcome outcome = judged_in(rig, figure, setup);
    if (!outcome.judgement) return outcome;
    if (!best || outcome.judgement->verdict < best->judgement->verdict) best = outcome;
  }
  return *best;
}

std::string line_of(const Figure& figure, const Outcome& outcome) {
  const std::string about = figure.what + ": " + figure.published;
  if (!outcome.judgement) return about + ": not judged: " + outcome.none_because;
  return fmt::format("{} against {} {}: {}", about, figure.limit, outcome.judgement->limit,
                     name(outcome.judgement->verdict));
}

// A rate that has less than 5 % more than its limit asks for: of a faulty rig a sign that the limit asks too little.
bool is_just_met(const Figure& figure, const judge::Judgement& judgement) {
  return is_rate(figure.limit) && judgement.bounds.at_least &&
         judgement.value < 1.05 * *judgement.bounds.at_least;
}

class Published : public testing::TestWithParam<PublishedRig> {};

TEST_P(Published, IsJudgedAsItsSourceSays) {
  const PublishedRig& rig = GetParam();
  std::string lines, just_met;
  bool red = false;
  for (const Figure& figure : rig.figures) {
    const Outcome outcome = outcome_of(rig, figure);
    lines += "\n  " + line_of(figure, outcome);
    EXPECT_FALSE(outcome.mistake) << rig.id << ": " << line_of(figure, outcome);
    if (!outcome.judgement) continue;
    const bool failed = outcome.judgement->verdict == judge::Verdict::kFail;
    red = red || failed;
    if (is_just_met(figure, *outcome.judgement)) just_met += "\n  " + line_of(figure, outcome);
    if (rig.sound == "true") {
      EXPECT_FALSE(failed) << rig.id << ": " << line_of(figure, outcome);
    }
    EXPECT_NE(outcome.judgement->verdict, judge::Verdict::kError)
        << rig.id << ": " << line_of(figure, outcome) << ": " << outcome.judgement->reason;
  }
  if (kOtherFile != nullptr) std::cout << rig.id << " (sound: " << rig.sound << ')' << lines << '\n';
  if (rig.sound != "false" || red) return;
  EXPECT_EQ(just_met, "") << rig.id << " is faulty (" << rig.reason << "), and just meets these limits";
  if (!just_met.empty()) return;
  RecordProperty("no_figure_shows", rig.reason);
  std::cout << "no figure with a limit shows it: " << rig.id << ": " << rig.reason << lines << '\n';
}

INSTANTIATE_TEST_SUITE_P(Rigs, Published, testing::ValuesIn(published_rigs()), [](const auto& info) {
  return std::to_string(info.index) + "_" +
         std::regex_replace(info.param.id, std::regex("[^A-Za-z0-9]+"), "_");
});

TEST(PublishedFigures, AreThere) {
  const auto rigs = published_rigs();
  EXPECT_FALSE(rigs.empty());
  for (const PublishedRig& rig : rigs) {
    EXPECT_FALSE(rig.id.empty());
    EXPECT_THAT(rig.sound, testing::AnyOf("true", "false", "unknown")) << rig.id;
    EXPECT_FALSE(rig.figures.empty()) << rig.id;
  }
}

TEST(PublishedFigure, IsOfALimitThatSomethingReports) {
  for (const char* id : {"preflight.rate", "preflight.same.board", "rdma.write.rate.half"})
    EXPECT_TRUE(is_reported(usual_limits(), id)) << id;
  for (const char* id : {"link.rate", "preflight.speed", "rdma.active_mtu", "rdma.write.rate"})
    EXPECT_FALSE(is_reported(usual_limits(), id)) << id;
}

// One rig of one figure, judged.
std::string verdict(const std::string& rig, const std::string& figure) {
  const auto rigs = parse_rigs("[[rig]]\n" + rig + "\n[[rig.figure]]\npublished = \"x\"\n" + figure);
  const Outcome outcome = outcome_of(rigs.at(0), rigs.at(0).figures.at(0));
  if (outcome.mistake) return "mistake: " + outcome.none_because;
  return outcome.judgement ? std::string(name(outcome.judgement->verdict)) : outcome.none_because;
}
std::string rate(const char* limit, double value) {
  return fmt::format("limit = \"{}\"\nvalue = {}\nunit = \"Gbit/s\"", limit, value);
}

TEST(PublishedCable, Of100GigabitsByChoiceIsJudgedByItsOwnLimits) {
  for (const char* sound : {"sound = \"true\"\nhardware = \"2 x GB10, one 100 GbE QSFP28 cable\"",
                            "sound = \"true\"\nsetup = \"MTU 9000, a cable of 100 Gbit/s by choice\"",
                            "sound = \"true\"\nsetup = \"all ports at 100G\"",
                            "sound = true\nhardware = \"2 x DGX Spark, MikroTik CRS504\""}) {
    EXPECT_EQ(verdict(sound, rate("rdma.write.rate.port", 95)), "pass") << sound;
    EXPECT_EQ(verdict(sound, rate("tcp.rate.node", 85)), "pass") << sound;
    EXPECT_EQ(verdict(sound, rate("tcp.rate.node", 170)), "pass") << sound << ": two cables";
    EXPECT_EQ(verdict(sound, rate("tcp.rate.half", 87.3)), "pass") << sound;
    EXPECT_EQ(verdict(sound, rate("collective.nccl.busbw.all_reduce", 75)), "pass") << sound;
    EXPECT_EQ(verdict(sound, rate("rdma.write.rate.port", 60)), "fail") << sound;
  }
}
TEST(PublishedCable, Of100GigabitsIsAFaultWhereNobodyChoseIt) {
  const std::string faulty =
      "sound = \"false\"\nhardware = \"2 x GB10, a switch\"\nsetup = \"came up at 100G\"";
  EXPECT_EQ(verdict(faulty, rate("link.rate", 100)), "fail");
  EXPECT_EQ(verdict(faulty, rate("rdma.write.rate.port", 95)), "fail");
  const std::string bought = "sound = \"false\"\nhardware = \"2 x GB10, a cable of 100 Gbit/s\"";
  EXPECT_EQ(verdict(bought, rate("link.rate", 100)), "pass");
  EXPECT_EQ(verdict(bought, rate("rdma.write.rate.port", 13)), "fail");
}
// Pairs on one port at 200G, the other port through a switch at 100G.
TEST(PublishedCable, MayBeOneOfTwoThatDiffer) {
  const std::string both = "sound = \"true\"\nhardware = \"pairs on port 0 (200G), all on port 1 at 100G\"";
  EXPECT_EQ(verdict(both, rate("rdma.write.rate.port", 196)), "pass");
  EXPECT_EQ(verdict(both, rate("rdma.write.rate.port", 97)), "pass");
  EXPECT_EQ(verdict(both, rate("rdma.write.rate.port", 150)), "fail");
  EXPECT_EQ(verdict("sound = \"true\"\nsetup = \"100 GB of memory free\"", rate("rdma.write.rate.port", 97)),
            "fail");
}

TEST(PublishedSetup, NamesAnMtu) {
  const auto is = [](const char* words, double active, const char* sound = "true") {
    return verdict(fmt::format("sound = \"{}\"\nsetup = \"{}\"", sound, words),
                   fmt::format("limit = \"rdma.active_mtu\"\nvalue = {}\nunit = \"B\"", active));
  };
  for (const char* words : {"netplan without mtu (1500), RDMA MTU 1024", "RDMA MTU 1024; ib_write_bw -q 4",
                            "mtu=1500", "MTU of 1,500", "1500-byte MTU", "nothing said"})
    EXPECT_EQ(is(words, 1024), "pass") << words;
  for (const char* words : {"RDMA MTU 4096, MTU 6000", "MTU: 9000", "9000 MTU", "jumbo frames"})
    EXPECT_EQ(is(words, 1024), "fail") << words;
  EXPECT_EQ(is("nothing said", 1024, "false"), "fail");
  EXPECT_EQ(is("path MTU 4096", 4096), "pass");
  for (const char* mtu : {"preflight.mtu", "mtu.path", "mtu.netdev"})
    EXPECT_EQ(verdict("sound = \"true\"", fmt::format("limit = \"{}\"\nvalue = 4200\nunit = \"B\"", mtu)),
              "pass");
}
TEST(PublishedHardware, NamesASwitchOrARing) {
  const auto latency = [](const char* hardware) {
    return verdict(fmt::format("sound = \"true\"\nhardware = \"{}\"", hardware),
                   "limit = \"rdma.write.latency\"\nvalue = 2400\nunit = \"ns\"");
  };
  for (const char* switched :
       {"4 x DGX Spark, MikroTik CRS812", "4 x DGX Spark, a switch", "3 x GB10, SN3700"})
    EXPECT_EQ(latency(switched), "marginal") << switched;
  for (const char* straight :
       {"2 x DGX Spark, one cable", "2 x GB10, no switch", "3 x GB10, switchless ring"})
    EXPECT_EQ(latency(straight), "fail") << straight;
  const char* const share = "limit = \"phy.collective.port_share\"\nvalue = 1\nunit = \"%\"";
  EXPECT_EQ(verdict("sound = \"true\"\nhardware = \"3 x DGX Spark, ring\"", share),
            "the ports of a node in a ring lead to different nodes");
  EXPECT_EQ(verdict("sound = \"true\"\nhardware = \"2 x DGX Spark\"", share), "fail");
}

TEST(PublishedFigure, HasAUnitOfItsLimit) {
  const auto is = [](const char* limit, const char* value, const char* unit) {
    return verdict("sound = \"true\"",
                   fmt::format("limit = \"{}\"\nvalue = {}\nunit = \"{}\"", limit, value, unit));
  };
  for (const auto& [value, unit] :
       {std::pair("1740", "ns"), std::pair("1.74", "us"), std::pair("1.74", "usec"),
        std::pair("0.00174", "ms"), std::pair("1.74e-6", "s")})
    EXPECT_EQ(is("rdma.write.latency", value, unit), "pass") << value << unit;
  EXPECT_EQ(is("rdma.write.rate.half", "109000", "Mb/s"), "pass");
  EXPECT_EQ(is("rdma.write.rate.half", "13334", "MiB/s"), "pass");
  EXPECT_EQ(is("rdma.write.rate.half", "109", "Gbps"), "pass");
  EXPECT_EQ(is("rdma.write.rate.half", "111.71", "Gb/sec"), "pass");
  EXPECT_EQ(is("preflight.module_celsius", "41", "celsius"), "pass");
  EXPECT_EQ(is("preflight.pcie.lanes", "4", ""), "pass");
  EXPECT_EQ(is("preflight.pcie.lanes", "2", "lanes"), "fail");
  EXPECT_EQ(is("preflight.pcie.lane_rate", "32", "GT/s"), "pass");
  EXPECT_EQ(is("host.gpu.clock", "2411", "MHz"), "pass");
  EXPECT_EQ(is("host.gpu.clock", "0.3", "ratio"), "fail");
  EXPECT_EQ(is("rdma.write.rate.half", "109", "furlongs"),
            "mistake: 'furlongs' is not a unit of a data rate");
  EXPECT_EQ(is("rdma.write.rate.half", "109", ""), "mistake: '' is not a unit of a data rate");
  EXPECT_EQ(is("rdma.write.rate.half", "109", "us"), "mistake: a time against a limit of a data rate");
  EXPECT_EQ(is("rdma.speed", "109", "Gbit/s"), "mistake: nothing reports rdma.speed");
  EXPECT_EQ(is("rdma.write.rate.half", "\"109\"", "Gbit/s"), "told in words");
  EXPECT_EQ(is("", "109", "furlongs"), "names no limit");
}
TEST(PublishedFigure, OfAnotherSizeThanItsLimitsIsNotJudged) {
  const auto is = [](const char* what, const char* limit, const char* value, const char* unit) {
    return verdict("sound = \"true\"", fmt::format("what = \"{}\"\nlimit = \"{}\"\nvalue = {}\nunit = \"{}\"",
                                                   what, limit, value, unit));
  };
  const char* const smaller = "a smaller message than the limit's";
  EXPECT_EQ(is("all_reduce busbw, 1 MiB", "collective.nccl.busbw.all_reduce", "2.9", "GB/s"), smaller);
  EXPECT_EQ(is("all_gather busbw, 16 GiB", "collective.nccl.busbw.all_gather", "17", "GB/s"), "fail");
  EXPECT_EQ(is("all_gather busbw, 1 GiB", "collective.nccl.busbw.all_gather", "17", "GB/s"), "pass");
  EXPECT_EQ(is("ib_write_bw 4 KiB", "rdma.write.rate.half", "40", "Gbit/s"), smaller);
  EXPECT_EQ(is("ib_write_bw 64 KiB", "rdma.write.rate.half", "40", "Gbit/s"), "fail");
  EXPECT_EQ(is("ib_write_lat 1 MiB", "rdma.write.latency", "80", "us"), "a larger message than the limit's");
  EXPECT_EQ(is("ib_write_lat 8 B", "rdma.write.latency", "80", "us"), "fail");
  EXPECT_EQ(is("roce_adp_retrans since the start", "rdma.retries", "99490", "count"),
            "counted since a start, not in a run");
}

}  // namespace
}  // namespace rigproof::published
