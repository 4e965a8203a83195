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

// What a case is about: the parameter types of the suites. Each has
//   name():  stable and unique in the rig, [A-Za-z0-9_] only (GoogleTest's rule): "rail0_node_a_node_b"
//   text():  for a person, naming nodes and devices
//   nodes(): the nodes that take part, in order: sender first
//   place(): the same by the names of the rig file, as a record has it
//   facts(): of the rig, for relative limits (the smaller of both ends where they differ)
//   remedy_values(): of the rig, for what a person is told to type on a node that takes part, by that node's name
//            ("node-a" -> "netdev" -> "enp1s0f0np0"). Of its halves that take part netdevs and rdmas (a space
//            between), netdev_list and rdma_list (a comma); of one alone netdev, rdma, address, prefix and mtu;
//            of those of one port port, and switch and interface where the rig describes its switch; of a path
//            peer_node, and of one rail's path peer (the far end's address) and peer_netdev; management
// Pure functions of the rig, the same on every rank; they throw std::out_of_range for an index that the rig has not. They
// refer to the Rig, which outlives them. A rig of 400 nodes has a million paths: copies share what they hold, and the
// words are made when they are asked for.
class Subject {
 public:
  using RemedyValues = std::map<std::string, std::string, std::less<>>;
  using RemedyValuesByNode = std::map<std::string, RemedyValues, std::less<>>;
  using MakeRemedyValues = std::function<RemedyValuesByNode()>;
  // What it is, beside its nodes: as in SubjectPlace.
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
  [[nodiscard]] SubjectPlace place(const Rig& rig) const;  // in the rig that it was made of
  [[nodiscard]] const Facts& facts() const { return content_->facts; }
  [[nodiscard]] const RemedyValuesByNode& remedy_values() const;

 private:
  struct Content {
    std::string name, text;
    Kind kind;
    std::vector<std::size_t> nodes;
    Facts facts;
    MakeRemedyValues make_values;
    std::optional<RemedyValuesByNode> values = {};  // once they were asked for
  };
  std::shared_ptr<Content> content_;
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
  [[nodiscard]] DataRate rate() const;  // of its halves, the smaller one
  std::string rail;
  HalfRef from, to;
};
// The other way along the same rail.
[[nodiscard]] RailPath reversed(const Rig&, const RailPath&);

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
  // Those of one of its two nodes that lead to the other, in file order: in a ring, the halves of one port.
  [[nodiscard]] std::vector<HalfRef> halves_of(std::size_t node) const;
  std::size_t from, to;
  std::vector<RailPath> paths;
};

// One way between two nodes that share no rail, through nodes between them that forward: as the nodes' routes say.
struct ForwardedPath : Subject {
  ForwardedPath(const Rig&, std::size_t from, std::size_t to);
  std::size_t from, to;
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
[[nodiscard]] std::vector<ForwardedPath> every_forwarded_path(
    const Rig&);  // none unless the rig file promises them

// Pairs of nodes that share a rail, or that others forward for.
[[nodiscard]] std::size_t count_pairs(const Rig& rig);

// From here on only pairs of these rounds have subjects, of those that share a rail or that others forward for. Returns
// how many pairs are left out: none of a rig of two nodes, or of 0 rounds.
std::size_t keep_rounds(Rig& rig, const RoundsAsked& asked);

// All of the above by name(), which is unique among all kinds of them.
[[nodiscard]] std::map<std::string, Subject> every_subject(const Rig&);

// All nodes of a rig at once, in file order, with every two of them that share rails. Its facts are the smallest
// that a node has: paths.rate is what it sends to all others together.
struct AllNodes : Subject {
  explicit AllNodes(const Rig&);
  [[nodiscard]] std::vector<NodePath> pairs()
      const;  // also those that have no cases of their own in this run

 private:
  const Rig* rig_;
};

// One where a rig is more than a pair and a rail joins all its nodes, else none: on a ring MPI finds no way between all.
[[nodiscard]] std::vector<AllNodes> all_nodes_of(const Rig&);

// The names of the subjects' cases, in one place: [A-Za-z0-9_] and never a value.
[[nodiscard]] std::string case_name(const Rig&);                    // all_nodes
[[nodiscard]] std::string case_name(const Rig&, std::size_t node);  // node_a
[[nodiscard]] std::string case_name(const Rig&, PortRef);           // node_a_port0
[[nodiscard]] std::string case_name(const Rig&, HalfRef);           // node_a_enp1s0f0np0

enum class Ways { kBoth, kOne };

// Two nodes over a rail or link, or, with an empty `over`, over everything between them: rail0_node_a_node_b,
// one way rail0_node_a_to_node_b.
[[nodiscard]] std::string case_name(const Rig&, std::string_view over, std::size_t from, std::size_t to,
                                    Ways);

}  // namespace rigproof::inline rig
