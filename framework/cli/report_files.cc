#include "framework/cli/report_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ostream>
#include <set>
#include <system_error>

#include "framework/process/capture.h"
#include "framework/process/process.h"
#include "framework/record/replace_file.h"
#include "framework/record/sha256.h"
#include "framework/supervisor/exit_code.h"
#include "reports/html/report_html.h"
#include "reports/junit/junit.h"
#include "reports/manifest/manifest.h"
#include "reports/markdown/summary.h"
#include "reports/ocp/ocp.h"
#include "reports/openmetrics/openmetrics.h"
#include "reports/text/clean.h"

namespace rigproof::cli {
namespace {

constexpr const char* kJournal = "journal.jsonl";
constexpr const char* kReport = "report.html";
constexpr const char* kPdf = "report.pdf";

// A report that is made from the journal alone.
struct Projection {
  const char* name;
  void (*write)(const judge::JudgedRun&, std::ostream&);
};
constexpr std::array kProjections{
    Projection{"junit.xml",
               [](const judge::JudgedRun& run, std::ostream& out) {
                 junit::write_junit(run, out, junit::JunitProfile::kDefault);
               }},
    Projection{"junit-strict.xml",
               [](const judge::JudgedRun& run, std::ostream& out) {
                 junit::write_junit(run, out, junit::JunitProfile::kStrict);
               }},
    Projection{"metrics.txt", openmetrics::write_metrics},
    Projection{"metrics.prom", openmetrics::write_prometheus},
    Projection{"ocp.jsonl", ocp::write_ocp},
    Projection{"summary.md", markdown::write_summary},
};

std::vector<std::string> evidence_names() {
  std::vector<std::string> names{kJournal};
  for (const Projection& projection : kProjections) names.emplace_back(projection.name);
  return names;
}

// What else lies in the folder: hashed, too, but it is no function of the journal, so no report repeats it.
std::vector<std::string> companion_names(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  for (const char* name : {kReport, kPdf})
    if (std::filesystem::exists(directory / name)) names.emplace_back(name);
  std::error_code none;
  for (const std::string folder : {"facts", "logs"}) {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(directory / folder, none))
      if (entry.is_regular_file()) files.insert(folder + "/" + entry.path().filename().string());
    names.insert(names.end(), files.begin(), files.end());
  }
  return names;
}

std::string hash_or_nothing(const std::filesystem::path& path) {
  return std::filesystem::exists(path) ? record::sha256_of_file(path) : "";
}

void write_manifest(std::vector<manifest::HashedFile> files, const std::filesystem::path& directory) {
  for (manifest::HashedFile& file : manifest::hash_files(directory, companion_names(directory)))
    files.push_back(std::move(file));
  record::replace_file(directory / manifest::kManifestName, manifest::manifest_text(files));
}

// What stands in the way of one report is told before the first of them is replaced.
void require_room(const std::filesystem::path& directory) {
  std::vector<std::string> names = evidence_names();
  for (const char* name : {kReport, kPdf, manifest::kManifestName}) names.emplace_back(name);
  for (const std::string& name : names)
    if (std::filesystem::is_directory(directory / name))
      throw record::FileError(
          fmt::format("{}: cannot write: there is a folder of that name", (directory / name).string()));
}

void replace_projections(const judge::JudgedRun& run, const std::filesystem::path& directory) {
  require_room(directory);
  for (const Projection& projection : kProjections)
    record::replace_file(directory / projection.name, [&](std::ostream& out) { projection.write(run, out); });
}

}  // namespace

void write_reports(const judge::JudgedRun& run, const std::filesystem::path& directory) {
  replace_projections(run, directory);
  record::replace_file(directory / kReport,
                       [&](std::ostream& out) { html::write_report_html(run, {}, out); });
}

void seal_reports(const judge::JudgedRun& run, const std::filesystem::path& directory) {
  replace_projections(run, directory);
  const manifest::Evidence evidence =
      manifest::evidence_of(manifest::hash_files(directory, evidence_names()));
  const std::string before = hash_or_nothing(directory / kReport);
  record::replace_file(directory / kReport,
                       [&](std::ostream& out) { html::write_report_html(run, evidence, out); });
  if (hash_or_nothing(directory / kReport) != before) std::filesystem::remove(directory / kPdf);
  write_manifest(evidence.files, directory);
}

void list_companions(const std::filesystem::path& directory) {
  std::vector<manifest::HashedFile> files = manifest::read_manifest(directory);
  files.resize(std::min(files.size(), evidence_names().size()));
  write_manifest(std::move(files), directory);
}

Rebuilt rebuild_hashes(const judge::JudgedRun& run, const std::filesystem::path& directory) {
  std::vector<manifest::HashedFile> files = manifest::hash_files(directory, {kJournal});
  const auto hash = [](const auto& write) {
    manifest::HashingStream out;
    write(out);
    return out.hex();
  };
  for (const Projection& projection : kProjections)
    files.push_back({projection.name, hash([&](std::ostream& out) { projection.write(run, out); })});
  Rebuilt rebuilt{manifest::evidence_of(std::move(files)), {kReport, {}}};
  rebuilt.report.sha256 =
      hash([&](std::ostream& out) { html::write_report_html(run, rebuilt.evidence, out); });
  return rebuilt;
}

std::vector<std::filesystem::path> report_paths(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& name : evidence_names()) paths.push_back(directory / name);
  for (const char* name : {kReport, kPdf, manifest::kManifestName})
    if (std::filesystem::exists(directory / name)) paths.push_back(directory / name);
  return paths;
}

namespace {

constexpr std::uintmax_t kLargest = 3
                                    << 20;  // WeasyPrint takes about a minute and a gigabyte for so much HTML
constexpr std::chrono::minutes kDeadline{5};

}  // namespace

std::string make_pdf(const std::filesystem::path& directory) try {
  const auto pdf = directory / kPdf, draft = directory / fmt::format(".{}.tmp", kPdf),
             html = directory / kReport;
  std::error_code error;
  if (std::filesystem::exists(pdf)) return "";  // of this very report: another one's is removed with it
  if (!process::find_program("weasyprint")) return "weasyprint is not installed (apt-get install weasyprint)";
  if (const auto size = std::filesystem::file_size(html, error); error || size > kLargest)
    return fmt::format("report.html is too large for weasyprint ({} MiB)", size >> 20);
  const process::Captured done =
      process::capture({"weasyprint", "--quiet", html.string(), draft.string()}, kDeadline);
  if (done.succeeded()) std::filesystem::rename(draft, pdf, error);
  if (done.succeeded() && !error) return list_companions(directory), "";
  std::filesystem::remove(draft, error);
  return fmt::format("weasyprint {}: {}", done.how_it_ended(),
                     text::shortened(text::one_line(done.output), 300));
} catch (const std::exception& error) {  // the run's own verdict stands
  return error.what();
}

}  // namespace rigproof::cli
