#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/rig/reading.h"
#include "framework/rig/text_checks.h"
#include "framework/units/printable.h"

namespace rigproof::inline rig {
namespace {

constexpr std::size_t kFewestNodes = 2, kMostNodes = 4096;
constexpr std::int64_t kMostGpus = 64;
constexpr DataRate kFastest = DataRate::gigabits_per_second(100'000);
constexpr double kSmallestMtu = 576, kLargestMtu = 65'535;    // bytes, for IPv4
constexpr DataSize kSmallestIpv6Mtu = DataSize::bytes(1280);  // RFC 8200, section 5

DataRate read_rate(const toml::Table& table) {
  const Quantity rate = table.quantity("rate", Dimension::kDataRate);
  if (!(rate.value > 0 && rate.value <= kFastest.bits_per_second())) {
    table.fail("rate", fmt::format("a rate must be above 0 and at most {}", to_text(to_quantity(kFastest))));
  }
  return DataRate::bits_per_second(rate.value);
}

DataSize read_mtu(const toml::Table& table) {
  const Quantity mtu = table.quantity("mtu", Dimension::kDataSize);
  if (!(mtu.value >= kSmallestMtu && mtu.value <= kLargestMtu && mtu.value == std::floor(mtu.value))) {
    table.fail("mtu", "an MTU must be a whole number from 576 B to 65535 B");
  }
  return DataSize::bytes(static_cast<std::uint64_t>(mtu.value));
}

std::optional<std::size_t> read_gpus(const toml::Table& table) {
  if (!table.has("gpus")) return {};
  const std::int64_t gpus = table.integer("gpus");
  if (gpus < 0 || gpus > kMostGpus)
    table.fail("gpus", fmt::format("a node can have 0 to {} GPUs; here: {}", kMostGpus, gpus));
  return static_cast<std::size_t>(gpus);
}

PortUse read_use(const toml::Table& table) {
  const std::string use = table.maybe_text("use").value_or("compute");
  if (use == "compute") return PortUse::kCompute;
  if (use == "storage") return PortUse::kStorage;
  table.fail("use", "the use of a port must be \"compute\" or \"storage\"" +
                        did_you_mean(use, {"compute", "storage"}));
}

CounterSource::Kind read_counter_kind(const toml::Table& table) {
  const std::string source = table.text("source");
  if (source == "ethtool") return CounterSource::Kind::kEthtool;
  if (source == "netlink") return CounterSource::Kind::kNetlink;
  table.fail("source", "the source of counters must be \"ethtool\" or \"netlink\"" +
                           did_you_mean(source, {"ethtool", "netlink"}));
}

CounterSource read_counters(const toml::Table& table) {
  CounterSource counters{.kind = read_counter_kind(table),
                         .device = read_text(table, "device", checked_netdev),
                         .name_space = maybe_read_text(table, "namespace", checked_name)};
  if (counters.kind == CounterSource::Kind::kEthtool) {
    const auto read_name = [&](std::string_view key, std::string& name) {
      name = maybe_read_text(table, key, checked_counter).value_or(name);
    };
    read_name("tx_bytes", counters.tx_bytes);
    read_name("rx_bytes", counters.rx_bytes);
    read_name("tx_packets", counters.tx_packets);
    read_name("rx_packets", counters.rx_packets);
  }
  table.finish();
  return counters;
}

class NodeReader {
 public:
  std::vector<Node> read(const toml::Table& root);

 private:
  // Values that must be unique within a node.
  struct InNode {
    UniqueValues ports{"port name"}, netdevs{"device"}, rdma{"RDMA device"}, counters{"counters' device"};
  };
  Node read_node(const toml::Table& table);
  Port read_port(const toml::Table& table, InNode& taken);
  Half read_half(const toml::Table& table, DataRate port_rate, InNode& taken);
  void check_counters(const toml::Table& table, const Node& node);

  UniqueValues names_{"node name"}, launch_addresses_{"address"}, addresses_{"address"}, macs_{"MAC address"};
};

Half NodeReader::read_half(const toml::Table& table, DataRate port_rate, InNode& taken) {
  const IpInterface address = read_text(table, "address", parse_ip_interface);
  Half half{.netdev = read_text(table, "netdev", checked_netdev),
            .rdma = maybe_read_text(table, "rdma", checked_name),
            .address = address.address.text(),
            .prefix_length = address.prefix_length,
            .mac = maybe_read_text(table, "mac", checked_mac),
            .rate = read_rate(table),
            .mtu = read_mtu(table)};
  taken.netdevs.add_name(half.netdev, table, "netdev");
  if (half.rdma) taken.rdma.add_name(*half.rdma, table, "rdma");
  addresses_.add(half.address, half.address, table, "address");
  if (half.mac) macs_.add(*half.mac, *half.mac, table, "mac");
  if (half.rate > port_rate) {
    table.fail("rate", fmt::format("faster than its port, which has {}", to_text(to_quantity(port_rate))));
  }
  if (address.family() == IpFamily::kIpv6 && half.mtu < kSmallestIpv6Mtu)
    table.fail("mtu", "an MTU for IPv6 must be at least 1280 B");
  table.finish();
  return half;
}

Port NodeReader::read_port(const toml::Table& table, InNode& taken) {
  Port port{.name = read_text(table, "name", checked_name),
            .rate = read_rate(table),
            .counters = {},
            .halves = {},
            .use = read_use(table)};
  taken.ports.add_name(port.name, table, "name");
  if (table.has("counters")) {
    port.counters = read_counters(table.table("counters"));
    const std::string place = port.counters->name_space.value_or("") + "/" + port.counters->device;
    taken.counters.add(port.counters->device, place, table, "counters");
  }
  for (const toml::Table& half : table.tables("half"))
    port.halves.push_back(read_half(half, port.rate, taken));
  if (port.halves.empty()) table.fail("", fmt::format("the port '{}' has no [[node.port.half]]", port.name));
  table.finish();
  return port;
}

// Counters of another port's half would prove the wrong cable.
void NodeReader::check_counters(const toml::Table& table, const Node& node) {
  for (std::size_t p = 0; p < node.ports.size(); ++p) {
    const auto& counters = node.ports[p].counters;
    if (!counters || counters->name_space) continue;
    for (const Port& other : node.ports) {
      const bool has_it = std::any_of(other.halves.begin(), other.halves.end(),
                                      [&](const Half& half) { return half.netdev == counters->device; });
      if (has_it && other.name != node.ports[p].name) {
        table.tables("port").at(p).fail(
            "counters",
            fmt::format("counters: '{}' belongs to another port, '{}'", counters->device, other.name));
      }
    }
  }
}

Node NodeReader::read_node(const toml::Table& table) {
  Node node{.name = read_text(table, "name", checked_name),
            .address = read_text(table, "address", checked_launch_address),
            .management = maybe_read_text(table, "management", checked_netdev),
            .ports = {},
            .gpus = read_gpus(table)};
  names_.add_name(node.name, table, "name");
  launch_addresses_.add(node.address, lower_case(node.address), table, "address");
  InNode taken;
  if (node.management) taken.netdevs.add_name(*node.management, table, "management");
  for (const toml::Table& port : table.tables("port")) node.ports.push_back(read_port(port, taken));
  if (node.ports.empty()) table.fail("", fmt::format("the node '{}' has no [[node.port]]", node.name));
  if (std::ranges::all_of(node.ports, [](const Port& port) { return port.use == PortUse::kStorage; }))
    table.fail("name",
               fmt::format("every port of '{}' is for storage: one at least must be for jobs", node.name));
  check_counters(table, node);
  table.finish();
  return node;
}

std::vector<Node> NodeReader::read(const toml::Table& root) {
  const std::vector<toml::Table> tables = root.tables("node");
  if (tables.size() < kFewestNodes) {
    root.fail("node",
              fmt::format("a rig must have at least {} nodes; here: {}", kFewestNodes, tables.size()));
  }
  if (tables.size() > kMostNodes) {
    root.fail("node", fmt::format("a rig can have at most {} nodes; here: {}", kMostNodes, tables.size()),
              kMostNodes);
  }
  std::vector<Node> nodes;
  for (const toml::Table& table : tables) nodes.push_back(read_node(table));
  return nodes;
}

}  // namespace

std::vector<Node> read_nodes(const toml::Table& root) { return NodeReader().read(root); }

void UniqueValues::add(const std::string& value, const std::string& identity, const toml::Table& table,
                       std::string_view key, std::optional<std::size_t> index) {
  const auto [place, is_new] = first_.try_emplace(identity, First{value, to_text(table.where())});
  if (is_new) return;
  const First& first = place->second;
  if (first.value == value) {
    table.fail(key, fmt::format("the {} '{}' is already given at {}", what_, value, first.where), index);
  }
  table.fail(key,
             fmt::format("the {} '{}' is the same as '{}' at {}", what_, value, first.value, first.where),
             index);
}

void UniqueValues::add_name(const std::string& name, const toml::Table& table, std::string_view key) {
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
    root.fail("format", fmt::format("unknown format {}; this program reads format {}", format, kFormat));
  }
}

// Runs first: the halves of a mistyped [[rail]] would be reported as on no rail.
void refuse_others(const toml::Table& root) {
  if (root.has("limit"))
    root.fail("limit", "this is a file of limits (--thresholds), not a rig file (--rig)");
  const std::vector<std::string> known = {"format",     "name",          "kind",          "stand_in",
                                          "forwarding", "traffic_class", "service_level", "node",
                                          "link",       "rail",          "switch"};
  for (const std::string& key : root.keys())
    if (std::ranges::find(known, key) == known.end())
      root.fail(key, fmt::format("unknown key {}{}", in_quotes(key), did_you_mean(key, known)));
}

std::string checked_rig_kind(const std::string& kind) {
  if (kind == "model" || kind == "roce-vm" || kind == "hardware") return kind;
  throw std::invalid_argument("a rig's kind must be \"model\", \"roce-vm\" or \"hardware\"" +
                              did_you_mean(kind, {"model", "roce-vm", "hardware"}));
}

}  // namespace

Rig load_rig(const std::filesystem::path& path) { return read_rig(toml::Document::load(path)); }

Rig read_rig(const toml::Document& document) {
  const toml::Table root = document.root();
  refuse_others(root);
  check_format(root);
  Rig rig{.name = read_text(root, "name", checked_name),
          .kind = read_text(root, "kind", checked_rig_kind),
          .stand_in = maybe_read_text(root, "stand_in", checked_remark),
          .nodes = read_nodes(root),
          .links = {},
          .rails = {},
          .forwarding = root.maybe_boolean("forwarding").value_or(false)};
  rig.links = read_links(root, rig);
  rig.rails = read_rails(root, rig);
  rig.switches = read_switches(root, rig);
  check_case_names(root, rig);
  put_in_ring_order(rig);
  return rig;
}

}  // namespace rigproof::inline rig
