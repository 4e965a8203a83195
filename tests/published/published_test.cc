// The limits for two Sparks against figures that others have published of theirs: each performance figure of a sound
// rig passes the limit that speaks of it at that size and setup; each faulty rig is red by at least one of its figures,
// or is listed as one whose fault no figure with a limit shows.
//
// The figures are those of the file RIGPROOF_PUBLISHED, else of figures.toml beside this file, where the format is told.
#include <gmock/gmock.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <regex>
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

// Of figures with a limit alone: the units of others are not all known here.
Figure figure_in(const ::toml::table& table) {
  Figure figure{text_in(table, "what"), text_in(table, "limit"), text_in(table, "published"), {}};
  const auto value = table["value"].value<double>();
  if (!value || figure.limit.empty()) return figure;
  std::ostringstream text;
  text.precision(15);
  text << *value << ' ' << text_in(table, "unit");
  try {
    figure.value = parse_quantity(text.str());
  } catch (const std::invalid_argument&) {
    figure.unreadable = true;
  }
  return figure;
}

std::vector<PublishedRig> published_rigs() {
  std::vector<PublishedRig> rigs;
  const ::toml::table file = ::toml::parse_file(file_of_figures());
  const ::toml::array* listed = file["rig"].as_array();
  if (listed == nullptr) return rigs;
  for (const ::toml::node& node : *listed) {
    const ::toml::table& table = *node.as_table();
    PublishedRig rig{
        text_in(table, "id"), text_in(table, "sound"), text_in(table, "reason"), text_in(table, "setup"), {}};
    if (const ::toml::array* figures = table["figure"].as_array())
      for (const ::toml::node& figure : *figures) rig.figures.push_back(figure_in(*figure.as_table()));
    rigs.push_back(std::move(rig));
  }
  return rigs;
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
    for (const Figure& figure : GetParam().figures)
      if (figure.limit == "link.rate" && figure.value && GetParam().sound == "true")
        facts["port.rate"] = *figure.value;
    return facts;
  }

  // The limit that speaks of the figure; null when none does.
  [[nodiscard]] static const Limit* limit_of(const Figure& figure) {
    const std::string id = figure.limit;
    if (const auto size = size_in(figure.what); size && id.starts_with("collective.nccl.busbw.")) {
      constexpr DataSize kSmallest = DataSize::mebibytes(32);  // that a sweep has on a Spark
      if (*size < kSmallest) return nullptr;
      for (const collective::Operation operation : collective::every_operation())
        if (id == fmt_id(operation) && is_large(operation, *size))
          if (const Limit* large = limits_->find(id + ".large")) return large;
    }
    if (const Limit* limit = limits_->find(id)) return limit;
    return id == "link.rate" ? limits_->find("preflight.speed") : nullptr;
  }

  [[nodiscard]] static judge::Judgement judged(const Limit& limit, const Figure& figure) {
    return judge::judge(limit, {figure.value->dimension, {figure.value->value}}, facts());
  }

 private:
  [[nodiscard]] static std::string fmt_id(collective::Operation operation) {
    return "collective.nccl.busbw." + std::string(name(operation));
  }
  static inline const Rig* rig_ = nullptr;
  static inline const LimitTable* limits_ = nullptr;
};

// How a rig is set up is its owner's choice, and what the thresholds want of it no figure of performance.
bool is_setting(const std::string& limit) {
  return limit.starts_with("preflight.") || limit.starts_with("switch.") || limit.starts_with("link.") ||
         limit.starts_with("mtu.");
}
bool is_rate(const std::string& limit) {
  return limit.find(".rate.") != std::string::npos || limit.find(".busbw.") != std::string::npos;
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
    if (sound && is_setting(figure.limit)) continue;
    EXPECT_FALSE(sound && figure.unreadable) << rig.id << ": " << figure.what;
    const Limit* limit = figure.value ? limit_of(figure) : nullptr;
    if (limit == nullptr || limit->rule) continue;
    const judge::Judgement judgement = judged(*limit, figure);
    judged_figures += "\n  " + line_of(figure, judgement);
    red = red || judgement.verdict == judge::Verdict::kFail;
    rate = rate || is_rate(figure.limit);
    if (!sound) continue;
    EXPECT_NE(judgement.verdict, judge::Verdict::kFail) << limit->where << ": " << line_of(figure, judgement);
    EXPECT_NE(judgement.verdict, judge::Verdict::kError) << limit->where << ": " << judgement.reason;
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

TEST(PublishedSetup, NamesAnMtu) {
  EXPECT_EQ(netdev_mtu("netplan without mtu (1500), RDMA MTU 1024"), 1500);
  EXPECT_EQ(netdev_mtu("RDMA MTU 4096, MTU 6000"), 6000);
  EXPECT_EQ(netdev_mtu("RDMA MTU 1024; ib_write_bw -q 4"), 1500);
  EXPECT_EQ(netdev_mtu("both halves"), 9000);
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
