#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "framework/rig/reading.h"
#include "framework/rig/routed_rails.h"
#include "framework/rig/text_checks.h"
#include "framework/units/printable.h"

namespace rigproof::inline rig {

namespace {

std::vector<std::string> names_of(const std::vector<Node>& nodes) {
  std::vector<std::string> names;
  for (const Node& node : nodes) names.push_back(node.name);
  return names;
}

// "node-a:port0": the node, and the text after the colon. Throws std::invalid_argument.
std::pair<std::size_t, std::string> split_reference(const Rig& rig, const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    throw std::invalid_argument(
        fmt::format("{} does not name a node (write e.g. \"node-a:port0\")", in_quotes(text)));
  }
  const std::string name = text.substr(0, colon);
  const auto node = rig.find_node(name);
  if (!node) {
    throw std::invalid_argument(
        fmt::format("there is no node {}{}", in_quotes(name), did_you_mean(name, names_of(rig.nodes))));
  }
  return {*node, text.substr(colon + 1)};
}

HalfRef resolve_half(const Rig& rig, const std::string& text) {
  const auto [node, name] = split_reference(rig, text);
  if (const auto half = rig.find_half(node, name)) return *half;
  std::vector<std::string> names;
  for (const HalfRef half : rig.halves_of(node)) names.push_back(rig.half(half).netdev);
  throw std::invalid_argument(
      fmt::format("{} has no half {}{}", rig.node(node).name, in_quotes(name), did_you_mean(name, names)));
}

// A link's ports or a rail's halves: at least two, of distinct nodes, each used once in the rig; in file order.
template <class Resolve>
auto read_members(const toml::Table& table, std::string_view key, const Rig& rig, UniqueValues& taken,
                  Resolve resolve) {
  const std::vector<std::string> texts = table.texts(key);
  if (texts.size() < 2) table.fail(key, "at least two are required");
  std::vector<decltype(resolve(rig, texts[0]))> members;
  std::map<std::size_t, std::string> of_node;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto member = at_key(table, key, i, [&] { return resolve(rig, texts[i]); });
    const auto [other, is_new] = of_node.try_emplace(member.node, texts[i]);
    if (!is_new)
      table.fail(key, fmt::format("'{}' and '{}' are on the same node", other->second, texts[i]), i);
    taken.add(texts[i], texts[i], table, key, i);
    members.push_back(member);
  }
  return members;
}

std::string subnet_text(const Half& half) { return fmt::format("{}/{}", half.address, half.prefix_length); }

bool on_link(const Rig& rig, HalfRef half, HalfRef other) {
  const std::vector<PortRef>& ports = rig.link_of({half.node, half.port}).ports;
  return std::find(ports.begin(), ports.end(), PortRef{other.node, other.port}) != ports.end();
}

const char* text_of(PortUse use) { return use == PortUse::kStorage ? "storage" : "compute"; }

// A router joins subnets, and never the two ends of a cable.
void check_router(const toml::Table& table, const Rig& rig, const std::vector<HalfRef>& refs) {
  const HalfRef first = refs.front();
  if (!rig.link_of({first.node, first.port}).through)
    table.fail("routed",
               fmt::format("{} is on a straight cable: a routed rail needs a link through something",
                           rig.label(first)));
  const bool apart = std::ranges::any_of(refs, [&](HalfRef other) { return is_routed(rig, first, other); });
  if (!apart)
    table.fail("routed", fmt::format("all halves are in the subnet {}: no router is between them",
                                     interface_of(rig.half(first)).network_text()));
}

