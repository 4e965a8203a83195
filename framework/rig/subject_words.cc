#include "framework/rig/subject_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

namespace rigproof {
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

}  // namespace

Words words_of(const Rig& rig, const std::vector<HalfRef>& halves, const std::vector<HalfRef>& peers) {
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

Subject::NodeWords words_of_paths(const Rig& rig, const std::vector<HalfPair>& paths) {
  std::vector<HalfRef> from, to;
  for (const HalfPair& path : paths) {
    from.push_back(path.from);
    to.push_back(path.to);
  }
  return {{rig.node(from.front().node).name, words_of(rig, from, to)},
          {rig.node(to.front().node).name, words_of(rig, to, from)}};
}

}  // namespace rigproof
