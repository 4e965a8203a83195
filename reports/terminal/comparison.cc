#include "reports/terminal/comparison.h"

#include <vector>

#include "reports/text/clean.h"
#include "reports/text/describe_change.h"
#include "reports/text/table.h"

namespace rigproof {

std::string comparison_table(const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows{{"verdict", "case", "measurement", "base", "candidate", "change",
                                              "95 % interval", "tolerance", "limit", "note"}};
  for (const ComparedMeasurement& m : comparison.measurements)
    rows.push_back({std::string(name(m.verdict)), one_line(m.test), label(m), side_text(m, m.base),
                    side_text(m, m.candidate), change_text(m), interval_text(m), one_line(m.tolerance),
                    one_line(m.limit), reason_text(m)});
  std::string text = text_table(rows) + '\n';
  for (const std::string& note : comparison.notes) text += "note: " + one_line(note) + '\n';
  for (const std::string& sentence : method_text(comparison)) text += sentence + '\n';
  return text + '\n' + comparison_line(comparison) + '\n';
}

}  // namespace rigproof