// Checks each half against the first: same subnet unless routed, same MTU, a common link, ports of one use.
void check_halves(const toml::Table& table, const Rig& rig, const std::vector<HalfRef>& refs, bool routed) {
  const Half& first = rig.half(refs[0]);
  for (std::size_t i = 1; i < refs.size(); ++i) {
    const Half& half = rig.half(refs[i]);
    const std::string a = rig.label(refs[0]), b = rig.label(refs[i]);
    if (family_of(first.address) != family_of(half.address)) {
      table.fail(
          "halves",
          fmt::format("{} ({}) and {} ({}) have addresses of IPv4 and of IPv6: a rail needs one of both", a,
                      subnet_text(first), b, subnet_text(half)),
          i);
    }
    if (!routed && is_routed(rig, refs[0], refs[i])) {
      table.fail(
          "halves",
          fmt::format(
              "{} ({}) and {} ({}) are in different subnets: write routed = true if a router joins them", a,
              subnet_text(first), b, subnet_text(half)),
          i);
    }
    if (first.mtu != half.mtu) {
      table.fail("halves",
                 fmt::format("{} has an MTU of {} B, {} of {} B", a, first.mtu.bytes(), b, half.mtu.bytes()),
                 i);
    }
    if (!on_link(rig, refs[0], refs[i])) {
      table.fail("halves", fmt::format("{} and {} are on no common link", a, b), i);
    }
    if (rig.port(refs[0]).use != rig.port(refs[i]).use) {
      table.fail("halves",
                 fmt::format("{} is a half of a {} port, {} of a {} port", a, text_of(rig.port(refs[0]).use),
                             b, text_of(rig.port(refs[i]).use)),
                 i);
    }
  }
}

Link read_link(const toml::Table& table, const Rig& rig, UniqueValues& names, UniqueValues& ports) {
  Link link{.name = read_text(table, "name", checked_name),
            .ports = read_members(table, "ports", rig, ports, resolve_port),
            .through = maybe_read_text(table, "through", checked_name)};
  names.add_name(link.name, table, "name");
  if (!link.through && link.ports.size() > 2) {
    table.fail("ports", "a straight link has two ports; name the switch (through = \"...\") for more", 2);
  }
  std::sort(link.ports.begin(), link.ports.end());
  table.finish();
  return link;
}

std::uint8_t read_small(const toml::Table& table, const char* key, std::int64_t most) {
  const std::int64_t value = table.integer(key);
  if (value < 0 || value > most)
    table.fail(key, fmt::format("{} must be a whole number from 0 to {}", key, most));
  return static_cast<std::uint8_t>(value);
}

Rail read_rail(const toml::Table& table, const Rig& rig, const std::optional<ServiceClass>& usual,
               UniqueValues& names, UniqueValues& halves) {
  const std::optional<ServiceClass> own = read_service(table);
  Rail rail{.name = read_text(table, "name", checked_name),
            .halves = read_members(table, "halves", rig, halves, resolve_half),
            .service = own ? own : usual,
            .routed = table.maybe_boolean("routed").value_or(false)};
  names.add_name(rail.name, table, "name");
  check_halves(table, rig, rail.halves, rail.routed);
  if (rail.routed) check_router(table, rig, rail.halves);
  std::sort(rail.halves.begin(), rail.halves.end());
  table.finish();
  return rail;
}

}  // namespace

PortRef resolve_port(const Rig& rig, const std::string& text) {
  const auto [node, name] = split_reference(rig, text);
  if (const auto port = rig.find_port(node, name)) return *port;
  std::vector<std::string> names;
  for (const Port& port : rig.node(node).ports) names.push_back(port.name);
  throw std::invalid_argument(
      fmt::format("{} has no port {}{}", rig.node(node).name, in_quotes(name), did_you_mean(name, names)));
}

toml::Table table_of(const toml::Table& root, PortRef port) {
  return root.tables("node").at(port.node).tables("port").at(port.port);
}

toml::Table table_of(const toml::Table& root, HalfRef half) {
  return table_of(root, PortRef{half.node, half.port}).tables("half").at(half.half);
}

