#include "reports/manifest/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "framework/record/files.h"
#include "framework/units/shell_words.h"
#include "reports/text/markup.h"

namespace rigproof::manifest {
namespace {

constexpr std::size_t kDigits = 64;
constexpr std::string_view kGap = "  ";

// Rejects other spellings such as "./logs//x", which would name a listed file twice.
bool stays_inside(const std::filesystem::path& name) {
  return name.is_relative() && std::ranges::find(name, "..") == name.end() &&
         name.lexically_normal().native() == name.native() && name.has_filename() && name != "." &&
         name.native().find('\0') == std::string::npos;
}

HashedFile read_line(const std::string& line, const std::string& place) {
  const auto refuse = [&](std::string_view why) { throw ManifestError(place + ": " + std::string(why)); };
  HashedFile file;
  if (line.size() <= kDigits + kGap.size() || line.substr(kDigits, kGap.size()) != kGap)
    refuse("not of the form 'SHA256  NAME'");
  file.sha256 = line.substr(0, kDigits);
  file.name = line.substr(kDigits + kGap.size());
  if (!is_digest(file.sha256)) refuse("not a SHA-256 of 64 lower-case digits");
  if (!stays_inside(file.name))
    refuse(fmt::format("'{}' is not inside the folder, or not its plain name", text::one_line(file.name)));
  return file;
}

}  // namespace

bool is_digest(std::string_view text) {
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::vector<HashedFile> hash_files(const std::filesystem::path& directory,
                                   const std::vector<std::string>& names) {
  std::vector<HashedFile> files;
  for (const std::string& name : names) files.push_back({name, record::sha256_of_file(directory / name)});
  return files;
}

bool is_evidence(std::string_view name) { return name != kReportName && name != kPdfName; }

Evidence evidence_of(std::vector<HashedFile> files, std::string_view blank_report) {
  std::string lines = manifest_text(files);
  if (!blank_report.empty()) lines += fmt::format("{}{}-\n", blank_report, kGap);
  return {std::move(files), record::sha256(lines)};
}

std::string manifest_text(const std::vector<HashedFile>& files) {
  std::string text;
  for (const HashedFile& file : files) text += file.sha256 + std::string(kGap) + file.name + '\n';
  return text;
}

std::vector<HashedFile> read_manifest(const std::filesystem::path& directory) {
  const std::string path = (directory / kManifestName).string();
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error))
    throw ManifestError(directory.string() + ": there is no such folder");
  const std::filesystem::file_status status = std::filesystem::symlink_status(path, error);
  if (status.type() == std::filesystem::file_type::none)
    throw ManifestError(path + ": cannot be read: " + error.message());
  if (!std::filesystem::exists(status))
    throw ManifestError(path + ": no manifest; `rigproof report` writes one");
  if (!std::filesystem::is_regular_file(path, error)) throw ManifestError(path + ": not a regular file");
  constexpr std::uintmax_t kLargest = 64 << 20;  // enough for hundreds of thousands of files
  if (std::filesystem::file_size(path, error) > kLargest)
    throw ManifestError(path + ": too large for a manifest");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw ManifestError(path + ": cannot be read: " + std::generic_category().message(errno));
  std::vector<HashedFile> files;
  std::set<std::string> names;
  for (std::string line; std::getline(in, line);) {
    const std::string place = fmt::format("{}:{}", path, files.size() + 1);
    files.push_back(read_line(line, place));
    if (!names.insert(files.back().name).second)
      throw ManifestError(fmt::format("{}: '{}' is listed twice", place, text::one_line(files.back().name)));
  }
  if (in.bad()) throw ManifestError(path + ": cannot be read: " + std::generic_category().message(EIO));
  if (files.empty()) throw ManifestError(path + ": the manifest is empty");
  return files;
}

const HashedFile* find(const std::vector<HashedFile>& files, std::string_view name) {
  const auto found = std::ranges::find(files, name, &HashedFile::name);
  return found == files.end() ? nullptr : &*found;
}

