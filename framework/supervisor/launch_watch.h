#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "framework/record/events.h"

namespace rigproof::supervisor {

// How long the supervisor waits for events. Longer than the ranks' own deadlines: ranks can name the missing
// rank, the supervisor cannot.
struct Timeouts {
  std::chrono::milliseconds launch = std::chrono::seconds(60);  // from start to the suite's plan
  std::chrono::milliseconds launch_per_node = std::chrono::seconds(3);
  std::chrono::milliseconds between_phases = std::chrono::seconds(45);
  std::chrono::milliseconds phase_grace = std::chrono::seconds(15);  // in addition to a phase's own deadline
  // From the suite's last event to the launcher's end.
  std::chrono::milliseconds exit = std::chrono::seconds(15);
  std::chrono::milliseconds terminate = std::chrono::seconds(5);  // from SIGTERM to SIGKILL
  // Wait after a disturbance; each further wait is longer by this time.
  std::chrono::milliseconds calm = std::chrono::seconds(1);
  std::chrono::milliseconds probe = std::chrono::seconds(10);  // until a node answers
  std::chrono::milliseconds list = std::chrono::seconds(20);   // until a suite has listed its cases
  // --resume: until the previous supervisor releases the journal.
  std::chrono::milliseconds journal = std::chrono::seconds(10);

  // Multiplies the times that depend on the rig by `factor`; times of this host stay.
  [[nodiscard]] Timeouts scaled(double factor) const;
};

// Tracks the state and the deadline of one launch, by its events and the time given. Does nothing itself.
class LaunchWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  LaunchWatch(const Timeouts& timeouts, std::size_t nodes, Time now);

  void see(const record::EventBody& event, Time now);

  [[nodiscard]] Time deadline() const { return deadline_; }
  [[nodiscard]] std::string overdue() const;  // the event that is missing at the deadline

  [[nodiscard]] bool started() const { return started_; }  // true after the first event from any rank
  [[nodiscard]] bool planned() const { return planned_; }
  [[nodiscard]] bool refused() const { return refused_; }  // the suite reported why it has no plan
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] int ended() const { return ended_; }  // number of cases that ended in this launch
  [[nodiscard]] const std::optional<record::CaseStarted>& running() const { return running_; }
  [[nodiscard]] const std::string& phase() const { return phase_; }  // the running case's phase; may be empty

 private:
  void expect(std::string what, std::chrono::milliseconds within, Time now);

  Timeouts timeouts_;
  Time deadline_;
  std::string expected_;
  bool started_ = false, planned_ = false, refused_ = false, done_ = false;
  int ended_ = 0;
  std::optional<record::CaseStarted> running_;
  std::string phase_;
};

// Why a launch ended before its suite was done, from its log and wait status.
struct LaunchFailure {
  std::string type;       // the Failure's type: "crash", "deadline", "lost-peer", "exited", "interrupted"
  std::string reason;     // for a person
  int rank = -1;          // the culprit, if known
  std::string host = {};  // the launcher's name for its host
  bool names_culprit = false;    // the reason already names the culprit
  std::set<int> survivors = {};  // ranks that lost a connection: not the culprit
};

// Finds out why a launch ended. Pure. `status`: the launcher's wait status (nullopt: it could not be killed).
// `launcher`: its name for messages. `log`: the end of the launch's output. A rank's own record::last_words()
// take precedence over messages of mpirun or srun, and these over the exit code, which is ambiguous.
[[nodiscard]] LaunchFailure examine(std::string_view launcher, std::optional<int> status,
                                    std::string_view log);

}  // namespace rigproof::supervisor
