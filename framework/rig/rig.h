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

// Two nodes, by index in the rig; the lower index first.
struct NodePair {
  std::uint32_t first, second;
  auto operator<=>(const NodePair&) const = default;
};
using Meet = std::function<bool(NodePair)>;

// These pairs in rounds in which no node appears twice (circle method). All pairs of the nodes: `nodes` - 1 rounds, or
// `nodes` rounds for an odd number. Empty rounds are left out. Takes time in proportion to the pairs.
[[nodiscard]] std::vector<std::vector<NodePair>> rounds_of(std::uint32_t nodes,
                                                           const std::vector<NodePair>& pairs);

// A choice of pairs for rigs with too many: the pairs of `rounds` rounds. Each node meets at most `rounds` others,
// one fewer if it pauses in a round. The same seed gives the same pairs on every machine.
struct RoundsAsked {
  int rounds = 0;  // 0: all pairs meet
  std::uint32_t seed = 0;
};
[[nodiscard]] std::set<NodePair> sampled_pairs(std::uint32_t nodes, const Meet& meet,
                                               const RoundsAsked& asked);

// Source of a port's physical-layer counters.
struct CounterSource {
  enum class Kind { kEthtool, kNetlink };
  Kind kind;
  std::string device;                     // the netdev with the counters
  std::optional<std::string> name_space;  // network namespace of the device (the model rig's switch)
  // ethtool -S names, unused for netlink:
  std::string tx_bytes = "tx_bytes_phy";
  std::string rx_bytes = "rx_bytes_phy";
  std::string tx_packets = "tx_packets_phy";
  std::string rx_packets = "rx_packets_phy";
};

// One of the PCIe functions that share a port: a netdev and, optionally, an RDMA device.
struct Half {
  std::string netdev;               // "enp1s0f0np0"
  std::optional<std::string> rdma;  // "rocep1s0f0"
  std::string address;              // "198.18.1.1", "fd93::1": the canonical text
  int prefix_length;                // 24
  std::optional<std::string> mac;   // lower case; set if the file wants a check
  DataRate rate;
  DataSize mtu;
};

// Traffic that a port is for. A storage port is measured on its own, by no case about all rails of a pair of nodes.
enum class PortUse { kCompute, kStorage };

// A physical port (cage).
struct Port {
  std::string name;  // "port0"
  DataRate rate;
  std::optional<CounterSource> counters;  // not set: the port's traffic can't be counted (a virtual function)
  std::vector<Half> halves;
  PortUse use = PortUse::kCompute;
};

struct Node {
  std::string name;                       // "node-a"
  std::string address;                    // for the launcher
  std::optional<std::string> management;  // the management netdev, "mgmt0"
  std::vector<Port> ports;
  std::optional<std::size_t> gpus = {};  // not set: not stated

