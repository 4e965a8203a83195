#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "framework/faults/fault.h"
#include "framework/limits/limit_reader.h"
#include "framework/units/printable.h"

namespace rigproof::inline faults {
namespace {

using toml::Table;

Sign read_sign(const Table& sign, const FactDimensions& facts) {
  if (!sign.has("missed")) {
    const auto is_no_condition = [](const std::string& key) { return key == "id" || key == "statistic"; };
    if (std::ranges::all_of(sign.keys(), is_no_condition))
      sign.fail(
          "", "no condition: write at_least, at_most, equals, one_of or at_least_version, or missed = true");
    Limit condition = read_condition(sign, facts);
    return {condition.id, std::move(condition)};
  }
  for (const std::string_view key : {"id", "missed"}) sign.allow(key);
  sign.finish();  // a condition beside it would contradict the limit
  if (!sign.maybe_boolean("missed").value_or(false)) sign.fail("missed", "expected true, or no 'missed'");
  return {sign.text("id")};
}

std::vector<Sign> read_signs(const Table& fault, std::string_view key, const FactDimensions& facts) {
  std::vector<Sign> signs;
  if (fault.has(key))
    for (const Table& sign : fault.tables(key)) signs.push_back(read_sign(sign, facts));
  return signs;
}

Fault read_fault(const Table& table, const FactDimensions& facts) {
  for (const std::string_view key : {"name", "certainty", "when", "unless", "explains", "basis", "remedy"})
    table.allow(key);
  table.finish();  // first: a mistyped key would be reported as a missing one
  Fault fault{.name = table.text("name"),
              .certainty = read_word(table, "certainty", {"certain", "likely", "possible"}),
              .when = read_signs(table, "when", facts),
              .unless = read_signs(table, "unless", facts),
              .explains = table.maybe_texts("explains").value_or(std::vector<std::string>()),
              .where = table.where()};
  if (fault.when.empty()) table.fail("when", "no sign: state in 'when' what the fault shows");
  const auto basis = maybe_basis(table);
  const auto remedy = maybe_remedy(table);
  if (!basis) table.fail("", "missing key 'basis': state the source of the fault");
  if (!remedy) table.fail("", "missing key 'remedy': state what to do about the fault");
  fault.basis = *basis;
  fault.remedy = *remedy;
  return fault;
}

void refuse_others(const Table& root) {
  const std::vector<std::string> known = {"fault"};
  for (const std::string& key : root.keys())
    if (key != "fault")
      root.fail(key, fmt::format("unknown key {}{}", in_quotes(key), suggestion(key, known)));
}

}  // namespace

std::vector<Fault> read_faults(const std::vector<toml::Document>& documents, const FactDimensions& facts) {
  std::vector<Fault> faults;
  std::map<std::string, toml::Place> places;
  for (const toml::Document& document : documents) {
    const Table root = document.root();
    refuse_others(root);
    const std::vector<Table> tables = root.tables("fault");
    if (tables.empty()) root.fail("", "no fault: a file of known faults needs at least one [[fault]]");
    for (const Table& table : tables) {
      Fault fault = read_fault(table, facts);
      const auto [known, is_new] = places.emplace(fault.name, fault.where);
      if (!is_new)
        table.fail("name", fmt::format("duplicate fault {} (first at {})", in_quotes(fault.name),
                                       printable(to_text(known->second))));
      faults.push_back(std::move(fault));
    }
  }
  return faults;
}

}  // namespace rigproof::inline faults
