#include "framework/rig/subjects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "framework/rig/reading.h"
#include "framework/rig/text_checks.h"
#include "framework/units/ip_address.h"

namespace rigproof::inline rig {
namespace {

using RemedyValues = Subject::RemedyValues;

void add_devices(RemedyValues& values, const std::string& word, const std::vector<std::string>& devices) {
  values[word + "s"] = fmt::format("{}", fmt::join(devices, " "));
  values[word + "_list"] = fmt::format("{}", fmt::join(devices, ","));
  if (devices.size() == 1) values[word] = devices.front();
}

void add_half(RemedyValues& values, const Half& half) {
  values["address"] = half.address;
  values["prefix"] = fmt::to_string(half.prefix_length);
  values["mtu"] = fmt::to_string(half.mtu.bytes());
  constexpr std::uint64_t kIcmp = 8;
  values["ping_headers"] = fmt::to_string(header_bytes(family_of(half.address)) + kIcmp);
}

void add_port(RemedyValues& values, const Rig& rig, PortRef ref) {
  values["port"] = rig.port(ref).name;
  for (const Switch& one : rig.switches)
    for (const Switch::Port& at : one.ports)
      if (at.at == ref) {
        values["switch"] = one.name;
        values["interface"] = at.interface;
      }
}

void add_peers(RemedyValues& values, const Rig& rig, const std::vector<HalfRef>& peers) {
  values["peer_node"] = rig.node(peers.front().node).name;
  if (peers.size() > 1) return;
  values["peer"] = rig.half(peers.front()).address;
  values["peer_netdev"] = rig.half(peers.front()).netdev;
}

// Values for the node of `halves`, which talk to `peers` on another node (empty: no particular node).
RemedyValues remedy_values_of(const Rig& rig, const std::vector<HalfRef>& halves,
                              const std::vector<HalfRef>& peers = {}) {
  RemedyValues values;
  std::vector<std::string> netdevs, rdmas;
  for (const HalfRef ref : halves) {
    const Half& half = rig.half(ref);
    netdevs.push_back(half.netdev);
    if (half.rdma) rdmas.push_back(*half.rdma);
  }
  add_devices(values, "netdev", netdevs);
  if (!rdmas.empty()) add_devices(values, "rdma", rdmas);
  if (halves.size() == 1) add_half(values, rig.half(halves.front()));
  const auto same_port = [&](HalfRef half) { return half.port == halves.front().port; };
  if (std::ranges::all_of(halves, same_port))
    add_port(values, rig, {halves.front().node, halves.front().port});
  if (!peers.empty()) add_peers(values, rig, peers);
  if (const auto& management = rig.node(halves.front().node).management) values["management"] = *management;
  return values;
}

Ways ways(bool both_ways) { return both_ways ? Ways::kBoth : Ways::kOne; }
std::string_view arrow(bool both_ways) { return both_ways ? "<->" : "->"; }

Facts facts_of_each(const Rig& rig, const std::vector<HalfRef>& halves) {
  std::vector<HalfPair> pairs;
  for (const HalfRef half : halves) pairs.push_back({half, half});
  return facts_of(rig, pairs);
}

Facts facts_of_paths(const Rig& rig, const std::vector<RailPath>& paths) {
  std::vector<HalfPair> pairs;
  for (const RailPath& path : paths) pairs.push_back({path.from, path.to});
  return facts_of(rig, pairs);
}

Facts facts_of_pair(const Rig& rig, HalfPair pair) { return facts_of(rig, {&pair, 1}); }

std::string text_of(const Rig& rig, HalfRef half) {
  return fmt::format("{} {}", rig.node(half.node).name, rig.half(half).netdev);
}

std::string text_of(const Rig& rig, PortRef port) {
  return fmt::format("{} {}", rig.node(port.node).name, rig.port(port).name);
}

// The halves of a node's compute ports; all, if it has none.
std::vector<HalfRef> halves_for_jobs(const Rig& rig, std::size_t node) {
  std::vector<HalfRef> halves = rig.compute_halves_of(node);
  return halves.empty() ? rig.halves_of(node) : halves;
}

std::vector<HalfRef> halves_of_both(const Rig& rig, std::size_t a, std::size_t b) {
  std::vector<HalfRef> halves = rig.halves_of(a);
  const std::vector<HalfRef> others = rig.halves_of(b);
  halves.insert(halves.end(), others.begin(), others.end());
  return halves;
}

// Values for the node of these halves.
Subject::MakeRemedyValues remedy_values_on_node(const Rig& rig, std::vector<HalfRef> halves) {
  return [&rig, halves = std::move(halves)] {
    return Subject::RemedyValuesByNode{{rig.node(halves.front().node).name, remedy_values_of(rig, halves)}};
  };
}

Subject::MakeRemedyValues remedy_values_between(const Rig& rig, std::vector<HalfRef> from,
                                                std::vector<HalfRef> to) {
  return [&rig, from = std::move(from), to = std::move(to)] {
    return Subject::RemedyValuesByNode{{rig.node(from.front().node).name, remedy_values_of(rig, from, to)},
                                       {rig.node(to.front().node).name, remedy_values_of(rig, to, from)}};
  };
}

Subject::MakeRemedyValues remedy_values_along(const Rig& rig, const std::vector<RailPath>& paths) {
  std::vector<HalfRef> from, to;
  for (const RailPath& path : paths) {
    from.push_back(path.from);
    to.push_back(path.to);
  }
  return remedy_values_between(rig, std::move(from), std::move(to));
}

}  // namespace

Subject::Subject(std::string name, std::string text, Kind kind, std::vector<std::size_t> nodes, Facts facts,
                 MakeRemedyValues values)
    : content_(std::make_shared<Content>(Content{std::move(name), std::move(text), std::move(kind),
                                                 std::move(nodes), std::move(facts), std::move(values)})) {}

const Subject::RemedyValuesByNode& Subject::remedy_values() const {
  if (!content_->values) content_->values = content_->make_values();
  return *content_->values;
}

SubjectPlace Subject::place(const Rig& rig) const {
  SubjectPlace place{content_->kind.kind, content_->kind.part, {}, content_->kind.both_ways};
  for (const std::size_t node : nodes()) place.nodes.push_back(rig.node(node).name);
  return place;
}

NodeSubject::NodeSubject(const Rig& rig, std::size_t node_index)
    : Subject(case_name(rig, node_index), rig.node(node_index).name, {SubjectPlace::Kind::kNode},
              {node_index}, facts_of_each(rig, halves_for_jobs(rig, node_index)),
              remedy_values_on_node(rig, rig.halves_of(node_index))),
      node(node_index) {}

PortSubject::PortSubject(const Rig& rig, PortRef ref)
    : Subject(case_name(rig, ref), text_of(rig, ref), {SubjectPlace::Kind::kPort, rig.port(ref).name},
              {ref.node}, facts_of_each(rig, rig.halves_of(ref)),
              remedy_values_on_node(rig, rig.halves_of(ref))),
      port(ref) {}

HalfSubject::HalfSubject(const Rig& rig, HalfRef ref)
    : Subject(case_name(rig, ref), text_of(rig, ref), {SubjectPlace::Kind::kHalf, rig.half(ref).netdev},
              {ref.node}, facts_of(rig, ref), remedy_values_on_node(rig, {ref})),
      half(ref) {}

RailPath::RailPath(const Rig& rig, const Rail& on, HalfRef sender, HalfRef receiver, bool both_ways)
    : Subject(case_name(rig, on.name, sender.node, receiver.node, ways(both_ways)),
              fmt::format("{}: {} {} {}", on.name, text_of(rig, sender), arrow(both_ways),
                          text_of(rig, receiver)),
              {SubjectPlace::Kind::kRail, on.name, both_ways}, {sender.node, receiver.node},
              facts_of_pair(rig, {sender, receiver}), remedy_values_between(rig, {sender}, {receiver})),
      rail(on.name),
      from(sender),
      to(receiver) {}

RailPath reversed(const Rig& rig, const RailPath& path) {
  return {rig, *std::ranges::find(rig.rails, path.rail, &Rail::name), path.to, path.from, false};
}

DataRate RailPath::rate() const { return DataRate::bits_per_second(facts().at("half.rate").value); }

PortPath::PortPath(const Rig& rig, const Link& on, PortRef sender, PortRef receiver,
                   std::vector<RailPath> rail_paths, bool both_ways)
    : Subject(case_name(rig, on.name, sender.node, receiver.node, ways(both_ways)),
              fmt::format("{}: {} {} {}", on.name, text_of(rig, sender), arrow(both_ways),
                          text_of(rig, receiver)),
              {SubjectPlace::Kind::kLink, on.name, both_ways}, {sender.node, receiver.node},
              facts_of_paths(rig, rail_paths), remedy_values_along(rig, rail_paths)),
      link(on.name),
      from(sender),
      to(receiver),
      paths(std::move(rail_paths)) {}

ForwardedPath::ForwardedPath(const Rig& rig, std::size_t sender, std::size_t receiver)
    : Subject(case_name(rig, "", sender, receiver, Ways::kOne),
              fmt::format("{} -> {}, forwarded", rig.node(sender).name, rig.node(receiver).name),
              {SubjectPlace::Kind::kForwarded}, {sender, receiver},
              facts_of_each(rig, halves_of_both(rig, sender, receiver)),
              remedy_values_between(rig, rig.halves_of(sender), rig.halves_of(receiver))),
      from(sender),
      to(receiver) {}

NodePath::NodePath(const Rig& rig, std::size_t sender, std::size_t receiver, std::vector<RailPath> rail_paths,
                   bool both_ways)
    : Subject(case_name(rig, "", sender, receiver, ways(both_ways)),
              fmt::format("{} {} {}", rig.node(sender).name, arrow(both_ways), rig.node(receiver).name),
              {SubjectPlace::Kind::kNodes, "", both_ways}, {sender, receiver},
              facts_of_paths(rig, rail_paths), remedy_values_along(rig, rail_paths)),
      from(sender),
      to(receiver),
      paths(std::move(rail_paths)) {}

std::optional<RailPath> rail_path(const Rig& rig, const Rail& rail, std::size_t from, std::size_t to,
                                  bool both_ways) {
  const HalfRef *first = end_on(rail.halves, from), *second = end_on(rail.halves, to);
  if (first == nullptr || second == nullptr) return {};
  return RailPath(rig, rail, *first, *second, both_ways);
}

std::vector<RailPath> rails_between(const Rig& rig, std::size_t from, std::size_t to, bool both_ways) {
  std::vector<const Rail*> rails;
  for (const HalfRef half : rig.halves_of(from)) rails.push_back(&rig.rail_of(half));
  std::ranges::sort(rails);
  std::vector<RailPath> paths;
  for (const Rail* rail : rails)
    if (auto path = rail_path(rig, *rail, from, to, both_ways)) paths.push_back(*std::move(path));
  return paths;
}

std::vector<RailPath> compute_rails_between(const Rig& rig, std::size_t from, std::size_t to,
                                            bool both_ways) {
  std::vector<RailPath> paths = rails_between(rig, from, to, both_ways);
  std::erase_if(paths, [&](const RailPath& path) { return rig.port(path.from).use == PortUse::kStorage; });
  return paths;
}

std::vector<HalfRef> NodePath::halves_of(std::size_t node) const {
  std::set<HalfRef> halves;
  for (const RailPath& path : paths)
    for (const HalfRef half : {path.from, path.to})
      if (half.node == node) halves.insert(half);
  return {halves.begin(), halves.end()};
}

std::string case_name(const Rig&) { return "all_nodes"; }

std::string case_name(const Rig& rig, std::size_t node) { return identifier(rig.node(node).name); }

std::string case_name(const Rig& rig, PortRef port) {
  return case_name(rig, port.node) + "_" + identifier(rig.port(port).name);
}

std::string case_name(const Rig& rig, HalfRef half) {
  return case_name(rig, half.node) + "_" + identifier(rig.half(half).netdev);
}

std::string case_name(const Rig& rig, std::string_view over, std::size_t from, std::size_t to, Ways ways) {
  const std::string prefix = over.empty() ? "" : identifier(over) + "_";
  const std::string_view middle = ways == Ways::kBoth ? "_" : "_to_";
  return prefix + case_name(rig, from) + std::string(middle) + case_name(rig, to);
}

namespace {

// A part of the rig that gives names to cases: the index-th [[array]] of the file.
struct Part {
  const char* array;
  std::size_t index;
};

constexpr std::size_t kMostLookedAt = 256;  // nodes: with more, the names of all pairs are not compared

class CaseNames {
 public:
  explicit CaseNames(const toml::Table& root) : root_(root) {}

