#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "framework/record/events.h"

namespace rigproof::judge {

// True if `id` equals `declared` or belongs to that family ("preflight.sysctl.*").
[[nodiscard]] bool is_declared_by(std::string_view declared, std::string_view id);

// Declared ids, with a fast lookup.
class Declarations {
 public:
  void add(const std::string& declared);
  // Index, in the order of add(), of the first declaration of the id.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const;

 private:
  using Places = std::map<std::string, std::size_t, std::less<>>;
  Places ids_, families_;          // families_: by their prefix, "preflight.sysctl."
  std::set<std::size_t> lengths_;  // of the prefixes
  std::size_t count_ = 0;
};

// The groups of the metrics that a run's suites declare.
class MetricGroups {
 public:
  MetricGroups() = default;
  explicit MetricGroups(const record::RunStarted& start);
  [[nodiscard]] record::MetricGroup of(std::string_view id) const;  // kOther: no suite declares the id

 private:
  Declarations declarations_;
  std::vector<record::MetricGroup> groups_ = {};  // same order
};

}  // namespace rigproof::judge
