#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rigproof::inline ranks {

using Clock = std::chrono::steady_clock;

// Thrown by poll() if a peer failed in this phase. Not reported: the peer reports its own failure.
class PeerAborted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class DeadlinePassed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Thrown by end_phase() on the ranks of this phase: a peer was in another phase or had left the case. The
// case has failed; the job goes on.
class PhaseMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A rank's result of a phase. Precedence when merging: error > fail > skip > ok.
enum class PhaseStatus : int { kOk, kSkip, kFail, kError };

// Why the job ends early.
struct JobEnd {
  std::string type;     // "lost-peer", "deadline" (stuck), "mismatch" (other step), "error" (fatal())
  std::string message;  // names ranks and nodes
  std::string phase;    // or the step that was waited for
  int rank = -1;        // the first rank concerned
};

// How long after a deadline a rank may still arrive. Ranks that wait for rank 0, and the watchdog, allow up
// to 2.5 times as long: the rank that can name the culprit reports first. A supervisor must allow more.
inline constexpr std::chrono::seconds kGrace{2};

// The ranks of a suite, one per node in the rig's order. Every wait has a deadline and ends if a peer fails.
// Rank 0 coordinates: collectives are stars of point-to-point messages on a private communicator, so that a
// missing rank can be named. Waiting ranks sleep between polls: an idle node stays idle.
class RankGroup {
 public:
  // Collective: initialises MPI (MPI_THREAD_MULTIPLE). One per process. `place`: the rank that this process
  // should be, if known. If all places together are 0, 1, 2 ..., each once, they become the ranks; otherwise
  // the launcher's order stays. `before_messages` is called after MPI's start, before the first message.
  // Throws if MPI lacks MPI_THREAD_MULTIPLE.
  static RankGroup start(int* argc, char*** argv, std::optional<int> place = {},
                         const std::function<void()>& before_messages = {});
  RankGroup(RankGroup&&) noexcept;
  ~RankGroup();  // local: never communicates; finalize() ends MPI in good order

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  [[nodiscard]] std::string host() const;           // MPI's processor name
  void name_ranks(std::vector<std::string> nodes);  // for messages: "rank 1 (node-b)"
  [[nodiscard]] std::string who(int rank) const;

  // Sets a hook that is called once before this rank ends the job: rank 0 writes its journal. Also called for
  // failures that another rank reports. May run on the watchdog's thread while the main thread hangs.
  void on_fatal(std::function<void(const JobEnd&)> hook);

  // Local, outside phases: ends the job unless a phase, another watch() or unwatch() follows in time.
  void watch(std::string_view what, std::chrono::nanoseconds deadline);
  void unwatch();

  // --- within a phase: local unless said otherwise ---

  // Begins a phase on this rank and sets its deadline, for poll() and all waits below.
  void begin_phase(std::string_view name, std::chrono::nanoseconds deadline);
  // Throws PeerAborted or DeadlinePassed. Call it on the phase's own thread in every loop that waits; cheap
  // enough for a spinning loop.
  void poll();
  [[nodiscard]] Clock::time_point deadline() const;

  // Collective within a phase. share() returns every rank's text, in rank order, on every rank.
  [[nodiscard]] std::vector<std::string> share(std::string_view mine);
  void barrier();

  // Collective: ends the phase and returns every rank's status. A rank that is not ok aborts its peers'
  // waits. If a rank does not arrive within deadline + grace, or rank 0 does not answer, the job ends:
  // on_fatal, MPI_Abort. A peer that already left for gather() keeps the status that it left with.
  [[nodiscard]] std::vector<PhaseStatus> end_phase(PhaseStatus mine);

  // --- outside phases, collective ---

  // Returns every rank's bytes on rank 0, in rank order; empty on other ranks. Ends the job like end_phase()
  // after `deadline`. A phase that peers are still in ends with this rank's `left_with`.
  [[nodiscard]] std::vector<std::string> gather(std::string_view what, std::string_view mine,
                                                std::chrono::nanoseconds deadline,
                                                PhaseStatus left_with = PhaseStatus::kOk);
  // Returns rank 0's bytes on every rank.
  [[nodiscard]] std::string broadcast(std::string_view what, std::string_view root_bytes,
                                      std::chrono::nanoseconds deadline);
  // Ends MPI in good order; no call may follow.
  void finalize();

  // Ends the job now: message to stderr, on_fatal, MPI_Abort. Never returns and never hangs: if MPI does not
  // end within seconds, the process exits.
  [[noreturn]] void fatal(const std::string& why);

 private:
  struct State;
  explicit RankGroup(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rigproof::inline ranks
