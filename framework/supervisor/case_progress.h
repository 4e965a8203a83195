#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/record/events.h"

namespace rigproof::supervisor {

// What is left to run of a job, over its launches: cases are closed that ended all their iterations, and a case that
// ended a launch.
class CaseProgress {
 public:
  CaseProgress(std::vector<std::string> cases, int iterations)
      : iterations_(iterations), planned_(std::move(cases)) {}

  // `replaced`: of a case that ended, that its attempt does not count (judge::Attempt).
  void see(const record::EventBody& event, bool replaced);
  void close(const std::string& name) { closed_.insert(name); }
  void reopen(const std::string& name) { closed_.erase(name); }
  // Opens the cases again whose attempts since the last call do not count; returns whether there were any.
  bool reopen_replaced();

  [[nodiscard]] std::vector<std::string> open() const;  // planned and not closed, in plan order

 private:
  int iterations_;
  std::vector<std::string> planned_;
  std::set<std::string> closed_, replaced_;
};

}  // namespace rigproof::supervisor
