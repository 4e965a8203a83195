#include "framework/rig/case_names.h"

#include <fmt/format.h>

#include <unordered_map>

#include "framework/rig/reading.h"
#include "framework/rig/text_checks.h"

namespace rigproof::inline rig {

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

std::string subject_name(const std::string& case_name) {
  const auto dot = case_name.find('.');
  const auto slash = case_name.rfind('/');
  if (slash == std::string::npos || slash < dot) return {};
  return case_name.substr(slash + 1);
}

namespace {

// A part of the rig that gives cases their names: the index-th [[array]] of the file.
struct Part {
  const char* array;
  std::size_t index;
};

constexpr std::size_t kMostLookedAt = 256;  // nodes, of whose pairs every name is compared

class CaseNames {
 public:
  explicit CaseNames(const toml::Table& root) : root_(root) {}

  void add(const std::string& name, Part part) {
    const auto [first, is_new] = parts_.try_emplace(name, part);
    if (is_new) return;
    table(part).fail("name",
                     fmt::format("two cases would be named '{}': one of this {} and one of the {} at {}; "
                                 "rename a part of it",
                                 name, part.array, first->second.array, table(first->second).where()));
  }

  // The pair and both ways of every two of these nodes.
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
    if (rig.nodes.size() > kMostLookedAt) continue;
    for (std::size_t other = 0; other < n; ++other) names.add_pairs(rig, "", {other, n}, {"node", n});
  }
}

// Among so many nodes not every name can be looked at. When no two kinds of parts share a name, and no name begins with
// another, a case's name can only be read in one way.
class WordsOfNames {
 public:
  explicit WordsOfNames(const toml::Table& root) : root_(root) {}

  void add(const char* kind, const std::string& name, Part part) {
    const auto [first, is_new] = words_.try_emplace(identifier(name), Word{kind, part});
    if (!is_new && first->second.kind != kind) refuse(part, name, first->first);
  }
  void check() const {
    for (const auto& [name, word] : words_)
      for (auto at = name.find('_'); at != name.npos; at = name.find('_', at + 1))
        if (words_.contains(name.substr(0, at)) && word.kind != kReserved)
          refuse(word.part, name, name.substr(0, at));
  }
  static constexpr const char* kReserved = "reserved";

 private:
  struct Word {
    std::string_view kind;
    Part part;
  };
  void refuse(Part part, const std::string& name, const std::string& other) const {
    root_.tables(part.array)
        .at(part.index)
        .fail("name",
              fmt::format("in a rig of more than {} nodes no name may be, or begin with, another's: '{}' "
                          "and '{}'",
                          kMostLookedAt, name, other));
  }
  const toml::Table& root_;
  std::unordered_map<std::string, Word> words_;
};

void check_words_of_names(const toml::Table& root, const Rig& rig) {
  WordsOfNames words(root);
  words.add(WordsOfNames::kReserved, "to", {"node", 0});
  words.add(WordsOfNames::kReserved, case_name(rig), {"node", 0});
  for (std::size_t n = 0; n < rig.nodes.size(); ++n) {
    words.add("node", rig.nodes[n].name, {"node", n});
    for (const Port& port : rig.nodes[n].ports) {
      words.add("part of a node", port.name, {"node", n});
      for (const Half& half : port.halves) words.add("part of a node", half.netdev, {"node", n});
    }
  }
  for (std::size_t l = 0; l < rig.links.size(); ++l) words.add("link", rig.links[l].name, {"link", l});
  for (std::size_t r = 0; r < rig.rails.size(); ++r) words.add("rail", rig.rails[r].name, {"rail", r});
  words.check();
}

}  // namespace

void check_case_names(const toml::Table& root, const Rig& rig) {
  if (rig.nodes.size() > kMostLookedAt) check_words_of_names(root, rig);
  CaseNames names(root);
  if (rig.nodes.size() > 2) names.add(case_name(rig), {"node", 0});
  add_parts_of_nodes(rig, names);
  if (rig.nodes.size() > kMostLookedAt) return;
  for (std::size_t l = 0; l < rig.links.size(); ++l) {
    names.add_pairs(rig, rig.links[l].name, nodes_of(rig.links[l].ports), {"link", l});
  }
  for (std::size_t r = 0; r < rig.rails.size(); ++r) {
    names.add_pairs(rig, rig.rails[r].name, nodes_of(rig.rails[r].halves), {"rail", r});
  }
}

}  // namespace rigproof::inline rig