  // GPUs that cases use, if there are any.
  [[nodiscard]] std::size_t used_gpus() const { return gpus.value_or(1); }
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

// A cable between two ports, or two or more ports that a switch joins.
struct Link {
  std::string name;
  std::vector<PortRef> ports;          // on distinct nodes, in node order
  std::optional<std::string> through;  // the switch's name; not set: a straight cable (two ports)
};

// The class of service of RDMA's packets.
struct ServiceClass {
  std::uint8_t traffic_class = 0;  // the byte of the IP header: DSCP * 4 + ECN bits
  std::uint8_t service_level = 0;  // of verbs, 0 to 7
  bool operator==(const ServiceClass&) const = default;
};

// Halves of distinct nodes that talk to each other, in one subnet unless routed.
struct Rail {
  std::string name;
  std::vector<HalfRef> halves;               // on distinct nodes, in node order
  std::optional<ServiceClass> service = {};  // not set: the file names none, and RDMA uses class 0
  bool routed = false;                       // a router leads from each half to the others
};

// The half of a rail, or the first port of a link, on `node`; nullptr: none. `ends` are in node order.
template <class Ends>
[[nodiscard]] const typename Ends::value_type* end_on(const Ends& ends, std::size_t node) {
  const auto found = std::ranges::lower_bound(ends, node, {}, &Ends::value_type::node);
  return found == ends.end() || found->node != node ? nullptr : &*found;
}

// A switch that can show the state of its ports, and the interface at which each port of the rig is connected.
struct Switch {
  struct Port {
    PortRef at;
    std::string interface;  // the switch's own name: "qsfp56-dd-1-1"
  };
  std::string name;                        // as in Link::through
  std::string kind;                        // "routeros"
  std::string address;                     // "https://192.168.88.1"
  std::optional<std::string> ca;           // PEM file of the accepted certificate authorities
  std::optional<std::string> credentials;  // file with USER:PASSWORD; not set: from the environment
  std::vector<Port> ports;
};

// A rig. Immutable once loaded; all references are valid.
struct Rig {
  std::string name;
  std::string kind;                     // "model", "roce-vm" or "hardware"
  std::optional<std::string> stand_in;  // parts that are not real hardware, in words; every report repeats it
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<Rail> rails;
  std::vector<Switch> switches = {};
  bool forwarding = false;  // the file promises: other nodes forward between nodes without a common rail
  std::optional<std::set<NodePair>> only_pairs = {};     // pairs with cases in this run; not set: all
  std::optional<std::set<std::size_t>> only_nodes = {};  // nodes with cases of their own; not set: all

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
  [[nodiscard]] const Link& link_of(PortRef port) const;                         // every port is on one link
  [[nodiscard]] const Rail& rail_of(HalfRef half) const;                         // every half is on one rail
  [[nodiscard]] std::vector<HalfRef> compute_halves_of(std::size_t node) const;  // those of its compute ports
  [[nodiscard]] bool is_for_storage(const Rail& rail) const;               // all ports of a rail have one use
  [[nodiscard]] bool meet(std::size_t one_node, std::size_t other) const;  // by only_pairs
};

// Reads a rig file; rigproof-rig(5), the README.md of framework/rig, shows a complete one. Throws toml::InputError
// with file:line:column: an unknown key; a name with characters beyond [A-Za-z0-9._-] or longer than 64; duplicate
// names, addresses or MACs; names that differ only in . _ and -; a half on no rail or on two; a rail whose halves
// share a node, differ in MTU, family or, unless routed, subnet, have no common link or are on ports of different use;
// rails of jobs with different families; a
// routed rail on a cable or in one subnet; a port without halves or not on one link; a straight link with more than two
// ports; an address or a device name that no node can have; a switch without a link or without an https:// address;
// rates and MTUs out of range; names that would give two cases the same name; fewer than 2 or more than 4096 nodes;
// with more than 256 nodes, a name of a node, port, netdev, rail or link that begins with another; a traffic class
// above 255; a service level above 7 or without a traffic class.
[[nodiscard]] Rig load_rig(const std::filesystem::path& path);
[[nodiscard]] Rig read_rig(const toml::Document& document);

// The rig of a job on `nodes`, in their order. Nodes keep all ports and halves; links, rails and switches keep their
// ends on these nodes. A link or rail with only one end left has no pair. Cases keep their names and facts if `nodes`
// are in the rig's order. Throws std::out_of_range.
[[nodiscard]] Rig restricted(const Rig& rig, const std::vector<std::size_t>& nodes);

// The path MTU of RoCE v2 for a netdev's MTU (linux/include/rdma/ib_addr.h, iboe_get_mtu()): a power of two from 256
// to 4096 B. Throws std::invalid_argument if the MTU is too small, which no rig file allows.
[[nodiscard]] DataSize roce_path_mtu(DataSize netdev_mtu);

// Facts that a limit may name ("85 % of port.rate"), with their dimensions. Every subject has all of them:
//   half.rate, half.mtu   the smallest of the halves that take part
//   half.path_mtu         RDMA's largest packet at that MTU: roce_path_mtu()
//   port.rate             the smallest of the halves' ports
//   port.halves           the smallest number of halves on one of these ports
//   node.rate             the smallest of the nodes; a node's rate is the sum of its compute ports' rates
//   paths.rate            all paths together: the sum of each path's smaller half rate, limited by the rates of
//                         the ports between them
//   paths.tcp_payload     paths.rate less the headers of full packets at half.mtu: (MTU - 52 B) / (MTU + 38 B), which is
//                         99.0 % at 9000 B and 94.1 % at 1500 B. 52 B: IPv4, TCP and its timestamps; 38 B: Ethernet's
//                         preamble, header, FCS and gap. Any path of IPv6: 72 B, 98.8 % at 9000 B, 92.8 % at 1500 B
//   paths.rdma_payload    the same of RoCE v2 at half.path_mtu: P / (P + 82 B), 98.0 % at 4096 B, 92.6 % at 1024 B. 82 B:
//                         IPv4, UDP, transport header, ICRC and Ethernet's 38 B; a message's own 16 B are left out. Any
//                         path of IPv6: 102 B, 97.6 % at 4096 B, 90.9 % at 1024 B
//   ring.rate             one way from a node to the next one, in a ring of all nodes that take part: paths.rate for
//                         two nodes, else the smallest of the ring's steps
//   gpu.rate              ring.rate for each of a node's GPUs, by the node with the most
[[nodiscard]] const FactDimensions& rig_fact_dimensions();

// A path from one half to another. The same half twice means that half alone.
struct HalfPair {
  HalfRef from, to;
};

// Facts of a subject that consists of these paths (at least one).
[[nodiscard]] Facts facts_of(const Rig& rig, std::span<const HalfPair> paths);
[[nodiscard]] Facts facts_of(const Rig& rig, HalfRef half);

}  // namespace rigproof::inline rig
