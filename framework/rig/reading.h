#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "framework/rig/rig.h"
#include "framework/toml/document.h"

// The parts of the rig file's reader. All throw toml::InputError.
namespace rigproof::inline rig {

[[nodiscard]] std::vector<Node> read_nodes(const toml::Table& root);
[[nodiscard]] std::vector<Link> read_links(const toml::Table& root, const Rig& nodes);
[[nodiscard]] std::vector<Rail> read_rails(const toml::Table& root, const Rig& nodes_and_links);
// The keys traffic_class and service_level of this table.
[[nodiscard]] std::optional<ServiceClass> read_service(const toml::Table& table);
[[nodiscard]] std::vector<Switch> read_switches(const toml::Table& root, const Rig& nodes_and_links);

// Four or more nodes that straight cables join in a ring get the ring's order: a job over all nodes numbers its ranks in this
// order, and sends from each to the next one.
void put_in_ring_order(Rig& rig);

// "node-a:port0". Throws std::invalid_argument.
[[nodiscard]] PortRef resolve_port(const Rig& rig, const std::string& text);

// Refuses names that would give two cases of the rig the same name.
void check_case_names(const toml::Table& root, const Rig& rig);

// The table of a port or half in the file.
[[nodiscard]] toml::Table table_of(const toml::Table& root, PortRef port);
[[nodiscard]] toml::Table table_of(const toml::Table& root, HalfRef half);

// Calls body(); reports its std::invalid_argument at the key (or at element `index`).
template <class Body>
auto at_key(const toml::Table& table, std::string_view key, std::optional<std::size_t> index, Body body) {
  try {
    return body();
  } catch (const std::invalid_argument& error) {
    table.fail(key, error.what(), index);
  }
}

// The text of a key, checked by a function of text_checks.h.
template <class Check>
[[nodiscard]] auto read_text(const toml::Table& table, std::string_view key, Check check) {
  return at_key(table, key, {}, [&] { return check(table.text(key)); });
}

template <class Check>
[[nodiscard]] std::optional<std::string> maybe_read_text(const toml::Table& table, std::string_view key,
                                                         Check check) {
  const std::optional<std::string> text = table.maybe_text(key);
  if (!text) return {};
  return at_key(table, key, {}, [&] { return check(*text); });
}

// Values of one kind that the file has given so far; each may be given once.
class UniqueValues {
 public:
  explicit UniqueValues(std::string what) : what_(std::move(what)) {}

  // Refuses a value given before. Values with the same `identity` count as the same.
  void add(const std::string& value, const std::string& identity, const toml::Table& table,
           std::string_view key, std::optional<std::size_t> index = {});
  // The same for a name. Names that differ only in . _ and - are the same in a case's name.
  void add_name(const std::string& name, const toml::Table& table, std::string_view key);

 private:
  struct First {
    std::string value, where;
  };
  std::string what_;
  std::map<std::string, First> first_;
};

}  // namespace rigproof::inline rig
