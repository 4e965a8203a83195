#include "reports/text/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "framework/judge/declarations.h"
#include "framework/judge/run_judge.h"
#include "reports/text/markup.h"

namespace rigproof::text {
namespace {

constexpr std::string_view kInformative = "informative";

// Larger decides more.
int weight(judge::Verdict verdict) {
  switch (verdict) {
    case judge::Verdict::kRecorded:
      return 0;
    case judge::Verdict::kPass:
      return 1;
    case judge::Verdict::kMarginal:
      return 2;
    case judge::Verdict::kAdvice:
      return 3;
    case judge::Verdict::kFail:
      return 4;
    case judge::Verdict::kError:
      return 5;
  }
  return 5;
}

bool more_decisive(const judge::JudgedMeasurement* left, const judge::JudgedMeasurement* right) {
  const judge::Judgement &a = left->judgement, &b = right->judgement;
  if (a.verdict != b.verdict) return weight(a.verdict) > weight(b.verdict);
  return a.margin.value_or(INFINITY) < b.margin.value_or(INFINITY);
}

const record::Failure* worst_failure(const judge::Attempt& attempt) {
  for (const auto kind :
       {record::Failure::Kind::kError, record::Failure::Kind::kFail, record::Failure::Kind::kSkip})
    for (const record::Failure& failure : attempt.failures)
      if (failure.kind == kind) return &failure;
  return nullptr;
}

std::string incomplete_text(const judge::JudgedSuite& suite) {
  const record::SuiteEnded* broken = suite.broken_off();
  const std::string reason = broken == nullptr ? "" : broken->reason;
  return fmt::format("suite {} did not reach its end{}{}", suite.name, reason.empty() ? "" : ": ", reason);
}

// True if the failure is of a worse kind than a missed limit, or voids the misses.
bool failure_leads(const record::Failure* failure,
                   const std::vector<const judge::JudgedMeasurement*>& missed) {
  return failure != nullptr && (missed.empty() || failure->type == judge::kDisturbed ||
                                (failure->kind == record::Failure::Kind::kError &&
                                 missed.front()->judgement.verdict != judge::Verdict::kError));
}

std::string and_more(std::size_t reasons) {
  return reasons > 1 ? fmt::format(" (and {} more)", reasons - 1) : "";
}

// A judgement that ended in an error has a limit, but no value.
bool is_judged(const judge::JudgedMeasurement& measurement) {
  return measurement.judgement.verdict != judge::Verdict::kError && !measurement.judgement.limit.empty();
}

bool has_value(const judge::JudgedMeasurement& measurement) {
  return !measurement.samples.values.empty() && (measurement.text.empty() || is_judged(measurement));
}

std::string place_of(const judge::JudgedMeasurement& missed, const std::string& subject) {
  const std::string node = one_line(missed.node), where = one_line(subject);
  return where.empty() ? node : where.starts_with(node) ? where : node + ", " + where;
}

std::string place_of_fault(const judge::KnownFault& fault) {
  const std::string where = fault.places.empty() ? "" : fault.places.front();
  const std::string place = where.starts_with(fault.node) ? where : fault.node;
  return fault.places.size() < 2 ? one_line(place)
                                 : one_line(fmt::format("{} and {} more", place, fault.places.size() - 1));
}

}  // namespace

std::string_view word_of(judge::Status status) {
  switch (status) {
    case judge::Status::kRecorded:
      return "INFORMATIVE";
    case judge::Status::kPassed:
      return "PASS";
    case judge::Status::kWaived:
      return "WAIVED";
    case judge::Status::kNotProven:
      return "NOT PROVEN";
    case judge::Status::kFailed:
      return "FAIL";
    case judge::Status::kError:
      return "ERROR";
  }
  return "ERROR";
}

std::string_view shown_name(judge::Status status) {
  return status == judge::Status::kRecorded ? kInformative : name(status);
}

std::string_view shown_name(judge::Verdict verdict) {
  return verdict == judge::Verdict::kRecorded ? kInformative : name(verdict);
}

std::string_view shown_name(compare::Change change) {
  return change == compare::Change::kRecorded ? kInformative : name(change);
}

std::string quantity_text(Quantity quantity, const std::string& unit) {
  if (!std::isfinite(quantity.value))
    return fmt::format("{} {}", quantity.value, base_unit(quantity.dimension));
  try {
    return to_text(quantity, unit);
  } catch (const std::invalid_argument&) {
    return to_text(quantity);
  }
}

std::string label(const judge::JudgedMeasurement& measurement) {
  std::string text = measurement.id;
  if (!measurement.node.empty()) text += " on " + measurement.node;
  if (!measurement.detail.empty()) text += " (" + measurement.detail + ")";
  return one_line(text);
}

std::optional<double> measured_value(const judge::JudgedMeasurement& measurement) {
  if (!has_value(measurement)) return {};
  if (is_judged(measurement)) return measurement.judgement.value;
  return evaluate(measurement.statistic, measurement.samples.values);
}

std::string value_text(const judge::JudgedMeasurement& measurement) {
  if (!measurement.text.empty()) return one_line(measurement.text);
  const std::optional<double> value = measured_value(measurement);
  return value ? quantity_text({measurement.samples.dimension, *value}, measurement.unit) : "no value";
}

std::string statistic_text(const judge::JudgedMeasurement& measurement, Statistic statistic) {
  const SampleSet& samples = measurement.samples;
  if (!has_value(measurement)) return "";
  return quantity_text({samples.dimension, evaluate(statistic, samples.values)}, measurement.unit);
}

std::string further_text(const judge::JudgedMeasurement& measurement) {
  const judge::JudgedStatistic* further = measurement.judgement.further();
  if (further == nullptr) return "";
  return fmt::format("{} {}", name(further->statistic),
                     quantity_text({measurement.samples.dimension, further->value}, measurement.unit));
}

std::string margin_text(const judge::JudgedMeasurement& measurement) {
  if (!measurement.judgement.margin) return "";
  const double percent = *measurement.judgement.margin * 100;
  const bool small = percent != 0 && std::abs(percent) < 0.1;  // a missed limit never reads "-0.0 %"
  return small ? fmt::format("{:+.1g} %", percent) : fmt::format("{:+.1f} %", percent);
}

std::string result_text(const judge::JudgedMeasurement& measurement) {
  const judge::Judgement& judgement = measurement.judgement;
  std::string text = value_text(measurement);
  if (const std::string further = further_text(measurement); !further.empty()) text += ", " + further;
  std::vector<std::string> notes;
  if (!judgement.limit.empty()) notes.push_back("limit " + judgement.limit);
  if (judgement.margin) notes.push_back("margin " + margin_text(measurement));
  if (judgement.verdict == judge::Verdict::kRecorded) notes.emplace_back(kInformative);
  if (judgement.verdict == judge::Verdict::kMarginal) notes.emplace_back("marginal");
  if (judgement.verdict == judge::Verdict::kAdvice) notes.emplace_back("advice");
  if (judgement.verdict == judge::Verdict::kError) notes.push_back("not judged: " + judgement.reason);
  if (!measurement.explained_by.empty()) notes.push_back("explained by " + measurement.explained_by);
  if (!notes.empty()) text += fmt::format(" ({})", fmt::join(notes, ", "));
  return one_line(text);
}

std::string basis_text(const judge::JudgedMeasurement& measurement) { return basis_text(measurement.basis); }

std::string basis_text(const Basis& basis) {
  if (basis.kind.empty() && basis.source.empty()) return "";
  std::string text = basis.kind + ": " + basis.source;
  if (!basis.quote.empty()) text += ": \"" + basis.quote + "\"";
  if (!basis.reasoning.empty()) text += (basis.quote.empty() ? ": " : "; ") + basis.reasoning;
  return one_line(text);
}

std::string short_limit(const judge::JudgedMeasurement& measurement) {
  const judge::Judgement& judgement = measurement.judgement;
  const judge::JudgedStatistic* further = judgement.further();
  const std::string text = bounds_text(further == nullptr ? judgement.bounds : further->bounds,
                                       measurement.samples.dimension, measurement.unit);
  return text.empty() || judgement.limit.empty() ? one_line(judgement.limit) : text;
}

std::string bounds_text(const judge::Bounds& bounds, Dimension dimension, const std::string& unit) {
  std::string text;
  for (const auto& [sign, bound] :
       {std::pair(">=", bounds.at_least), std::pair("<=", bounds.at_most), std::pair("=", bounds.equals)})
    if (bound)
      text +=
          fmt::format("{}{} {}", text.empty() ? "" : " and ", sign, quantity_text({dimension, *bound}, unit));
  return text;
}

std::string file_and_line(const toml::Place& place) {
  const std::string text = to_text(place);
  return one_line(text.substr(text.rfind('/') + 1));
}

std::string reason_text(const judge::JudgedMeasurement& measurement) {
  return measurement.judgement.verdict == judge::Verdict::kFail ? one_line(measurement.judgement.reason) : "";
}

std::string miss_text(const judge::JudgedMeasurement& measurement, const std::string& subject) {
  std::string text = label(measurement);
  if (!subject.empty()) text += ", " + one_line(subject);
  text += ": " + result_text(measurement);
  if (const std::string reason = reason_text(measurement); !reason.empty()) text += "; " + reason;
  if (const std::string basis = basis_text(measurement); !basis.empty()) text += "; basis: " + basis;
  if (!measurement.remedy.empty()) text += "; remedy: " + one_line(to_text(measurement.remedy));
  if (measurement.limit_where.line > 0) text += " [" + one_line(to_text(measurement.limit_where)) + "]";
  return text;
}

std::string failure_text(const record::Failure& failure) {
  std::vector<std::string> place;
  if (!failure.node.empty()) place.push_back(failure.node);
  if (failure.rank >= 0) place.push_back(fmt::format("rank {}", failure.rank));
  if (!failure.phase.empty()) place.push_back("phase " + failure.phase);
  std::string text = place.empty() ? "" : fmt::format("[{}] ", fmt::join(place, ", "));
  text += failure.type.empty() ? failure.message : failure.type + ": " + failure.message;
  if (!failure.where.empty()) text += " (" + failure.where + ")";
  return one_line(text);
}

std::string failures_text(const judge::Attempt& attempt) {
  const record::Failure* worst = worst_failure(attempt);
  return worst == nullptr ? "" : failure_text(*worst) + and_more(attempt.failures.size());
}

// A missed limit is not a Failure.
bool is_more_than_measurements(const judge::Attempt& attempt) {
  return attempt.measurements.empty() || !attempt.failures.empty();
}

std::vector<const judge::JudgedMeasurement*> misses(const judge::Attempt& attempt) {
  std::vector<const judge::JudgedMeasurement*> missed;
  for (const judge::JudgedMeasurement& measurement : attempt.measurements)
    if (is_failed_or_error(measurement)) missed.push_back(&measurement);
  std::ranges::stable_sort(missed, more_decisive);
  return missed;
}

const judge::JudgedMeasurement* decisive(const judge::Attempt& attempt, std::string_view named) {
  const auto is_named = [&](const judge::JudgedMeasurement* one) {
    return judge::is_declared_by(named, one->id);
  };
  const judge::JudgedMeasurement* best = nullptr;
  for (const judge::JudgedMeasurement& measurement : attempt.measurements) {
    const bool goes_before = best != nullptr && is_named(&measurement) != is_named(best)
                                 ? is_named(&measurement)
                                 : best == nullptr || more_decisive(&measurement, best);
    if (goes_before) best = &measurement;
  }
  return best;
}

std::string headline(const judge::Attempt& attempt) {
  const std::vector<const judge::JudgedMeasurement*> missed = misses(attempt);
  const record::Failure* failure = worst_failure(attempt);
  const std::size_t reasons = missed.size() + attempt.failures.size();
  if (reasons == 0) return "";
  const std::string text = failure_leads(failure, missed)
                               ? failure_text(*failure)
                               : label(*missed.front()) + ": " + result_text(*missed.front());
  return text + and_more(reasons);
}

std::string headline(const judge::JudgedCase& test) {
  const judge::Attempt* attempt = test.deciding();
  return attempt == nullptr ? test.open_reason() : headline(*attempt);
}

std::string fault_type(const judge::JudgedCase& test) {
  const judge::Attempt* attempt = test.deciding();
  if (attempt == nullptr) return test.running ? "unfinished" : "not-run";
  const std::vector<const judge::JudgedMeasurement*> missed = misses(*attempt);
  const record::Failure* failure = worst_failure(*attempt);
  if (failure_leads(failure, missed))
    return one_line(failure->type.empty() ? name(failure->kind) : failure->type);
  if (missed.empty()) return "";
  return missed.front()->judgement.verdict == judge::Verdict::kError ? "not-judged" : "limit";
}

std::string headline_subject(const judge::JudgedCase& test) {
  if (!test.because.empty()) return test.because;
  const judge::Attempt* attempt = test.deciding();
  if (attempt == nullptr) return fault_type(test);
  const std::vector<const judge::JudgedMeasurement*> missed = misses(*attempt);
  return missed.empty() || failure_leads(worst_failure(*attempt), missed) ? fault_type(test)
                                                                          : missed.front()->id;
}

bool is_marginal(const judge::Attempt& attempt) {
  return attempt.status == judge::Status::kPassed &&
         std::ranges::any_of(attempt.measurements, [](const judge::JudgedMeasurement& m) {
           return m.judgement.verdict == judge::Verdict::kMarginal;
         });
}

std::vector<record::Problem> run_faults(const judge::JudgedRun& run) {
  std::vector<record::Problem> faults = run.problems;
  const auto others = std::stable_partition(faults.begin(), faults.end(), judge::is_stop);
  const bool is_stopped = others != faults.begin();
  bool passed = false;
  for (const judge::JudgedSuite& suite : run.suites) {
    if (!suite.complete() && !is_stopped) faults.push_back({"suite-incomplete", incomplete_text(suite)});
    passed =
        passed || std::ranges::count(suite.cases, judge::Status::kPassed, &judge::JudgedCase::status) > 0;
  }
  if (!run.end)
    faults.push_back({"run-unfinished", "the run has not ended: its record stops before the end"});
  if (run.end && !passed && !is_stopped) faults.push_back({"nothing-passed", "no case of this run passed"});
  return faults;
}

std::vector<std::string> lines_of(const Remedy& remedy, const std::string& node) {
  std::vector<std::string> lines;
  const std::string where = "# " + one_line(node);
  for (const auto& [what, step] : steps_of(remedy))
    lines.push_back(what == "hint" ? fmt::format("{}: {}", where, one_line(step))
                                   : fmt::format("{}   {}: {}", one_line(step), where, what));
  return lines;
}

std::string fault_text(const judge::KnownFault& fault) {
  std::vector<std::string> signs;
  for (const judge::JudgedMeasurement& sign : fault.signs) {
    const std::string detail = sign.detail.empty() ? "" : " " + sign.detail;
    signs.push_back(fmt::format("{}{} {}", sign.id, detail, value_text(sign)));
  }
  return one_line(fmt::format("{} ({}): {}", fault.on_node(), fault.certainty, fmt::join(signs, ", ")));
}

std::string followers_text(const judge::KnownFault& fault) {
  if (fault.cases == 0) return "";
  return fmt::format("{} failed or {} not proven because of it",
                     fault.cases == 1 ? "1 case" : fmt::format("{} cases", fault.cases),
                     fault.cases == 1 ? "is" : "are");
}

namespace {

bool has_not_begun(const judge::JudgedCase& test) { return test.attempts.empty() && !test.running; }

}  // namespace

bool is_counted_only(const judge::JudgedRun& run, const judge::JudgedCase& test) {
  judge::JudgedCase buffer;
  return has_not_begun(test) || (!run.faults.empty() && !whole(run, test, buffer).because.empty());
}

std::string not_begun_text(const judge::JudgedRun& run) {
  std::size_t count = 0;
  for (const judge::JudgedSuite& suite : run.suites)
    count += static_cast<std::size_t>(std::count_if(suite.cases.begin(), suite.cases.end(), has_not_begun));
  if (count == 0) return "";
  return fmt::format("{} did not begin: the run ended before",
                     count == 1 ? "1 case" : fmt::format("{} cases", count));
}

namespace {

RemedyText remedy_of(const judge::KnownFault& fault) {
  RemedyText remedy{fault.name, place_of_fault(fault), lines_of(fault.remedy, fault.node)};
  remedy.lines.insert(remedy.lines.begin(), "# " + fault_text(fault));
  remedy.lines.push_back("# source: " + basis_text(fault.basis));
  return remedy;
}

}  // namespace

std::vector<RemedyText> remedies_of(const judge::JudgedRun& run) {
  std::vector<RemedyText> remedies;
  for (const judge::KnownFault& fault : run.faults) remedies.push_back(remedy_of(fault));
  std::set<std::vector<std::string>> told;
  judge::JudgedCase buffer;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& planned : suite.cases) {
      const judge::Status status = planned.status();
      if (status != judge::Status::kFailed && status != judge::Status::kError) continue;
      const judge::Attempt* attempt = whole(run, planned, buffer).deciding();
      if (attempt == nullptr) continue;
      for (const judge::JudgedMeasurement* missed : misses(*attempt)) {
        if (missed->remedy.empty()) continue;
        std::vector<std::string> lines = lines_of(missed->remedy, missed->node);
        if (told.insert(lines).second)
          remedies.push_back({missed->id, place_of(*missed, planned.plan.subject), std::move(lines)});
      }
    }
  return remedies;
}

