#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fixtures/facts/node_facts.h"
#include "framework/ranks/rank_group.h"
#include "framework/rig/rig.h"
#include "framework/runner/rig_test.h"

namespace rigproof::preflight {

// The facts of every node of the rig, in the rig's order.
using RigFacts = std::vector<facts::NodeFacts>;

// Collective within a phase: every rank reads its node; rank 0 has all of them then, the others none.
[[nodiscard]] RigFacts read_rig_facts(const Rig& rig, RankGroup& ranks);

// From a snapshot's folder. Throws FactsError.
[[nodiscard]] RigFacts load_rig_facts(const Rig& rig, const std::filesystem::path& folder);

// Keeps every document (rank 0 has them) beside the run's journal, FOLDER/facts/NODE.json, and tells the
// reports what the nodes are made of. Throws FileError.
void keep_rig_facts(const RigFacts& all, const Rig& rig);

// Where the suite's cases keep the facts that they have read once.
[[nodiscard]] std::optional<RigFacts>& rig_facts_of_this_process();

// What a report says of a node: serials, firmware, drivers and versions of the node and of its parts
// ("enp1s0f0np0-module" -> "serial" -> "A1234"). What could not be read is left out. Pure.
[[nodiscard]] record::NodeFacts inventory_of(const facts::NodeFacts& facts, const Rig& rig, std::size_t node);

// A sentence for the person who reads a failure of the running case, about that node: rank 0 says it for all of them.
void note_about_node(const std::string& node, std::string text);

// What to type on a node, so that runs of ordinary users have what root alone may read there.
[[nodiscard]] std::string root_facts_command();

// A fact's value as limits judge it: a text ("RS, LLRS"; "none") or a quantity.
[[nodiscard]] inline const std::string& as_judged(const std::string& text) { return text; }
[[nodiscard]] inline std::string as_judged(const std::vector<std::string>& texts) {
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}
[[nodiscard]] inline Quantity as_judged(Quantity value) { return value; }
[[nodiscard]] inline Quantity as_judged(DataRate rate) { return to_quantity(rate); }
[[nodiscard]] inline Quantity as_judged(DataSize size) { return to_quantity(size); }
[[nodiscard]] inline Quantity as_judged(double number) { return count(number); }
[[nodiscard]] inline Quantity as_judged(bool flag) { return count(flag ? 1 : 0); }

// A case that judges facts: those that the ranks read at the suite's first case, or those of a snapshot. Rank
// 0 judges for all nodes, so that both come to the same verdict.
template <class SubjectType>
class FactsCase : public RigTest<SubjectType> {
 protected:
  using Finding = RigTestBase::Finding;

  // Collective. Calls look_at(all) on rank 0; what stands below is for use in there.
  template <class Look>
  void look(Look look_at) {
    std::optional<RigFacts>& all = rig_facts_of_this_process();
    if (!all) {
      RigFacts fresh = this->measure("read the facts", std::chrono::seconds(30), [&] {
        RigFacts read = this->snapshot().empty() ? read_rig_facts(this->rig(), this->ranks())
                                                 : load_rig_facts(this->rig(), this->snapshot());
        keep_rig_facts(read, this->rig());
        return read;
      });
      all = std::move(fresh);  // on every rank or on none
    }
    this->measure("look", std::chrono::seconds(5), [&] {
      if (this->ranks().rank() != 0) return;
      look_at(*all);
    });
  }

  // Rank 0's own node is not the one that it speaks of.
  void note(std::string text) { note_about_node(this->rig().node(node_of_subject()).name, std::move(text)); }
  [[nodiscard]] std::size_t node_of_subject() const {
    if constexpr (std::is_same_v<SubjectType, NodeSubject>)
      return this->subject().node;
    else if constexpr (std::is_same_v<SubjectType, PortSubject>)
      return this->subject().port.node;
    else
      return this->subject().half.node;
  }

