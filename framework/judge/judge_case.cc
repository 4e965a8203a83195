#include "framework/judge/judge_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "framework/rig/subjects.h"

namespace rigproof::judge {
namespace {

// Up to this share of CPU time a miss counts: rate limits have about 5 % of headroom, medians absorb bursts.
constexpr double kMostDisturbed = 0.10;

std::string what_to_read(const record::Measured& measured) {
  const std::string command = read_by(measured);
  return measured.text + (command.empty() ? "" : fmt::format(": type on {}: {}", measured.node, command));
}

record::Failure case_failure(record::Failure::Kind kind, std::string_view type, std::string message,
                             std::string node = {}) {
  return {.kind = kind, .type = std::string(type), .message = std::move(message), .node = std::move(node)};
}

record::Failure disturbed(double taken) {
  return case_failure(
      record::Failure::Kind::kSkip, kDisturbed,
      fmt::format("void: others used up to {:.0f} % of this machine's CPUs (other processes, or the "
                  "hypervisor) while the case measured on the emulated rig; at most {:.0f} % is allowed",
                  std::min(taken, 1.0) * 100, kMostDisturbed * 100));
}

// True for worst interval and longest gap. They show stalls; other pairs lower the rate itself instead.
bool is_of_outages(std::string_view id) {
  return id.ends_with(".worst_interval") || id.ends_with(".longest_gap");
}

Status status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kMarginal:
      return Status::kPassed;
    case Verdict::kAdvice:
    case Verdict::kRecorded:
      return Status::kRecorded;
    case Verdict::kFail:
      return Status::kFailed;
    case Verdict::kError:
      return Status::kError;
  }
  return Status::kError;
}

Status status_of(record::Failure::Kind kind) {
  switch (kind) {
    case record::Failure::Kind::kFail:
      return Status::kFailed;
    case record::Failure::Kind::kError:
      return Status::kError;
    case record::Failure::Kind::kSkip:
      return Status::kNotProven;
  }
  return Status::kError;
}

Status worst_of(const Attempt& attempt) {
  Status worst = attempt.measurements.empty() ? Status::kPassed : Status::kRecorded;
  for (const JudgedMeasurement& measurement : attempt.measurements)
    worst = std::max(worst, status_of(measurement.judgement.verdict));
  for (const record::Failure& failure : attempt.failures) worst = std::max(worst, status_of(failure.kind));
  // A miss in a void attempt proves nothing.
  return worst == Status::kFailed && attempt.replaced ? Status::kNotProven : worst;
}

// Finds the waivers for the reasons of one attempt.
class WaiverMatcher {
 public:
  WaiverMatcher(const JudgeContext& context, std::string_view full_name)
      : context_(context), full_name_(full_name) {}

  bool covers(const std::string& limit_id) {
    const auto [known, is_new] = found_.try_emplace(limit_id);
    if (!is_new) return known->second != nullptr;
    const Waiver* waiver = find_waiver(context_.limits->waivers(), limit_id, full_name_, context_.date);
    known->second = waiver;
    if (waiver == nullptr) return false;
    if (std::ranges::find(used_, waiver) == used_.end()) used_.push_back(waiver);
    return true;
  }
  bool covers(const JudgedMeasurement& measurement) {
    return measurement.judgement.verdict != Verdict::kFail || covers(measurement.id);
  }
  bool covers(const record::Failure& failure) {
    return failure.kind == record::Failure::Kind::kSkip && covers("");
  }

  [[nodiscard]] const std::vector<const Waiver*>& used() const { return used_; }

 private:
  const JudgeContext& context_;
  std::string_view full_name_;
  std::map<std::string, const Waiver*> found_;  // by limit
  std::vector<const Waiver*> used_;             // in the order of first use
};

class CaseJudge {
 public:
  CaseJudge(const record::CaseEnded& ended, const Duty& duty, const JudgeContext& context)
      : ended_(ended), duty_(duty), context_(context), subject_(context.subjects.find(duty.place)) {
    attempt_.iteration = ended.iteration;
    attempt_.seconds = ended.seconds;
    attempt_.measuring_s = ended.measuring_s;
    attempt_.failures = ended.failures;
  }