std::vector<Link> read_links(const toml::Table& root, const Rig& rig) {
  UniqueValues names("link name"), ports("port");
  std::vector<Link> links;
  std::set<PortRef> linked;
  for (const toml::Table& table : root.tables("link")) {
    links.push_back(read_link(table, rig, names, ports));
    linked.insert(links.back().ports.begin(), links.back().ports.end());
  }
  for (std::size_t n = 0; n < rig.nodes.size(); ++n) {
    for (std::size_t p = 0; p < rig.node(n).ports.size(); ++p) {
      const PortRef port{n, p};
      if (!linked.contains(port)) table_of(root, port).fail("name", rig.label(port) + " is on no link");
    }
  }
  return links;
}

std::optional<ServiceClass> read_service(const toml::Table& table) {
  const bool has_level = table.has("service_level");
  if (!table.has("traffic_class")) {
    if (has_level) table.fail("service_level", "service_level needs a traffic_class in the same table");
    return {};
  }
  return ServiceClass{.traffic_class = read_small(table, "traffic_class", 255),
                      .service_level = has_level ? read_small(table, "service_level", 7) : std::uint8_t{0}};
}

namespace {

// Open MPI and NCCL use one family for all rails of a job.
void check_families(const toml::Table& root, const Rig& rig, const std::vector<Rail>& rails) {
  const Half* first = nullptr;
  for (std::size_t i = 0; i < rails.size(); ++i) {
    const HalfRef at = rails[i].halves.front();
    if (rig.port(at).use == PortUse::kStorage) continue;
    const Half& half = rig.half(at);
    if (first == nullptr) first = &half;
    if (family_of(first->address) != family_of(half.address))
      root.tables("rail").at(i).fail(
          "halves",
          fmt::format("{} and {} are addresses of IPv4 and of IPv6: the rails of jobs need one of both",
                      first->address, half.address));
  }
}

}  // namespace

std::vector<Rail> read_rails(const toml::Table& root, const Rig& rig) {
  const std::optional<ServiceClass> usual = read_service(root);
  UniqueValues names("rail name"), halves("half");
  std::vector<Rail> rails;
  std::set<HalfRef> railed;
  for (const toml::Table& table : root.tables("rail")) {
    rails.push_back(read_rail(table, rig, usual, names, halves));
    railed.insert(rails.back().halves.begin(), rails.back().halves.end());
  }
  check_families(root, rig, rails);
  for (std::size_t n = 0; n < rig.nodes.size(); ++n) {
    for (const HalfRef half : rig.halves_of(n)) {
      if (!railed.contains(half)) table_of(root, half).fail("netdev", rig.label(half) + " is on no rail");
    }
  }
  return rails;
}

namespace {

constexpr const char* kScheme = "https://";

// Requires https: credentials must not be sent in clear text.
std::string checked_address(const std::string& text) {
  const std::string host = text.starts_with(kScheme) ? text.substr(std::string_view(kScheme).size()) : "";
  const bool plain = std::ranges::all_of(host, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view(".-:[]").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (host.empty() || !plain)
    throw std::invalid_argument(fmt::format(
        "{} is not a valid address of a switch (write e.g. \"https://192.168.88.1\")", in_quotes(text)));
  return text;
}

std::string checked_switch_kind(const std::string& kind) {
  if (kind == "routeros") return kind;
  throw std::invalid_argument(fmt::format("unknown kind of switch {} (known: routeros)", in_quotes(kind)));
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
               .kind = read_text(table, "kind", checked_switch_kind),
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
  if (found.ports.empty()) table.fail("ports", "[switch.ports] is empty: name at least one port");
  std::ranges::sort(found.ports, {}, &Switch::Port::at);
  ports.finish();
  table.finish();
  return found;
}

}  // namespace

std::vector<Switch> read_switches(const toml::Table& root, const Rig& rig) {
  std::vector<Switch> switches;
  UniqueValues names("switch");
  for (const toml::Table& table : root.tables("switch")) {
    switches.push_back(read_switch(table, rig));
    names.add_name(switches.back().name, table, "name");
  }
  return switches;
}

}  // namespace rigproof::inline rig
