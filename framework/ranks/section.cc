// Between sections: gather and broadcast.

#include <fmt/format.h>

#include <utility>

#include "framework/ranks/group_state.h"

namespace rigproof::inline ranks {
namespace {

// A rank that does not arrive may be waiting in a phase for a rank that is already here.
constexpr std::chrono::milliseconds kWakeAfter{20};

}  // namespace

void RankGroup::State::next_section() { point = {point.section + 1, 0}; }

std::vector<std::string> RankGroup::State::gather(std::string_view what, std::string_view mine,
                                                  std::chrono::nanoseconds limit, PhaseStatus left_with) {
  if (left_with != PhaseStatus::kOk) abort_at(point, others());
  std::vector<std::string> all;
  if (root()) {
    all = collect(what, limit, left_with);
    all[0] = mine;
  } else {
    send(0, {.kind = MessageKind::kGather,
             .point = point,
             .status = left_with,
             .name = std::string(what),
             .text = std::string(mine)});
  }
  next_section();
  return all;
}

std::vector<std::string> RankGroup::State::collect(std::string_view what, std::chrono::nanoseconds limit,
                                                   PhaseStatus left_with) {
  std::vector<std::string> all(static_cast<std::size_t>(mail.size()));
  std::set<int> waiting = others();
  const auto start = Clock::now();
  bool woken = false;
  for (const Backoff backoff; !waiting.empty(); backoff.sleep()) {
    pump();
    std::erase_if(waiting, [&](int rank) {
      const auto text = contribution(rank, what, left_with);
      if (text) all[static_cast<std::size_t>(rank)] = *text;
      return text.has_value();
    });
    if (waiting.empty()) break;
    const auto waited = Clock::now() - start;
    if (waited > kWakeAfter && !std::exchange(woken, true)) abort_at(point, waiting);
    if (waited > limit + kGrace) missing(waiting, fmt::format("reach {}", what), limit);
  }
  return all;
}

std::optional<std::string> RankGroup::State::contribution(int rank, std::string_view what,
                                                          PhaseStatus left_with) {
  auto& messages = mail.from(rank);
  while (!messages.empty()) {
    const Message message = std::move(messages.front());
    messages.pop_front();
    if (message.kind == MessageKind::kGather && message.point.section == point.section &&
        message.name == what)
      return message.text;
    dismiss(rank, message, left_with);
    if (message.kind == MessageKind::kGather) out_of_step(rank, message, what);
  }
  return std::nullopt;
}

// Tells a sender in a phase that rank 0 has left; the sender then comes to the gather.
void RankGroup::State::dismiss(int rank, const Message& straggler, PhaseStatus left_with) {
  if (straggler.kind == MessageKind::kShare) abort_at(straggler.point, {rank});
  if (straggler.kind != MessageKind::kPhaseEnd) return;
  Outcome outcome{std::vector(static_cast<std::size_t>(mail.size()), PhaseStatus::kOk), {}};
  outcome.statuses[0] = left_with == PhaseStatus::kOk ? PhaseStatus::kError : left_with;
  outcome.statuses.at(static_cast<std::size_t>(rank)) = straggler.status;
  if (left_with == PhaseStatus::kOk && straggler.status == PhaseStatus::kOk)
    outcome.mismatch = fmt::format("{} left the case before phase '{}', which {} had entered", who(0),
                                   straggler.name, who(rank));
  answer(rank, straggler.point, outcome);
}

std::string RankGroup::State::broadcast(std::string_view what, std::string_view root_bytes,
                                        std::chrono::nanoseconds limit) {
  std::optional<std::string> text;
  if (root()) {
    text = root_bytes;
    for (const int rank : others())
      send(rank, {.kind = MessageKind::kBroadcast, .point = point, .name = std::string(what), .text = *text});
    pump();
  } else {
    const auto start = Clock::now();
    for (const Backoff backoff; !(text = broadcast_text(what)); backoff.sleep()) {
      pump();
      if (Clock::now() - start > limit + 2 * kGrace) missing({0}, fmt::format("reach {}", what), limit);
    }
  }
  next_section();
  return *std::move(text);
}

std::optional<std::string> RankGroup::State::broadcast_text(std::string_view what) {
  auto& messages = mail.from(0);
  while (!messages.empty() && messages.front().kind == MessageKind::kShared) messages.pop_front();
  if (messages.empty()) return std::nullopt;
  const Message message = std::move(messages.front());
  messages.pop_front();
  if (message.kind != MessageKind::kBroadcast || message.point.section != point.section ||
      message.name != what)
    out_of_step(0, message, what);
  return message.text;
}

}  // namespace rigproof::inline ranks
