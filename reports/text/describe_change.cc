#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

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
    text += fmt::format("{}{} {}", separator, comparison.count(change), name(change));
    separator = ", ";
  }
  if (comparison.missed() > 0)
    text += fmt::format("; {} missed in candidate runs", counted(comparison.missed(), "limit"));
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
      "Unchanged: "
      "worse by no more than the tolerance, with 5 % for each figure. Else inconclusive, which does not "
      "pass.",
      "Limits with equals or a text are compared as met or missed in every run. Other values are shown and "
      "decide nothing."};
}

}  // namespace rigproof::text
