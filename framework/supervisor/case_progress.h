#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/record/events.h"

namespace rigproof::supervisor {

// The cases of a job that are still to run, over all its launches. A case is closed when all its iterations
// have ended, or when it ended a launch.
class CaseProgress {
 public:
  CaseProgress(std::vector<std::string> cases, int iterations)
      : iterations_(iterations), planned_(std::move(cases)) {}

  // `replaced`: the attempt of a case that ended does not count (judge::Attempt).
  void see(const record::EventBody& event, bool replaced);
  void close(const std::string& name) { closed_.insert(name); }
  void reopen(const std::string& name) { closed_.erase(name); }
  // Opens the cases again whose attempts since the last call do not count. Returns true if there were any.
  bool reopen_replaced();

  [[nodiscard]] std::vector<std::string> open() const;  // planned and not closed, in plan order

 private:
  int iterations_;
  std::vector<std::string> planned_;
  std::set<std::string> closed_, replaced_;
};

}  // namespace rigproof::supervisor
