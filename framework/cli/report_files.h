#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/compare/comparison.h"
#include "framework/judge/judged_run.h"
#include "framework/judge/run_judge.h"
#include "reports/manifest/manifest.h"

namespace rigproof::cli {

// Throws FileError for the first of these names that a folder, a pipe or a device has: no file can take its place.
void require_replaceable(const std::filesystem::path& directory, const std::vector<std::string>& names);

// The same for every report of a run, its journal and its manifest.
void require_replaceable_reports(const std::filesystem::path& directory);

// Throws Refused, which ends with this advice, where a run has no manifest; else as manifest::require_sealed_journal(), and
// where there is neither as judge::first_event().
void require_sealed(const std::filesystem::path& directory, const std::string& advice);

// Writes the reports of a run that goes on into `directory`, each in one step: a pure function of the record.
// Throws FileError.
void write_reports(const judge::JudgedRun& run, const std::filesystem::path& directory);

// The same for a run that is over, and report.html sealed with the hashes of what it stands on, and
// manifest.sha256 of them all. Of the same journal it makes the same bytes. A report.pdf stays only as it was sealed with
// the same report.
// Throws FileError and std::system_error.
void seal_reports(const judge::JudgedRun& run, const std::filesystem::path& directory);

// Throws ManifestError where a sealed folder has facts or logs that its manifest does not list: who seals it again would
// vouch for what somebody added.
void require_nothing_added(const std::filesystem::path& directory);

// Throws Refused for what lies among facts and logs and is no file, or a link to none, or has a line break in its name: no
// manifest can list it, and the sealed folder would not be intact.
void require_only_files(const std::filesystem::path& directory);

// Writes the manifest anew after a file beside the evidence was added. Throws as above and ManifestError.
void rewrite_manifest(const std::filesystem::path& directory);

// The names in a run's folder now, sorted. Of the run: the journal, reports and all that lies below facts/ and logs/, which
// a manifest lists. Others: what else lies in the folder itself but the manifest and hidden files. Throws std::system_error.
struct FilesThere {
  std::vector<std::string> of_the_run, others;
};
[[nodiscard]] FilesThere files_there(const std::filesystem::path& directory);

// Where they lie, the journal first.
[[nodiscard]] std::vector<std::filesystem::path> report_paths(const std::filesystem::path& directory);

// The hashes of all reports that this record makes (nothing is written), the last of them the sign-off report as it is sealed with
// the evidence. `listed`: the lines of the run's manifest.
struct Rebuilt {
  std::vector<manifest::HashedFile> reports;
  manifest::Evidence evidence;
};
[[nodiscard]] Rebuilt rebuild_hashes(const judge::JudgedRun& run, std::vector<manifest::HashedFile> listed);

// The names that the journal and the reports have in a run's folder.
[[nodiscard]] std::vector<std::string> names_of_a_run();

// Renders a report as PDF by WeasyPrint: of one report the same bytes, as long as WeasyPrint and the fonts are the same. Why there
// is none; empty when there is one.
[[nodiscard]] std::string render_pdf(const std::filesystem::path& html, const std::filesystem::path& pdf);

// Renders DIR/report.html as DIR/report.pdf by WeasyPrint and lists it in the manifest. Why there is none, for a
// person ("weasyprint is not installed ..."); empty when there is one.
[[nodiscard]] std::string make_pdf(const std::filesystem::path& directory);

// For judging a record again, by this user, now.
[[nodiscard]] judge::OtherLimits other_limits(std::vector<record::TextFile> limits);

// A run as it said of itself when it began, not judged. Throws as judge::first_event().
[[nodiscard]] compare::RunToCompare beginning_of(const std::string& folder);

// Reads the runs in these folders, judges all of them by the same limits and compares them. Without `limits`: their own.
// Throws what judge_by_other_limits() and compare_runs() throw; Incomparable, too, where their own are not the same.
[[nodiscard]] compare::Comparison compare_folders(const std::vector<std::string>& base,
                                                  const std::vector<std::string>& candidate,
                                                  std::vector<record::TextFile> limits = {},
                                                  compare::Look look = {});
// How many figures of these runs a comparison by these limits decides. Throws as compare_folders().
[[nodiscard]] std::size_t compared_in(const std::vector<std::string>& base,
                                      const std::vector<record::TextFile>& limits);

// Makes the folder that an option names for write_comparison(). Throws Refused and FileError.
void create_comparison_folder(const std::string& option, const std::filesystem::path& directory);

// Writes comparison.json, comparison.md, comparison.txt and comparison.html into `directory`, each in one step, and
// returns their paths.
std::vector<std::filesystem::path> write_comparison(const compare::Comparison& comparison,
                                                    const std::filesystem::path& directory);

struct WrittenHistory {
  std::size_t runs, rigs;
  std::filesystem::path page, table;  // history.html, history.csv
};

// Reads every run below these folders and writes the history of each rig into `out`, which is made where it is not
// there. What can't be read is skipped and named on stderr. Throws Refused: no run could be read, or `out` can't be
// made; FileError.
WrittenHistory write_history(const std::vector<std::string>& stores, const std::filesystem::path& out);

}  // namespace rigproof::cli
