#include "tests/published/published_rig.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

namespace rigproof::published {
namespace {

constexpr DataRate kUsualCable = DataRate::gigabits_per_second(200);

std::string text_in(const ::toml::table& table, const char* key) {
  if (const auto flag = table[key].value_exact<bool>()) return *flag ? "true" : "false";
  return table[key].value_or(std::string());
}

bool says(const std::string& text, const char* pattern) {
  return std::regex_search(text, std::regex(pattern, std::regex::icase));
}

std::string without_commas_in_numbers(const std::string& text) {
  static const std::regex kComma("(\\d),(?=\\d{3}(?!\\d))");
  return std::regex_replace(text, kComma, "$1");
}

// What figures files call limits by names that they had once.
std::string id_of_today(const std::string& id) {
  static const std::map<std::string, std::string> kOnce{{"link.address", "preflight.address"},
                                                        {"link.halves", "preflight.halves"},
                                                        {"link.present", "preflight.present"},
                                                        {"link.rate", "preflight.rate"},
                                                        {"link.route", "preflight.route"},
                                                        {"link.up", "preflight.up"},
                                                        {"mtu.netdev", "preflight.mtu"},
                                                        {"preflight.speed", "preflight.rate"},
                                                        {"rdma.active", "preflight.rdma.state"},
                                                        {"rdma.active_mtu", "preflight.rdma.active_mtu"},
                                                        {"rdma.device", "preflight.rdma.present"},
                                                        {"rdma.ethernet", "preflight.rdma.link_layer"},
                                                        {"rdma.gid", "preflight.rdma.gid"},
                                                        {"rdma.memlock", "preflight.memlock"},
                                                        {"rdma.port_devices", "preflight.rdma.port_devices"}};
  const auto found = kOnce.find(id);
  return found == kOnce.end() ? id : found->second;
}

// "one cable of 100 Gbit/s by choice", "100 GbE QSFP28 cable", "a CRS804 at 100G"; MikroTik's CRS5xx have ports of 100G.
// "100 GB" is a size, "100 GB/s" a rate of memory.
bool names_100g(const std::string& text) {
  static const std::regex k100G(
      "\\b100 ?(?:G(?:BASE|bE|bit|b|bps)?|Gigabit)(?![A-Za-z])|\\b100000 ?Mb|\\bCRS5\\d\\d");
  return std::regex_search(text, k100G);
}

// The netdevs' MTU by the words of a setup: "netplan without mtu (1500), RDMA MTU 1024". Where it names RDMA's alone,
// one that RDMA's follows from.
std::optional<double> netdev_mtu(const std::string& words) {
  static const std::regex kMtu(
      "((?:RDMA|RoCE|path) )?\\bMTU(?: of|:| ?=)? ?\\(?(\\d{3,5})|\\b(\\d{4,5})(?: ?B| bytes?|-byte)? MTU",
      std::regex::icase);
  const std::string text = without_commas_in_numbers(words);
  std::optional<double> follows;
  for (std::sregex_iterator one(text.begin(), text.end(), kMtu), end; one != end; ++one) {
    const double told = std::stod((*one)[2].matched ? (*one)[2] : (*one)[3]);
    if (!(*one)[1].matched) return told;
    if (told <= 1024) follows = 1500;
  }
  if (!follows && says(text, "\\bjumbo frames\\b") && !says(text, "\\b(no|before|without) jumbo"))
    return 9000;
  return follows;
}

std::optional<double> value_of(const std::vector<Figure>& figures, const char* limit, Dimension dimension) {
  for (const Figure& figure : figures)
    if (figure.limit == limit) try {
        const auto value = quantity_of(figure, dimension);
        if (value && value->dimension == dimension && value->value > 0) return value->value;
      } catch (const std::invalid_argument&) {  // the figure's own judgement says so
      }
  return std::nullopt;
}

DataSize bytes_of(double value) { return DataSize::bytes(static_cast<std::uint64_t>(value)); }

// A sound rig's MTU is what its owner chose, if nobody says which, then one of the two that are usual.
std::vector<DataSize> mtus_of(const PublishedRig& rig, const std::string& words) {
  const bool sound = rig.sound == "true";
  if (const auto chosen = value_of(rig.figures, "preflight.mtu", Dimension::kDataSize); sound && chosen)
    return {bytes_of(*chosen)};
  if (const auto told = netdev_mtu(words)) return {bytes_of(*told)};
  if (const auto passed = value_of(rig.figures, "mtu.path", Dimension::kDataSize); sound && passed)
    return {bytes_of(*passed)};
  if (sound) return {DataSize::bytes(9000), DataSize::bytes(1500)};
  return {DataSize::bytes(9000)};
}

// What was bought counts of every rig; what a link came up with, and other words, of a sound one alone.
std::vector<DataRate> cables_of(const PublishedRig& rig, const std::string& hardware,
                                const std::string& words) {
  std::vector<DataRate> rates{kUsualCable};
  const bool sound = rig.sound == "true";
  if (names_100g(sound ? words : hardware)) rates.push_back(DataRate::gigabits_per_second(100));
  for (const char* limit : {"preflight.rate", "switch.rate"})
    if (const auto rate = value_of(rig.figures, limit, Dimension::kDataRate); sound && rate)
      rates.push_back(DataRate::bits_per_second(*rate));
  return rates;
}

std::vector<Setup> setups_of(const PublishedRig& rig, const std::string& hardware, const std::string& words) {
  std::vector<Setup> setups;
  for (const DataRate cable : cables_of(rig, hardware, words))
    for (const DataSize mtu : mtus_of(rig, words))
      for (const int cables : {1, 2}) setups.push_back({cable, mtu, cables});
  return setups;
}

Figure figure_in(const ::toml::table& table) {
  return {text_in(table, "what"), id_of_today(text_in(table, "limit")), text_in(table, "published"),
          table["value"].value<double>(), text_in(table, "unit")};
}

PublishedRig rig_in(const ::toml::table& table) {
  const std::string hardware = text_in(table, "hardware");
  const std::string words = hardware + "; " + text_in(table, "setup");
  PublishedRig rig{text_in(table, "id"), text_in(table, "sound"), text_in(table, "reason")};
  rig.is_switched = says(words, "\\b(switch(?!less)|CRS\\d|SN\\d{4}|Spectrum|Arista)") &&
                    !says(words, "\\b(no|without a|without any) switch");
  rig.is_ring = says(words, "\\bring\\b");
  if (const ::toml::array* figures = table["figure"].as_array())
    for (const ::toml::node& figure : *figures)
      if (figure.is_table()) rig.figures.push_back(figure_in(*figure.as_table()));
  rig.setups = setups_of(rig, hardware, words);
  return rig;
}

std::vector<PublishedRig> rigs_in(const ::toml::table& file) {
  std::vector<PublishedRig> rigs;
  if (const ::toml::array* listed = file["rig"].as_array())
    for (const ::toml::node& rig : *listed)
      if (rig.is_table()) rigs.push_back(rig_in(*rig.as_table()));
  return rigs;
}

}  // namespace

std::vector<PublishedRig> read_rigs(const std::filesystem::path& file) {
  return rigs_in(::toml::parse_file(file.string()));
}
std::vector<PublishedRig> parse_rigs(std::string_view toml) { return rigs_in(::toml::parse(toml)); }

std::optional<Quantity> quantity_of(const Figure& figure, Dimension limit) {
  constexpr double kHighestClock = 3003;  // MHz
  if (!figure.value) return std::nullopt;
  const double value = *figure.value;
  if (figure.unit == "ratio") return ratio(value);
  if (limit == Dimension::kRatio && figure.unit == "MHz") return ratio(value / kHighestClock);
  if (limit == Dimension::kDataRate && figure.unit == "GT/s") return Quantity{limit, value * 1e9};
  const Unit* unit = find_unit(figure.unit);
  if (unit == nullptr) unit = find_unit(suggest_unit(figure.unit));
  if (unit == nullptr && limit == Dimension::kCount) return count(value);
  if (unit == nullptr)
    throw std::invalid_argument(fmt::format("'{}' is not a unit of a {}", figure.unit, name(limit)));
  return Quantity{unit->dimension, value * unit->scale};
}

std::size_t versions_in(const std::string& text) {
  static const std::regex kVersion("\\d+(?:\\.\\d+)+[A-Za-z0-9.+~-]*");
  std::set<std::string> versions;
  for (std::sregex_iterator one(text.begin(), text.end(), kVersion), end; one != end; ++one)
    versions.insert(one->str());
  return versions.size();
}

std::optional<DataSize> size_in(const std::string& what) {
  static const std::regex kSize(
      "(?:^|[^\\w.])(?:-s (\\d+)(?![\\w.])|(\\d+(?:\\.\\d+)?)(?: ?([kKMG])i?B|([kKMG])| "
      "?(?:B|bytes))(?![A-Za-z0-9/]))");
  constexpr double kLargest = 137438953472.0;  // 128 GiB, a Spark's memory
  const std::string text = without_commas_in_numbers(what);
  for (std::sregex_iterator one(text.begin(), text.end(), kSize), end; one != end; ++one) {
    const std::string unit = (*one)[3].str() + (*one)[4].str();
    const double scale = unit.empty() ? 1 : unit == "M" ? 1048576 : unit == "G" ? 1073741824 : 1024;
    const double bytes = std::stod((*one)[1].matched ? (*one)[1] : (*one)[2]) * scale;
    if (bytes <= kLargest) return bytes_of(bytes);
  }
  return std::nullopt;
}

bool is_of_a_lifetime(const Figure& figure) {
  return figure.limit == "switch.errors" ||
         says(figure.what + "; " + figure.published, "since (the |its )?(start|boot|reboot)|lifetime|uptime");
}

bool is_rate(const std::string& limit) {
  return limit.find(".rate.") != std::string::npos || limit.ends_with(".rate") ||
         limit.find(".busbw.") != std::string::npos;
}

}  // namespace rigproof::published
