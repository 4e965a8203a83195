#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/record/events.h"
#include "framework/record/journal.h"

namespace rigproof {

// What a case came to, worst of its attempts; void ones count only when there is no other. Order = precedence
// when merging.
enum class Status {
  kRecorded,  // found and on record; no limit judged any of it, so nothing is claimed
  kPassed,
  kWaived,     // failed or not proven, and a waiver in force covers every reason
  kNotProven,  // skipped: it could not be measured
  kFailed,     // a limit missed or an assertion failed
  kError,      // crash, deadline, lost peer, no limit, planned but never ended
};
// "recorded", "passed", "waived", "not proven", "failed", "error".
[[nodiscard]] std::string_view name(Status status);

// One attempt at a case.
struct Attempt {
  int launch, iteration;
  std::string started;  // UTC
  double seconds = 0, measuring_s = 0;
  std::vector<Measurement> measurements;
  std::vector<Failure> failures;
  Status status;
  // Where the measurements were left in the journal, and the failures but for those that void it: see whole().
  std::optional<LinePlace> place = {};
};

struct CaseRecord {
  std::string suite;
  PlannedCase plan;
  std::vector<Attempt> attempts;  // empty: never started
  bool running = false;           // started, not ended
  std::string waiver;             // "waived until 2026-12-31 by NAME: REASON", of the deciding waiver

  // The worst attempt's; kError while none has ended or one is running: a case that never ends is never
  // green.
  [[nodiscard]] Status status() const;
  // The attempt that decided (the first of the worst that count). nullptr when none has ended, or when the case is an
  // error only because it is still running.
  [[nodiscard]] const Attempt* deciding() const;
  // Why status() is an error without a deciding attempt: "planned, but the run ended before it"; else empty.
  [[nodiscard]] std::string open_reason() const;
  [[nodiscard]] std::string full_name() const;  // "tcp.ManyStreams.FillTheHalf/rail0_node_a_node_b"
};

}  // namespace rigproof
