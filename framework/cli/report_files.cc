#include "framework/cli/report_files.h"

#include <ostream>

#include "framework/record/replace_file.h"
#include "reports/junit/junit.h"
#include "reports/markdown/summary.h"

namespace rigproof {

void write_reports(const RunRecord& run, const std::filesystem::path& directory) {
  replace_file(directory / "junit.xml",
               [&](std::ostream& out) { write_junit(run, out, JunitProfile::kDefault); });
  replace_file(directory / "junit-strict.xml",
               [&](std::ostream& out) { write_junit(run, out, JunitProfile::kStrict); });
  replace_file(directory / "summary.md", [&](std::ostream& out) { write_summary(run, out); });
}

std::vector<std::filesystem::path> report_paths(const std::filesystem::path& directory) {
  return {directory / "journal.jsonl", directory / "junit.xml", directory / "junit-strict.xml",
          directory / "summary.md"};
}

}  // namespace rigproof
