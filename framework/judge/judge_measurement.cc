#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/limits/remedy.h"

namespace rigproof::judge {
namespace {

// The facts that the limit's bounds use; other facts did not affect the verdict.
Facts facts_used(const Limit& limit, const Facts& facts) {
  Facts used;
  std::vector<const std::optional<Bound>*> bounds{&limit.at_least, &limit.at_most, &limit.equals,
                                                  &limit.marginal};
  for (const FurtherBounds& more : limit.also) bounds.insert(bounds.end(), {&more.at_least, &more.at_most});
  for (const std::optional<Bound>* bound : bounds) {
    if (!*bound || !std::holds_alternative<RelativeBound>((*bound)->value)) continue;
    const auto fact = facts.find(std::get<RelativeBound>((*bound)->value).fact);
    if (fact != facts.end()) used.insert(*fact);
  }
  return used;
}

Judgement recorded(const SampleSet& samples, const std::string& text) {
  Judgement judgement{Verdict::kRecorded};
  if (!text.empty()) return judgement;
  const auto finite = [](double value) { return std::isfinite(value); };
  if (samples.values.empty())
    judgement.reason = "no samples";
  else if (!std::ranges::all_of(samples.values, finite))
    judgement.reason = "a sample is not finite";
  else
    judgement.value = evaluate(Statistic::kMedian, samples.values);
  return judgement;
}

Judgement without_limit(const record::Measured& measured, const JudgeContext& context) {
  Judgement judgement = recorded(measured.samples, measured.text);
  if (measured.role != record::Measured::Role::kMeasured || context.limits->in_other_profile(measured.id))
    return judgement;
  judgement.verdict = Verdict::kError;
  judgement.reason = fmt::format("no limit with id '{}' in {}", measured.id, context.limits_files);
  return judgement;
}

}  // namespace

RemedyValues remedy_values_on(const std::string& node, const Subject* subject) {
  RemedyValues values;
  if (subject != nullptr)
    if (const auto found = subject->remedy_values().find(node); found != subject->remedy_values().end())
      values = found->second;
  values.insert({"node", node});
  return values;
}

namespace {

// Values of the finding take precedence over values of the subject.
Remedy remedy_for(const record::Measured& measured, const Limit& limit, const Subject* subject) {
  if (to_text(limit.remedy).find('{') == std::string::npos) return limit.remedy;
  RemedyValues values = measured.about;
  values.insert({"wanted", target_value(limit, facts_of(subject))});
  values.merge(remedy_values_on(measured.node, subject));
  return remedy_of_finding(limit.remedy, values);
}

// Copies the limit's basis, remedy and place.
void state_limit(JudgedMeasurement& judged, const record::Measured& measured, const Limit& limit,
                 const Subject* subject) {
  judged.basis = limit.basis;
  judged.remedy = remedy_for(measured, limit, subject);
  judged.limit_where = limit.where;
}

}  // namespace

const Limit* limit_of(std::string_view id, const std::optional<record::Axis>& axis,
                      const JudgeContext& context, std::optional<Limit>& here) {
  const Limit* limit = context.limits->find(id);
  const auto is_of_place = [](const FurtherBounds& more) { return more.at.has_value(); };
  if (limit == nullptr || std::ranges::none_of(limit->also, is_of_place)) return limit;
  return &here.emplace(limit_at(*limit, axis ? std::optional(axis->x) : std::nullopt));
}

const Facts& facts_of(const Subject* subject) {
  static const Facts kNone;
  return subject == nullptr ? kNone : subject->facts();
}

std::string read_by(const record::Measured& measured) {
  const auto command = measured.about.find("read_by");
  return command == measured.about.end() ? "" : requoted_command(command->second);
}

JudgedMeasurement judge_measurement(const record::Measured& measured, const JudgeContext& context,
                                    const Subject* subject) {
  JudgedMeasurement judged;
  judged.id = measured.id;
  judged.node = measured.node;
  judged.detail = detail_text(measured.detail, measured.axis);
  judged.axis = measured.axis;
  if (measured.axis) judged.line = measured.detail;
  const bool beside = measured.role == record::Measured::Role::kBeside;
  std::optional<Limit> here;
  const Limit* limit = beside ? nullptr : limit_of(measured.id, measured.axis, context, here);
  judged.samples = measured.samples;
  if (limit != nullptr && measured.samples.values.empty()) judged.samples.dimension = limit->dimension;
  if (limit != nullptr && limit->dimension == judged.samples.dimension) judged.unit = limit->unit;
  judged.text = measured.text;
  if (measured.unread != record::Measured::Unread::kNo) {
    const bool nothing_there = measured.unread == record::Measured::Unread::kNothingThere;
    judged.text = (nothing_there ? "nothing to judge: " : "not read: ") + measured.text;
    judged.unread = measured.unread;
    judged.judgement = {.verdict = Verdict::kRecorded};
    if (!nothing_there && limit != nullptr && limit->is_advice()) {
      judged.judgement =
          limit->rule ? judge(*limit, "") : judge(*limit, SampleSet{limit->dimension, {}}, facts_of(subject));
      judged.judgement.verdict = Verdict::kAdvice;
      judged.judgement.reason = judged.text;
      state_limit(judged, measured, *limit, subject);
    }
    if (const std::string command = read_by(measured); !command.empty()) judged.remedy = {.check = {command}};
    return judged;
  }
  if (limit == nullptr) {
    judged.judgement = without_limit(measured, context);
    return judged;
  }
  const Facts& facts = facts_of(subject);
  judged.statistic = limit->statistic;
  judged.facts = facts_used(*limit, facts);
  if (measured.text.empty()) {
    judged.judgement = judge(*limit, measured.samples, facts);
    if (limit->dimension != measured.samples.dimension) judged.judgement.bounds = {};
  } else {
    judged.judgement = judge(*limit, measured.text);
    if (judged.judgement.verdict != Verdict::kError) judged.samples.values = {judged.judgement.value};
  }
  state_limit(judged, measured, *limit, subject);
  return judged;
}

}  // namespace rigproof::judge
