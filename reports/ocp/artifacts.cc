#include "reports/ocp/artifacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <ostream>
#include <set>
#include <string_view>
#include <utility>

#include "framework/record/run_identity.h"
#include "reports/text/markup.h"

namespace rigproof::ocp {
namespace {

constexpr std::size_t kLongestText = 16'000;
constexpr const char* kEpoch = "1970-01-01T00:00:00.000Z";

// The last word of a fact's name, and what it is here.
struct Meaning {
  std::string_view word, key;
};
constexpr std::array kSoftware{
    Meaning{"kernel", "SYSTEM"},    Meaning{"os", "SYSTEM"},         Meaning{"driver", "SYSTEM"},
    Meaning{"bios", "FIRMWARE"},    Meaning{"firmware", "FIRMWARE"}, Meaning{"cuda", "APPLICATION"},
    Meaning{"nccl", "APPLICATION"}, Meaning{"mpi", "APPLICATION"},
};
constexpr std::array kHardware{
    Meaning{"serial", "serialNumber"}, Meaning{"location", "location"},
    Meaning{"part", "partNumber"},     Meaning{"vendor", "manufacturer"},
    Meaning{"revision", "revision"},   Meaning{"model", "manufacturerPartNumber"},
};

template <class Table>
const Meaning* meaning_of(const Table& table, const std::string& fact) {
  const auto space = fact.find_last_of(" ._");
  const std::string_view word = std::string_view(fact).substr(space == fact.npos ? 0 : space + 1);
  const auto found = std::ranges::find(table, word, &Meaning::word);
  return found == table.end() ? nullptr : &*found;
}

std::string part_of(const std::string& fact) {
  const auto space = fact.find(' ');
  return space == fact.npos ? "" : fact.substr(0, space);
}

void add_software(OcpJson& list, const std::string& node, const std::string& fact, const std::string& text) {
  const Meaning* meaning = meaning_of(kSoftware, fact);
  if (meaning == nullptr) return;
  list.push_back({{"name", ocp_text(fact)},
                  {"version", ocp_text(text)},
                  {"softwareType", meaning->key},
                  {"softwareInfoId", ocp_text(node + "/" + fact)},
                  {"computerSystem", ocp_text(node)}});
}

void add_hardware(OcpJson& list, const std::string& node, const std::map<std::string, std::string>& facts) {
  OcpJson whole{
      {"name", ocp_text(node)}, {"hardwareInfoId", ocp_text(node)}, {"computerSystem", ocp_text(node)}};
  std::map<std::string, OcpJson> parts;
  for (const auto& [fact, text] : facts) {
    const std::string part = part_of(fact);
    const Meaning* meaning = meaning_of(kHardware, fact);
    if (part.empty() && (meaning == nullptr || meaning->word != fact)) continue;
    OcpJson& info = part.empty() ? whole : parts[part];
    if (meaning != nullptr) info[std::string(meaning->key)] = ocp_text(text);
  }
  list.push_back(std::move(whole));
  for (auto& [part, info] : parts) {
    info["name"] = ocp_text(part);
    info["hardwareInfoId"] = ocp_text(node + "/" + part);
    info["computerSystem"] = ocp_text(node);
    list.push_back(std::move(info));
  }
}

}  // namespace

void OcpLines::line(const char* kind, OcpJson content) {
  OcpJson line{{kind, std::move(content)}};
  line["sequenceNumber"] = sequence_++;
  line["timestamp"] = record::is_utc(time_) ? time_ : kEpoch;
  out_ << line.dump(-1, ' ', false, OcpJson::error_handler_t::replace) << '\n';
}

void OcpLines::run(const char* kind, OcpJson content) {
  line("testRunArtifact", OcpJson{{kind, std::move(content)}});
}

void OcpLines::step(const char* kind, OcpJson content) {
  line("testStepArtifact", OcpJson{{"testStepId", fmt::to_string(step_)}, {kind, std::move(content)}});
}

std::string ocp_text(std::string_view text) { return text::shortened(text::clean(text), kLongestText); }

OcpJson ocp_number(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

std::string utc_after(const std::string& utc, double seconds) {
  constexpr double kYears = 1e9;
  if (!record::is_utc(utc) || !(seconds >= 0 && seconds < kYears)) return utc;
  using std::chrono::milliseconds;
  const auto ms = milliseconds(std::llround((record::seconds_between(kEpoch, utc) + seconds) * 1000));
  const std::chrono::sys_time<milliseconds> time(ms);
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

OcpJson dut_info(const judge::JudgedRun& run) {
  OcpJson software = OcpJson::array(), hardware = OcpJson::array(), all = OcpJson::object();
  for (const auto& [node, facts] : run.nodes) {
    add_hardware(hardware, node, facts);
    OcpJson& told = all[ocp_text(node)] = OcpJson::object();
    for (const auto& [fact, text] : facts) {
      add_software(software, node, fact, text);
      told[ocp_text(fact)] = ocp_text(text);
    }
  }
  return {
      {"dutInfoId", ocp_text(run.start.rig)},
      {"name", ocp_text(run.start.rig)},
      {"platformInfos", OcpJson::array({OcpJson{{"info", ocp_text("rig of kind " + run.start.rig_kind)}}})},
      {"softwareInfos", std::move(software)},
      {"hardwareInfos", std::move(hardware)},
      {"metadata", std::move(all)}};
}

std::string hardware_id(const judge::JudgedRun& run, const std::string& node) {
  return run.nodes.contains(node) ? ocp_text(node) : "";
}

}  // namespace rigproof::ocp
