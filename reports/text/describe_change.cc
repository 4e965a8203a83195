#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "reports/text/describe.h"
#include "reports/text/markup.h"

namespace rigproof::text {
namespace {

std::string quantity_text(const compare::ComparedMeasurement& m, double value) {
  try {
    return to_text({m.dimension, value}, m.unit);
  } catch (const std::invalid_argument&) {
    return to_text({m.dimension, value});
  }
}

std::string signed_text(const compare::ComparedMeasurement& m, double change) {
  if (m.relative) return fmt::format("{:+.2f} %", change * 100);
  return (std::signbit(change) ? "-" : "+") + quantity_text(m, std::abs(change));
}

std::string counted(std::size_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace

std::string comparison_line(const compare::Comparison& comparison) {
  std::string text =
      fmt::format("{}: rig {} ({}), profile {}: {}, {}; {}", comparison.verdict(), comparison.rig,
                  comparison.rig_kind, comparison.profile, counted(comparison.base.size(), "base run"),
                  counted(comparison.candidate.size(), "candidate run"),
                  counted(comparison.measurements.size(), "comparison"));
  const char* separator = ": ";
  for (const compare::Change change :
       {compare::Change::kRegressed, compare::Change::kMissing, compare::Change::kInconclusive,
        compare::Change::kImproved, compare::Change::kUnchanged, compare::Change::kRecorded}) {
    if (comparison.count(change) == 0) continue;
    text += fmt::format("{}{} {}", separator, comparison.count(change), shown_name(change));
    separator = ", ";
  }
  if (comparison.missed() > 0)
    text += fmt::format("; {} missed in candidate runs", counted(comparison.missed(), "limit"));
  return one_line(text);
}

namespace {

// Loss in tolerances, negative for an improvement. If neither direction is better, the absolute change.
double loss(const compare::ComparedMeasurement& m) {
  if (!m.change) return 0;
  const double worse = m.better == Better::kHigher  ? -*m.change
                       : m.better == Better::kLower ? *m.change
                                                    : std::abs(*m.change);
  return m.tolerance_value > 0 ? worse / m.tolerance_value : worse;
}

std::string first_note(const compare::Comparison& comparison) {
  return comparison.notes.empty() ? "" : one_line(comparison.notes.front());
}

}  // namespace

std::string change_sentence(const compare::ComparedMeasurement& m) {
  std::string text = fmt::format("{} in {}", label(m), m.test);
  if (m.id.empty()) return one_line(text + ": " + m.reason);
  if (!m.base.values.empty() && !m.candidate.values.empty())
    text += fmt::format(": {} -> {}, {}", side_text(m, m.base), side_text(m, m.candidate), change_text(m));
  if (!m.tolerance.empty()) text += fmt::format(" (tolerance {})", m.tolerance);
  const std::string reason = reason_text(m);
  return one_line(reason.empty() ? text : text + ": " + reason);
}

std::vector<const compare::ComparedMeasurement*> worst_first(const compare::Comparison& comparison) {
  std::vector<const compare::ComparedMeasurement*> order;
  for (const compare::ComparedMeasurement& m : comparison.measurements) order.push_back(&m);
  std::ranges::stable_sort(order, {}, [](const compare::ComparedMeasurement* m) {
    return std::tuple(m->candidate.missed == 0, m->verdict, -loss(*m));
  });
  return order;
}

std::string why_line(const compare::Comparison& comparison) {
  const int code = comparison.exit_code();
  if (!comparison.objections.empty() && comparison.verdict() != "WORSE") {
    const auto first = std::ranges::find(comparison.objections, code, &compare::Objection::exit_code);
    const std::size_t more = comparison.objections.size() - 1;
    return one_line(first->why + (more > 0 ? fmt::format(" (and {})", counted(more, "more reason")) : ""));
  }
  if (comparison.decided() == 0 && code != 1)
    return "no figure or limit that decides was measured on both sides";
  const auto order = worst_first(comparison);
  if (order.empty()) return first_note(comparison);
  if (code == 0 && comparison.compared == 0)
    return fmt::format(
        "none of {} with equals, a text or at_most 0 is missed more often. Only these decide: no figure that "
        "decides by its tolerance was measured on both sides",
        counted(comparison.decided(), "limit"));
  if (code == 0) {
    const auto last = std::ranges::max_element(order, {}, [](const compare::ComparedMeasurement* m) {
      return std::pair(m->verdict != compare::Change::kRecorded, loss(*m));
    });
    return fmt::format("no figure of {} is worse by more than its tolerance; nearest to it: {}",
                       comparison.compared, change_sentence(**last));
  }
  const compare::ComparedMeasurement& worst = *order.front();
  const bool speaks = worst.candidate.missed > 0 || worst.verdict <= compare::Change::kInconclusive;
  return speaks ? change_sentence(worst) : first_note(comparison);
}

std::string changed_line(const compare::Comparison& comparison) {
  std::string text = to_text(comparison.changed);
  for (const std::string& staged : comparison.changed.staged) text += "; staged, not active: " + staged;
  return one_line(text);
}

std::string label(const compare::ComparedMeasurement& m) {
  if (m.id.empty()) return "the case";
  std::string text = m.id;
  if (!m.node.empty()) text += " on " + m.node;
  if (!m.detail.empty()) text += " (" + m.detail + ")";
  return one_line(text);
}

std::string side_text(const compare::ComparedMeasurement& m, const compare::ComparedSide& side) {
  return side.values.empty() ? "" : quantity_text(m, evaluate(Statistic::kMedian, side.values));
}

std::string change_text(const compare::ComparedMeasurement& m) {
  return m.change ? signed_text(m, *m.change) : "";
}

std::string interval_text(const compare::ComparedMeasurement& m) {
  if (m.interval)
    return fmt::format("{} to {}", signed_text(m, m.interval->low), signed_text(m, m.interval->high));
  return m.verdict == compare::Change::kInconclusive && m.change ? "none" : "";
}

std::string reason_text(const compare::ComparedMeasurement& m) {
  std::string text = m.reason;
  if (m.candidate.missed > 0 && m.limit != "")
    text += fmt::format("{}limit {} missed in {} of {} candidate runs ({} of {} base runs)",
                        text.empty() ? "" : "; ", m.limit, m.candidate.missed, m.candidate.values.size(),
                        m.base.missed, m.base.values.size());
  if (m.more_runs)
    text += fmt::format("; about {} per side would decide",
                        counted(static_cast<std::size_t>(*m.more_runs), "more run"));
  else if (m.verdict == compare::Change::kInconclusive && m.interval)
    text += "; 1000 more runs would not decide";
  return one_line(text);
}

std::vector<std::string> method_text(const compare::Comparison& comparison) {
  return {
      "Each run gives one value per measurement: the statistic of its limit.",
      fmt::format("The change is the Hodges-Lehmann estimate over all pairs of runs; its interval is Mann "
                  "and Whitney's, "
                  "with 5 % at each end divided by the {} {} that carry the decision (Bonferroni){}.",
                  comparison.compared, comparison.headlines ? "headline figures" : "figures",
                  comparison.look.of > 1
                      ? fmt::format("; look {} of {} has {:.0f} % of it", comparison.look.number,
                                    comparison.look.of, comparison.look.share() * 100)
                      : ""),
      "Regressed and improved: the change is beyond the tolerance, and the interval does not reach 0. "
      "Unchanged: worse by no more than the tolerance, with 5 % for each figure. All other changes are "
      "inconclusive, which does not pass.",
      "Limits with equals or a text are compared as met or missed in every run. Other values are shown, but "
      "do not decide."};
}

}  // namespace rigproof::text
