#include "framework/supervisor/judge_case_again.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "framework/record/judge_measurement.h"
#include "framework/record/recorded_text.h"

namespace rigproof {
namespace {

constexpr std::string_view kBeforeANote = "; ";

class Case {
 public:
  Case(const Subject* subject, const LimitsAgain& limits)
      : facts_(subject == nullptr ? Facts() : subject->facts()),
        words_(subject == nullptr ? Subject::NodeWords() : subject->words()),
        limits_(limits) {}

  Measurement judged(const Measurement& first) {
    if (is_new(first) && first.text.starts_with(kNotRead)) {
      unread_ += (unread_.empty() ? "" : "; ") + first.text.substr(kNotRead.size());
      return first;
    }
    if (is_new(first) && first.text.starts_with(kNothingToJudge)) return first;
    RawMeasurement raw = raw_of(first);
    Facts facts = facts_;
    for (const auto& [name, value] : first.facts) facts.insert_or_assign(name, value);
    if (limits_.before) {
      keep_notes(first, judge_measurement(raw, {.limits = *limits_.before, .file = "", .facts = facts}));
      raw.words = words_of(first);
    }
    return judge_measurement(raw,
                             {.limits = limits_.now, .file = limits_.file, .facts = facts, .words = words_});
  }

  [[nodiscard]] const std::string& notes() const { return notes_; }
  [[nodiscard]] const std::string& unread() const { return unread_; }

 private:
  // Recorded for want of a limit, which there is now.
  [[nodiscard]] bool is_new(const Measurement& first) const {
    return first.limit_where.empty() && first.judgement.verdict == Verdict::kRecorded && limits_.before &&
           limits_.before->find(first.id) == nullptr && limits_.now.find(first.id) != nullptr;
  }
  [[nodiscard]] RawMeasurement raw_of(const Measurement& first) const {
    const bool judged = !first.limit_where.empty() || first.judgement.verdict != Verdict::kRecorded ||
                        (limits_.before && limits_.before->elsewhere(first.id)) || is_new(first);
    return {.id = first.id,
            .node = first.node,
            .detail = first.detail,
            .samples = first.samples,
            .judged = judged,
            .text = first.text};
  }

  // Notes stand behind the reason that the limits before gave.
  void keep_notes(const Measurement& first, const Measurement& then) {
    const std::string reason = then.judgement.reason + std::string(kBeforeANote);
    if (is_red(then) && first.judgement.reason.starts_with(reason))
      notes_ += first.judgement.reason.substr(reason.size() - kBeforeANote.size());
  }

  // What the limit asks for is the new limit's to say.
  [[nodiscard]] Words words_of(const Measurement& first) const {
    const Limit* before = limits_.before->find(first.id);
    Words words = before == nullptr ? Words() : words_behind(before->remedy, first.remedy);
    words.erase("wanted");
    return words;
  }

  Facts facts_;
  Subject::NodeWords words_;
  const LimitsAgain& limits_;
  std::string notes_, unread_;
};

// As a run says that a fact with a limit could not be read.
Failure not_proven(const std::string& why) {
  return {.kind = Failure::Kind::kSkip,
          .type = "not-proven",
          .message = why,
          .node = {},
          .phase = {},
          .where = {}};
}

// Where in `filled_in` the words of the remedy stand that come before its next brace.
std::size_t next_literal(std::string_view remedy, std::string_view filled_in) {
  const auto open = remedy.find('{');
  if (open != std::string_view::npos)
    return open == 0 ? std::string_view::npos : filled_in.find(remedy.substr(0, open));
  return filled_in.ends_with(remedy) ? filled_in.size() - remedy.size() : std::string_view::npos;
}

}  // namespace

CaseEnded judge_case_again(CaseEnded ended, const Subject* subject, const LimitsAgain& limits) {
  Case test(subject, limits);
  for (Measurement& measurement : ended.measurements) measurement = test.judged(measurement);
  const auto red = std::ranges::find_if(ended.measurements, is_red);
  if (red != ended.measurements.end()) red->judgement.reason += test.notes();
  if (!test.unread().empty()) ended.failures.push_back(not_proven(test.unread()));
  return ended;
}

Words words_behind(std::string_view remedy, std::string_view filled_in) {
  Words words;
  for (;;) {
    const auto open = std::min(remedy.find('{'), remedy.size());
    if (!filled_in.starts_with(remedy.substr(0, open))) return {};
    filled_in.remove_prefix(open);
    remedy.remove_prefix(open);
    const auto close = remedy.find('}');
    if (close == std::string_view::npos) return remedy == filled_in ? words : Words();
    const std::string name(remedy.substr(1, close - 1));
    remedy.remove_prefix(close + 1);
    const auto end = next_literal(remedy, filled_in);
    if (end == std::string_view::npos) return {};
    const auto [known, is_new] = words.try_emplace(name, filled_in.substr(0, end));
    if (!is_new && known->second != filled_in.substr(0, end)) return {};
    filled_in.remove_prefix(end);
  }
}

}  // namespace rigproof
