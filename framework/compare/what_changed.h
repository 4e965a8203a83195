#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judged_run.h"

namespace rigproof::compare {

// A fact of the nodes whose value differs between base runs and candidate runs.
struct FactChange {
  std::string kind;                // as for --expect: "nic.firmware"
  std::string words;               // "NIC firmware"
  std::string from, to;            // "28.45.1200", "28.46.1006"
  std::vector<std::string> nodes;  // sorted
  std::vector<std::string> left;   // nodes that still have `from`; only for versions and settings
};
// "NIC firmware 28.45.1200 -> 28.46.1006 on node-a, node-b"
[[nodiscard]] std::string to_text(const FactChange& change);

// Differences between the rigs of base runs and candidate runs. Only facts that both sides recorded count: a suite
// that did not run changes nothing.
struct WhatChanged {
  std::vector<FactChange> facts = {};      // by kind
  std::vector<std::string> staged = {};    // waits for a reboot or an activation: "node-a: ..."
  std::vector<std::string> unsteady = {};  // facts that differ between candidate runs
  std::size_t known = 0;                   // number of compared facts
};
[[nodiscard]] WhatChanged what_changed(const std::vector<const judge::JudgedRun*>& base,
                                       const std::vector<const judge::JudgedRun*>& candidate);
// "nothing (of 31 facts)", or every change.
[[nodiscard]] std::string to_text(const WhatChanged& changed);

// A reason to block a gate, whatever was measured.
struct Objection {
  int exit_code;  // 1: a finding; 3: not proven
  std::string why;
};

// Changes that the user announces with --expect.
class Announced {
 public:
  // `words`: "nothing", "any", or kinds and families of kinds ("nic"); "@NODE" restricts a kind to one node. No
  // words: no change is announced. Throws std::invalid_argument for an unknown word.
  explicit Announced(std::vector<std::string> words);

  // Throws std::invalid_argument if a word names a node or switch that is not one of these.
  void require_nodes(const std::vector<std::string>& known) const;

  // Findings: a change that was not announced, or that a peer lacks. Not proven: candidate runs in different states,
  // an update that is staged and not active, an announced change that is absent, and nothing to gate at all.
  [[nodiscard]] std::vector<Objection> objections(const WhatChanged& changed) const;

 private:
  [[nodiscard]] bool announces(const FactChange& change) const;
  [[nodiscard]] bool names_node(const FactChange& change) const;
  std::vector<std::string> words_;
  bool nothing_ = false, any_ = false;
};

// Every kind of fact, sorted.
[[nodiscard]] std::vector<std::string> fact_kinds();

}  // namespace rigproof::compare
