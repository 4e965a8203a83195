// The limits for two Sparks against figures that others have published of theirs: each figure of a sound rig, of its
// settings, too, passes the limit that speaks of it at that size and setup; each faulty rig is red by at least one of
// its figures, or is listed as one whose fault no figure with a limit shows. An id that nothing reports is a mistake of
// the file.
//
// The figures are those of the file RIGPROOF_PUBLISHED, else of figures.toml beside this file, where the format is told.
#include <gmock/gmock.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "fixtures/collective/operation.h"
#include "framework/judge/judgement.h"
#include "framework/limits/limit_table.h"
#include "framework/rig/subjects.h"

namespace rigproof {
namespace {

struct Figure {
  std::string what, limit, published;
  std::optional<Quantity> value;
  bool unreadable = false;  // has a value, but in no unit that is known here
};
struct PublishedRig {
  std::string id, sound, reason, setup;
  bool switched = false;
  std::vector<Figure> figures;
};

[[maybe_unused]] void PrintTo(const PublishedRig& rig, std::ostream* out) { *out << rig.id; }

std::string file_of_figures() {
  const char* named = std::getenv("RIGPROOF_PUBLISHED");
  return named != nullptr ? named : RIGPROOF_SOURCE_DIR "/tests/published/figures.toml";
}

std::string text_in(const ::toml::table& table, const char* key) {
  return table[key].value_or(std::string());
}

// What figures files call limits by names that they had once.
std::string id_of_today(const std::string& id) {
  static const std::map<std::string, std::string> kOnce{{"link.rate", "preflight.rate"},
                                                        {"rdma.active_mtu", "preflight.rdma.active_mtu"}};
  const auto found = kOnce.find(id);
  return found == kOnce.end() ? id : found->second;
}

// "41 celsius" as the limit counts degrees, "2411 MHz" as a share of a GB10's highest clock, "0.5 ratio" as a share.
std::string in_known_unit(const std::string& limit, double value, const std::string& unit) {
  constexpr double kHighestClock = 3003;  // MHz
  std::ostringstream text;
  text.precision(15);
  if (unit == "celsius")
    text << value << " count";
  else if (unit == "ratio")
    text << 100 * value << " %";
  else if (unit == "MHz" && limit == "host.gpu.clock")
    text << 100 * value / kHighestClock << " %";
  else
    text << value << ' ' << unit;
  return text.str();
}

// Of figures with a limit alone: the units of others are not all known here.
Figure figure_in(const ::toml::table& table) {
  Figure figure{
      text_in(table, "what"), id_of_today(text_in(table, "limit")), text_in(table, "published"), {}};
  const auto value = table["value"].value<double>();
  if (!value || figure.limit.empty()) return figure;
  try {
    figure.value = parse_quantity(in_known_unit(figure.limit, *value, text_in(table, "unit")));
  } catch (const std::invalid_argument&) {
    figure.unreadable = true;
  }
  return figure;
}

// Whether a switch is on the way, by the words of the hardware: "6 x GB10, two CRS812".
bool is_switched(const std::string& hardware) {
  static const std::regex kSwitch("\\b(switch|CRS\\d)", std::regex::icase);
  return std::regex_search(hardware, kSwitch);
}

std::vector<PublishedRig> published_rigs() {
  std::vector<PublishedRig> rigs;
  const ::toml::table file = ::toml::parse_file(file_of_figures());
  const ::toml::array* listed = file["rig"].as_array();
  if (listed == nullptr) return rigs;
  for (const ::toml::node& node : *listed) {
    const ::toml::table& table = *node.as_table();
    PublishedRig rig{text_in(table, "id"),
                     text_in(table, "sound"),
                     text_in(table, "reason"),
                     text_in(table, "setup"),
                     is_switched(text_in(table, "hardware")),
                     {}};
    if (const ::toml::array* figures = table["figure"].as_array())
      for (const ::toml::node& figure : *figures) rig.figures.push_back(figure_in(*figure.as_table()));
    rigs.push_back(std::move(rig));
  }
  return rigs;
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

// The netdevs' MTU by the words of a setup: "netplan without mtu (1500), RDMA MTU 1024". Where it names RDMA's alone,
// one that RDMA's follows from.
double netdev_mtu(const std::string& setup) {
  static const std::regex kMtu("(RDMA |rdma )?\\bMTU \\(?(\\d{3,5})", std::regex::icase);
  double mtu = 9000;
  for (std::sregex_iterator one(setup.begin(), setup.end(), kMtu), end; one != end; ++one) {
    const double told = std::stod((*one)[2]);
    if (!(*one)[1].matched) return told;
    if (told <= 1024) mtu = 1500;
  }
  return mtu;
}

// "all_gather busbw, 16 GB", "16G" as nccl-tests is told it, 16 GiB; or the bytes of its table. A "200G" is a link.
std::optional<DataSize> size_in(const std::string& what) {
  static const std::regex kSize(
      "\\b(\\d+(?:\\.\\d+)?)(?: ?([KMG])i?B|([KMG])| ?(?:B|bytes))(?![A-Za-z0-9/])");
  constexpr double kLargest = 137438953472.0;  // 128 GiB, a Spark's memory
  for (std::sregex_iterator one(what.begin(), what.end(), kSize), end; one != end; ++one) {
    const std::string unit = (*one)[2].str() + (*one)[3].str();
    const double scale = unit == "K" ? 1024 : unit == "M" ? 1048576 : unit == "G" ? 1073741824 : 1;
    const double bytes = std::stod((*one)[1]) * scale;
    if (bytes <= kLargest) return DataSize::bytes(static_cast<std::uint64_t>(bytes));
  }
  return std::nullopt;
}

class Published : public testing::TestWithParam<PublishedRig> {
 protected:
  static void SetUpTestSuite() {
    rig_ = new Rig(load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml"));
    limits_ = new LimitTable(LimitTable::load({RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-pair.toml"},
                                              Profile::kAcceptance, rig_fact_dimensions()));
  }

  // What the rig file says: of a sound rig, whatever its owner chose.
  [[nodiscard]] static Facts facts() {
    Facts facts = every_rail_path(*rig_).front().facts();
    facts["half.mtu"] =
        to_quantity(DataSize::bytes(static_cast<std::uint64_t>(netdev_mtu(GetParam().setup))));
    if (GetParam().sound != "true") return facts;
    for (const Figure& figure : GetParam().figures) {
      if (figure.value && figure.limit == "preflight.rate") facts["port.rate"] = *figure.value;
      if (figure.value && figure.limit == "preflight.mtu") facts["half.mtu"] = *figure.value;
    }
    return facts;
  }

  // The limit that speaks of the figure; null when none does.
  [[nodiscard]] static const Limit* limit_of(const Figure& figure) {
    const std::string id = figure.limit;
    if (id == "rdma.write.latency" && GetParam().switched) return limits_->find(id + ".switched");
    if (const auto size = size_in(figure.what); size && id.starts_with("collective.nccl.busbw.")) {
      constexpr DataSize kSmallest = DataSize::mebibytes(32);  // that a sweep has on a Spark
      if (*size < kSmallest) return nullptr;
      for (const collective::Operation operation : collective::every_operation())
        if (id == fmt_id(operation) && is_large(operation, *size))
          if (const Limit* large = limits_->find(id + ".large")) return large;
    }
    return limits_->find(id);
  }

  // Nothing where the figure is told in words that no rule can read. What nodes have different, they have twice.
  [[nodiscard]] static std::optional<judge::Judgement> judged(const Limit& limit, const Figure& figure) {
    if (limit.rule) {
      if (figure.published.find(' ') != std::string::npos) return std::nullopt;
      return judge::judge(limit, figure.published);
    }
    std::optional<Quantity> value = figure.value;
    if (!value && limit.id.starts_with("preflight.same.")) value = count(2);
    if (!value) return std::nullopt;
    return judge::judge(limit, {value->dimension, {value->value}}, facts());
  }
  [[nodiscard]] static const LimitTable& limits() { return *limits_; }

 private:
  [[nodiscard]] static std::string fmt_id(collective::Operation operation) {
    return "collective.nccl.busbw." + std::string(name(operation));
  }
  static inline const Rig* rig_ = nullptr;
  static inline const LimitTable* limits_ = nullptr;
};

// What a switch has counted since it was started is not what it counts in a run.
bool is_of_a_lifetime(const std::string& limit) { return limit == "switch.errors"; }
bool is_rate(const std::string& limit) {
  return limit.find(".rate.") != std::string::npos || limit.ends_with(".rate") ||
         limit.find(".busbw.") != std::string::npos;
}

std::string line_of(const Figure& figure, const judge::Judgement& judgement) {
  return figure.what + ": " + figure.published + " against " + judgement.limit + ": " +
         std::string(name(judgement.verdict));
}

TEST_P(Published, IsJudgedAsItsSourceSays) {
  const PublishedRig& rig = GetParam();
  std::string judged_figures;
  bool red = false, rate = false;
  const bool sound = rig.sound == "true";
  for (const Figure& figure : rig.figures) {
    if (figure.limit.empty()) continue;
    EXPECT_TRUE(is_reported(limits(), figure.limit)) << rig.id << ": nothing reports " << figure.limit;
    EXPECT_FALSE(sound && figure.unreadable) << rig.id << ": " << figure.what;
    const Limit* limit = limit_of(figure);
    if (limit == nullptr || is_of_a_lifetime(figure.limit)) continue;
    const auto judgement = judged(*limit, figure);
    if (!judgement) continue;
    judged_figures += "\n  " + line_of(figure, *judgement);
    red = red || judgement->verdict == judge::Verdict::kFail;
    rate = rate || is_rate(figure.limit);
    if (!sound) continue;
    EXPECT_NE(judgement->verdict, judge::Verdict::kFail) << limit->id << ": " << line_of(figure, *judgement);
    EXPECT_NE(judgement->verdict, judge::Verdict::kError) << limit->id << ": " << judgement->reason;
  }
  if (rig.sound != "false" || red) return;
  EXPECT_FALSE(rate) << rig.id << " is faulty (" << rig.reason << "), and its rates pass:" << judged_figures;
  RecordProperty("no_figure_shows", rig.reason);
  std::cout << "no figure with a limit shows it: " << rig.id << ": " << rig.reason << judged_figures << '\n';
}

INSTANTIATE_TEST_SUITE_P(Rigs, Published, testing::ValuesIn(published_rigs()), [](const auto& info) {
  return std::to_string(info.index) + "_" +
         std::regex_replace(info.param.id, std::regex("[^A-Za-z0-9]+"), "_");
});

TEST(PublishedFigures, AreThere) {
  const auto rigs = published_rigs();
  EXPECT_FALSE(rigs.empty()) << file_of_figures();
  for (const PublishedRig& rig : rigs) {
    EXPECT_FALSE(rig.id.empty());
    EXPECT_THAT(rig.sound, testing::AnyOf("true", "false", "unknown")) << rig.id;
    EXPECT_FALSE(rig.figures.empty()) << rig.id;
  }
}

TEST(PublishedFigure, IsOfALimitThatSomethingReports) {
  const LimitTable limits = LimitTable::load({RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-pair.toml"},
                                             Profile::kAcceptance, rig_fact_dimensions());
  for (const char* id : {"preflight.rate", "preflight.same.board", "rdma.write.rate.half"})
    EXPECT_TRUE(is_reported(limits, id)) << id;
  for (const char* id : {"link.rate", "preflight.speed", "rdma.active_mtu", "rdma.write.rate"})
    EXPECT_FALSE(is_reported(limits, id)) << id;
  for (const char* once : {"link.rate", "rdma.active_mtu"})
    EXPECT_TRUE(is_reported(limits, id_of_today(once))) << once;
}
TEST(PublishedSetup, NamesAnMtu) {
  EXPECT_EQ(netdev_mtu("netplan without mtu (1500), RDMA MTU 1024"), 1500);
  EXPECT_EQ(netdev_mtu("RDMA MTU 4096, MTU 6000"), 6000);
  EXPECT_EQ(netdev_mtu("RDMA MTU 1024; ib_write_bw -q 4"), 1500);
  EXPECT_EQ(netdev_mtu("both halves"), 9000);
}
TEST(PublishedHardware, NamesASwitch) {
  EXPECT_TRUE(is_switched("4 x DGX Spark, MikroTik CRS812"));
  EXPECT_TRUE(is_switched("4 x DGX Spark, a switch"));
  EXPECT_FALSE(is_switched("2 x DGX Spark, one cable"));
}
TEST(PublishedFigure, NamesASize) {
  EXPECT_EQ(size_in("all_gather busbw, 16 GB"), DataSize::mebibytes(16384));
  EXPECT_EQ(size_in("all_reduce busbw, 64 MiB"), DataSize::mebibytes(64));
  EXPECT_EQ(size_in("all_gather busbw, 16G"), DataSize::mebibytes(16384));
  EXPECT_EQ(size_in("all_reduce busbw, 200G link, 8M"), DataSize::mebibytes(8));
  EXPECT_EQ(size_in("all_reduce busbw, 1.5 GiB"), DataSize::mebibytes(1536));
  EXPECT_EQ(size_in("all_reduce busbw, 33554432 B, 8 queue pairs"), DataSize::mebibytes(32));
  EXPECT_EQ(size_in("all_reduce busbw"), std::nullopt);
  EXPECT_EQ(size_in("all_reduce busbw, 4 GPUs, 2 x 100 Gb/s"), std::nullopt);
}

}  // namespace
}  // namespace rigproof
