#include "framework/rig/subjects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

#include "framework/rig/case_names.h"

namespace rigproof::inline rig {

namespace {

using Words = Subject::Words;

void add_devices(Words& words, const std::string& word, const std::vector<std::string>& devices) {
  words[word + "s"] = fmt::format("{}", fmt::join(devices, " "));
  words[word + "_list"] = fmt::format("{}", fmt::join(devices, ","));
  if (devices.size() == 1) words[word] = devices.front();
}

void add_half(Words& words, const Half& half) {
  words["address"] = half.address;
  words["prefix"] = fmt::to_string(half.prefix_length);
  words["mtu"] = fmt::to_string(half.mtu.bytes());
}

void add_port(Words& words, const Rig& rig, PortRef ref) {
  words["port"] = rig.port(ref).name;
  for (const Switch& one : rig.switches)
    for (const Switch::Port& at : one.ports)
      if (at.at == ref) {
        words["switch"] = one.name;
        words["interface"] = at.interface;
      }
}

void add_peers(Words& words, const Rig& rig, const std::vector<HalfRef>& peers) {
  words["peer_node"] = rig.node(peers.front().node).name;
  if (peers.size() > 1) return;
  words["peer"] = rig.half(peers.front()).address;
  words["peer_netdev"] = rig.half(peers.front()).netdev;
}

// For one node: of these halves of it, which talk to these of another node (none: nobody in particular).
Words words_of(const Rig& rig, const std::vector<HalfRef>& halves, const std::vector<HalfRef>& peers = {}) {
  Words words;
  std::vector<std::string> netdevs, rdmas;
  for (const HalfRef ref : halves) {
    const Half& half = rig.half(ref);
    netdevs.push_back(half.netdev);
    if (half.rdma) rdmas.push_back(*half.rdma);
  }
  add_devices(words, "netdev", netdevs);
  if (!rdmas.empty()) add_devices(words, "rdma", rdmas);
  if (halves.size() == 1) add_half(words, rig.half(halves.front()));
  const auto same_port = [&](HalfRef half) { return half.port == halves.front().port; };
  if (std::ranges::all_of(halves, same_port))
    add_port(words, rig, {halves.front().node, halves.front().port});
  if (!peers.empty()) add_peers(words, rig, peers);
  if (const auto& management = rig.node(halves.front().node).management) words["management"] = *management;
  return words;
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

std::vector<HalfRef> halves_of_both(const Rig& rig, std::size_t a, std::size_t b) {
  std::vector<HalfRef> halves = rig.halves_of(a);
  const std::vector<HalfRef> others = rig.halves_of(b);
  halves.insert(halves.end(), others.begin(), others.end());
  return halves;
}

// On the node of these halves.
Subject::MakeWords words_on_node(const Rig& rig, std::vector<HalfRef> halves) {
  return [&rig, halves = std::move(halves)] {
    return Subject::NodeWords{{rig.node(halves.front().node).name, words_of(rig, halves)}};
  };
}

Subject::MakeWords words_between(const Rig& rig, std::vector<HalfRef> from, std::vector<HalfRef> to) {
  return [&rig, from = std::move(from), to = std::move(to)] {
    return Subject::NodeWords{{rig.node(from.front().node).name, words_of(rig, from, to)},
                              {rig.node(to.front().node).name, words_of(rig, to, from)}};
  };
}

Subject::MakeWords words_along(const Rig& rig, const std::vector<RailPath>& paths) {
  std::vector<HalfRef> from, to;
  for (const RailPath& path : paths) {
    from.push_back(path.from);
    to.push_back(path.to);
  }
  return words_between(rig, std::move(from), std::move(to));
}

}  // namespace

Subject::Subject(std::string name, std::string text, std::vector<std::size_t> nodes, Facts facts,
                 MakeWords words)
    : content_(std::make_shared<const Content>(
          Content{std::move(name), std::move(text), std::move(nodes), std::move(facts), std::move(words)})) {}

NodeSubject::NodeSubject(const Rig& rig, std::size_t node_index)
    : Subject(case_name(rig, node_index), rig.node(node_index).name, {node_index},
              facts_of_each(rig, rig.halves_of(node_index)), words_on_node(rig, rig.halves_of(node_index))),
      node(node_index) {}

PortSubject::PortSubject(const Rig& rig, PortRef ref)
    : Subject(case_name(rig, ref), text_of(rig, ref), {ref.node}, facts_of_each(rig, rig.halves_of(ref)),
              words_on_node(rig, rig.halves_of(ref))),
      port(ref) {}

HalfSubject::HalfSubject(const Rig& rig, HalfRef ref)
    : Subject(case_name(rig, ref), text_of(rig, ref), {ref.node}, facts_of(rig, ref),
              words_on_node(rig, {ref})),
      half(ref) {}

RailPath::RailPath(const Rig& rig, const Rail& on, HalfRef sender, HalfRef receiver, bool both_ways)
    : Subject(case_name(rig, on.name, sender.node, receiver.node, ways(both_ways)),
              fmt::format("{}: {} {} {}", on.name, text_of(rig, sender), arrow(both_ways),
                          text_of(rig, receiver)),
              {sender.node, receiver.node}, facts_of_pair(rig, {sender, receiver}),
              words_between(rig, {sender}, {receiver})),
      rail(on.name),
      from(sender),
      to(receiver) {}

DataRate RailPath::rate() const { return DataRate::bits_per_second(facts().at("half.rate").value); }

PortPath::PortPath(const Rig& rig, const Link& on, PortRef sender, PortRef receiver,
                   std::vector<RailPath> rail_paths, bool both_ways)
    : Subject(case_name(rig, on.name, sender.node, receiver.node, ways(both_ways)),
              fmt::format("{}: {} {} {}", on.name, text_of(rig, sender), arrow(both_ways),
                          text_of(rig, receiver)),
              {sender.node, receiver.node}, facts_of_paths(rig, rail_paths), words_along(rig, rail_paths)),
      link(on.name),
      from(sender),
      to(receiver),
      paths(std::move(rail_paths)) {}

ForwardedPath::ForwardedPath(const Rig& rig, std::size_t sender, std::size_t receiver)
    : Subject(case_name(rig, "", sender, receiver, Ways::kOne),
              fmt::format("{} -> {}, forwarded", rig.node(sender).name, rig.node(receiver).name),
              {sender, receiver}, facts_of_each(rig, halves_of_both(rig, sender, receiver)),
              words_between(rig, rig.halves_of(sender), rig.halves_of(receiver))),
      from(sender),
      to(receiver) {}

NodePath::NodePath(const Rig& rig, std::size_t sender, std::size_t receiver, std::vector<RailPath> rail_paths,
                   bool both_ways)
    : Subject(case_name(rig, "", sender, receiver, ways(both_ways)),
              fmt::format("{} {} {}", rig.node(sender).name, arrow(both_ways), rig.node(receiver).name),
              {sender, receiver}, facts_of_paths(rig, rail_paths), words_along(rig, rail_paths)),
      from(sender),
      to(receiver),
      paths(std::move(rail_paths)) {}

}  // namespace rigproof::inline rig
