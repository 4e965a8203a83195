#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "framework/rig/rig.h"
#include "framework/rig/subject_place.h"

namespace rigproof::inline rig {

// The subject of a case: the parameter types of the suites. Each has
//   name():  stable and unique in the rig, [A-Za-z0-9_] only (GoogleTest's rule): "rail0_node_a_node_b"
//   text():  for a person, with names of nodes and devices
//   nodes(): the nodes that take part, in order: sender first
//   place(): the same by names of the rig file, as in a record
//   facts(): facts of the rig, for relative limits (the smaller of both ends if they differ)
//   remedy_values(): values for the commands of remedies, by name of the node that takes part
//            ("node-a" -> "netdev" -> "enp1s0f0np0"). All halves that take part: netdevs and rdmas (separated by spaces),
//            netdev_list and rdma_list (by commas). A single half: netdev, rdma, address, prefix and mtu. Halves of one
//            port: port, and switch and interface if the rig file describes its switch. A path: peer_node, and on one
//            rail also peer (the far end's address) and peer_netdev. If the node has one: management
// Pure functions of the rig, equal on every rank. They throw std::out_of_range for an index that the rig does not
// have. They refer to the Rig, which must outlive them. A rig of 400 nodes has a million paths: copies share their
// content, and remedy values are made when they are requested.
class Subject {
 public:
  using RemedyValues = std::map<std::string, std::string, std::less<>>;
  using RemedyValuesByNode = std::map<std::string, RemedyValues, std::less<>>;
  using MakeRemedyValues = std::function<RemedyValuesByNode()>;
  // Kind of a subject, without its nodes: as in SubjectPlace.
  struct Kind {
    SubjectPlace::Kind kind;
    std::string part = {};
    bool both_ways = false;
  };
  Subject(std::string name, std::string text, Kind kind, std::vector<std::size_t> nodes, Facts facts,
          MakeRemedyValues values);
  [[nodiscard]] const std::string& name() const { return content_->name; }
  [[nodiscard]] const std::string& text() const { return content_->text; }
  [[nodiscard]] const std::vector<std::size_t>& nodes() const { return content_->nodes; }
  [[nodiscard]] SubjectPlace place(const Rig& rig) const;  // `rig`: the rig of this subject
  [[nodiscard]] const Facts& facts() const { return content_->facts; }
  [[nodiscard]] const RemedyValuesByNode& remedy_values() const;

 private:
  struct Content {
    std::string name, text;
    Kind kind;
    std::vector<std::size_t> nodes;
    Facts facts;
    MakeRemedyValues make_values;
    std::optional<RemedyValuesByNode> values = {};  // set after the first request
  };
  std::shared_ptr<Content> content_;
};
// Makes GoogleTest print text() for every kind of subject.
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

// In the three types below, `both_ways` means the pair ("rail0_node_a_node_b", "<->") instead of one direction
// ("rail0_node_a_to_node_b", "->").

// One direction along a rail: from a half to its peer on another node.
struct RailPath : Subject {
  RailPath(const Rig&, const Rail&, HalfRef from, HalfRef to, bool both_ways);
  [[nodiscard]] DataRate rate() const;  // of the slower half
  std::string rail;
  HalfRef from, to;
};
// The opposite direction on the same rail.
[[nodiscard]] RailPath reversed(const Rig&, const RailPath&);

// One direction between two ports of a link: all rail paths between halves of these ports.
struct PortPath : Subject {
  PortPath(const Rig&, const Link&, PortRef from, PortRef to, std::vector<RailPath> paths, bool both_ways);
  std::string link;
  PortRef from, to;
  std::vector<RailPath> paths;
};

// One direction between two nodes: all rail paths between their compute ports.
struct NodePath : Subject {
  NodePath(const Rig&, std::size_t from, std::size_t to, std::vector<RailPath> paths, bool both_ways);
  // Halves of `node` that lead to the other node, in file order: in a ring, the halves of one port.
  [[nodiscard]] std::vector<HalfRef> halves_of(std::size_t node) const;
  std::size_t from, to;
  std::vector<RailPath> paths;
};

// One direction between two nodes that share no rail. Nodes between them forward, along their routes.
struct ForwardedPath : Subject {
  ForwardedPath(const Rig&, std::size_t from, std::size_t to);
  std::size_t from, to;
};

// All subjects of the rig, in file order. every_*_pair lists each unordered pair once (from = the earlier node),
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
[[nodiscard]] std::vector<ForwardedPath> every_forwarded_path(
    const Rig&);  // none unless the rig file promises forwarding

// The rail's path between two nodes; nullopt: one of them has no half on it.
[[nodiscard]] std::optional<RailPath> rail_path(const Rig&, const Rail&, std::size_t from, std::size_t to,
                                                bool both_ways);
// The paths of all rails between two nodes, in the order of the rig file.
[[nodiscard]] std::vector<RailPath> rails_between(const Rig&, std::size_t from, std::size_t to,
                                                  bool both_ways);

// The same without rails of storage ports: the paths of a NodePath.
[[nodiscard]] std::vector<RailPath> compute_rails_between(const Rig&, std::size_t from, std::size_t to,
                                                          bool both_ways);

// Number of node pairs that share a rail, or that other nodes forward for.
[[nodiscard]] std::size_t count_pairs(const Rig& rig);

// Restricts the rig to pairs of the requested rounds: other pairs have no subjects from here on. Returns the number
// of pairs left out: 0 for a rig of two nodes, or for 0 rounds.
std::size_t keep_rounds(Rig& rig, const RoundsAsked& asked);

// All subjects above by name(), which is unique across all kinds.
[[nodiscard]] std::map<std::string, Subject> every_subject(const Rig&);

// All nodes of a rig together, in file order. Its facts are the smallest of all nodes: paths.rate is what a node
// sends to all others together. The ring of ring.rate joins the nodes with GPUs, in file order.
struct AllNodes : Subject {
  explicit AllNodes(const Rig&);
  [[nodiscard]] std::vector<NodePath> pairs()
      const;  // pairs that share rails, also those without cases in this run

 private:
  const Rig* rig_;
};

// One element if the rig has more than two nodes and a compute rail joins all, else none: on a ring MPI finds no way between
// all.
[[nodiscard]] std::vector<AllNodes> all_nodes_of(const Rig&);
// One element if the rig has more than two nodes with GPUs, or several GPUs on a node, and rails lead from each node with
// GPUs to the next one and from the last to the first; else none.
[[nodiscard]] std::vector<AllNodes> all_gpus_of(const Rig&);

// Names of the subjects' cases: [A-Za-z0-9_], without values.
[[nodiscard]] std::string case_name(const Rig&);                    // all_nodes
[[nodiscard]] std::string case_name(const Rig&, std::size_t node);  // node_a
[[nodiscard]] std::string case_name(const Rig&, PortRef);           // node_a_port0
[[nodiscard]] std::string case_name(const Rig&, HalfRef);           // node_a_enp1s0f0np0

enum class Ways { kBoth, kOne };

// Two nodes over a rail or link (empty `over`: over everything between them): rail0_node_a_node_b, for one direction
// rail0_node_a_to_node_b.
[[nodiscard]] std::string case_name(const Rig&, std::string_view over, std::size_t from, std::size_t to,
                                    Ways);

}  // namespace rigproof::inline rig