  Attempt judge() {
    for (const record::Measured& measured : ended_.measured) add(measured);
    if (!unread_.empty()) skip(unread_);
    if (!is_absent_) require_owed();
    if (!proves_something_ && attempt_.failures.empty())
      attempt_.failures.push_back(case_failure(record::Failure::Kind::kError, "nothing-measured",
                                               "the case reported no measurement: it proves nothing"));
    for (const std::string& note : ended_.notes) add_note(note);
    attempt_.only_slow =
        red_ && only_slow_ && (!only_outages_ || context_.emulated) && attempt_.failures.empty();
    if (context_.emulated && ended_.disturbed > kMostDisturbed && red_ && only_disturbed_ && only_skips()) {
      attempt_.failures.push_back(disturbed(ended_.disturbed));
      attempt_.replaced = true;
    }
    set_status(attempt_, ended_.suite + "." + ended_.name, context_);
    return std::move(attempt_);
  }

 private:
  void add(const record::Measured& measured) {
    proves_something_ = proves_something_ || measured.role != record::Measured::Role::kBeside;
    JudgedMeasurement judged = judge_measurement(measured, context_, subject_);
    if (measured.role != record::Measured::Role::kBeside) reported_.insert(judged.id);
    if (!measured_.emplace(judged.id, judged.node, judged.detail).second) {
      attempt_.failures.push_back(
          case_failure(record::Failure::Kind::kError, "duplicate-measurement",
                       fmt::format("'{}'{} was measured twice on {}: give each its own detail", judged.id,
                                   judged.detail.empty() ? "" : " (" + judged.detail + ")", judged.node),
                       judged.node));
      return;
    }
    see_absence(measured);
    if (measured.unread == record::Measured::Unread::kNotReadable && required_limit_of(measured) != nullptr)
      unread_ += (unread_.empty() ? "" : "; ") + what_to_read(measured);
    if (is_failed_or_error(judged)) {
      red_ = true;
      const bool is_measured = measured.role == record::Measured::Role::kMeasured;
      only_slow_ = only_slow_ && is_measured && is_missed_by(judged, is_slowness);
      only_outages_ = only_outages_ && is_of_outages(judged.id);
      only_disturbed_ = only_disturbed_ && is_measured && is_missed_by(judged, is_disturbance);
    }
    attempt_.measurements.push_back(std::move(judged));
  }

  // A case without its subject (NotThere) names the family of limits that ask for it.
  void see_absence(const record::Measured& measured) {
    if (measured.unread != record::Measured::Unread::kNothingThere || !measured.id.ends_with(".*")) return;
    is_absent_ = true;
    const auto asks = std::ranges::find_if(context_.limits->limits(), [&](const Limit& limit) {
      return limit.is_required() && is_declared_by(measured.id, limit.id);
    });
    if (asks != context_.limits->limits().end())
      skip(fmt::format("{} ({} asks for it, {})", measured.text, asks->id, to_text(asks->where)));
  }

  // The required limit of a measurement; nullptr for context or without such a limit.
  [[nodiscard]] const Limit* required_limit_of(const record::Measured& measured) const {
    const Limit* limit = context_.limits->find(measured.id);
    const bool judged =
        measured.role != record::Measured::Role::kBeside && limit != nullptr && limit->is_required();
    return judged ? limit : nullptr;
  }

  // True if the measurement missed its limit in this way: is_slowness, is_disturbance.
  template <typename Way>
  [[nodiscard]] bool is_missed_by(const JudgedMeasurement& measurement, const Way& way) const {
    std::optional<Limit> here;
    const Limit* limit = limit_of(measurement.id, measurement.axis, context_, here);
    return measurement.judgement.verdict == Verdict::kFail && limit != nullptr &&
           way(*limit, measurement.judgement.value, measurement.samples.values, facts_of(subject_));
  }

  void skip(std::string message) {
    attempt_.failures.push_back(case_failure(record::Failure::Kind::kSkip, "not-proven", std::move(message)));
  }

  // A case that failed, was skipped or missed a limit may have ended early: its missing measurements are
  // excused. A waived miss does not excuse them: the waiver would hide a missing measurement.
  void require_owed() {
    if (duty_.owes == nullptr || !ended_.failures.empty() || has_open_miss()) return;
    for (const std::string& declared : *duty_.owes) {
      if (const Limit* limit = context_.limits->find(declared)) require(*limit);
      if (!declared.ends_with('*')) continue;
      for (const Limit& limit : context_.limits->limits())
        if (is_declared_by(declared, limit.id)) require(limit);
    }
  }
  [[nodiscard]] bool has_open_miss() const {
    const std::string full_name = ended_.suite + "." + ended_.name;
    WaiverMatcher waivers(context_, full_name);
    return std::ranges::any_of(attempt_.measurements, [&](const JudgedMeasurement& measurement) {
      return is_failed_or_error(measurement) &&
             (measurement.judgement.verdict == Verdict::kError || !waivers.covers(measurement));
    });
  }
  void require(const Limit& limit) {
    if (limit.enforce == Enforce::kInformative || reported_.contains(limit.id)) return;
    const std::string why = fmt::format("'{}' was not reported, though the case declares it ({})", limit.id,
                                        to_text(limit.where));
    if (limit.is_required()) return skip(why);
    attempt_.measurements.push_back(judge_measurement({.id = limit.id,
                                                       .node = {},
                                                       .detail = {},
                                                       .text = why,
                                                       .unread = record::Measured::Unread::kNotReadable},
                                                      context_, subject_));
  }

