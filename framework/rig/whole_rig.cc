#include "framework/rig/whole_rig.h"

#include <fmt/format.h>

#include <numeric>

#include "framework/rig/case_names.h"

namespace rigproof {
namespace {

Facts smallest_facts(const Rig& rig) {
  Facts smallest;
  for (const NodeSubject& node : every_node(rig)) {
    for (const auto& [name, value] : node.facts()) {
      const auto [known, is_new] = smallest.emplace(name, value);
      if (!is_new && value.value < known->second.value) known->second = value;
    }
  }
  return smallest;
}

std::vector<std::size_t> all_nodes(const Rig& rig) {
  std::vector<std::size_t> nodes(rig.nodes.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

Subject::NodeWords words_of_nodes(const Rig& rig) {
  Subject::NodeWords words;
  for (const NodeSubject& node : every_node(rig)) words.insert(node.words().begin(), node.words().end());
  return words;
}

}  // namespace

WholeRig::WholeRig(const Rig& rig)
    : Subject(case_name(rig), fmt::format("all {} nodes", rig.nodes.size()), all_nodes(rig),
              smallest_facts(rig), words_of_nodes(rig)),
      pairs(every_node_pair(rig)) {}

std::vector<WholeRig> every_whole_rig(const Rig& rig) {
  std::vector<WholeRig> whole;
  if (rig.nodes.size() > 2) whole.emplace_back(rig);
  return whole;
}

}  // namespace rigproof
