#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/toml/document.h"
#include "framework/units/quantity.h"

namespace rigproof::inline rig {

// Two nodes, by their places in the rig; the earlier first.
struct NodePair {
  std::uint32_t first, second;
  auto operator<=>(const NodePair&) const = default;
};
using Meet = std::function<bool(NodePair)>;

// The pairs that `meet`, in rounds in which no node is twice, by the circle method: where all meet, one round less than
// there are nodes, as many for an odd number. Rounds without a pair are left out.
[[nodiscard]] std::vector<std::vector<NodePair>> rounds_of(std::uint32_t nodes, const Meet& meet);

// Which pairs of a rig meet where all of them are too many: those of so many rounds, so that each node meets at most
// `rounds` others, one fewer where the number of nodes is odd and it pauses. The same for a seed, everywhere.
struct RoundsAsked {
  int rounds = 0;  // 0: all pairs meet
  std::uint32_t seed = 0;
};
[[nodiscard]] std::set<NodePair> sampled_pairs(std::uint32_t nodes, const Meet& meet,
                                               const RoundsAsked& asked);

// Where a port's physical-layer counters are read.
struct CounterSource {
  enum class Kind { kEthtool, kNetlink };
  Kind kind;
  std::string device;                     // the netdev that shows them
  std::optional<std::string> name_space;  // a named network namespace to read it in (the model rig's switch)
  // ethtool -S names, unused for netlink:
  std::string tx_bytes = "tx_bytes_phy";
  std::string rx_bytes = "rx_bytes_phy";
  std::string tx_packets = "tx_packets_phy";
  std::string rx_packets = "rx_packets_phy";
};

// One of the PCIe functions that share a port: a netdev and, where there is one, an RDMA device.
struct Half {
  std::string netdev;               // "enp1s0f0np0"
  std::optional<std::string> rdma;  // "rocep1s0f0"
  std::string address;              // IPv4, "198.18.1.1"
  int prefix_length;                // 24
  std::optional<std::string> mac;   // lower case, when the file wants it proven
  DataRate rate;
  DataSize mtu;
};

// A physical port (cage).
struct Port {
  std::string name;  // "port0"
  DataRate rate;
  CounterSource counters;
  std::vector<Half> halves;
};

struct Node {
  std::string name;                       // "node-a"
  std::string address;                    // what the launcher is told
  std::optional<std::string> management;  // the management netdev, "mgmt0"
  std::vector<Port> ports;
};

// Indices into Rig::nodes and below.
struct PortRef {
  std::size_t node, port;
  auto operator<=>(const PortRef&) const = default;
};
struct HalfRef {
  std::size_t node, port, half;
  auto operator<=>(const HalfRef&) const = default;
};

// A cable between two ports, or what a switch joins: two or more ports.
struct Link {
  std::string name;
  std::vector<PortRef> ports;          // of distinct nodes, in node order
  std::optional<std::string> through;  // the switch's name; absent for a straight cable (then two ports)
};

// Halves of distinct nodes that talk to each other: one subnet.
struct Rail {
  std::string name;
  std::vector<HalfRef> halves;  // of distinct nodes, in node order
};

// Which of a rail's halves, or of a link's ports, is on that node; nullptr: none.
template <class Ends>
[[nodiscard]] const typename Ends::value_type* end_on(const Ends& ends, std::size_t node) {
  const auto found = std::ranges::find_if(ends, [&](const auto& end) { return end.node == node; });
  return found == ends.end() ? nullptr : &*found;
}

// A switch that can be asked how its ports are, and which of them each of the rig's ports is cabled to.
struct Switch {
  struct Port {
    PortRef at;
    std::string interface;  // as the switch calls it: "qsfp56-dd-1-1"
  };
  std::string name;                        // as links name it in `through`
  std::string kind;                        // "routeros"
  std::string address;                     // "https://192.168.88.1"
  std::optional<std::string> ca;           // a PEM file with who may have signed its certificate
  std::optional<std::string> credentials;  // a file with USER:PASSWORD; else the environment has them
  std::vector<Port> ports;
};

// The rig as data. Immutable once loaded; every reference in it resolves.
struct Rig {
  std::string name;
  std::string kind;                     // "model", "roce-vm" or "hardware"
  std::optional<std::string> stand_in;  // what parts of it are no real rig, in words; every report repeats it
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<Rail> rails;
  std::vector<Switch> switches = {};
  bool forwarding = false;  // promised: nodes that share no rail reach each other through those between them
  std::optional<std::set<NodePair>> only_pairs = {};  // of nodes that have cases with each other; absent: all

