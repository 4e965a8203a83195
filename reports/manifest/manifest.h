#pragma once

#include <array>
#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/record/files.h"

namespace rigproof::manifest {

inline constexpr const char* kManifestName = "manifest.sha256";
inline constexpr const char* kJournalName = "journal.jsonl";
inline constexpr const char* kReportName = "report.html";
inline constexpr const char* kPdfName = "report.pdf";
inline constexpr const char* kChanged =
    "changed since it was hashed";  // a file whose SHA-256 is not the listed one

// True for 64 lower-case hexadecimal digits.
[[nodiscard]] bool is_digest(std::string_view text);

struct HashedFile {
  std::string name;  // relative to the run's folder
  std::string sha256;
};

// Evidence that a signature covers: the journal, the reports made from it alone, facts and logs (by their lines in the
// manifest), and the sign-off report, which shows `hash` on every page. `hash` is the SHA-256 of these lines plus one line
// for the report, in the form of `sha256sum` for standard input: "SHA256  -". To compute that line, kBlank replaces the hash
// in the report.
struct Evidence {
  std::vector<HashedFile> files;
  std::string hash;  // empty: not sealed, the run has not ended
};
inline constexpr std::string_view kBlank = "0000000000000000000000000000000000000000000000000000000000000000";

// True if the file has its own line in an Evidence: every file of a manifest except the sign-off report (HTML and PDF).
[[nodiscard]] bool is_evidence(std::string_view name);

// Hashes these files of `directory`. Throws std::system_error that names the unreadable file.
[[nodiscard]] std::vector<HashedFile> hash_files(const std::filesystem::path& directory,
                                                 const std::vector<std::string>& names);

// `blank_report`: SHA-256 of the sign-off report with kBlank. Empty: computes the hash of former builds, over these files
// only.
[[nodiscard]] Evidence evidence_of(std::vector<HashedFile> files, std::string_view blank_report = {});

// One "SHA256  NAME" per line, as `sha256sum -c` reads it.
[[nodiscard]] std::string manifest_text(const std::vector<HashedFile>& files);

// The manifest is missing or invalid; what() names file and line.
class ManifestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads DIR/manifest.sha256. Throws ManifestError for absolute names, names that leave the folder or are not in their
// shortest form, duplicate names, and unreadable files.
[[nodiscard]] std::vector<HashedFile> read_manifest(const std::filesystem::path& directory);

// The entry with that name, or nullptr.
[[nodiscard]] const HashedFile* find(const std::vector<HashedFile>& files, std::string_view name);

// Throws ManifestError if DIR/manifest.sha256 exists and the journal differs from its entry or cannot be read. A run that
// has not ended, or was killed, has no manifest.
void require_sealed_journal(const std::filesystem::path& directory);

// The same check for facts and logs, too, which no command can make again. Without it, sealing the folder again would vouch
// for changed files.
void require_sealed_evidence(const std::filesystem::path& directory);

// Why a file differs from its hash ("changed", "missing", ...); empty if it does not.
[[nodiscard]] std::string fault_of(const std::filesystem::path& directory, const HashedFile& file);

// Computes the SHA-256 of the data written to it; stores nothing.
class HashingStream : private std::streambuf, public std::ostream {
 public:
  HashingStream();
  [[nodiscard]] std::string hex();  // call once, after all data

 private:
  int overflow(int character) override;
  int sync() override;
  record::Sha256 hash_;
  std::array<char, 4096> block_;
};

// The run as an in-toto statement (https://in-toto.io/Statement/v1) with the predicate test-result v0.1. Subjects: the
// evidence's files, by their names in the run's folder. Configuration: the rig (stand-in as an annotation) and the limits.
// PASSED: qualified without waivers; WARNED: qualified with waivers, or a part of a run; FAILED: all others. Pure.
[[nodiscard]] std::string statement_of(const judge::JudgedRun& run, const Evidence& evidence);

}  // namespace rigproof::manifest
