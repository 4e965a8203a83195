#pragma once

#include <string>
#include <vector>

namespace rigproof {

// The GoogleTest flags that a run hands on to its suites. The same on every rank, the seed included.
struct GtestFlags {
  std::string filter;  // empty: every case
  int repeat = 1;
  bool shuffle = false;
  int seed = 0;  // of the shuffle
  bool disabled_too = false;

  [[nodiscard]] std::vector<std::string> arguments() const;
  [[nodiscard]] bool selects() const { return !filter.empty() && filter != "*"; }
};

}  // namespace rigproof
