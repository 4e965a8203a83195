#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "framework/record/events.h"

namespace rigproof::supervisor {

// How long the supervisor waits for signs of life. Later than the ranks' own deadlines: they can name the
// missing rank, the supervisor cannot.
struct Timeouts {
  std::chrono::milliseconds launch = std::chrono::seconds(60);  // from the start to the suite's plan
  std::chrono::milliseconds launch_per_node = std::chrono::seconds(3);
  std::chrono::milliseconds between_phases = std::chrono::seconds(45);
  std::chrono::milliseconds phase_grace = std::chrono::seconds(15);  // beyond a phase's own deadline
  std::chrono::milliseconds exit =
      std::chrono::seconds(15);  // from the suite's last word to the launcher's end
  std::chrono::milliseconds terminate = std::chrono::seconds(5);  // from SIGTERM to SIGKILL
  std::chrono::milliseconds calm =
      std::chrono::seconds(1);  // for a disturbed machine; each wait is longer by it
  std::chrono::milliseconds probe = std::chrono::seconds(10);  // for a node to answer at all
  std::chrono::milliseconds list = std::chrono::seconds(20);   // for a suite to list its cases
  std::chrono::milliseconds journal =
      std::chrono::seconds(10);  // --resume: for the supervisor before to let go of it

  // What depends on the rig, by `factor`; what this host does takes as long as it takes.
  [[nodiscard]] Timeouts scaled(double factor) const;
};

// Where one launch of a suite stands, and until when it may stay silent: fed with the journal's events, asked
// for the time. Does nothing itself.
class LaunchWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  LaunchWatch(const Timeouts& timeouts, std::size_t nodes, Time now);

  void see(const record::EventBody& event, Time now);

  [[nodiscard]] Time deadline() const { return deadline_; }
  [[nodiscard]] std::string overdue() const;  // what did not happen until the deadline

  [[nodiscard]] bool started() const { return started_; }  // any rank wrote anything
  [[nodiscard]] bool planned() const { return planned_; }
  [[nodiscard]] bool refused() const { return refused_; }  // the suite itself said why it has no plan
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] int ended() const { return ended_; }  // cases, in this launch
  [[nodiscard]] const std::optional<record::CaseStarted>& running() const { return running_; }
  [[nodiscard]] const std::string& phase() const { return phase_; }  // of the running case; may be empty

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

// Why a launch ended before its suite was done, as far as its log and its exit tell.
struct LaunchFailure {
  std::string type;              // of the Failure: "crash", "deadline", "lost-peer", "exited", "interrupted"
  std::string reason;            // for a person
  int rank = -1;                 // the culprit, where it is known
  std::string host = {};         // as the launcher calls it
  bool names_culprit = false;    // the reason says who
  std::set<int> survivors = {};  // ranks that lost a connection: the culprit is another
};

// Reads the end of a launch. Pure. `status` is the launcher's wait status (absent: it could not be killed);
// `launcher` its name for messages; `log` the end of what the launch said. A rank's own
// record::last_words() beat the account of mpirun or srun, which beats the exit code: mpirun's codes are ambiguous.
[[nodiscard]] LaunchFailure examine(std::string_view launcher, std::optional<int> status,
                                    std::string_view log);

}  // namespace rigproof::supervisor
