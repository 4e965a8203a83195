#include "reports/text/verdict_line.h"

#include <fmt/format.h>

#include <vector>

#include "reports/text/clean.h"
#include "reports/text/totals.h"

namespace rigproof {
namespace {

std::string counts_text(const Totals& totals) {
  std::vector<std::string> parts;
  const auto add = [&](int count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(totals.passed, "passed");
  add(totals.recorded, "recorded");
  add(totals.waived, "waived");
  add(totals.failed, "failed");
  add(totals.errors, "in error");
  add(totals.not_proven, "not proven");
  return fmt::format("{} case{}{}{}", totals.cases, totals.cases == 1 ? "" : "s", parts.empty() ? "" : ": ",
                     fmt::join(parts, ", "));
}

}  // namespace

std::string verdict_line(const JudgedRun& run) {
  std::string text = fmt::format("{}: rig {} ({}), profile {}: {}", run.verdict(), run.start.rig,
                                 run.start.rig_kind, run.start.asked.profile, counts_text(totals_of(run)));
  if (!run.start.stand_in.empty()) text += "; STAND-IN under test: " + run.start.stand_in;
  if (run.is_judged_again()) text += "; judged again by " + run.start.limits_files();
  return one_line(text);
}

std::string judged_again_text(const JudgedRun& run) {
  if (!run.is_judged_again()) return "";
  return one_line(fmt::format("Judged again at {} by {}: the samples are those of run {}, taken from {} on",
                              run.start.again->time, run.start.limits_files(), run.measured_run(), run.started));
}

}  // namespace rigproof
