#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/judge/judged_run.h"
#include "reports/manifest/manifest.h"

namespace rigproof::cli {

// Writes the reports of a run that goes on into `directory`, each in one step: a pure function of the record.
// Throws FileError.
void write_reports(const judge::JudgedRun& run, const std::filesystem::path& directory);

// The same for a run that is over, and report.html sealed with the hashes of what it stands on, and
// manifest.sha256 of them all. Of the same journal it makes the same bytes. A report.pdf of another report goes.
// Throws FileError and std::system_error.
void seal_reports(const judge::JudgedRun& run, const std::filesystem::path& directory);

// Writes the manifest anew after a file beside the evidence was added. Throws as above and ManifestError.
void list_companions(const std::filesystem::path& directory);

// Where they lie, the journal first.
[[nodiscard]] std::vector<std::filesystem::path> report_paths(const std::filesystem::path& directory);

// The hashes of the journal in `directory`, of the reports that this record makes (nothing is written) and of
// the sign-off report sealed with them.
struct Rebuilt {
  manifest::Evidence evidence;
  manifest::HashedFile report;
};
[[nodiscard]] Rebuilt rebuild_hashes(const judge::JudgedRun& run, const std::filesystem::path& directory);

// Renders DIR/report.html as DIR/report.pdf by WeasyPrint and lists it in the manifest. Why there is none, for a
// person ("weasyprint is not installed ..."); empty when there is one.
[[nodiscard]] std::string make_pdf(const std::filesystem::path& directory);

}  // namespace rigproof::cli
