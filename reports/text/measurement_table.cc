#include "reports/text/measurement_table.h"

#include <fmt/format.h>

#include "reports/text/clean.h"
#include "reports/text/describe.h"
#include "reports/text/table.h"

namespace rigproof {
std::string measurement_table(const Attempt& attempt) {
  if (attempt.measurements.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"measurement", "node", "detail", "value", "limit", "margin", "verdict", "statistic", "n",
                  "min", "max"});
  for (const JudgedMeasurement& m : attempt.measurements)
    rows.push_back({one_line(m.id), one_line(m.node), one_line(m.detail), value_text(m),
                    one_line(m.judgement.limit), margin_text(m), std::string(name(m.judgement.verdict)),
                    std::string(name(m.statistic)), fmt::format("{}", m.samples.values.size()),
                    statistic_text(m, Statistic::kMin), statistic_text(m, Statistic::kMax)});
  return text_table(rows);
}

}  // namespace rigproof
