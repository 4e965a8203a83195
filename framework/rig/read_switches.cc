#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "framework/rig/reading.h"
#include "framework/rig/text_checks.h"
#include "framework/units/printable.h"

namespace rigproof {
namespace {

constexpr const char* kScheme = "https://";

// Nothing that identifies a person is sent over a wire in the clear.
std::string checked_address(const std::string& text) {
  const std::string host = text.starts_with(kScheme) ? text.substr(std::string_view(kScheme).size()) : "";
  const bool plain = std::ranges::all_of(host, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view(".-:[]").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (host.empty() || !plain)
    throw std::invalid_argument(
        fmt::format("{} is no address of a switch (write e.g. \"https://192.168.88.1\")", in_quotes(text)));
  return text;
}

std::string checked_kind(const std::string& kind) {
  if (kind == "routeros") return kind;
  throw std::invalid_argument(
      fmt::format("there is no kind of switch {} here (known: routeros)", in_quotes(kind)));
}

void require_link(const toml::Table& table, const Rig& rig, const std::string& name) {
  std::vector<std::string> known;
  for (const Link& link : rig.links)
    if (link.through) known.push_back(*link.through);
  if (std::ranges::find(known, name) == known.end())
    table.fail("name", fmt::format("no link goes through {}{}", in_quotes(name), did_you_mean(name, known)));
}

Switch::Port read_port(const toml::Table& ports, const std::string& key, const Rig& rig,
                       const std::string& name) {
  const PortRef port = at_key(ports, key, {}, [&] { return resolve_port(rig, key); });
  if (rig.link_of(port).through != name)
    ports.fail(key, fmt::format("{} is on no link through {}", key, in_quotes(name)));
  return {port, read_text(ports, key, checked_remark)};
}

Switch read_switch(const toml::Table& table, const Rig& rig) {
  Switch found{.name = read_text(table, "name", checked_name),
               .kind = read_text(table, "kind", checked_kind),
               .address = read_text(table, "address", checked_address),
               .ca = table.maybe_text("ca"),
               .credentials = table.maybe_text("credentials"),
               .ports = {}};
  require_link(table, rig, found.name);
  const toml::Table ports = table.table("ports");
  std::set<std::string> interfaces;
  for (const std::string& key : ports.keys()) {
    found.ports.push_back(read_port(ports, key, rig, found.name));
    if (!interfaces.insert(found.ports.back().interface).second)
      ports.fail(key, fmt::format("{} is cabled twice", in_quotes(found.ports.back().interface)));
  }
  if (found.ports.empty()) table.fail("ports", "a switch without ports tells nothing");
  std::ranges::sort(found.ports, {}, &Switch::Port::at);
  ports.finish();
  table.finish();
  return found;
}

}  // namespace

std::vector<Switch> read_switches(const toml::Table& root, const Rig& rig) {
  std::vector<Switch> switches;
  Taken names("switch");
  for (const toml::Table& table : root.tables("switch")) {
    switches.push_back(read_switch(table, rig));
    names.add_name(switches.back().name, table, "name");
  }
  return switches;
}

}  // namespace rigproof