void require_sealed_journal(const std::filesystem::path& directory) {
  std::error_code error;
  const std::filesystem::path path = directory / kManifestName;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, error))) return;
  const std::vector<HashedFile> files = read_manifest(directory);
  const HashedFile* journal = find(files, kJournalName);
  if (journal == nullptr)
    throw ManifestError(fmt::format("{}: does not list {}", path.string(), kJournalName));
  if (const std::string fault = fault_of(directory, *journal); !fault.empty())
    throw ManifestError(fmt::format("{}: {} ({}). To list all differences: rigproof verify {}",
                                    (directory / kJournalName).string(), fault, kManifestName,
                                    shell_quoted(directory.string())));
}

void require_sealed_evidence(const std::filesystem::path& directory) {
  require_sealed_journal(directory);
  std::error_code error;
  if (!std::filesystem::exists(directory / kManifestName, error)) return;
  for (const HashedFile& file : read_manifest(directory)) {
    if (file.name.find('/') == file.name.npos) continue;
    if (const std::string fault = fault_of(directory, file); !fault.empty())
      throw ManifestError(fmt::format(
          "{}: {} ({}): this file cannot be rebuilt. To list all differences: rigproof verify {}",
          (directory / file.name).string(), fault, kManifestName, shell_quoted(directory.string())));
  }
}

std::string fault_of(const std::filesystem::path& directory, const HashedFile& file) try {
  if (!std::filesystem::exists(directory / file.name)) return "missing";
  if (!std::filesystem::is_regular_file(directory / file.name)) return "not a regular file";
  return record::sha256_of_file(directory / file.name) == file.sha256 ? "" : kChanged;
} catch (const std::system_error& error) {
  return error.code().message();
}

HashingStream::HashingStream() : std::ostream(static_cast<std::streambuf*>(this)) {
  setp(block_.data(), block_.data() + block_.size());
}

std::string HashingStream::hex() {
  flush();
  return hash_.hex();
}

int HashingStream::overflow(int character) {
  HashingStream::sync();
  if (character != std::streambuf::traits_type::eof()) sputc(static_cast<char>(character));
  return std::streambuf::traits_type::not_eof(character);
}

int HashingStream::sync() {
  hash_.add({pbase(), static_cast<std::size_t>(pptr() - pbase())});
  setp(block_.data(), block_.data() + block_.size());
  return 0;
}

namespace {

using nlohmann::ordered_json;

ordered_json resource(const std::string& name, const std::string& sha256) {
  return {{"name", text::one_line(name)}, {"digest", {{"sha256", sha256}}}};
}

}  // namespace

std::string statement_of(const judge::JudgedRun& run, const Evidence& evidence) {
  ordered_json configuration = ordered_json::array();
  configuration.push_back(resource(run.start.rig_file.file, record::sha256(run.start.rig_file.text)));
  if (!run.start.stand_in.empty())
    configuration.back()["annotations"] = {{"standIn", text::one_line(run.start.stand_in)}};
  for (const record::TextFile& limits : run.start.limits)
    configuration.push_back(resource(limits.file, record::sha256(limits.text)));

  ordered_json subjects = ordered_json::array();
  for (const HashedFile& file : evidence.files) subjects.push_back(resource(file.name, file.sha256));

  ordered_json passed = ordered_json::array(), warned = passed, failed = passed;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) {
      const judge::Status status = test.status();
      if (status == judge::Status::kRecorded) continue;
      ordered_json& list = status == judge::Status::kPassed   ? passed
                           : status == judge::Status::kWaived ? warned
                                                              : failed;
      list.push_back(text::one_line(test.full_name()));
    }
  const bool good = run.exit_code() == 0;
  const char* result = !good ? "FAILED" : run.parts().empty() && warned.empty() ? "PASSED" : "WARNED";
  const ordered_json statement = {{"_type", "https://in-toto.io/Statement/v1"},
                                  {"subject", subjects},
                                  {"predicateType", "https://in-toto.io/attestation/test-result/v0.1"},
                                  {"predicate",
                                   {{"result", result},
                                    {"configuration", configuration},
                                    {"passedTests", passed},
                                    {"warnedTests", warned},
                                    {"failedTests", failed}}}};
  return statement.dump(2) + "\n";
}

}  // namespace rigproof::manifest
