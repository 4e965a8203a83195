#include "reports/comparison/comparison.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/text/describe_change.h"

namespace rigproof::comparison {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json maybe(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json json_of(const std::vector<compare::ComparedRun>& runs) {
  Json list = Json::array();
  for (const compare::ComparedRun& run : runs)
    list.push_back(
        {{"run", run.id}, {"folder", run.folder}, {"started", run.started}, {"verdict", run.verdict}});
  return list;
}

Json json_of(const compare::ComparedSide& side) {
  return {{"values", side.values}, {"limit_missed", side.missed}};
}

Json json_of(const compare::ComparedMeasurement& m) {
  Json object = {
      {"verdict", name(m.verdict)}, {"case", m.test}, {"id", m.id}, {"node", m.node}, {"detail", m.detail}};
  object["unit"] = base_unit(m.dimension);
  object["base"] = json_of(m.base);
  object["candidate"] = json_of(m.candidate);
  object["limit"] = m.limit;
  object["better"] = name(m.better);
  object["change"] = maybe(m.change);
  object["change_is"] = m.relative ? "part of base" : "difference";
  object["interval"] = m.interval ? Json::array({m.interval->low, m.interval->high}) : Json();
  object["tolerance"] = m.tolerance.empty() ? Json() : Json(m.tolerance_value);
  object["tolerance_text"] = m.tolerance;
  object["reason"] = m.reason;
  object["more_runs_a_side"] = maybe(m.more_runs);
  return object;
}

}  // namespace

void write_comparison_json(const compare::Comparison& comparison, std::ostream& out) {
  Json object = {{"format", 1}, {"verdict", comparison.verdict()}, {"exit_code", comparison.exit_code()}};
  object["rig"] = comparison.rig;
  object["rig_kind"] = comparison.rig_kind;
  object["profile"] = comparison.profile;
  object["thresholds_file"] = comparison.thresholds_file;
  object["confidence"] = 1 - compare::kFalseAlarms;
  object["corrected_for"] = comparison.compared;
  object["headlines"] = comparison.headlines;
  object["look"] = {comparison.look.number, comparison.look.of};
  object["base"] = json_of(comparison.base);
  object["candidate"] = json_of(comparison.candidate);
  object["notes"] = comparison.notes;
  object["measurements"] = Json::array();
  for (const compare::ComparedMeasurement& m : comparison.measurements)
    object["measurements"].push_back(json_of(m));
  out << object.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace rigproof::comparison
