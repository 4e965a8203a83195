#include <fmt/format.h>

#include "framework/rig/reading.h"
#include "framework/rig/text_checks.h"

namespace rigproof {

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

}  // namespace rigproof
