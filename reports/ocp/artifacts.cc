#include "reports/ocp/artifacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "framework/record/run_identity.h"
#include "reports/text/markup.h"

namespace rigproof::ocp {
namespace {

constexpr std::size_t kLongestText = 16'000;
constexpr const char* kEpoch = "1970-01-01T00:00:00.000Z";

// A property of a node or its part, and its OCP key.
struct Meaning {
  std::string_view property, key;
};
constexpr std::array kSoftware{
    Meaning{"kernel", "SYSTEM"},     Meaning{"os", "SYSTEM"},        Meaning{"driver", "SYSTEM"},
    Meaning{"gpu_driver", "SYSTEM"}, Meaning{"bios", "FIRMWARE"},    Meaning{"firmware", "FIRMWARE"},
    Meaning{"cuda", "APPLICATION"},  Meaning{"nccl", "APPLICATION"}, Meaning{"mpi", "APPLICATION"},
};
constexpr std::array kHardware{
    Meaning{"serial", "serialNumber"}, Meaning{"location", "location"},
    Meaning{"part", "partNumber"},     Meaning{"vendor", "manufacturer"},
    Meaning{"revision", "revision"},   Meaning{"model", "manufacturerPartNumber"},
};

template <class Table>
const Meaning* meaning_of(const Table& table, const std::string& property) {
  const auto found = std::ranges::find(table, property, &Meaning::property);
  return found == table.end() ? nullptr : &*found;
}

void add_software(OcpJson& list, const std::string& node, const std::string& part,
                  const std::string& property, const std::string& text) {
  const Meaning* meaning = meaning_of(kSoftware, property);
  if (meaning == nullptr) return;
  const std::string fact = record::fact_name(part, property);
  list.push_back({{"name", ocp_text(fact)},
                  {"version", ocp_text(text)},
                  {"softwareType", meaning->key},
                  {"softwareInfoId", ocp_text(node + "/" + fact)},
                  {"computerSystem", ocp_text(node)}});
}

OcpJson with_properties(OcpJson info, const std::map<std::string, std::string>& properties) {
  for (const auto& [property, text] : properties)
    if (const Meaning* meaning = meaning_of(kHardware, property))
      info[std::string(meaning->key)] = ocp_text(text);
  return info;
}

void add_hardware(OcpJson& list, const std::string& node, const record::NodeFacts& facts) {
  const OcpJson whole{
      {"name", ocp_text(node)}, {"hardwareInfoId", ocp_text(node)}, {"computerSystem", ocp_text(node)}};
  const auto own = facts.find("");
  list.push_back(own == facts.end() ? whole : with_properties(whole, own->second));
  for (const auto& [part, properties] : facts) {
    if (part.empty()) continue;
    OcpJson info = with_properties(OcpJson::object(), properties);
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
    OcpJson told = OcpJson::object();
    // Appends directly, because operator[] searches all previous keys.
    OcpJson::object_t::Container& members = told.get_ref<OcpJson::object_t&>();
    std::set<std::string> names;
    for (const auto& [part, properties] : facts)
      for (const auto& [property, text] : properties) {
        add_software(software, node, part, property, text);
        const std::string name = ocp_text(record::fact_name(part, property));
        if (names.insert(name).second)
          members.emplace_back(name, ocp_text(text));
        else
          told[name] = ocp_text(text);
      }
    all[ocp_text(node)] = std::move(told);
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
