#include "framework/limits/waiver_reader.h"

#include <fmt/format.h>

#include <vector>

#include "framework/toml/nearest.h"
#include "framework/units/printable.h"

namespace rigproof {
namespace {

using Places = std::map<std::string, std::string, std::less<>>;

void require_known(const toml::Table& table, const std::string& limit, const Places& limits) {
  if (limits.contains(limit)) return;
  std::vector<std::string> known;
  for (const auto& [id, where] : limits) known.push_back(id);
  table.fail("limit", fmt::format("no limit has the id {}{}", in_quotes(limit), suggestion(limit, known)));
}

}  // namespace

Waiver read_waiver(const toml::Table& table, const Places& limits) {
  const auto limit = table.maybe_text("limit");
  const auto test = table.maybe_text("case");
  if (!limit && !test) table.fail("", "a waiver names a 'limit', a 'case' or both");
  if (limit) require_known(table, *limit, limits);
  Waiver waiver{limit.value_or(""),  test.value_or(""),     table.text("reason"),
                table.text("owner"), table.date("expires"), table.where()};
  table.finish();
  return waiver;
}

}  // namespace rigproof
