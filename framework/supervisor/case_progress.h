#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/record/events.h"

namespace rigproof::supervisor {

// What is left to run of a job, over its launches: cases that ended all their iterations are settled, and so is a case
// that ended a launch.
class CaseProgress {
 public:
  CaseProgress(std::vector<std::string> cases, int iterations)
      : iterations_(iterations), planned_(std::move(cases)) {}

  // `is_void`: of a case that ended, that its attempt is void.
  void see(const record::EventBody& event, bool is_void);
  void settle(const std::string& name) { settled_.insert(name); }
  void reopen(const std::string& name) { settled_.erase(name); }
  // Opens the cases again whose attempts since the last call were void; returns whether there were any.
  bool reopen_void();

  [[nodiscard]] std::vector<std::string> open() const;  // planned and not settled, in plan order

 private:
  int iterations_;
  std::vector<std::string> planned_;
  std::set<std::string> settled_, void_;
};

}  // namespace rigproof::supervisor