  void add(const std::string& name, Part part) {
    const auto [first, is_new] = parts_.try_emplace(name, part);
    if (is_new) return;
    table(part).fail(
        "name", fmt::format("two cases would be named '{}': one of this {} and one of the {} at {}; rename a "
                            "part of one of them",
                            name, part.array, first->second.array, to_text(table(first->second).where())));
  }

  // Adds the names of each two of these nodes: the pair and both directions.
  void add_pairs(const Rig& rig, std::string_view over, const std::vector<std::size_t>& nodes, Part part) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::size_t j = i + 1; j < nodes.size(); ++j) {
        add(case_name(rig, over, nodes[i], nodes[j], Ways::kBoth), part);
        add(case_name(rig, over, nodes[i], nodes[j], Ways::kOne), part);
        add(case_name(rig, over, nodes[j], nodes[i], Ways::kOne), part);
      }
    }
  }

 private:
  [[nodiscard]] toml::Table table(Part part) const { return root_.tables(part.array).at(part.index); }

  const toml::Table& root_;
  std::unordered_map<std::string, Part> parts_;
};

template <class Refs>
std::vector<std::size_t> nodes_of(const Refs& refs) {
  std::vector<std::size_t> nodes;
  for (const auto& ref : refs) nodes.push_back(ref.node);
  return nodes;
}

