#include "reports/text/verdict_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/units/printable.h"
#include "reports/text/markup.h"

namespace rigproof::text {
namespace {

std::string counts_text(const Totals& totals) {
  std::vector<std::string> parts;
  const auto add = [&](int count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(totals.passed, "passed");
  add(totals.recorded, "informative");
  add(totals.waived, "waived");
  add(totals.failed, "failed");
  add(totals.errors, "in error");
  add(totals.not_proven, "not proven");
  return fmt::format("{} case{}{}{}", totals.cases, totals.cases == 1 ? "" : "s", parts.empty() ? "" : ": ",
                     fmt::join(parts, ", "));
}

void count(Totals& totals, judge::Status status) {
  ++totals.cases;
  switch (status) {
    case judge::Status::kRecorded:
      ++totals.recorded;
      break;
    case judge::Status::kPassed:
      ++totals.passed;
      break;
    case judge::Status::kWaived:
      ++totals.waived;
      break;
    case judge::Status::kNotProven:
      ++totals.not_proven;
      break;
    case judge::Status::kFailed:
      ++totals.failed;
      break;
    case judge::Status::kError:
      ++totals.errors;
      break;
  }
}

void count(Totals& totals, const judge::JudgedSuite& suite) {
  for (const judge::JudgedCase& test : suite.cases) count(totals, test.status());
}

// "; node-b retested at ...; resumed 2 times, last at ...; node-c lost once"
std::string resumed_text(const judge::JudgedRun& run) {
  std::string text;
  std::size_t resumed = 0;
  std::string last;
  for (const judge::JudgedRun::Resumed& one : run.resumed) {
    if (one.by.retested.empty())
      ++resumed, last = one.time;
    else
      text += fmt::format("; {} retested at {}", fmt::join(one.by.retested, ", "), one.time);
  }
  if (resumed > 0)
    text += fmt::format("; resumed {} time{}, last at {}", resumed, resumed == 1 ? "" : "s", last);
  const char* before = "; ";
  for (const auto& [node, times] : run.lost) {
    text += fmt::format("{}{} lost {}", before, node, times == 1 ? "once" : fmt::format("{} times", times));
    before = ", ";
  }
  return text;
}

}  // namespace

std::string verdict_line(const judge::JudgedRun& run) {
  const std::string part = part_text(run);
  std::string text = fmt::format("{}: rig {} ({}), profile {}{}{}: {}", verdict_words(run), run.start.rig,
                                 run.start.rig_kind, run.start.asked.profile, part.empty() ? "" : ", ", part,
                                 counts_text(totals_of(run)));
  if (!run.start.stand_in.empty()) text += "; STAND-IN under test: " + run.start.stand_in;
  if (const std::string weakened = weakened_text(run); !weakened.empty()) text += "; " + weakened;
  if (run.is_judged_again()) text += "; judged again by " + run.start.limits_files();
  text += resumed_text(run);
  return one_line(text);
}

std::string emulated_text(const judge::JudgedRun& run) {
  const std::string& kind = run.start.rig_kind;
  if (kind == "hardware") return "";
  return one_line(fmt::format("Emulated rig ({}): this run does not speak for real hardware", kind));
}

std::string verdict_words(const judge::JudgedRun& run) {
  const int waived = run.exit_code() == 0 ? totals_of(run).waived : 0;
  return waived == 0 ? run.verdict() : fmt::format("{}, {} waived", run.verdict(), waived);
}

std::string part_text(const judge::JudgedRun& run) {
  return one_line(fmt::format("{}", fmt::join(run.parts(), ", ")));
}

std::string weakened_text(const judge::JudgedRun& run) {
  const std::size_t count = run.weakened.size();
  if (count == 0) return "";
  return fmt::format("{} limit{} weakened by a later thresholds file", count, count == 1 ? "" : "s");
}

std::string programs_text(const record::RunStarted& start) {
  std::vector<std::pair<std::string, std::string>>
      builds;  // builds, and the names of their programs in the record's order
  for (const record::Program& program : start.programs) {
    std::string build = program.version;
    if (!program.commit.empty())
      build += fmt::format(" (commit {})", shortened(one_line(program.commit), 40));
    const auto known = std::ranges::find(builds, build, &std::pair<std::string, std::string>::first);
    if (known == builds.end())
      builds.emplace_back(std::move(build), program.name);
    else
      known->second += ", " + program.name;
  }
  std::string text;
  for (const auto& [build, names] : builds)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", build, names);
  return one_line(text);
}

std::string not_applicable_text(const judge::JudgedRun& run) {
  const std::size_t count = run.not_applicable.size();
  if (count == 0) return "";
  return fmt::format("{} limit{} not apply on this rig", count, count == 1 ? " does" : "s do");
}

namespace {

bool has_case(const judge::JudgedRun& run, const std::string& pattern) {
  for (const judge::JudgedSuite& suite : run.suites)
    for (std::size_t index = 0; index < suite.cases.size(); ++index)
      if (matches_glob(pattern, suite.name + "." + suite.cases.name_at(index))) return true;
  return false;
}

// Empty: the waiver can take effect.
std::string why_idle(const judge::JudgedRun& run, const Waiver& waiver, std::string_view date) {
  if (waiver.is_expired(date)) return fmt::format("the waiver ended on {}", waiver.expires);
  if (waiver.is_too_long(date))
    return fmt::format("the waiver ends on {}, more than {} days after {}", waiver.expires, kLongestWaiver,
                       date);
  if (!waiver.test.empty() && run.end && run.parts().empty() && !has_case(run, waiver.test))
    return fmt::format("no case of this run is {}", in_quotes(waiver.test));
  return {};
}

}  // namespace

std::vector<std::string> idle_waivers(const judge::JudgedRun& run) {
  std::vector<std::string> lines;
  if (run.limits == nullptr) return lines;
  for (const Waiver& waiver : run.limits->waivers())
    if (const std::string why = why_idle(run, waiver, run.waivers_on); !why.empty())
      lines.push_back(one_line(fmt::format("{}: {}: it waives nothing", waiver.where, why)));
  return lines;
}

std::string judged_again_text(const judge::JudgedRun& run) {
  if (!run.is_judged_again()) return "";
  return one_line(fmt::format("Judged again at {} by {}: the samples are those of run {}, taken from {} on",
                              run.start.again->time, run.start.limits_files(), run.measured_run(),
                              run.started));
}

Totals totals_of(const judge::JudgedSuite& suite) {
  Totals totals;
  count(totals, suite);
  return totals;
}

Totals totals_of(const judge::JudgedRun& run) {
  Totals totals;
  for (const judge::JudgedSuite& suite : run.suites) count(totals, suite);
  return totals;
}

TimeSpent time_spent(const judge::JudgedRun& run) {
  TimeSpent time;
  std::vector<std::pair<double, double>>
      windows;  // seconds since the run began; windows of parallel jobs overlap
  for (const judge::JudgedSuite& suite : run.suites) {
    time.total_s += suite.seconds;
    for (const judge::JudgedCase& test : suite.cases)
      for (const judge::Attempt& attempt : test.attempts) {
        if (attempt.measuring_s <= 0) continue;
        const double begin =
            attempt.started.empty() ? 0 : record::seconds_between(run.started, attempt.started);
        windows.emplace_back(begin, begin + attempt.measuring_s);
      }
  }
  std::ranges::sort(windows);
  double covered = 0;
  for (const auto& [begin, end] : windows) {
    time.measuring_s += std::max(0.0, end - std::max(begin, covered));
    covered = std::max(covered, end);
  }
  if (run.end) time.total_s = run.end->seconds;
  return time;
}

std::string time_text(const judge::JudgedRun& run) {
  const TimeSpent time = time_spent(run);
  return fmt::format("{:.1f} s: {:.1f} s measuring, {:.1f} s overhead", time.total_s, time.measuring_s,
                     std::max(0.0, time.total_s - time.measuring_s));
}

}  // namespace rigproof::text
