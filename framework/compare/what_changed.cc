#include "framework/compare/what_changed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "framework/units/printable.h"

namespace rigproof::compare {
namespace {

constexpr std::size_t kMostNodes = 4;  // in a text
constexpr const char* kStagedPart = "staged";
constexpr const char *kNothing = "nothing", *kAny = "any";

enum class Own {
  kNo,          // nodes of a kind should agree: a node that was left out matters
  kYes,         // differs between parts
  kOnHardware,  // the same, but an emulated rig makes a new one at each start
};
struct KnownFact {
  std::string_view part;  // "node", "device", "card", "module", "gpu"
  std::string_view property, kind, words;
  Own own = Own::kNo;
};
constexpr std::array kFacts{
    KnownFact{"node", "kernel", "kernel", "kernel"},
    KnownFact{"node", "kernel_command_line", "kernel.parameters", "boot parameters"},
    KnownFact{"node", "os", "os", "system"},
    KnownFact{"node", "bios", "bios", "BIOS"},
    KnownFact{"node", "gpu_driver", "gpu.driver", "GPU driver"},
    KnownFact{"node", "cuda", "cuda", "CUDA"},
    KnownFact{"node", "nccl", "nccl", "NCCL"},
    KnownFact{"node", "mpi", "mpi", "MPI"},
    KnownFact{"node", "mlx5_core", "nic.driver", "mlx5_core"},
    KnownFact{"node", "container", "container", "container"},
    KnownFact{"node", "governor", "cpu.governor", "CPU governor"},
    KnownFact{"node", "cpu", "node.hardware", "CPU"},
    KnownFact{"node", "product", "node.hardware", "machine"},
    KnownFact{"node", "model", "node.hardware", "switch"},
    KnownFact{"node", "serial", "node.hardware", "machine's serial", Own::kYes},
    KnownFact{"node", "board_serial", "node.hardware", "board's serial", Own::kYes},
    KnownFact{"node", "firmware", "switch.firmware", "switch's firmware"},
    KnownFact{"device", "firmware", "nic.firmware", "NIC firmware"},
    KnownFact{"device", "driver", "nic.driver", "NIC driver"},
    KnownFact{"device", "board_id", "nic.hardware", "NIC's board id"},
    KnownFact{"device", "part", "nic.hardware", "NIC's part"},
    KnownFact{"device", "permanent_mac", "nic.hardware", "NIC's MAC", Own::kOnHardware},
    KnownFact{"device", "node_guid", "nic.hardware", "NIC's GUID", Own::kOnHardware},
    KnownFact{"device", "mtu", "nic.mtu", "MTU"},
    KnownFact{"device", "speed", "nic.speed", "link speed"},
    KnownFact{"device", "fec", "nic.fec", "FEC"},
    KnownFact{"device", "autoneg", "nic.autoneg", "autonegotiation"},
    KnownFact{"device", "pause", "nic.pause", "pause frames"},
    KnownFact{"device", "pfc", "nic.pfc", "PFC"},
    KnownFact{"device", "ecn", "nic.ecn", "ECN"},
    KnownFact{"device", "pcie", "nic.pcie", "PCIe link"},
    KnownFact{"card", "part", "nic.hardware", "card's part number"},
    KnownFact{"card", "serial", "nic.hardware", "card's serial", Own::kYes},
    KnownFact{"module", "kind", "cable", "cable's kind"},
    KnownFact{"module", "vendor", "cable", "cable's vendor"},
    KnownFact{"module", "part", "cable", "cable's part number"},
    KnownFact{"module", "revision", "cable", "cable's revision"},
    KnownFact{"module", "serial", "cable", "cable's serial", Own::kYes},
    KnownFact{"gpu", "name", "gpu.hardware", "GPU"},
    KnownFact{"gpu", "uuid", "gpu.hardware", "GPU's UUID", Own::kYes},
    KnownFact{"gpu", "serial", "gpu.hardware", "GPU's serial", Own::kYes},
    KnownFact{"gpu", "vbios", "gpu.vbios", "GPU's VBIOS"},
};

std::string_view class_of(std::string_view part) {
  if (part.empty()) return "node";
  if (part.ends_with("-card")) return "card";
  if (part.ends_with("-module")) return "module";
  const bool numbered = part.find_first_not_of("0123456789", 3) == part.npos;
  return part.starts_with("gpu") && part.size() > 3 && numbered ? "gpu" : "device";
}

const KnownFact* known_fact(std::string_view part, std::string_view property) {
  const std::string_view part_class = class_of(part);
  const auto found = std::ranges::find_if(
      kFacts, [&](const KnownFact& fact) { return fact.part == part_class && fact.property == property; });
  return found == kFacts.end() ? nullptr : &*found;
}

// A fact, and the node and part where it was read.
struct Place {
  const KnownFact* fact;
  std::string node, part;
  auto operator<=>(const Place&) const = default;
};
using Values = std::map<Place, std::string>;

// A netdev reports its firmware with the board's id appended, its RDMA device without.
std::string shown(const KnownFact& fact, const std::string& text) {
  return fact.property == "firmware" ? text.substr(0, text.find(" (")) : text;
}

Values values_of(const judge::JudgedRun& run) {
  Values values;
  for (const auto& [node, facts] : run.nodes)
    for (const auto& [part, properties] : facts)
      for (const auto& [property, text] : properties) {
        const KnownFact* fact = known_fact(part, property);
        const bool made_anew =
            fact != nullptr && fact->own == Own::kOnHardware && run.start.rig_kind != "hardware";
        if (fact != nullptr && !made_anew) values[{fact, node, part}] = shown(*fact, text);
      }
  return values;
}

// Values of the latest run. Differences between the runs go into `unsteady`.
Values values_of(const std::vector<const judge::JudgedRun*>& runs, std::set<std::string>& unsteady) {
  Values all;
  for (const judge::JudgedRun* run : runs)
    for (const auto& [place, text] : values_of(*run)) {
      const auto [known, is_new] = all.try_emplace(place, text);
      if (!is_new && known->second != text)
        unsteady.insert(fmt::format("{} on {}: {}, then {}", place.fact->words, printable(place.node),
                                    printable(known->second), printable(text)));
      known->second = text;
    }
  return all;
}

void add_node(std::vector<std::string>& nodes, const std::string& node) {
  const auto place = std::ranges::lower_bound(nodes, node);
  if (place == nodes.end() || *place != node) nodes.insert(place, node);
}

bool has(const std::vector<std::string>& nodes, const std::string& node) {
  return std::ranges::binary_search(nodes, node);
}

// Finds nodes on which a fact kept its old value while it changed on others.
void find_left(std::vector<FactChange>& changes, const Values& before, const Values& after) {
  for (const auto& [place, text] : before) {
    const auto now = after.find(place);
    if (place.fact->own != Own::kNo || now == after.end() || now->second != text) continue;
    for (FactChange& change : changes)
      if (change.words == place.fact->words && change.from == text && !has(change.nodes, place.node))
        add_node(change.left, place.node);
  }
}

std::string names(const std::vector<std::string>& nodes) {
  if (nodes.size() > kMostNodes) return fmt::format("{} nodes", nodes.size());
  return printable(fmt::format("{}", fmt::join(nodes, ", ")));
}

std::vector<std::string> staged_in(const judge::JudgedRun& run) {
  std::vector<std::string> staged;
  for (const auto& [node, facts] : run.nodes)
    if (const auto part = facts.find(kStagedPart); part != facts.end())
      for (const auto& [what, text] : part->second)
        staged.push_back(printable(fmt::format("{}: {}: {}", node, what, text)));
  return staged;
}

}  // namespace

std::string to_text(const FactChange& change) {
  return fmt::format("{} {} -> {} on {}", change.words, shortened(printable(change.from)),
                     shortened(printable(change.to)), names(change.nodes));
}

WhatChanged what_changed(const std::vector<const judge::JudgedRun*>& base,
                         const std::vector<const judge::JudgedRun*>& candidate) {
  WhatChanged changed;
  std::set<std::string> unsteady, of_base;
  const Values before = values_of(base, of_base), after = values_of(candidate, unsteady);
  changed.unsteady.assign(unsteady.begin(), unsteady.end());
  using Key = std::tuple<std::string_view, std::string_view, std::string, std::string>;
  std::map<Key, FactChange> changes;
  for (const auto& [place, from] : before) {
    const auto now = after.find(place);
    if (now == after.end()) continue;
    ++changed.known;
    if (now->second == from) continue;
    const KnownFact& fact = *place.fact;
    FactChange& change = changes[Key(fact.kind, fact.words, from, now->second)];
    change.kind = fact.kind, change.words = fact.words;
    change.from = from, change.to = now->second;
    add_node(change.nodes, place.node);
  }
  for (auto& [key, change] : changes) changed.facts.push_back(std::move(change));
  find_left(changed.facts, before, after);
  if (!candidate.empty()) changed.staged = staged_in(*candidate.back());
  return changed;
}

std::string to_text(const WhatChanged& changed) {
  if (changed.facts.empty()) return fmt::format("nothing (of {} facts)", changed.known);
  std::string text;
  for (const FactChange& change : changed.facts) text += (text.empty() ? "" : "; ") + to_text(change);
  return text;
}

std::vector<std::string> fact_kinds() {
  std::set<std::string> kinds;
  for (const KnownFact& fact : kFacts) kinds.emplace(fact.kind);
  return {kinds.begin(), kinds.end()};
}

namespace {

std::string kind_in(const std::string& word) { return word.substr(0, word.find('@')); }

bool is_of(const std::string& kind, const std::string& family) {
  return kind == family || kind.starts_with(family + ".");
}

// "kernel on node-a" for the word "kernel@node-a".
std::string in_words(const std::string& word) {
  const std::size_t at = word.find('@');
  return at == word.npos ? word : word.substr(0, at) + " on " + printable(word.substr(at + 1));
}

}  // namespace

Announced::Announced(std::vector<std::string> words) : words_(std::move(words)) {
  std::vector<std::string> known = fact_kinds();
  known.insert(known.end(), {kNothing, kAny, "nic", "gpu"});
  for (const std::string& word : words_) {
    const std::string kind = kind_in(word);
    const auto is_in = [&](const std::string& one) { return is_of(one, kind); };
    const bool misplaced = kind != word && (kind == kNothing || kind == kAny);
    if (kind.empty() || misplaced || std::ranges::none_of(known, is_in))
      throw std::invalid_argument(
          fmt::format("{} is not a valid kind of change{}", in_quotes(word), suggestion(kind, known)));
    nothing_ = nothing_ || word == kNothing;
    any_ = any_ || word == kAny;
  }
  if ((nothing_ || any_) && words_.size() > 1)
    throw std::invalid_argument(
        fmt::format("'{}' cannot be combined with other kinds", nothing_ ? kNothing : kAny));
}

void Announced::require_nodes(const std::vector<std::string>& known) const {
  for (const std::string& word : words_)
    if (const std::string node = word.substr(kind_in(word).size()); !node.empty())
      if (std::ranges::find(known, node.substr(1)) == known.end())
        throw std::invalid_argument(fmt::format("the rig has no node {} (in {}){}", in_quotes(node.substr(1)),
                                                in_quotes(word), suggestion(node.substr(1), known)));
}

bool Announced::names_node(const FactChange& change) const {
  return std::ranges::all_of(change.nodes, [&](const std::string& node) {
    return std::ranges::any_of(words_, [&](const std::string& word) {
      return word.ends_with("@" + node) && is_of(change.kind, kind_in(word));
    });
  });
}

bool Announced::announces(const FactChange& change) const {
  return any_ || names_node(change) || std::ranges::any_of(words_, [&](const std::string& word) {
           return word.find('@') == word.npos && is_of(change.kind, word);
         });
}

std::vector<Objection> Announced::objections(const WhatChanged& changed) const {
  std::vector<Objection> all;
  for (const FactChange& change : changed.facts) {
    if (!announces(change))
      all.push_back({1, fmt::format("not announced: {}. If the change is intended: --expect {}",
                                    to_text(change), change.kind)});
    else if (!change.left.empty() && !names_node(change))
      all.push_back(
          {1, fmt::format("{}, but not on {}, which still has {}. If this is intended: --expect {}@{}",
                          to_text(change), names(change.left), shortened(printable(change.from)), change.kind,
                          printable(change.nodes.front()))});
  }
  for (const std::string& text : changed.unsteady)
    all.push_back({3, fmt::format("the rig changed between the runs of this gate: {}", text)});
  if (nothing_) return all;
  for (const std::string& staged : changed.staged)
    all.push_back({3, fmt::format("staged and not active: {}", staged)});
  const auto is_there = [&](const std::string& word) {
    const std::string kind = kind_in(word);
    return std::ranges::any_of(changed.facts, [&](const FactChange& change) {
      const bool here = kind == word || has(change.nodes, word.substr(kind.size() + 1));
      return here && is_of(change.kind, kind);
    });
  };
  for (const std::string& word : words_)
    if (!any_ && !is_there(word))
      all.push_back(
          {3, fmt::format("announced, but not changed: {}. Is the update active?", in_words(word))});
  if (all.empty() && changed.facts.empty())
    all.push_back({3, fmt::format("nothing changed, so there is nothing to gate ({} facts are the same). To "
                                  "gate all the same: --expect nothing",
                                  changed.known)});
  return all;
}

}  // namespace rigproof::compare
