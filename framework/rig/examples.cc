#include "framework/rig/examples.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

namespace rigproof::inline rig {
namespace {

std::string text_of(const Half& half) {
  return fmt::format("{} {} {} {} {} {} {}", half.netdev, half.rdma.value_or(""),
                     half.address.find(':') != half.address.npos, half.prefix_length, half.mac.has_value(),
                     half.rate.bits_per_second(), half.mtu.bytes());
}

std::string text_of(const Port& port) {
  return fmt::format("{} {} {} {}", port.name, port.rate.bits_per_second(), static_cast<int>(port.use),
                     port.counters ? fmt::to_string(static_cast<int>(port.counters->kind)) : "");
}

// Text of each node that is equal for nodes of one kind. Leaves out names of counters, which may hold the node's name.
std::vector<std::string> descriptions_of(const Rig& rig) {
  std::vector<std::string> texts;
  for (const Node& node : rig.nodes) {
    std::string& text = texts.emplace_back();
    text = fmt::format("{};{};", node.management.value_or(""), node.gpus ? fmt::to_string(*node.gpus) : "");
    for (const Port& port : node.ports) {
      text += text_of(port) + ";";
      for (const Half& half : port.halves) text += text_of(half) + ";";
    }
  }
  for (const Link& link : rig.links)
    for (const PortRef port : link.ports) texts[port.node] += fmt::format("{} {};", link.name, port.port);
  for (const Rail& rail : rig.rails)
    for (const HalfRef half : rail.halves)
      texts[half.node] += fmt::format("{} {} {};", rail.name, half.port, half.half);
  for (const Switch& one : rig.switches)
    for (const Switch::Port& port : one.ports)
      texts[port.at.node] += fmt::format("{} {};", one.name, port.at.port);
  return texts;
}

// The first and the last subject of each kind.
template <class Kind, class Subject>
class Examples {
 public:
  void add(const Kind& kind, const Subject& subject) {
    ends_.try_emplace(kind, subject, subject).first->second.second = subject;
  }
  [[nodiscard]] std::set<Subject> take() const {
    std::set<Subject> all;
    for (const auto& [kind, ends] : ends_) all.insert({ends.first, ends.second});
    return all;
  }

 private:
  std::map<Kind, std::pair<Subject, Subject>> ends_;
};

}  // namespace

std::vector<std::size_t> kinds_of_nodes(const Rig& rig) {
  std::map<std::string, std::size_t> known;
  std::vector<std::size_t> kinds;
  for (const std::string& text : descriptions_of(rig))
    kinds.push_back(known.try_emplace(text, known.size()).first->second);
  return kinds;
}

bool keep_examples(Rig& rig) {
  const std::vector<std::size_t> kinds = kinds_of_nodes(rig);
  Examples<std::size_t, std::size_t> nodes;
  for (std::size_t node = 0; node < kinds.size(); ++node) nodes.add(kinds[node], node);
  Examples<std::pair<std::size_t, std::size_t>, NodePair> pairs;
  const std::vector<NodePair> all = pairs_that_meet(rig);
  for (const NodePair pair : all) pairs.add({kinds[pair.first], kinds[pair.second]}, pair);
  rig.only_nodes = nodes.take();
  rig.only_pairs = pairs.take();
  return rig.only_nodes->size() < rig.nodes.size() || rig.only_pairs->size() < all.size();
}

}  // namespace rigproof::inline rig
