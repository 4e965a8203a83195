#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judged_run.h"

namespace rigproof::compare {

// A fact of the nodes that the candidate runs found otherwise than the base runs.
struct FactChange {
  std::string kind;                // as --expect names it: "nic.firmware"
  std::string words;               // "NIC firmware"
  std::string from, to;            // "28.45.1200", "28.46.1006"
  std::vector<std::string> nodes;  // sorted
  std::vector<std::string> left;   // nodes that had, and still have, `from`; of versions and settings only
};
// "NIC firmware 28.45.1200 -> 28.46.1006 on node-a, node-b"
[[nodiscard]] std::string to_text(const FactChange& change);

// How the rig of the candidate runs differs from that of the base runs, by the facts that both sides recorded: a suite
// that did not run changes nothing.
struct WhatChanged {
  std::vector<FactChange> facts = {};      // by kind
  std::vector<std::string> staged = {};    // waits for a reboot or an activation, in words: "node-a: ..."
  std::vector<std::string> unsteady = {};  // facts in which the candidate runs differ among themselves
  std::size_t known = 0;                   // facts that were looked at
};
[[nodiscard]] WhatChanged what_changed(const std::vector<const judge::JudgedRun*>& base,
                                       const std::vector<const judge::JudgedRun*>& candidate);
// "nothing (of 31 facts)", or every change.
[[nodiscard]] std::string to_text(const WhatChanged& changed);

// Why a gate stays shut whatever was measured.
struct Objection {
  int exit_code;  // 1: a finding; 3: not proven
  std::string why;
};

// What a user says has been changed: the words of --expect.
class Announced {
 public:
  // "nothing"; "any"; a kind or a family of kinds ("nic"), with "@NODE" behind it where only that node was changed. No
  // word announces no change. Throws std::invalid_argument for a word that means none of them.
  explicit Announced(std::vector<std::string> words);

  // A finding: a change that was not announced, or that a peer was left out of. Not proven: runs of different states,
  // an update that is staged and not active, an announced change that is not there, and nothing to gate at all.
  [[nodiscard]] std::vector<Objection> objections(const WhatChanged& changed) const;

 private:
  [[nodiscard]] bool announces(const FactChange& change) const;
  [[nodiscard]] bool names_node(const FactChange& change) const;
  std::vector<std::string> words_;
  bool nothing_ = false, any_ = false;
};

// Every kind, sorted.
[[nodiscard]] std::vector<std::string> fact_kinds();

}  // namespace rigproof::compare
