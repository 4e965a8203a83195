#include "framework/runner/case_report.h"

#include <algorithm>
#include <iterator>

#include "framework/record/codec.h"

namespace rigproof {

template <class Archive>
void fields(Archive& archive, Of<CaseReport> auto& report) {
  archive("measured", report.measured);
  archive("failures", report.failures);
  archive("notes", report.notes);
}

std::string to_bytes(const CaseReport& report) { return codec::to_bytes(report); }
CaseReport case_report_from(std::string_view bytes) { return codec::from_bytes<CaseReport>(bytes); }

void add_report(CaseEnded& ended, CaseReport report) {
  const auto is_known = [&](const Failure& failure) {
    return failure.type == "phase-mismatch" && std::ranges::any_of(ended.failures, [&](const Failure& old) {
             return old.type == failure.type && old.message == failure.message;
           });
  };
  std::ranges::move(report.measured, std::back_inserter(ended.measured));
  for (Failure& failure : report.failures)
    if (!is_known(failure)) ended.failures.push_back(std::move(failure));
  std::ranges::move(report.notes, std::back_inserter(ended.notes));
}

}  // namespace rigproof
