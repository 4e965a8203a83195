#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/record/events.h"

namespace rigproof::text {

// The metrics that suites declare, for texts about an id. Limits, sources and remedies are in the thresholds file.
class Metrics {
 public:
  using BySuite = std::map<std::string, std::vector<record::Declared>>;
  // `declared` must outlive it: RunStarted::declared, or the suites' descriptions.
  explicit Metrics(const BySuite& declared);

  // The metric of the id or of its family. nullptr: no suite declares one with a title.
  [[nodiscard]] const record::Declared* find(std::string_view id) const;
  // Title on one line, at most 80 characters. Empty: as above.
  [[nodiscard]] std::string title_of(std::string_view id) const;
  // Those with a title, by suite and in its order; several suites may declare one id.
  [[nodiscard]] const std::vector<const record::Declared*>& all() const { return all_; }

 private:
  std::vector<const record::Declared*> all_;
  judge::Declarations declarations_;  // same order as all_
};

}  // namespace rigproof::text
