// Within a phase: deadline, aborts, share().

#include <fmt/format.h>

#include "framework/ranks/group_state.h"

namespace rigproof {
namespace {

// poll() may stand in a loop that spins on a completion queue: it looks for messages only this often.
constexpr std::chrono::microseconds kLookEvery{100};

}  // namespace

void RankGroup::State::begin_phase(std::string_view name, std::chrono::nanoseconds limit) {
  phase = name;
  length = limit;
  deadline = Clock::now() + limit;
  next_look = {};
  shares = 0;
  watch(fmt::format("phase '{}'", phase), phase, limit);
}

void RankGroup::State::poll() {
  const auto now = Clock::now();
  if (now > deadline)
    throw DeadlinePassed(fmt::format("the deadline of {} passed in phase '{}'", seconds_text(length), phase));
  if (now < next_look) return;
  look();
  next_look = now + kLookEvery;
}

void RankGroup::State::look() {
  pump();
  if (const auto peer = mail.aborted(point))
    throw PeerAborted(who(*peer) + " failed in phase '" + phase + "'");
  if (!root()) return;
  for (const int rank : others())
    if (left(rank)) throw PeerAborted(who(rank) + " left the case before phase '" + phase + "'");
}

bool RankGroup::State::left(int rank) {
  const auto& messages = mail.from(rank);
  return !messages.empty() && messages.front().kind == MessageKind::kGather &&
         messages.front().point.section == point.section;
}

void RankGroup::State::abort_at(PhaseId where, const std::set<int>& ranks) {
  for (const int rank : ranks) send(rank, {.kind = MessageKind::kAbort, .point = where});
}

// What `rank` sent for the share() under way; what is left over from broken ones goes.
std::optional<std::string> RankGroup::State::shared_by(int rank) {
  auto& messages = mail.from(rank);
  while (!messages.empty()) {
    const Message& next = messages.front();
    if (next.kind == MessageKind::kPhaseEnd && next.point == point && next.status == PhaseStatus::kOk &&
        next.serial == 0)
      throw PhaseMismatch(
          fmt::format("{} ended phase '{}' while {} waited in share()", who(rank), next.name, who(0)));
    if (next.kind != MessageKind::kShare && next.kind != MessageKind::kShared) return std::nullopt;
    Message share = std::move(messages.front());
    messages.pop_front();
    if (share.point == point && share.serial == shares) return std::move(share.text);
  }
  return std::nullopt;
}

std::string RankGroup::State::await_share(int rank) {
  const Backoff backoff;
  for (;;) {
    if (auto text = shared_by(rank)) return *std::move(text);
    next_look = {};
    poll();
    backoff.sleep();
  }
}

std::vector<std::string> RankGroup::State::share(std::string_view mine) {
  ++shares;
  if (!root()) {
    send(0, {.kind = MessageKind::kShare, .point = point, .serial = shares, .text = std::string(mine)});
    std::vector<std::string> all = decode_texts(await_share(0));
    if (all.size() != static_cast<std::size_t>(mail.size()))
      throw std::runtime_error(who(0) + " shared the texts of another number of ranks");
    return all;
  }
  std::vector<std::string> all{std::string(mine)};
  for (const int rank : others()) all.push_back(await_share(rank));
  for (const int rank : others())
    send(rank, {.kind = MessageKind::kShared, .point = point, .serial = shares, .text = encode(all)});
  return all;
}

}  // namespace rigproof