  [[nodiscard]] bool only_skips() const {
    return std::ranges::all_of(attempt_.failures, [](const record::Failure& failure) {
      return failure.kind == record::Failure::Kind::kSkip;
    });
  }

  void add_note(const std::string& note) {
    const auto red = std::ranges::find_if(attempt_.measurements, is_failed_or_error);
    if (red != attempt_.measurements.end())
      red->judgement.reason += "; " + note;
    else if (!attempt_.failures.empty())
      attempt_.failures.front().message += "; " + note;
  }

  const record::CaseEnded& ended_;
  const Duty& duty_;
  const JudgeContext& context_;
  const Subject* subject_;
  Attempt attempt_{.launch = 0,
                   .iteration = 0,
                   .started = {},
                   .measurements = {},
                   .failures = {},
                   .status = Status::kError};
  std::set<std::tuple<std::string, std::string, std::string>> measured_;  // id, node and detail
  std::set<std::string> reported_;                                        // ids; without context
  std::string unread_;
  bool is_absent_ = false, proves_something_ = false, red_ = false, only_slow_ = true, only_outages_ = true,
       only_disturbed_ = true;
};

}  // namespace

std::vector<toml::Document> documents_of(const std::vector<record::TextFile>& files) {
  std::vector<toml::Document> documents;
  for (const record::TextFile& file : files) documents.push_back(toml::Document::parse(file.text, file.file));
  return documents;
}

std::vector<Weakened> weakened_limits_of(const record::RunStarted& start) {
  if (start.limits.size() < 2) return {};  // the usual case: no rig to read
  std::vector<Facts> facts;
  try {
    const Rig rig = read_rig(toml::Document::parse(start.rig_file.text, start.rig_file.file));
    for (std::size_t node = 0; node < rig.nodes.size(); ++node)
      for (const HalfRef half : rig.halves_of(node)) facts.push_back(facts_of(rig, half));
  } catch (const toml::InputError&) {
    facts.clear();
  }
  return weakened_limits(documents_of(start.limits), parse_profile(start.asked.profile),
                         rig_fact_dimensions(), facts);
}

JudgeContext JudgeContext::of(const record::RunStarted& start, std::string_view date) {
  JudgeContext context;
  context.limits = std::make_shared<const LimitTable>(LimitTable::read(
      documents_of(start.limits), parse_profile(start.asked.profile), rig_fact_dimensions()));
  context.limits_files = start.limits_files();
  context.faults = read_faults(documents_of(start.faults), rig_fact_dimensions());
  context.groups = MetricGroups(start);
  context.date = date;
  context.emulated = start.rig_kind != "hardware";
  try {
    context.subjects =
        SubjectFinder(read_rig(toml::Document::parse(start.rig_file.text, start.rig_file.file)));
  } catch (const toml::InputError&) {
    context.subjects = {};
  }
  return context;
}

void set_status(Attempt& attempt, std::string_view full_name, const JudgeContext& context) {
  attempt.status = worst_of(attempt);
  attempt.waivers.clear();
  if (attempt.status != Status::kFailed && attempt.status != Status::kNotProven) return;
  WaiverMatcher waivers(context, full_name);
  const auto covered = [&](const auto& reason) { return waivers.covers(reason); };
  if (!std::ranges::all_of(attempt.measurements, covered)) return;
  if (!std::ranges::all_of(attempt.failures, covered)) return;
  attempt.status = Status::kWaived;
  attempt.waivers = waivers.used();
}

Attempt judge_case(const record::CaseEnded& ended, const Duty& duty, const JudgeContext& context) {
  return CaseJudge(ended, duty, context).judge();
}

std::string describe(const std::vector<const Waiver*>& waivers) {
  std::string text;
  for (const Waiver* waiver : waivers)
    text += fmt::format("{}waived until {} by {}: {}", text.empty() ? "" : "; ", waiver->expires,
                        waiver->owner, waiver->reason);
  return text;
}

}  // namespace rigproof::judge
