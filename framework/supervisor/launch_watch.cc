#include "framework/supervisor/launch_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigproof::supervisor {

Timeouts Timeouts::scaled(double factor) const {
  const auto scale = [factor](std::chrono::milliseconds time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time * factor);
  };
  return {.launch = scale(launch),
          .launch_per_node = scale(launch_per_node),
          .between_phases = scale(between_phases),
          .phase_grace = scale(phase_grace),
          .exit = scale(exit),
          .terminate = scale(terminate),
          .calm = scale(calm),
          .probe = scale(probe),
          .list = list,
          .journal = journal};
}

namespace {

using std::chrono::milliseconds;

std::string seconds(milliseconds time) {
  return fmt::format("{:.3g} s", static_cast<double>(time.count()) / 1e3);
}

// A day is for ever; a journal is data and may hold anything.
milliseconds to_milliseconds(double seconds) {
  constexpr double kDay = 86400;
  return milliseconds(std::llround(std::clamp(std::isfinite(seconds) ? seconds : kDay, 0.0, kDay) * 1e3));
}

// The rank that says so ends the job with it.
bool lost_a_peer(const record::CaseEnded& ended) {
  return std::ranges::any_of(ended.failures,
                             [](const record::Failure& failure) { return failure.type == "lost-peer"; });
}

}  // namespace

LaunchWatch::LaunchWatch(const Timeouts& timeouts, std::size_t nodes, Time now) : timeouts_(timeouts) {
  expect("the suite sent no list of cases",
         timeouts.launch + timeouts.launch_per_node * static_cast<int>(nodes), now);
}

void LaunchWatch::expect(std::string what, milliseconds within, Time now) {
  deadline_ = now + within;
  expected_ = fmt::format("{} within {}", what, seconds(within));
}

std::string LaunchWatch::overdue() const { return expected_; }

void LaunchWatch::see(const record::EventBody& event, Time now) {
  started_ = true;
  if (std::holds_alternative<record::SuitePlanned>(event)) {
    planned_ = true;
    expect("no case began", timeouts_.between_phases, now);
  } else if (const auto* started = std::get_if<record::CaseStarted>(&event)) {
    running_ = *started;
    phase_.clear();
    expect("no phase began", timeouts_.between_phases, now);
  } else if (const auto* phase = std::get_if<record::PhaseStarted>(&event)) {
    phase_ = phase->phase;
    const milliseconds deadline = to_milliseconds(phase->deadline_s);
    expect(fmt::format("phase '{}' with a deadline of {} did not end", phase_, seconds(deadline)),
           deadline + timeouts_.phase_grace, now);
  } else if (const auto* ended = std::get_if<record::CaseEnded>(&event)) {
    ++ended_;
    running_.reset();
    if (lost_a_peer(*ended))
      expect("no exit after a peer was lost", timeouts_.exit, now);
    else
      expect("no sign of life after a case", timeouts_.between_phases, now);
  } else if (std::holds_alternative<record::Problem>(event)) {
    refused_ = !planned_;
  } else if (std::holds_alternative<record::SuiteDone>(event)) {
    done_ = true;
  }
}

}  // namespace rigproof::supervisor