void add_parts_of_nodes(const Rig& rig, CaseNames& names) {
  for (std::size_t n = 0; n < rig.nodes.size(); ++n) {
    names.add(case_name(rig, n), {"node", n});
    for (std::size_t p = 0; p < rig.node(n).ports.size(); ++p)
      names.add(case_name(rig, PortRef{n, p}), {"node", n});
    for (const HalfRef half : rig.halves_of(n)) names.add(case_name(rig, half), {"node", n});
  }
}

// Checks that no two kinds of parts share a name, and no name begins with another. Then a case's name can be read in
// only one way, and the pairs need not be compared.
class WordsOfNames {
 public:
  explicit WordsOfNames(const Rig& rig);

  struct Clash {
    Part part;
    std::string name, other;
  };
  [[nodiscard]] const std::optional<Clash>& clash() const { return clash_; }

 private:
  static constexpr std::string_view kReserved = "reserved";
  struct Word {
    std::string_view kind;
    Part part;
  };
  void add(std::string_view kind, const std::string& name, Part part) {
    const auto [first, is_new] = words_.try_emplace(identifier(name), Word{kind, part});
    if (!is_new && first->second.kind != kind && !clash_) clash_ = {part, name, first->first};
  }
  void find_beginnings();

  std::unordered_map<std::string, Word> words_;
  std::optional<Clash> clash_;
};

