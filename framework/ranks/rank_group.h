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

// Thrown by poll() in a rank whose peer failed in this phase. Not reported: the peer reports its own failure.
class PeerAborted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class DeadlinePassed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Thrown by end_phase() on the ranks that were in it: a peer was in another phase or had left the case. The
// case is broken, the job is not.
class PhaseMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How a rank came out of a phase. Precedence when merging: error > fail > skip > ok.
enum class PhaseStatus : int { kOk, kSkip, kFail, kError };

// Why the job is ended before its end.
struct JobEnd {
  std::string type;  // "lost-peer": a rank is missing; "deadline": this rank is stuck; "mismatch": the ranks
                     // are not at the same place; "error": fatal() was called
  std::string message;  // names ranks and nodes
  std::string phase;    // or what else was waited for
  int rank = -1;        // the (first) rank it is about
};

// How long after a deadline a rank may still come; the ones that wait for rank 0 and the watchdog allow up
// to 2.5 times that, so that the rank that can name the culprit speaks first. A supervisor must allow more.
inline constexpr std::chrono::seconds kGrace{2};

// The ranks of a suite, one per node in the rig's order. Every wait has a deadline and can be broken by a peer's
// failure. Rank 0 coordinates: collectives are stars of point-to-point messages on a private communicator, so
// that a missing rank can be named. Waiting ranks sleep between polls: an idle node stays idle.
class RankGroup {
 public:
  // Collective: initialises MPI (MPI_THREAD_MULTIPLE). One per process. `place`: which rank this process ought to be,
  // where it knows; when the places of all are 0, 1, 2 ..., each once, they become the ranks, else the launcher's
  // order stays. `before_messages` is called once MPI is up here and before its first message. Throws when MPI can't
  // provide that.
  static RankGroup start(int* argc, char*** argv, std::optional<int> place = {},
                         const std::function<void()>& before_messages = {});
  RankGroup(RankGroup&&) noexcept;
  ~RankGroup();  // local: never communicates. finalize() ends MPI in good order.

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  [[nodiscard]] std::string host() const;           // MPI's processor name
  void name_ranks(std::vector<std::string> nodes);  // for messages: "rank 1 (node-b)"
  [[nodiscard]] std::string who(int rank) const;

  // What to do, once, before the job is ended from here: rank 0 writes its journal. Also called for what ends
  // another rank when that can still say so. May be called from the watchdog's thread, while the main one is
  // stuck anywhere.
  void on_fatal(std::function<void(const JobEnd&)> hook);

  // Outside phases, local: ends the job when neither a phase nor another watch() nor unwatch() has followed
  // in time.
  void watch(std::string_view what, std::chrono::nanoseconds deadline);
  void unwatch();

  // --- within a phase: local unless said otherwise ---

  // Begins a phase on this rank: sets the deadline that poll() and every wait below obey.
  void begin_phase(std::string_view name, std::chrono::nanoseconds deadline);
  // Throws PeerAborted or DeadlinePassed. Call it in every loop that waits for anything, on the phase's own
  // thread; cheap enough for a loop that spins.
  void poll();
  [[nodiscard]] Clock::time_point deadline() const;

  // Collective within a phase. share(): every rank's text, in rank order, on every rank.
  [[nodiscard]] std::vector<std::string> share(std::string_view mine);
  void barrier();

  // Collective: ends the phase. A rank that is not ok aborts its peers' waits. Returns every rank's status.
  // When a rank does not arrive within deadline + grace, or rank 0 does not answer, the job is ended:
  // on_fatal, MPI_Abort. A peer that has left for the gather() behind this phase counts with the status it
  // left with.
  [[nodiscard]] std::vector<PhaseStatus> end_phase(PhaseStatus mine);

  // --- outside phases, collective ---

  // Every rank's bytes on rank 0, in rank order (elsewhere empty); ends the job like end_phase after
  // `deadline`. A rank may come here while its peers are in a phase: that phase ends on them with the status
  // it left with.
  [[nodiscard]] std::vector<std::string> gather(std::string_view what, std::string_view mine,
                                                std::chrono::nanoseconds deadline,
                                                PhaseStatus left_with = PhaseStatus::kOk);
  // Rank 0's bytes on every rank.
  [[nodiscard]] std::string broadcast(std::string_view what, std::string_view root_bytes,
                                      std::chrono::nanoseconds deadline);
  // Ends MPI in good order; nothing may be called after it.
  void finalize();

  // Ends the job now: message to stderr, on_fatal, MPI_Abort. Returns never and hangs never: when MPI can't
  // be ended within seconds, the process exits by itself.
  [[noreturn]] void fatal(const std::string& why);

 private:
  struct State;
  explicit RankGroup(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rigproof::inline ranks
