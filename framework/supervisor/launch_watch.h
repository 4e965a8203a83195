#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "framework/record/events.h"
#include "framework/supervisor/timeouts.h"

namespace rigproof {

// Where one launch of a suite stands, and until when it may stay silent: fed with the journal's events, asked
// for the time. Does nothing itself.
class LaunchWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  LaunchWatch(const Timeouts& timeouts, std::size_t nodes, Time now);

  void see(const EventBody& event, Time now);

  [[nodiscard]] Time deadline() const { return deadline_; }
  [[nodiscard]] std::string overdue() const;  // what did not happen until the deadline

  [[nodiscard]] bool started() const { return started_; }  // any rank wrote anything
  [[nodiscard]] bool planned() const { return planned_; }
  [[nodiscard]] bool refused() const { return refused_; }  // the suite itself said why it has no plan
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] int ended() const { return ended_; }  // cases, in this launch
  [[nodiscard]] const std::optional<CaseStarted>& running() const { return running_; }
  [[nodiscard]] const std::string& phase() const { return phase_; }  // of the running case; may be empty

 private:
  void expect(std::string what, std::chrono::milliseconds within, Time now);

  Timeouts timeouts_;
  Time deadline_;
  std::string expected_;
  bool started_ = false, planned_ = false, refused_ = false, done_ = false;
  int ended_ = 0;
  std::optional<CaseStarted> running_;
  std::string phase_;
};

}  // namespace rigproof
