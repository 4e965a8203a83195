// Begin and end of a phase, deadline, aborts, share(), and the agreement at the end.

#include <fmt/format.h>

#include "framework/cbor/cbor.h"
#include "framework/ranks/group_state.h"

namespace rigproof::inline ranks {
namespace {

// poll() looks for messages this rarely, because it may be in a loop that spins on a completion queue.
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

// The text that `rank` sent for the current share(); drops texts of broken ones.
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

std::vector<PhaseStatus> RankGroup::State::end_phase(PhaseStatus mine) {
  if (mine != PhaseStatus::kOk) abort_at(point, others());
  Outcome outcome = root() ? conclude_phase(mine) : await_verdict(mine);
  ++point.index;
  watchdog->disarm();
  if (!outcome.mismatch.empty()) throw PhaseMismatch(outcome.mismatch);
  return std::move(outcome.statuses);
}

RankGroup::State::Outcome RankGroup::State::conclude_phase(PhaseStatus mine) {
  Outcome outcome{std::vector(static_cast<std::size_t>(mail.size()), PhaseStatus::kOk), {}};
  outcome.statuses[0] = mine;
  std::set<int> waiting = others(), in_phase;
  bool woken = mine != PhaseStatus::kOk;
  for (const Backoff backoff; !waiting.empty(); backoff.sleep()) {
    pump();
    std::erase_if(waiting, [&](int rank) { return arrived(rank, outcome, in_phase); });
    const bool broken = !outcome.mismatch.empty() || in_phase.size() + waiting.size() < others().size();
    if (broken && !woken) abort_at(point, waiting);
    woken = woken || broken;
    if (waiting.empty()) break;
    if (Clock::now() > deadline + kGrace) missing(waiting, "reach the end of phase '" + phase + "'", length);
  }
  for (const int rank : in_phase) answer(rank, point, outcome);
  return outcome;
}

bool RankGroup::State::arrived(int rank, Outcome& outcome, std::set<int>& in_phase) {
  auto& status = outcome.statuses.at(static_cast<std::size_t>(rank));
  auto& messages = mail.from(rank);
  const auto note = [&](std::string text) {
    if (outcome.mismatch.empty()) outcome.mismatch = std::move(text);
  };
  while (!messages.empty() && messages.front().kind == MessageKind::kShare) {
    if (messages.front().point == point && outcome.statuses[0] == PhaseStatus::kOk && !mail.aborted(point))
      note(fmt::format("{} waited in share() of phase '{}', which {} had ended", who(rank), phase, who(0)));
    messages.pop_front();
  }
  if (messages.empty()) return false;
  if (left(rank)) {
    status = messages.front().status;
    if (status == PhaseStatus::kOk)
      note(fmt::format("{} left the case before phase '{}', which {} had entered", who(rank), phase, who(0)));
    return true;
  }
  const Message& message = messages.front();
  if (message.kind != MessageKind::kPhaseEnd || message.point != point)
    out_of_step(rank, message, "the end of phase '" + phase + "'");
  status = message.status;
  if (message.name != phase)
    note(fmt::format("{} was in phase '{}' while {} was in phase '{}'", who(rank), message.name, who(0),
                     phase));
  messages.pop_front();
  in_phase.insert(rank);
  return true;
}

void RankGroup::State::answer(int rank, PhaseId where, const Outcome& outcome) {
  send(rank, {.kind = MessageKind::kVerdict,
              .point = where,
              .name = outcome.mismatch,
              .text = encode(outcome.statuses)});
}

RankGroup::State::Outcome RankGroup::State::await_verdict(PhaseStatus mine) {
  send(0, {.kind = MessageKind::kPhaseEnd,
           .point = point,
           .serial = mail.aborted(point) ? 1u : 0u,
           .status = mine,
           .name = phase});
  auto& messages = mail.from(0);
  for (const Backoff backoff;; backoff.sleep()) {
    pump();
    while (!messages.empty() && messages.front().kind == MessageKind::kShared) messages.pop_front();
    if (!messages.empty()) break;
    if (Clock::now() > deadline + 2 * kGrace)
      missing({0}, "answer at the end of phase '" + phase + "'", length);
  }
  const Message verdict = std::move(messages.front());
  messages.pop_front();
  if (verdict.kind != MessageKind::kVerdict || verdict.point != point)
    out_of_step(0, verdict, "the end of phase '" + phase + "'");
  try {
    Outcome outcome{decode_statuses(verdict.text), verdict.name};
    if (outcome.statuses.size() == static_cast<std::size_t>(mail.size())) return outcome;
  } catch (const cbor::Malformed&) {
  }
  end_job({"error", who(0) + " sent a malformed answer at the end of phase '" + phase + "'", phase, 0});
}

}  // namespace rigproof::inline ranks
