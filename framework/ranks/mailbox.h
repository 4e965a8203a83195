#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "framework/ranks/rank_group.h"

namespace rigproof::inline ranks {

// Where a rank stands: which section (what lies between two gathers or broadcasts) and which phase in it.
// Every message carries it, so that one of an earlier phase can never be taken for one of a later.
struct PhaseId {
  std::uint32_t section = 0;
  std::uint32_t index = 0;
  auto operator<=>(const PhaseId&) const = default;
};

enum class MessageKind : std::uint64_t {
  kAbort,      // any -> any: the phase at `point` can't succeed any more
  kShare,      // -> 0: a contribution to share() number `serial` of the phase
  kShared,     // 0 ->: everyone's
  kPhaseEnd,   // -> 0: the sender's `status`; `serial` 1 when a peer's abort brought it here
  kVerdict,    // 0 ->: everyone's status
  kGather,     // -> 0: the sender left the section with `status`
  kBroadcast,  // 0 ->
  kFatal,      // -> 0: the sender is about to end the job, `text` says why
};

struct Message {
  MessageKind kind = MessageKind::kAbort;
  PhaseId point = {};
  std::uint64_t serial = 0;
  PhaseStatus status = PhaseStatus::kOk;
  std::string name = {};  // of the phase, gather or broadcast; the phase for kFatal
  std::string text = {};
};

// What ranks send, and what is in the text of a kFatal, kVerdict and kShared message, as CBOR. Bytes that are no such
// value throw cbor::Malformed.
[[nodiscard]] std::string encode(const Message& message);
[[nodiscard]] std::string encode(const JobEnd& end);
[[nodiscard]] std::string encode(const std::vector<PhaseStatus>& statuses);
[[nodiscard]] std::string encode(const std::vector<std::string>& texts);
[[nodiscard]] Message decode_message(std::string_view bytes);
[[nodiscard]] JobEnd decode_job_end(std::string_view bytes);
[[nodiscard]] std::vector<PhaseStatus> decode_statuses(std::string_view bytes);
[[nodiscard]] std::vector<std::string> decode_texts(std::string_view bytes);

class MpiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Messages between the ranks on a private communicator, in order between any two ranks. Nothing here waits.
// For the one thread that runs the suite, except send_last(). Calls that fail throw MpiError.
class Mailbox {
 public:
  // Collective, once MPI is initialised. `place` as of RankGroup::start().
  explicit Mailbox(std::optional<int> place);
  ~Mailbox();  // local
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;

  void send(int to, const Message& message);
  // Takes in what has arrived and lets sends progress.
  void pump();
  // Of `rank`, in order; aborts and last words are kept apart.
  [[nodiscard]] std::deque<Message>& from(int rank);
  // A peer that said that the phase at `point` can't succeed.
  [[nodiscard]] std::optional<int> aborted(PhaseId point) const;
  // What a rank said before it ended the job: a kFatal message, whoever it came from.
  [[nodiscard]] const std::optional<Message>& last_words() const;
  // Whether all that was sent has left.
  [[nodiscard]] bool flushed() const;

  // For any thread of a process that is about to end: the message may or may not get there.
  void send_last(int to, const Message& message) noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rigproof::inline ranks
