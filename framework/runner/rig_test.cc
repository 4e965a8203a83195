#include "framework/runner/rig_test.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

#include "framework/runner/case_report.h"
#include "framework/runner/context.h"
#include "framework/runner/not_there.h"

namespace rigproof::inline runner {
namespace {

using testing::TestPartResult;

// GoogleTest takes this exception as the end of the body, without a failure of its own.
[[noreturn]] void leave(const std::string& where) {
  throw testing::AssertionException(TestPartResult(TestPartResult::kFatalFailure, where.c_str(), -1, "left"));
}

void raise(SuiteContext& suite, std::string type, const std::string& message, const std::string& where) {
  suite.now.report.failures.push_back({record::Failure::Kind::kError, std::move(type), message,
                                       suite.node().name, suite.ranks.rank(), suite.now.phase, where});
  add_part(suite, TestPartResult::kFatalFailure, where,
           fmt::format("phase '{}': {}", suite.now.phase, message));
}

std::string with(const std::string& detail, const std::string& path) {
  return detail.empty() ? path : detail + ": " + path;
}

// The limits on rank 0; nullptr on other ranks.
const LimitTable* limits_here() {
  const judge::JudgeContext* judging = suite_context().judging;
  return judging == nullptr ? nullptr : judging->limits.get();
}

constexpr std::chrono::milliseconds kNap{10};  // between two checks of the other ranks

Windows windows_of(Profile profile) {
  using namespace std::chrono_literals;
  switch (profile) {
    case Profile::kSmoke:
      return {.warm_up = 200ms, .window = 500ms, .intervals = 5, .repeats = 20};
    case Profile::kStandard:
      return {.warm_up = 500ms, .window = 2000ms, .intervals = 10, .repeats = 200};
    case Profile::kAcceptance:
      break;
  }
  return {.warm_up = 2000ms, .window = 10'000ms, .intervals = 20, .repeats = 2000};
}

// Starts before the suite's first load, to miss no growth. A suite that judges facts loads nothing, and a snapshot has no
// NICs on this host.
void watch_cards(SuiteContext& suite) {
  if (suite.look_at_cards || !suite.watch_cards || declared_suite().judges_facts) return;
  suite.look_at_cards = suite.watch_cards(suite.rig, static_cast<std::size_t>(suite.ranks.rank()));
}

// Runs the body. Every exception is recorded on return.
void attempt(SuiteContext& suite, const std::function<void()>& body, const std::string& where) {
  try {
    body();
    if (Clock::now() > suite.ranks.deadline() && !testing::Test::HasFatalFailure())
      raise(suite, "deadline", "ended after its deadline", where);
  } catch (const PeerAborted&) {                  // the peer reports its own failure
  } catch (const testing::AssertionException&) {  // recorded where it was thrown
  } catch (const NotThere& absent) {
    suite.now.report.measured.push_back({.id = absent.family,
                                         .node = suite.node().name,
                                         .detail = {},
                                         .text = absent.what(),
                                         .unread = record::Measured::Unread::kNothingThere});
    add_part(suite, TestPartResult::kSkip, where, absent.what());
  } catch (const DeadlinePassed& error) {
    raise(suite, "deadline", error.what(), where);
  } catch (const PhaseMismatch& error) {
    raise(suite, "phase-mismatch", error.what(), where);
  } catch (const std::exception& error) {
    raise(suite, "exception", error.what(), where);
  } catch (...) {
    raise(suite, "exception", "unknown exception (not a std::exception)", where);
  }
}

PhaseStatus status_of(std::size_t failures_before, const SuiteContext& suite) {
  const auto& failures = suite.now.report.failures;
  for (std::size_t i = failures_before; i < failures.size(); ++i)
    if (failures[i].kind == record::Failure::Kind::kError) return PhaseStatus::kError;
  if (testing::Test::HasFatalFailure()) return PhaseStatus::kFail;
  return testing::Test::IsSkipped() ? PhaseStatus::kSkip : PhaseStatus::kOk;
}

// The worst status of all ranks; kError if they were not in the same phase.
PhaseStatus agree(SuiteContext& suite, PhaseStatus mine, std::string& culprits, const std::string& where) {
  PhaseStatus worst = PhaseStatus::kOk;
  try {
    const std::vector<PhaseStatus> statuses = suite.ranks.end_phase(mine);
    for (const PhaseStatus status : statuses) worst = std::max(worst, status);
    for (int rank = 0; rank < suite.ranks.size(); ++rank)
      if (statuses[static_cast<std::size_t>(rank)] == worst)
        culprits += (culprits.empty() ? "" : ", ") + suite.ranks.who(rank);
  } catch (const PhaseMismatch& mismatch) {
    raise(suite, "phase-mismatch", mismatch.what(), where);
    worst = PhaseStatus::kError;
  }
  return worst;
}

// Leaves the test in the same state on every rank, whichever rank failed.
[[noreturn]] void leave_together(SuiteContext& suite, PhaseStatus worst, const std::string& culprits,
                                 const std::string& where) {
  suite.now.left = true;
  if (worst == PhaseStatus::kSkip && !testing::Test::IsSkipped())
    add_part(suite, TestPartResult::kSkip, where,
             fmt::format("phase '{}': not proven on {}", suite.now.phase, culprits));
  if (worst > PhaseStatus::kSkip && !testing::Test::HasFatalFailure())
    add_part(suite, TestPartResult::kFatalFailure, where,
             fmt::format("phase '{}': stopped: it failed on {}", suite.now.phase, culprits));
  suite.now.phase.clear();
  leave(where);
}

}  // namespace

const Rig& RigTestBase::rig() const { return suite_context().rig; }
RankGroup& RigTestBase::ranks() const { return suite_context().ranks; }
Windows RigTestBase::windows() const { return windows_of(suite_context().profile); }
std::size_t RigTestBase::node() const { return static_cast<std::size_t>(suite_context().ranks.rank()); }

void RigTestBase::guard(const PhaseSpec& spec, const std::function<void()>& body) {
  SuiteContext& suite = suite_context();
  const std::string where = place(spec.where.file, spec.where.line);
  if (suite.now.left || HasFatalFailure() || IsSkipped()) leave(where);
  if (!suite.now.phase.empty())
    throw std::logic_error(fmt::format("phase '{}' was begun within phase '{}'", spec.name, suite.now.phase));
  const std::chrono::duration<double> deadline = spec.deadline;
  suite.write(record::PhaseStarted{suite.suite, suite.now.name, std::string(spec.name), deadline.count()});
  suite.now.phase = spec.name;
  if (spec.measuring) watch_cards(suite);
  suite.ranks.begin_phase(spec.name, spec.deadline);
  const auto start = Clock::now();
  const std::size_t failures_before = suite.now.report.failures.size();
  {
    std::function<double()> disturbed;
    if (spec.measuring && suite.ranks.rank() == 0 && suite.watch_disturbance)
      disturbed = suite.watch_disturbance(suite.rig);
    attempt(suite, body, where);
    if (disturbed) suite.now.disturbed = std::max(suite.now.disturbed, disturbed());
  }
  if (spec.measuring) suite.now.measuring += Clock::now() - start;
  std::string culprits;
  const PhaseStatus worst = agree(suite, status_of(failures_before, suite), culprits, where);
  // All ranks have finished sending: damaged and dropped packets have been counted.
  if (spec.measuring && suite.look_at_cards) {
    std::vector<record::Watched> seen = suite.look_at_cards();
    for (const PortRef port : spec.pulled)
      if (port.node == node()) seen = seen_of_others(std::move(seen), suite.rig.port(port));
    suite.now.watched.add(seen);
  }
  suite.expect_next("what follows phase '" + suite.now.phase + "'");
  if (worst != PhaseStatus::kOk) leave_together(suite, worst, culprits, where);
  suite.now.phase.clear();
}

RecordedPuller RigTestBase::cable_puller(PortRef port) {
  SuiteContext& suite = suite_context();
  const auto record = [&suite](record::CableMoved moved) {
    moved.suite = suite.suite;
    moved.name = suite.now.name;
    suite.write(moved);
  };
  if (is_with_operator()) return {operator_as_puller(), record};
  auto puller = suite.make_cable_puller ? suite.make_cable_puller(suite.rig, port) : nullptr;
  if (puller == nullptr)
    throw std::logic_error("neither an emulated rig nor an operator can pull the cable of " +
                           suite.rig.label(port));
  return {std::move(puller), record};
}

void RigTestBase::wait(std::chrono::nanoseconds time) const {
  const auto end = Clock::now() + time;
  for (ranks().poll(); Clock::now() < end; ranks().poll())
    std::this_thread::sleep_until(std::min(end, Clock::now() + kNap));
}

void RigTestBase::add(std::string_view id, SampleSet samples, Detail detail, record::Measured::Role role) {
  SuiteContext& suite = suite_context();
  suite.now.report.measured.push_back({.id = std::string(id),
                                       .node = suite.node().name,
                                       .detail = std::move(detail.name),
                                       .axis = std::move(detail.axis),
                                       .samples = std::move(samples),
                                       .role = role});
}

std::string RigTestBase::of_suite(std::string_view name) {
  return fmt::format("{}.{}", suite_context().suite, name);
}

void RigTestBase::report_steadiness(const SampleSet& intervals, std::chrono::duration<double> gap,
                                    Detail detail) {
  report(of_suite("worst_interval"), of_median(intervals), detail);
  report(of_suite("longest_gap"), Quantity{Dimension::kTime, gap.count()}, std::move(detail));
}

void RigTestBase::report(std::string_view id, const std::vector<RateSeries>& paths, Detail detail) {
  if (paths.size() == 1) return report(id, paths.front(), std::move(detail));
  report(id, sum_of(paths).intervals(), detail);
  for (const RateSeries& path : paths) {
    const std::string of_path = with(detail.name, path.path);
    report_steadiness(path, of_path);
    record(of_suite("rate.share"), path.intervals(), of_path);
  }
  report_shares(paths, detail.name);
}

void RigTestBase::report_shares(const std::vector<RateSeries>& paths, const std::string& detail) {
  if (paths.size() < 2) return;
  const std::vector<double> shares = shares_of(paths);
  for (std::size_t path = 0; path < shares.size(); ++path)
    report(of_suite("share"), ratio(shares[path]), with(detail, paths[path].path));
}

void RigTestBase::add_finding(record::Measured measured, const Finding& finding) {
  SuiteContext& suite = suite_context();
  measured.node = suite.rig.node(finding.node).name;
  measured.detail = finding.detail;
  measured.role = record::Measured::Role::kFound;
  measured.about = finding.about;
  if (measured.samples.values.empty() && measured.text.empty()) measured.text = "(empty)";
  suite.now.report.measured.push_back(std::move(measured));
}

void RigTestBase::found(std::string_view id, Quantity value, const Finding& finding) {
  add_finding({.id = std::string(id), .node = {}, .detail = {}, .samples = {value.dimension, {value.value}}},
              finding);
}

void RigTestBase::found(std::string_view id, const std::string& text, const Finding& finding) {
  if (text.empty()) return unread(id, fmt::format("{} is empty", id), finding);
  add_finding({.id = std::string(id), .node = {}, .detail = {}, .text = text}, finding);
}

void RigTestBase::found_strangers(const std::vector<std::string>& strangers) {
  if (strangers.empty()) return;
  const std::string id = of_suite("strangers"), text = fmt::format("{}", fmt::join(strangers, "; "));
  auto& measured = suite_context().now.report.measured;
  const auto before = std::ranges::find(measured, id, &record::Measured::id);
  if (before == measured.end())
    found(id, text, {.node = node()});
  else if (before->text.find(text) == std::string::npos)
    before->text += "; " + text;
}

void RigTestBase::unread(std::string_view id, const std::string& why, const Finding& finding) {
  add_finding({.id = std::string(id),
               .node = {},
               .detail = {},
               .text = why,
               .unread = record::Measured::Unread::kNotReadable},
              finding);
}

void RigTestBase::nothing_there(std::string_view id, const std::string& why, const Finding& finding) {
  add_finding({.id = std::string(id),
               .node = {},
               .detail = {},
               .text = why,
               .unread = record::Measured::Unread::kNothingThere},
              finding);
}

bool RigTestBase::has_required_limit(std::string_view id) const {
  const LimitTable* limits = limits_here();
  const Limit* limit = limits == nullptr ? nullptr : limits->find(id);
  return limit != nullptr && limit->is_required();
}

std::vector<std::string> RigTestBase::limits_under(std::string_view prefix) const {
  std::vector<std::string> rest;
  const LimitTable* limits = limits_here();
  if (limits == nullptr) return rest;
  for (const Limit& limit : limits->limits())
    if (limit.id.starts_with(prefix)) rest.push_back(limit.id.substr(prefix.size()));
  return rest;
}

std::optional<Dimension> RigTestBase::dimension_of_limit(std::string_view id) const {
  const LimitTable* limits = limits_here();
  const Limit* limit = limits == nullptr ? nullptr : limits->find(id);
  if (limit == nullptr || limit->rule) return std::nullopt;
  return limit->dimension;
}

const std::filesystem::path& RigTestBase::snapshot() const { return suite_context().facts; }

void RigTestBase::not_proven(const std::string& reason) {
  SuiteContext& suite = suite_context();
  suite.now.report.failures.push_back({record::Failure::Kind::kSkip,
                                       "not-proven",
                                       reason,
                                       suite.node().name,
                                       suite.ranks.rank(),
                                       suite.now.phase,
                                       {}});
  add_part(suite, TestPartResult::kSkip, {}, reason);
  leave({});
}

void RigTestBase::note(std::string text) {
  SuiteContext& suite = suite_context();
  suite.now.report.notes.push_back(suite.node().name + ": " + std::move(text));
}

}  // namespace rigproof::inline runner
