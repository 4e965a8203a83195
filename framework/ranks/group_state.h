#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "framework/ranks/mailbox.h"
#include "framework/ranks/rank_group.h"

namespace rigproof::inline ranks {

// A thread that calls `on_expired` once, with the armed JobEnd, unless it is disarmed in time. Only this ends
// a body that neither returns nor polls.
class Watchdog {
 public:
  explicit Watchdog(std::function<void(const JobEnd&)> on_expired);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Replaces the previous limit.
  void arm(JobEnd end, Clock::time_point limit);
  void disarm();

 private:
  struct Watch {
    JobEnd end;
    Clock::time_point limit;
  };
  void run();

  std::function<void(const JobEnd&)> on_expired_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Watch> watch_;
  bool stop_ = false;
  std::thread thread_;
};

// Implementation of RankGroup. Rank 0 is the centre of a star: it receives a message from every rank and
// answers each. Bodies are in phase.cc (within a phase), section.cc (gather, broadcast) and job_end.cc.
struct RankGroup::State {
  explicit State(std::optional<int> place);

  [[nodiscard]] bool root() const { return mail.rank() == 0; }
  [[nodiscard]] std::string who(int rank) const;
  [[nodiscard]] std::string names(const std::set<int>& ranks) const;

  // Receives messages. Ends the job if MPI fails or another rank says that it must end.
  void pump();
  void send(int to, const Message& message);
  [[nodiscard]] const std::set<int>& others() const { return others_; }

  // phase.cc
  void begin_phase(std::string_view name, std::chrono::nanoseconds length);
  void poll();
  std::vector<std::string> share(std::string_view mine);
  std::vector<PhaseStatus> end_phase(PhaseStatus mine);

  void look();
  void abort_at(PhaseId where, const std::set<int>& ranks);
  [[nodiscard]] bool left(int rank);
  [[nodiscard]] std::optional<std::string> shared_by(int rank);
  [[nodiscard]] std::string await_share(int rank);

  // End of a phase: rank 0 concludes, the others wait for its verdict.
  struct Outcome {
    std::vector<PhaseStatus> statuses;
    std::string mismatch;  // empty if all were in the same phase
  };
  [[nodiscard]] Outcome conclude_phase(PhaseStatus mine);
  [[nodiscard]] Outcome await_verdict(PhaseStatus mine);
  // True if the rank has ended this phase; writes its status into `outcome`.
  [[nodiscard]] bool arrived(int rank, Outcome& outcome, std::set<int>& in_phase);
  void answer(int rank, PhaseId where, const Outcome& outcome);

  // section.cc
  std::vector<std::string> gather(std::string_view what, std::string_view mine,
                                  std::chrono::nanoseconds limit, PhaseStatus left_with);
  std::string broadcast(std::string_view what, std::string_view root_bytes, std::chrono::nanoseconds limit);

  [[nodiscard]] std::vector<std::string> collect(std::string_view what, std::chrono::nanoseconds limit,
                                                 PhaseStatus left_with);
  [[nodiscard]] std::optional<std::string> contribution(int rank, std::string_view what,
                                                        PhaseStatus left_with);
  void dismiss(int rank, const Message& straggler, PhaseStatus left_with);
  [[nodiscard]] std::optional<std::string> broadcast_text(std::string_view what);
  void next_section();

  // job_end.cc
  void watch(std::string_view what, std::string_view phase_name, std::chrono::nanoseconds limit);
  [[noreturn]] void end_job(const JobEnd& end);
  [[noreturn]] void missing(const std::set<int>& ranks, std::string_view what, Clock::duration limit);
  [[noreturn]] void out_of_step(int rank, const Message& message, std::string_view ours);

  Mailbox mail;
  std::set<int> others_;     // all ranks except this one
  PhaseId point;             // the next or the running phase
  std::uint64_t shares = 0;  // number of share() calls in this phase
  std::string phase;         // name of the phase
  Clock::duration length{};  // time from the phase's begin to its deadline
  Clock::time_point deadline;
  Clock::time_point next_look;  // time at which poll() looks for messages again
  std::vector<std::string> nodes;
  std::function<void(const JobEnd&)> hook;
  std::atomic<bool> ending = false;
  std::optional<Watchdog> watchdog;
};

[[nodiscard]] std::string seconds_text(Clock::duration duration);  // "2.5 s"

// Sleeps between two checks: a sixteenth of the time waited so far, 20 us to 500 us.
class Backoff {
 public:
  void sleep() const;

 private:
  Clock::time_point start_ = Clock::now();
};

}  // namespace rigproof::inline ranks
