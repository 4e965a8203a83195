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

// Collective, within a phase. Every rank reads its node; rank 0 returns the facts of all nodes, other ranks an empty list.
[[nodiscard]] RigFacts read_rig_facts(const Rig& rig, RankGroup& ranks);

// Reads a snapshot folder. Throws FactsError.
[[nodiscard]] RigFacts load_rig_facts(const Rig& rig, const std::filesystem::path& folder);

// Stores every document (rank 0 has them) as FOLDER/facts/NODE.json next to the run's journal, and records each node's
// inventory for the reports. Throws FileError.
void keep_rig_facts(const RigFacts& all, const Rig& rig);

// Facts of this process, read once for all cases of the suite.
[[nodiscard]] std::optional<RigFacts>& rig_facts_of_this_process();

// Inventory of a node for the reports: serials, firmware, drivers and versions of the node and its parts
// ("enp1s0f0np0-module" -> "serial" -> "A1234"). Unreadable facts are left out. Pure.
[[nodiscard]] record::NodeFacts inventory_of(const facts::NodeFacts& facts, const Rig& rig, std::size_t node);

// Adds a note about a node to the running case, for the reader of its failure. Rank 0 writes the notes of all nodes.
void note_about_node(const std::string& node, std::string text);

// Command to type on a node so that runs of ordinary users also get the facts that only root can read.
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
[[nodiscard]] inline Quantity as_judged(facts::Share share) { return ratio(share.of_one); }
[[nodiscard]] inline Quantity as_judged(bool flag) { return count(flag ? 1 : 0); }

// A case that judges facts: read by the ranks at the suite's first case, or taken from a snapshot. Rank 0 judges for all
// nodes, so live and snapshot runs reach the same verdict.
template <class SubjectType>
class FactsCase : public RigTest<SubjectType> {
 protected:
  using Finding = RigTestBase::Finding;

  // Collective. Calls look_at(all) on rank 0; the members below are for use in look_at.
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

  // Rank 0 writes the note, but the note names the subject's node.
  void note(std::string text) { note_about_node(this->rig().node(node_of_subject()).name, std::move(text)); }
  [[nodiscard]] std::size_t node_of_subject() const {
    if constexpr (std::is_same_v<SubjectType, NodeSubject>)
      return this->subject().node;
    else if constexpr (std::is_same_v<SubjectType, PortSubject>)
      return this->subject().port.node;
    else
      return this->subject().half.node;
  }

  // Judged if the thresholds have the limit, otherwise only recorded.
  template <class Value>
  void judge(std::string_view id, const facts::Fact<Value>& fact, const Finding& finding) {
    if (!fact.value) return report_unread(id, fact, finding);
    judge(id, as_judged(*fact.value), finding);
  }
  void judge(std::string_view id, Quantity value, const Finding& finding) { this->found(id, value, finding); }
  void judge(std::string_view id, const std::string& text, const Finding& finding) {
    this->found(id, text, finding);
  }
  // Judges the number of faults found. 0 faults with a reason in `unread` counts as unread, not as 0.
  void judge_faults(std::string_view id, std::size_t found, const std::string& unread,
                    const Finding& finding) {
    if (found == 0 && !unread.empty()) return report_unread(id, unread, finding);
    judge(id, count(found), finding);
  }

  // Reports an unread fact. If root could read it, the remedy gets the command to type. A fact that a sound node lacks has
  // nothing to judge.
  template <class Value>
  void report_unread(std::string_view id, const facts::Fact<Value>& fact, const Finding& finding) {
    if (!fact.lacks.empty()) return report_nothing_to_judge(id, fact.lacks, finding);
    Finding told = finding;
    if (fact.for_root) told.about["read_by"] = root_facts_command();
    this->unread(id, fact.why(), told);
  }
  // Reports a value that could not be read: with a limit, the case is not proven.
  void report_unread(std::string_view id, const std::string& why, const Finding& finding) {
    this->unread(id, why, finding);
  }
  // Reports a fact that a sound rig may lack: its limit is met.
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

// A case about one half. If the netdev is missing, absent() stands in for its facts, and the case fails under its own limit.
class HalfCase : public FactsCase<HalfSubject> {
 protected:
  [[nodiscard]] const Half& half() const { return rig().half(subject().half); }
  [[nodiscard]] const std::string& netdev() const { return half().netdev; }
  [[nodiscard]] Finding finding() const { return {.node = subject().half.node}; }
  [[nodiscard]] const facts::NodeFacts& node_of(const RigFacts& all) const {
    return all.at(subject().half.node);
  }
  [[nodiscard]] facts::Netdev netdev_of(const RigFacts& all) const { return node_of(all).netdev(netdev()); }

  // Collective. Judges one fact of this half's netdev.
  template <class Value>
  void judge_fact(std::string_view id, facts::Fact<Value> facts::Netdev::*fact) {
    look([&](const RigFacts& all) {
      const facts::Netdev found = netdev_of(all);
      judge(id, is_there(found) ? found.*fact : absent<Value>(), finding());
    });
  }

  // Collective. Judges a fact of the NIC: for a half on a VLAN the remedy names the NIC's netdev.
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

  // True if the netdev exists; adds a note if not. Unknown: the case ends as not proven.
  [[nodiscard]] bool is_there(const facts::Netdev& found) {
    if (!found.present.value) not_proven(found.present.why());
    if (!*found.present.value) note("there is no netdev " + netdev());
    return *found.present.value;
  }
  // Substitute for a fact of a netdev that does not exist.
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
