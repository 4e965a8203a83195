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

// The position of a rank: its section (between two gathers or broadcasts) and its phase in it. Every message
// carries one, so that messages of different phases are never confused.
struct PhaseId {
  std::uint32_t section = 0;
  std::uint32_t index = 0;
  auto operator<=>(const PhaseId&) const = default;
};

enum class MessageKind : std::uint64_t {
  kAbort,      // any -> any: the phase at `point` has failed
  kShare,      // -> 0: a contribution to share() number `serial` of the phase
  kShared,     // 0 ->: all contributions
  kPhaseEnd,   // -> 0: the sender's `status`; `serial` 1: a peer's abort ended its phase
  kVerdict,    // 0 ->: status of all ranks
  kGather,     // -> 0: the sender left the section with `status`
  kBroadcast,  // 0 ->
  kFatal,      // -> 0: the sender is about to end the job; `text` says why
};

struct Message {
  MessageKind kind = MessageKind::kAbort;
  PhaseId point = {};
  std::uint64_t serial = 0;
  PhaseStatus status = PhaseStatus::kOk;
  std::string name = {};  // name of the phase, gather or broadcast; for kFatal the phase
  std::string text = {};
};

// CBOR of messages, and of the text of kFatal, kVerdict and kShared. Other bytes throw cbor::Malformed.
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

// Messages between the ranks on a private communicator, in order between any two ranks. No call waits. For
// the thread that runs the suite only, except send_last(). Calls that fail throw MpiError.
class Mailbox {
 public:
  // Collective, once MPI is initialised. `place` as for RankGroup::start().
  explicit Mailbox(std::optional<int> place);
  ~Mailbox();  // local
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;

  void send(int to, const Message& message);
  // Receives what has arrived, and lets sends progress.
  void pump();
  // Messages of `rank`, in order; without kAbort and kFatal messages.
  [[nodiscard]] std::deque<Message>& from(int rank);
  // A peer that aborted the phase at `point`; nullopt: none did.
  [[nodiscard]] std::optional<int> aborted(PhaseId point) const;
  // The kFatal message that any rank sent before it ended the job; nullopt: none.
  [[nodiscard]] const std::optional<Message>& last_words() const;
  // True if all sent messages have left.
  [[nodiscard]] bool flushed() const;

  // For any thread of a process that is about to end: delivery is not guaranteed.
  void send_last(int to, const Message& message) noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rigproof::inline ranks