std::vector<Advice> advice_of(const judge::Attempt& attempt) {
  std::vector<Advice> list;
  for (const judge::JudgedMeasurement& m : attempt.measurements)
    if (m.judgement.verdict == judge::Verdict::kAdvice)
      list.push_back({label(m) + ": " + result_text(m), m.node, m.remedy});
  return list;
}

std::vector<Advice> advice_of(const judge::JudgedRun& run) {
  std::vector<Advice> all;
  std::unordered_set<std::string> told;
  judge::JudgedCase buffer;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& planned : suite.cases) {
      const judge::JudgedCase& test = whole(run, planned, buffer);
      for (const judge::Attempt& attempt : test.attempts) {
        if (attempt.replaced && &attempt != test.deciding()) continue;
        for (Advice& advice : advice_of(attempt))
          if (told.insert(advice.found + '\n' + to_text(advice.remedy)).second)
            all.push_back(std::move(advice));
      }
    }
  return all;
}

std::string MeasurementLine::label() const {
  if (places == 1) return text::label(*of);
  return fmt::format("{} and at {} more place{}: each", text::label(*of), places - 1, places == 2 ? "" : "s");
}

std::vector<MeasurementLine> measurement_lines(const judge::Attempt& attempt) {
  const auto is_judged_line = [](const MeasurementLine& line) {
    return line.of->judgement.verdict != judge::Verdict::kRecorded || !line.of->judgement.limit.empty();
  };
  std::vector<MeasurementLine> lines;
  std::map<std::array<std::string, 3>, std::size_t> equal;
  for (const judge::JudgedMeasurement& m : attempt.measurements) {
    const bool is_zero = m.judgement.verdict == judge::Verdict::kPass && measured_value(m) == 0;
    const MeasurementLine line{&m};
    if ((is_judged_line(line) && !is_zero) || m.samples.values.size() > 1) {
      lines.push_back(line);
      continue;
    }
    const auto [found, is_new] = equal.try_emplace({m.id, value_text(m), m.judgement.limit}, lines.size());
    if (is_new)
      lines.push_back(line);
    else
      ++lines[found->second].places;
  }
  std::stable_partition(lines.begin(), lines.end(), is_judged_line);
  return lines;
}

std::string measurement_table(const judge::Attempt& attempt) {
  if (attempt.measurements.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"measurement", "node", "detail", "value", "limit", "margin", "verdict", "statistic", "n",
                  "min", "max"});
  for (const MeasurementLine& line : measurement_lines(attempt)) {
    const judge::JudgedMeasurement& m = *line.of;
    const bool one = line.places == 1;
    rows.push_back({one_line(m.id), one ? one_line(m.node) : "",
                    one ? one_line(m.detail) : fmt::format("each of {} places", line.places), value_text(m),
                    one_line(m.judgement.limit), margin_text(m), std::string(shown_name(m.judgement.verdict)),
                    std::string(name(m.statistic)), fmt::format("{}", m.samples.values.size()),
                    statistic_text(m, Statistic::kMin), statistic_text(m, Statistic::kMax)});
  }
  return text_table(rows);
}

}  // namespace rigproof::text
