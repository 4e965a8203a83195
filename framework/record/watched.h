#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "framework/record/measured.h"

namespace rigproof::record {

// How counters that mean the same have grown on one device since they were looked at before.
struct Watched {
  std::string id;       // "load.damaged": the limit that judges it
  std::string subject;  // "enp1s0f0np0"
  double grown = 0;
  double of = 0;           // what it is a share of; 0 where `counts`
  bool counts = true;      // else a ratio: grown / of
  std::string names = {};  // those that grew, for a person: "rx_crc_errors_phy 3"
  std::string lost = {};   // not empty: a counter was reset or is gone, so `grown` means nothing
  RemedyValues about = {};
};

// Looks at all cards of this node: growth since the look before; of the first look nothing. Throws nothing.
using LookAtCards = std::function<std::vector<Watched>()>;

// What one case's looks saw, added up.
class WatchedSums {
 public:
  void add(const std::vector<Watched>& looks);
  [[nodiscard]] bool empty() const { return sums_.empty(); }
  // As findings of the node: judged where the thresholds have a limit. A ratio of nothing is left out.
  [[nodiscard]] std::vector<Measured> findings(const std::string& node) const;
  // "enp1s0f0np0: rx_crc_errors_phy 3", of what grew.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  std::map<std::pair<std::string, std::string>, Watched> sums_;  // by id and subject
};

}  // namespace rigproof::record
