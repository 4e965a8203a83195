#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/compare/comparison.h"
#include "framework/judge/judged_run.h"
#include "framework/judge/run_judge.h"
#include "reports/manifest/manifest.h"

namespace rigproof::cli {

// Throws FileError for the first of these names that is a folder, a pipe or a device: no file can replace it.
void require_replaceable(const std::filesystem::path& directory, const std::vector<std::string>& names);

// The same for every report of a run, its journal and its manifest.
void require_replaceable_reports(const std::filesystem::path& directory);

// Throws Refused, ending with `advice`, if a run has no manifest. Throws like manifest::require_sealed_journal(), and
// like judge::first_event() if there is no run.
void require_sealed(const std::filesystem::path& directory, const std::string& advice);

// Writes the reports of an unfinished run into `directory`, each in one step: a pure function of the record. Throws
// FileError.
void write_reports(const judge::JudgedRun& run, const std::filesystem::path& directory);

// The same for a finished run. Also seals report.html with the hashes of its evidence, and writes manifest.sha256 of
// all files. The same journal gives the same bytes. Removes a report.pdf that was not sealed with the same report.
// Throws FileError and std::system_error.
void seal_reports(const judge::JudgedRun& run, const std::filesystem::path& directory);

// Throws ManifestError if a sealed folder has facts or logs that its manifest does not list: a new seal would confirm
// files that somebody added.
void require_nothing_added(const std::filesystem::path& directory);

// Throws Refused for an entry of facts or logs that no manifest can list: it is not a regular file, or its name has a
// line break.
void require_only_files(const std::filesystem::path& directory);

// Rewrites the manifest after a file that is not evidence was added. Throws FileError, std::system_error, ManifestError.
void rewrite_manifest(const std::filesystem::path& directory);

// Names in a run's folder, sorted. `of_the_run`: the journal, reports and all files below facts/ and logs/. `others`:
// all else in the folder itself, without the manifest and hidden files. Throws std::system_error.
struct FilesThere {
  std::vector<std::string> of_the_run, others;
};
[[nodiscard]] FilesThere files_there(const std::filesystem::path& directory);

// Paths of the journal (first), the reports and the manifest.
[[nodiscard]] std::vector<std::filesystem::path> report_paths(const std::filesystem::path& directory);

// Hashes of all reports that this record makes; the last is the sign-off report, sealed with the evidence. Writes no
// files. `listed`: the evidence's lines of the run's manifest.
struct Rebuilt {
  std::vector<manifest::HashedFile> reports;
  manifest::Evidence evidence;
};
[[nodiscard]] Rebuilt rebuild_hashes(const judge::JudgedRun& run, std::vector<manifest::HashedFile> listed);

// Names of the journal and the reports in a run's folder.
[[nodiscard]] std::vector<std::string> names_of_a_run();

// Renders a report as PDF by WeasyPrint. The same report, WeasyPrint and fonts give the same bytes. Returns the
// reason for a failure; empty: success.
[[nodiscard]] std::string render_pdf(const std::filesystem::path& html, const std::filesystem::path& pdf);

// Renders DIR/report.html as DIR/report.pdf and lists it in the manifest. Returns the reason for a failure
// ("weasyprint is not installed ..."); empty: success.
[[nodiscard]] std::string make_pdf(const std::filesystem::path& directory);

// Limits to judge a record again, by this user and at the present time.
[[nodiscard]] judge::OtherLimits other_limits(std::vector<record::TextFile> limits,
                                              std::optional<std::vector<record::TextFile>> faults = {});

// A run's record of its start, not judged. Throws like judge::first_event().
[[nodiscard]] compare::RunToCompare beginning_of(const std::string& folder);

// Reads the runs in these folders, judges all by the same limits and compares them. Without `limits`: by their own.
// Throws like judge_by_other_limits() and compare_runs(); Incomparable, too, if their own limits differ.
[[nodiscard]] compare::Comparison compare_folders(const std::vector<std::string>& base,
                                                  const std::vector<std::string>& candidate,
                                                  std::vector<record::TextFile> limits = {},
                                                  compare::Look look = {});
// Number of figures of these runs that decide a comparison by these limits. Throws like compare_folders().
[[nodiscard]] std::size_t compared_in(const std::vector<std::string>& base,
                                      const std::vector<record::TextFile>& limits);

// Creates the folder of an option for write_comparison(). Throws Refused and FileError.
void create_comparison_folder(const std::string& option, const std::filesystem::path& directory);

// Writes comparison.json, comparison.md, comparison.txt and comparison.html into `directory`, each in one step, and
// returns their paths.
std::vector<std::filesystem::path> write_comparison(const compare::Comparison& comparison,
                                                    const std::filesystem::path& directory);

struct WrittenHistory {
  std::size_t runs, rigs;
  std::filesystem::path page, table;  // history.html, history.csv
};

// Reads every run below `stores` and writes the history of each rig into `out`, which is created if missing. Skips
// runs that cannot be read, and names them on stderr. Throws FileError, and Refused: no run could be read, or `out`
// cannot be created.
WrittenHistory write_history(const std::vector<std::string>& stores, const std::filesystem::path& out);

}  // namespace rigproof::cli
