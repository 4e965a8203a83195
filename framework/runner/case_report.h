#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/record/events.h"
#include "framework/record/fields.h"
#include "framework/record/measured.h"

namespace rigproof::inline runner {

struct SuiteContext;

// One rank's findings in one case; sent to rank 0 at the case's end.
struct CaseReport {
  std::vector<record::Measured> measured;
  std::vector<record::Failure> failures;
  std::vector<std::string> notes;
  std::vector<record::Measured> watched = {};  // this node's NICs; they prove nothing alone
  double measuring_s = 0;
};

template <class Archive>
void fields(Archive& archive, record::Of<CaseReport> auto& report) {
  archive("measured", report.measured);
  archive("failures", report.failures);
  archive("notes", report.notes);
  archive("watched", report.watched);
  archive("measuring_s", report.measuring_s);
}

// Adds a rank's report, except `watched`, to the recorded case. The longest measuring time counts. A broken
// agreement is one failure, even if several ranks report it.
void add_report(record::CaseEnded& ended, CaseReport report);

// Adds a part with the framework's text to the running test's result. GoogleTest prints it; it is recorded.
void add_part(SuiteContext& suite, testing::TestPartResult::Type type, const std::string& where,
              const std::string& message);

// The recorded form of a failure that GoogleTest found in this rank's body.
[[nodiscard]] record::Failure failure_of(const SuiteContext& suite, const testing::TestPartResult& part);

// "suites/tcp/stream_rate.cc:40"
[[nodiscard]] std::string place(const char* file, int line);

// A line for the person who runs a suite by hand:
// "tcp.rate.half on node-b: 0.9531 Gbit/s pass (limit >= 0.95 Gbit/s, margin +0.3 %)"
[[nodiscard]] std::string console_line(const judge::JudgedMeasurement& measurement);
// "[rank 1 (node-b)] phase 'measure': ibv_post_send: EIO"
[[nodiscard]] std::string console_line(const record::Failure& failure);

}  // namespace rigproof::inline runner
