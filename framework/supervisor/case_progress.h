#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "framework/record/events.h"

namespace rigproof {

// What is left to run of a suite, over its launches: cases that ended all their iterations are settled, and
// so is a case that ended a launch.
class CaseProgress {
 public:
  explicit CaseProgress(int iterations) : iterations_(iterations) {}

  // `is_void`: of a case that ended, that its attempt is void.
  void see(const EventBody& event, bool is_void);
  void settle(const std::string& name) { settled_.insert(name); }
  // Opens the cases again whose attempts since the last call were void; returns whether there were any.
  bool reopen_void();

  [[nodiscard]] const std::set<std::string>& settled() const { return settled_; }
  [[nodiscard]] std::vector<std::string> open() const;  // planned and not settled, in plan order

 private:
  int iterations_;
  std::vector<std::string> planned_;
  std::set<std::string> settled_, void_;
};

}  // namespace rigproof