WordsOfNames::WordsOfNames(const Rig& rig) {
  add(kReserved, "to", {"node", 0});
  add(kReserved, case_name(rig), {"node", 0});
  for (std::size_t n = 0; n < rig.nodes.size(); ++n) {
    add("node", rig.nodes[n].name, {"node", n});
    for (const Port& port : rig.nodes[n].ports) {
      add("part of a node", port.name, {"node", n});
      for (const Half& half : port.halves) add("part of a node", half.netdev, {"node", n});
    }
  }
  for (std::size_t l = 0; l < rig.links.size(); ++l) add("link", rig.links[l].name, {"link", l});
  for (std::size_t r = 0; r < rig.rails.size(); ++r) add("rail", rig.rails[r].name, {"rail", r});
  find_beginnings();
}

void WordsOfNames::find_beginnings() {
  for (const auto& [name, word] : words_)
    for (auto at = name.find('_'); at != name.npos && !clash_; at = name.find('_', at + 1))
      if (words_.contains(name.substr(0, at)) && word.kind != kReserved)
        clash_ = {word.part, name, name.substr(0, at)};
}

void refuse(const toml::Table& root, const WordsOfNames::Clash& clash) {
  root.tables(clash.part.array)
      .at(clash.part.index)
      .fail("name", fmt::format("in a rig of more than {} nodes no name is allowed to be, or to begin with, "
                                "another name: '{}' and '{}'",
                                kMostLookedAt, clash.name, clash.other));
}

}  // namespace

void check_case_names(const toml::Table& root, const Rig& rig) {
  const WordsOfNames words(rig);
  if (words.clash() && rig.nodes.size() > kMostLookedAt) refuse(root, *words.clash());
  CaseNames names(root);
  if (rig.nodes.size() > 2 || !all_gpus_of(rig).empty()) names.add(case_name(rig), {"node", 0});
  add_parts_of_nodes(rig, names);
  if (!words.clash()) return;
  for (std::size_t n = 0; n < rig.nodes.size(); ++n)
    for (std::size_t other = 0; other < n; ++other) names.add_pairs(rig, "", {other, n}, {"node", n});
  for (std::size_t l = 0; l < rig.links.size(); ++l) {
    names.add_pairs(rig, rig.links[l].name, nodes_of(rig.links[l].ports), {"link", l});
  }
  for (std::size_t r = 0; r < rig.rails.size(); ++r) {
    names.add_pairs(rig, rig.rails[r].name, nodes_of(rig.rails[r].halves), {"rail", r});
  }
}

}  // namespace rigproof::inline rig