  // Judged where the thresholds have the limit, else recorded: that claims nothing.
  template <class Value>
  void judge(std::string_view id, const facts::Fact<Value>& fact, const Finding& finding) {
    if (!fact.value) return report_unread(id, fact, finding);
    judge(id, as_judged(*fact.value), finding);
  }
  void judge(std::string_view id, Quantity value, const Finding& finding) { this->found(id, value, finding); }
  void judge(std::string_view id, const std::string& text, const Finding& finding) {
    this->found(id, text, finding);
  }
  // How many faults were found. None, where `unread` says what could not be read, is not known to be none.
  void judge_faults(std::string_view id, std::size_t found, const std::string& unread,
                    const Finding& finding) {
    if (found == 0 && !unread.empty()) return report_unread(id, unread, finding);
    judge(id, count(found), finding);
  }

  // The same of a fact: where root may read it, what to type stands beside it.
  template <class Value>
  void report_unread(std::string_view id, const facts::Fact<Value>& fact, const Finding& finding) {
    Finding told = finding;
    if (fact.for_root) told.about["read_by"] = root_facts_command();
    this->unread(id, fact.why(), told);
  }
  // It could not be read: under a limit this proves nothing.
  void report_unread(std::string_view id, const std::string& why, const Finding& finding) {
    this->unread(id, why, finding);
  }
  // A sound rig may lack this fact, and then meets its limit.
  void report_nothing_to_judge(std::string_view id, const std::string& why, const Finding& finding) {
    this->nothing_there(id, why, finding);
  }
};

// A case about one node.
class NodeCase : public FactsCase<NodeSubject> {
 protected:
  [[nodiscard]] const facts::NodeFacts& node_of(const RigFacts& all) const { return all.at(subject().node); }
  [[nodiscard]] Finding about(std::string detail = {}, RemedyValues words = {}) const {
    return {subject().node, std::move(detail), std::move(words)};
  }
};

// A case about one half. A half whose netdev is not there has none of its facts: the case fails as absent under
// its own limit.
class HalfCase : public FactsCase<HalfSubject> {
 protected:
  [[nodiscard]] const Half& half() const { return rig().half(subject().half); }
  [[nodiscard]] const std::string& netdev() const { return half().netdev; }
  [[nodiscard]] Finding finding() const { return {.node = subject().half.node}; }
  [[nodiscard]] const facts::NodeFacts& node_of(const RigFacts& all) const {
    return all.at(subject().half.node);
  }
  [[nodiscard]] facts::Netdev netdev_of(const RigFacts& all) const { return node_of(all).netdev(netdev()); }

  // Collective: judges one fact of this half's netdev.
  template <class Value>
  void judge_fact(std::string_view id, facts::Fact<Value> facts::Netdev::*fact) {
    look([&](const RigFacts& all) {
      const facts::Netdev found = netdev_of(all);
      judge(id, is_there(found) ? found.*fact : absent<Value>(), finding());
    });
  }

  // The same of a fact of its card: what to type names the card's netdev, where the half is a VLAN.
  template <class Value>
  void judge_card_fact(std::string_view id, facts::Fact<Value> facts::Netdev::*fact) {
    look([&](const RigFacts& all) {
      const facts::Netdev found = netdev_of(all);
      judge(id, is_there(found) ? found.*fact : absent<Value>(), card_finding(all));
    });
  }
  [[nodiscard]] Finding card_finding(const RigFacts& all) const {
    Finding finding = this->finding();
    if (const std::string card = node_of(all).card_of(netdev()); card != netdev())
      finding.about["netdev"] = card;
    return finding;
  }

  // Whether the netdev is there; notes it when it is not. Not known: not proven.
  [[nodiscard]] bool is_there(const facts::Netdev& found) {
    if (!found.present.value) not_proven(found.present.why());
    if (!*found.present.value) note("there is no netdev " + netdev());
    return *found.present.value;
  }
  // What stands for the facts of a netdev that is not there.
  template <class Value>
  [[nodiscard]] static facts::Fact<Value> absent() {
    if constexpr (std::is_same_v<Value, std::string>)
      return {.value = "no such netdev"};
    else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
      return {.value = std::vector<std::string>{"no such netdev"}};
    else if constexpr (std::is_same_v<Value, DataRate>)
      return {.value = DataRate::bits_per_second(0)};
    else if constexpr (std::is_same_v<Value, DataSize>)
      return {.value = DataSize::bytes(0)};
    else
      return {.value = Value{}};
  }
};

}  // namespace rigproof::preflight