  [[nodiscard]] const Node& node(std::size_t index) const { return nodes.at(index); }
  [[nodiscard]] const Port& port(PortRef ref) const { return nodes.at(ref.node).ports.at(ref.port); }
  [[nodiscard]] const Port& port(HalfRef ref) const { return nodes.at(ref.node).ports.at(ref.port); }
  [[nodiscard]] const Half& half(HalfRef ref) const { return port(ref).halves.at(ref.half); }
  [[nodiscard]] std::string label(PortRef ref) const;  // "node-a:port0"
  [[nodiscard]] std::string label(HalfRef ref) const;  // "node-a:enp1s0f0np0"

  [[nodiscard]] std::optional<std::size_t> find_node(std::string_view name) const;
  [[nodiscard]] std::optional<PortRef> find_port(std::size_t node, std::string_view name) const;
  [[nodiscard]] std::optional<HalfRef> find_half(std::size_t node, std::string_view netdev) const;
  [[nodiscard]] std::vector<HalfRef> halves_of(std::size_t node) const;  // in file order
  [[nodiscard]] std::vector<HalfRef> halves_of(PortRef port) const;
  [[nodiscard]] const Link& link_of(PortRef port) const;                   // every port is on one link
  [[nodiscard]] const Rail& rail_of(HalfRef half) const;                   // every half is on one rail
  [[nodiscard]] bool meet(std::size_t one_node, std::size_t other) const;  // by only_pairs
};

// Reads a rig file; rigproof-rig(5), which is README.md of framework/rig, shows a complete one. Throws toml::InputError with
// file:line:column: an unknown key, a name with characters beyond [A-Za-z0-9._-] or longer than 64, duplicate
// names, addresses or MACs, names that differ only in . _ and -, a half that is on no rail or on two, a rail
// whose halves share a node, differ in subnet or MTU or are on no common link, a port without halves or not
// on one link, a straight link with more than two ports, an address or a device name that no node can have,
// a switch that no link goes through, an address that is no https:// one, rates and MTUs out of range, names that would give two cases the same name, fewer than two nodes or more
// than 4096; of more than 256 nodes names of nodes, ports, netdevs, rails and links of which one begins with another.
[[nodiscard]] Rig load_rig(const std::filesystem::path& path);
[[nodiscard]] Rig read_rig(const toml::Document& document);

// The rig as a job on these nodes sees it, in their order: the nodes whole, with all their ports and halves; of links,
// rails and switches what is on these nodes. So a link or a rail may be left with one end, and has no pair then. Cases
// keep their names and facts, where the order is the rig's. Throws std::out_of_range.
[[nodiscard]] Rig restricted(const Rig& rig, const std::vector<std::size_t>& nodes);

// What a netdev's MTU leaves room for in a RoCE v2 packet (linux/include/rdma/ib_addr.h, iboe_get_mtu()): a power of two from 256
// to 4096 B. Throws std::invalid_argument for an MTU that is too small, as no rig file's is.
[[nodiscard]] DataSize roce_path_mtu(DataSize netdev_mtu);

// The facts a limit may name ("85 % of port.rate"), and their dimensions. Every subject has all of them:
//   half.rate, half.mtu   the smallest of the halves that take part
//   half.path_mtu         RDMA's largest packet at that MTU: roce_path_mtu()
//   port.rate             the smallest of the ports they are on
//   port.halves           the fewest halves that one of these ports has
//   node.rate             the smallest of the nodes, each the sum of its ports' rates
//   paths.rate            what all its paths carry together: of each path the smaller half's rate, added up,
//                         but no more than the ports between them carry
[[nodiscard]] const FactDimensions& rig_fact_dimensions();

// From one half to another; the same half twice stands for that half alone.
struct HalfPair {
  HalfRef from, to;
};

// The facts of a subject that these paths make up; at least one.
[[nodiscard]] Facts facts_of(const Rig& rig, std::span<const HalfPair> paths);
[[nodiscard]] Facts facts_of(const Rig& rig, HalfRef half);

}  // namespace rigproof::inline rig
