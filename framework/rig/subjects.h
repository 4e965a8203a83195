#pragma once

#include <concepts>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::inline rig {

// What a case is about: the parameter types of the suites. Each has
//   name():  stable and unique in the rig, [A-Za-z0-9_] only (GoogleTest's rule): "rail0_node_a_node_b"
//   text():  for a person, naming nodes and devices
//   nodes(): the nodes that take part, in order: sender first
//   facts(): of the rig, for relative limits (the smaller of both ends where they differ)
//   words(): of the rig, for what a person is told to type on a node that takes part, by that node's name
//            ("node-a" -> "netdev" -> "enp1s0f0np0"). Of its halves that take part netdevs and rdmas (a space
//            between), netdev_list and rdma_list (a comma); of one alone netdev, rdma, address, prefix and mtu;
//            of those of one port port, and switch and interface where the rig describes its switch; of a path
//            peer_node, and of one rail's path peer (the far end's address) and peer_netdev; management
// They refer to the Rig, which outlives them.
class Subject {
 public:
  using Words = std::map<std::string, std::string, std::less<>>;
  using NodeWords = std::map<std::string, Words, std::less<>>;
  Subject(std::string name, std::string text, std::vector<std::size_t> nodes, Facts facts, NodeWords words);
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<std::size_t>& nodes() const { return nodes_; }
  [[nodiscard]] const Facts& facts() const { return facts_; }
  [[nodiscard]] const NodeWords& words() const { return words_; }

 private:
  std::string name_, text_;
  std::vector<std::size_t> nodes_;
  Facts facts_;
  NodeWords words_;
};
// GoogleTest prints text(), of every kind of subject.
template <std::derived_from<Subject> AnySubject>
void PrintTo(const AnySubject& subject, std::ostream* out) {
  *out << subject.text();
}

struct NodeSubject : Subject {
  NodeSubject(const Rig&, std::size_t node);
  std::size_t node;
};
struct PortSubject : Subject {
  PortSubject(const Rig&, PortRef port);
  PortRef port;
};
struct HalfSubject : Subject {
  HalfSubject(const Rig&, HalfRef half);
  HalfRef half;
};

// Of the three below, `both_ways` makes the pair ("rail0_node_a_node_b", "<->") instead of the one way
// ("rail0_node_a_to_node_b", "->").

// One way along a rail: from one half to the half it talks to on another node.
struct RailPath : Subject {
  RailPath(const Rig&, const Rail&, HalfRef from, HalfRef to, bool both_ways);
  std::string rail;
  HalfRef from, to;
};

// One way between two ports of a link: all the rail paths whose halves sit on these two ports.
struct PortPath : Subject {
  PortPath(const Rig&, const Link&, PortRef from, PortRef to, std::vector<RailPath> paths, bool both_ways);
  std::string link;
  PortRef from, to;
  std::vector<RailPath> paths;
};

// One way between two nodes: all the rail paths between them.
struct NodePath : Subject {
  NodePath(const Rig&, std::size_t from, std::size_t to, std::vector<RailPath> paths, bool both_ways);
  std::size_t from, to;
  std::vector<RailPath> paths;
};

// Every one in the rig, in file order. every_*_pair lists each unordered pair once (from = the earlier node),
// every_*_path both directions.
[[nodiscard]] std::vector<NodeSubject> every_node(const Rig&);
[[nodiscard]] std::vector<PortSubject> every_port(const Rig&);
[[nodiscard]] std::vector<HalfSubject> every_half(const Rig&);
[[nodiscard]] std::vector<RailPath> every_rail_pair(const Rig&);
[[nodiscard]] std::vector<RailPath> every_rail_path(const Rig&);
[[nodiscard]] std::vector<PortPath> every_port_pair(const Rig&);
[[nodiscard]] std::vector<PortPath> every_port_path(const Rig&);
[[nodiscard]] std::vector<NodePath> every_node_pair(const Rig&);
[[nodiscard]] std::vector<NodePath> every_node_path(const Rig&);

// All of the above by name(), which is unique among all kinds of them: to find a case's subject again.
[[nodiscard]] std::map<std::string, Subject> every_subject(const Rig&);

// All nodes of a rig at once, in file order, with every two of them that share rails. Its facts are the smallest
// that a node has: paths.rate is what it sends to all others together.
struct WholeRig : Subject {
  explicit WholeRig(const Rig&);
  std::vector<NodePath> pairs;
};

// One where a rig is more than a pair, else none.
[[nodiscard]] std::vector<WholeRig> every_whole_rig(const Rig&);

// The words for one node: of these halves of it, which talk to these of another node (none: nobody in particular).
[[nodiscard]] Subject::Words words_of(const Rig& rig, const std::vector<HalfRef>& halves,
                                      const std::vector<HalfRef>& peers = {});

// Those of both ends of paths between two nodes, by the nodes' names.
[[nodiscard]] Subject::NodeWords words_of_paths(const Rig& rig, const std::vector<HalfPair>& paths);

}  // namespace rigproof::inline rig
