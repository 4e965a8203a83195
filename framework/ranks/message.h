#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/ranks/rank_group.h"

namespace rigproof {

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

}  // namespace rigproof
