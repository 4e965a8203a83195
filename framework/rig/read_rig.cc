#include <fmt/format.h>

#include <algorithm>

#include "framework/rig/reading.h"
#include "framework/rig/text_checks.h"
#include "framework/units/printable.h"

namespace rigproof::inline rig {

void Taken::add(const std::string& value, const std::string& identity, const toml::Table& table,
                std::string_view key, std::optional<std::size_t> index) {
  const auto [place, is_new] = first_.try_emplace(identity, First{value, table.where()});
  if (is_new) return;
  const First& first = place->second;
  if (first.value == value) {
    table.fail(key, fmt::format("the {} '{}' is already given at {}", what_, value, first.where), index);
  }
  table.fail(key,
             fmt::format("the {} '{}' is the same as '{}' at {}", what_, value, first.value, first.where),
             index);
}

void Taken::add_name(const std::string& name, const toml::Table& table, std::string_view key) {
  const auto before = first_.find(identifier(name));
  if (before != first_.end() && before->second.value != name) {
    table.fail(key, fmt::format("the {} '{}' differs only in . _ and - from '{}' at {}", what_, name,
                                before->second.value, before->second.where));
  }
  add(name, identifier(name), table, key);
}

namespace {

constexpr std::int64_t kFormat = 1;

void check_format(const toml::Table& root) {
  const std::int64_t format = root.integer("format");
  if (format != kFormat) {
    root.fail("format", fmt::format("format {} is not known; this program reads format {}", format, kFormat));
  }
}

// First of all: what a mistyped [[rail]] holds is on no rail.
void refuse_others(const toml::Table& root) {
  const std::vector<std::string> known = {"format", "name", "kind", "stand_in", "forwarding",
                                          "node",   "link", "rail", "switch"};
  for (const std::string& key : root.keys())
    if (std::ranges::find(known, key) == known.end())
      root.fail(key, fmt::format("unknown key {}{}", in_quotes(key), did_you_mean(key, known)));
}

std::string checked_kind(const std::string& kind) {
  if (kind == "model" || kind == "roce-vm" || kind == "hardware") return kind;
  throw std::invalid_argument("a rig's kind is \"model\", \"roce-vm\" or \"hardware\"" +
                              did_you_mean(kind, {"model", "roce-vm", "hardware"}));
}

}  // namespace

Rig load_rig(const std::filesystem::path& path) { return read_rig(toml::Document::load(path)); }

Rig read_rig(const toml::Document& document) {
  const toml::Table root = document.root();
  check_format(root);
  refuse_others(root);
  Rig rig{.name = read_text(root, "name", checked_name),
          .kind = read_text(root, "kind", checked_kind),
          .stand_in = maybe_read_text(root, "stand_in", checked_remark),
          .nodes = read_nodes(root),
          .links = {},
          .rails = {},
          .forwarding = root.maybe_boolean("forwarding").value_or(false)};
  rig.links = read_links(root, rig);
  rig.rails = read_rails(root, rig);
  rig.switches = read_switches(root, rig);
  check_case_names(root, rig);
  return rig;
}

}  // namespace rigproof::inline rig
