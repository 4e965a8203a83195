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

struct HashedFile {
  std::string name;  // relative to the run's folder
  std::string sha256;
};

// What a signature stands for: the journal, the reports made from it alone, facts and logs, by their lines in the manifest, and
// the sign-off report, every page of which carries `hash`. That is the SHA-256 of these lines and one more for the report, as
// `sha256sum` prints it of its standard input: "SHA256  -". For that line kBlank stands in the report in place of the hash.
struct Evidence {
  std::vector<HashedFile> files;
  std::string hash;  // empty: not sealed, the run goes on
};
inline constexpr std::string_view kBlank = "0000000000000000000000000000000000000000000000000000000000000000";

// Whether it has a line of its own in an Evidence: all of a manifest but the sign-off report, in HTML and as PDF.
[[nodiscard]] bool is_evidence(std::string_view name);

// Hashes these files of `directory`. Throws std::system_error naming one that can't be read.
[[nodiscard]] std::vector<HashedFile> hash_files(const std::filesystem::path& directory,
                                                 const std::vector<std::string>& names);

// `blank_report`: the SHA-256 of the sign-off report with kBlank in it. Without one: as former builds made it, whose
// hash is of these files alone.
[[nodiscard]] Evidence evidence_of(std::vector<HashedFile> files, std::string_view blank_report = {});

// "SHA256  NAME" a line, as `sha256sum -c` reads it.
[[nodiscard]] std::string manifest_text(const std::vector<HashedFile>& files);

// There is no manifest, or it is none: what() names file and line.
class ManifestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads DIR/manifest.sha256. Refuses absolute names, names that leave the folder or are not written in the shortest way, names listed twice and what cannot be read to
// its end.
[[nodiscard]] std::vector<HashedFile> read_manifest(const std::filesystem::path& directory);

// The entry of that name, or null.
[[nodiscard]] const HashedFile* find(const std::vector<HashedFile>& files, std::string_view name);

// Throws ManifestError where DIR/manifest.sha256 is there and the journal is not the one that it lists (it was changed
// since), or cannot be read. A run that goes on, or was killed, has no manifest.
void require_sealed_journal(const std::filesystem::path& directory);

// The same for facts and logs, too: nothing makes them again. Who seals the folder again would
// otherwise vouch for what somebody changed.
void require_sealed_evidence(const std::filesystem::path& directory);

// Why a file is not the one that was hashed ("changed", "missing", ...); empty when it is.
[[nodiscard]] std::string fault_of(const std::filesystem::path& directory, const HashedFile& file);

// The SHA-256 of what is written to it; keeps nothing.
class HashingStream : private std::streambuf, public std::ostream {
 public:
  HashingStream();
  [[nodiscard]] std::string hex();  // once, when all is written

 private:
  int overflow(int character) override;
  int sync() override;
  record::Sha256 hash_;
  std::array<char, 4096> block_;
};

// The run as an in-toto statement (https://in-toto.io/Statement/v1) with the predicate test-result v0.1: its subjects are
// the files of the evidence, by their names in the run's folder, its configuration the rig (its stand-in as an annotation)
// and the limits. PASSED is a run that is qualified without a waiver, WARNED one with waivers or a part of a run, FAILED
// every other. Pure: of one record always the same text.
[[nodiscard]] std::string statement_of(const judge::JudgedRun& run, const Evidence& evidence);

}  // namespace rigproof::manifest
