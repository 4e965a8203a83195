#include "framework/cli/report_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <system_error>
#include <utility>

#include "framework/cli/command.h"
#include "framework/cli/run_arguments.h"
#include "framework/judge/run_judge.h"
#include "framework/process/process.h"
#include "framework/record/files.h"
#include "framework/record/run_identity.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/run_inputs.h"
#include "framework/toml/document.h"
#include "framework/units/printable.h"
#include "reports/comparison/comparison.h"
#include "reports/history/history.h"
#include "reports/html/report_html.h"
#include "reports/junit/junit.h"
#include "reports/manifest/manifest.h"
#include "reports/markdown/summary.h"
#include "reports/ocp/ocp.h"
#include "reports/openmetrics/openmetrics.h"
#include "reports/terminal/terminal.h"
#include "reports/text/markup.h"

namespace rigproof::cli {
namespace {

constexpr const char* kJournal = manifest::kJournalName;
constexpr const char* kReport = manifest::kReportName;
constexpr const char* kPdf = manifest::kPdfName;

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

// Everything in facts/ and logs/, also links and devices.
std::set<std::string> names_in_folders(const std::filesystem::path& directory) {
  std::set<std::string> names;
  for (const char* folder : {"facts", "logs"}) {
    std::error_code none;  // a link to itself is not a folder
    if (!std::filesystem::is_directory(directory / folder, none)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory / folder))
      if (entry.symlink_status().type() != std::filesystem::file_type::directory)
        names.insert(entry.path().lexically_relative(directory).generic_string());
  }
  return names;
}

// False for a link: its target is not in the folder.
bool is_file_itself(const std::filesystem::path& path) {
  std::error_code none;
  return std::filesystem::symlink_status(path, none).type() == std::filesystem::file_type::regular;
}

// The regular files in facts/ and logs/, which a manifest lists.
std::vector<std::string> kept_names(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  std::ranges::copy_if(names_in_folders(directory), std::back_inserter(names),
                       [&](const std::string& name) { return is_file_itself(directory / name); });
  return names;
}

std::string hash_or_nothing(const std::filesystem::path& path) {
  return std::filesystem::exists(path) ? record::sha256_of_file(path) : "";
}

// `files`: all evidence; the journal and the reports made from the journal alone come first.
void write_manifest(std::vector<manifest::HashedFile> files, const std::filesystem::path& directory) {
  std::vector<std::string> reports;
  for (const char* name : {kReport, kPdf})
    if (std::filesystem::exists(directory / name)) reports.emplace_back(name);
  const std::vector<manifest::HashedFile> hashed = manifest::hash_files(directory, reports);
  const auto place = std::min(files.size(), evidence_names().size());
  files.insert(files.begin() + static_cast<std::ptrdiff_t>(place), hashed.begin(), hashed.end());
  record::replace_file(directory / manifest::kManifestName, manifest::manifest_text(files));
}

std::string hash_of(const auto& write) {
  manifest::HashingStream out;
  write(out);
  return out.hex();
}

// The evidence with the hash that the sealed report carries.
manifest::Evidence evidence_with_report(const judge::JudgedRun& run,
                                        std::vector<manifest::HashedFile> files) {
  manifest::Evidence blank{std::move(files), std::string(manifest::kBlank)};
  const std::string report = hash_of([&](std::ostream& out) { html::write_report_html(run, blank, out); });
  return manifest::evidence_of(std::move(blank.files), report);
}

// Checks all reports before it replaces the first.
void replace_projections(const judge::JudgedRun& run, const std::filesystem::path& directory) {
  require_replaceable_reports(directory);
  for (const Projection& projection : kProjections)
    record::replace_file(directory / projection.name, [&](std::ostream& out) { projection.write(run, out); });
}

}  // namespace

void require_replaceable(const std::filesystem::path& directory, const std::vector<std::string>& names) {
  std::error_code none;
  for (const std::string& name : names) {
    const std::filesystem::path file = directory / name;
    const auto refuse = [&](const char* why) {
      throw record::FileError(fmt::format("{}: cannot write: {}", file.string(), why));
    };
    if (std::filesystem::is_directory(file, none)) refuse("there is a folder of that name");
    if (std::filesystem::is_other(file, none)) refuse("not a regular file");
  }
}

void require_replaceable_reports(const std::filesystem::path& directory) {
  std::vector<std::string> names = names_of_a_run();
  names.emplace_back(manifest::kManifestName);
  require_replaceable(directory, names);
}

void require_only_files(const std::filesystem::path& directory) {
  for (const std::string& name : names_in_folders(directory)) {
    const auto refuse = [&](const char* why) {
      throw supervisor::Refused(fmt::format("{}: {}: a run with this file cannot be sealed. Remove the file",
                                            text::one_line((directory / name).string()), why));
    };
    if (!is_file_itself(directory / name)) refuse("not a regular file");
    if (name.find('\n') != name.npos) refuse("a line break in its name");
  }
}

void require_sealed(const std::filesystem::path& directory, const std::string& advice) {
  manifest::require_sealed_journal(directory);
  std::error_code none;
  if (std::filesystem::exists(directory / manifest::kManifestName, none)) return;
  (void)judge::first_event(directory);  // throws if there is no run
  throw supervisor::Refused(
      fmt::format("{} has no {}: the run did not end, or its journal was changed afterwards. {}",
                  directory.string(), manifest::kManifestName, advice));
}

void write_reports(const judge::JudgedRun& run, const std::filesystem::path& directory) {
  replace_projections(run, directory);
  record::replace_file(directory / kReport,
                       [&](std::ostream& out) { html::write_report_html(run, {}, out); });
}

void require_nothing_added(const std::filesystem::path& directory) {
  std::error_code none;
  if (!std::filesystem::exists(directory / manifest::kManifestName, none)) return;
  const std::vector<manifest::HashedFile> listed = manifest::read_manifest(directory);
  for (const std::string& name : names_in_folders(directory))
    if (manifest::find(listed, name) == nullptr)
      throw manifest::ManifestError(
          fmt::format("{}: not in {}: it was added after the folder was sealed. Remove it",
                      (directory / name).string(), manifest::kManifestName));
}

namespace {

// True if the manifest has the hash of this PDF: nothing else shows which report a PDF was made from.
bool has_sealed_pdf(const std::filesystem::path& directory) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(directory / manifest::kManifestName, none)) return false;
  const std::vector<manifest::HashedFile> listed = manifest::read_manifest(directory);
  const manifest::HashedFile* pdf = manifest::find(listed, kPdf);
  return pdf != nullptr && manifest::fault_of(directory, *pdf).empty();
}

}  // namespace

void seal_reports(const judge::JudgedRun& run, const std::filesystem::path& directory) {
  for (const char* folder : {"facts", "logs"})
    record::remove_drafts(directory / folder);  // drafts must not be sealed
  replace_projections(run, directory);
  std::vector<manifest::HashedFile> files = manifest::hash_files(directory, evidence_names());
  for (manifest::HashedFile& file : manifest::hash_files(directory, kept_names(directory)))
    files.push_back(std::move(file));
  const manifest::Evidence evidence = evidence_with_report(run, std::move(files));
  const std::string before = has_sealed_pdf(directory) ? hash_or_nothing(directory / kReport) : "";
  record::replace_file(directory / kReport,
                       [&](std::ostream& out) { html::write_report_html(run, evidence, out); });
  if (hash_or_nothing(directory / kReport) != before) std::filesystem::remove(directory / kPdf);
  write_manifest(evidence.files, directory);
}

void rewrite_manifest(const std::filesystem::path& directory) {
  std::vector<manifest::HashedFile> files = manifest::read_manifest(directory);
  std::erase_if(files, [](const manifest::HashedFile& file) { return !manifest::is_evidence(file.name); });
  write_manifest(std::move(files), directory);
}

Rebuilt rebuild_hashes(const judge::JudgedRun& run, std::vector<manifest::HashedFile> listed) {
  Rebuilt rebuilt;
  for (const Projection& projection : kProjections)
    rebuilt.reports.push_back(
        {projection.name, hash_of([&](std::ostream& out) { projection.write(run, out); })});
  rebuilt.evidence = evidence_with_report(run, std::move(listed));
  rebuilt.reports.push_back(
      {kReport, hash_of([&](std::ostream& out) { html::write_report_html(run, rebuilt.evidence, out); })});
  return rebuilt;
}

std::vector<std::string> names_of_a_run() {
  std::vector<std::string> names = evidence_names();
  for (const char* name : {kReport, kPdf}) names.emplace_back(name);
  return names;
}

FilesThere files_there(const std::filesystem::path& directory) {
  FilesThere there;
  const std::set<std::string> below = names_in_folders(directory);
  there.of_the_run.assign(below.begin(), below.end());
  const std::vector<std::string> reports = names_of_a_run();
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    std::string name = entry.path().filename();
    if (std::ranges::find(reports, name) != reports.end())
      there.of_the_run.push_back(std::move(name));
    else if (!name.starts_with('.') && name != "facts" && name != "logs" && name != manifest::kManifestName)
      there.others.push_back(std::move(name));
  }
  std::ranges::sort(there.of_the_run);
  std::ranges::sort(there.others);
  return there;
}

std::vector<std::filesystem::path> report_paths(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& name : evidence_names()) paths.push_back(directory / name);
  for (const char* name : {kReport, kPdf, manifest::kManifestName})
    if (std::filesystem::exists(directory / name)) paths.push_back(directory / name);
  return paths;
}

namespace {

constexpr std::uintmax_t kLargest = 3 << 20;  // WeasyPrint needs about a minute and 1 GB for this much HTML
constexpr std::chrono::minutes kDeadline{5};

}  // namespace

std::string render_pdf(const std::filesystem::path& html, const std::filesystem::path& pdf) {
  std::error_code error;
  if (!process::find_program("weasyprint")) return "weasyprint is not installed (apt-get install weasyprint)";
  if (const auto size = std::filesystem::file_size(html, error); error || size > kLargest)
    return fmt::format("report.html is too large for weasyprint ({} MiB)", size >> 20);
  const process::Captured done =
      process::capture({.arguments = {"weasyprint", "--quiet", html.string(), pdf.string()},
                        .variables = {{"SOURCE_DATE_EPOCH", "0"}},  // else its fonts have today's date
                        .owns_descendants = true},
                       kDeadline);
  if (done.succeeded()) return "";
  return fmt::format("weasyprint {}: {}", done.how_it_ended(),
                     text::shortened(text::one_line(done.output), 300));
}

std::string make_pdf(const std::filesystem::path& directory) try {
  const auto pdf = directory / kPdf, draft = directory / fmt::format(".{}.tmp", kPdf);
  std::error_code error;
  if (std::filesystem::exists(pdf)) return "";  // made from this report: a new report removes it
  std::string why = render_pdf(directory / kReport, draft);
  if (why.empty()) std::filesystem::rename(draft, pdf, error);
  if (why.empty() && error) why = "report.pdf: " + error.message();
  if (why.empty()) return rewrite_manifest(directory), "";
  std::filesystem::remove(draft, error);
  return why;
} catch (const std::exception& error) {  // the run's own verdict stays
  return error.what();
}

judge::OtherLimits other_limits(std::vector<record::TextFile> limits,
                                std::optional<std::vector<record::TextFile>> faults) {
  return {.limits = std::move(limits),
          .by = {.run = {},
                 .time = record::utc_now(),
                 .user = record::user_name(),
                 .host = record::host_name(),
                 .command_line = own_command_line(),
                 .programs = {record::this_program("rigproof")}},
          .faults = std::move(faults)};
}

namespace {

compare::RunToCompare judged(const std::string& folder, const std::vector<record::TextFile>& limits) {
  judge::JudgedRun run = judge_by_other_limits(folder, other_limits(limits));
  std::string id = run.measured_run(), started = run.started;
  return {std::move(id), std::move(started), folder, std::move(run)};
}

std::vector<compare::RunToCompare> judged(const std::vector<std::string>& folders,
                                          const std::vector<record::TextFile>& limits) {
  std::vector<compare::RunToCompare> runs;
  for (const std::string& folder : folders) runs.push_back(judged(folder, limits));
  return runs;
}

LimitTable table_of(const std::vector<record::TextFile>& limits, const compare::RunToCompare& run) {
  return LimitTable::read(judge::documents_of(limits), parse_profile(run.record.start.asked.profile),
                          rig_fact_dimensions());
}

bool have_same_texts(const std::vector<record::TextFile>& some, const std::vector<record::TextFile>& others) {
  return std::ranges::equal(some, others, {}, &record::TextFile::text, &record::TextFile::text);
}

}  // namespace

compare::RunToCompare beginning_of(const std::string& folder) {
  compare::RunToCompare run{{}, {}, folder, {}};
  run.record.start = std::get<record::RunStarted>(judge::first_event(folder).body);
  return run;
}

compare::Comparison compare_folders(const std::vector<std::string>& base,
                                    const std::vector<std::string>& candidate,
                                    std::vector<record::TextFile> limits, compare::Look look) {
  if (base.empty() || candidate.empty())
    throw compare::Incomparable(
        "a comparison needs at least one base run and one candidate run: BASE... -- CANDIDATE...");
  std::vector<std::string> folders = base;
  folders.insert(folders.end(), candidate.begin(), candidate.end());
  for (const std::string& folder : folders)
    require_sealed(folder, "To compare it all the same, seal it first: rigproof report " + folder);
  const compare::RunToCompare first = beginning_of(candidate.front());
  const bool chosen = !limits.empty();
  if (!chosen) limits = first.record.start.limits;
  std::size_t others = 0;
  for (const std::string& folder : folders) {
    const compare::RunToCompare run = beginning_of(folder);
    require_comparable(run, first);
    if (have_same_texts(run.record.start.limits, limits)) continue;
    if (!chosen)
      throw compare::Incomparable(
          fmt::format("cannot compare {} with {}: their limits differ. To judge all runs by the same limits: "
                      "--thresholds FILE",
                      printable(folder), printable(first.folder)));
    ++others;
  }
  const LimitTable table = table_of(limits, first);
  if (chosen) {
    supervisor::refuse_rates_of_other_rigs(limits, first.record.start);
    record::RunStarted start = first.record.start;
    start.limits = limits;
    supervisor::check_declared(table, start);
  }
  compare::Comparison comparison = compare_runs(judged(base, limits), judged(candidate, limits), table, look);
  if (others > 0)
    comparison.notes.push_back(fmt::format("{} of {} runs had other limits: all runs are judged by {}",
                                           others, folders.size(), comparison.thresholds_file));
  return comparison;
}

std::size_t compared_in(const std::vector<std::string>& base, const std::vector<record::TextFile>& limits) {
  return compare::compared_figures(judged(base, limits), table_of(limits, beginning_of(base.front())));
}

namespace {

struct ComparisonFile {
  const char* name;
  void (*write)(const compare::Comparison&, std::ostream&);
};
constexpr std::array kComparisonFiles{ComparisonFile{"comparison.json", comparison::write_comparison_json},
                                      ComparisonFile{"comparison.md", markdown::write_comparison_summary},
                                      ComparisonFile{"comparison.txt", terminal::write_comparison_table},
                                      ComparisonFile{"comparison.html", comparison::write_forest}};

}  // namespace

void create_comparison_folder(const std::string& option, const std::filesystem::path& directory) {
  create_folder(option, directory);
  std::vector<std::string> names;
  for (const ComparisonFile& file : kComparisonFiles) names.emplace_back(file.name);
  require_replaceable(directory, names);
}

std::vector<std::filesystem::path> write_comparison(const compare::Comparison& comparison,
                                                    const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> paths;
  for (const ComparisonFile& file : kComparisonFiles) {
    paths.push_back(directory / file.name);
    record::replace_file(paths.back(), [&](std::ostream& out) { file.write(comparison, out); });
  }
  return paths;
}

namespace {

namespace fs = std::filesystem;

void skip(const fs::path& folder, const std::string& why) {
  fmt::print(stderr, "rigproof: skipped {}: {}\n", text::one_line(folder.string()), text::one_line(why));
}

// True for a folder that this user cannot read.
bool is_closed(const fs::path& path) {
  std::error_code none;
  return fs::is_directory(path, none) && faccessat(AT_FDCWD, path.c_str(), R_OK | X_OK, AT_EACCESS) != 0;
}

// Every folder below the stores that has a journal, each once. Skips runs of a gate that are unfinished or set aside, and names
// folders that this user cannot read.
std::vector<fs::path> run_folders(const std::vector<std::string>& stores) {
  std::vector<fs::path> folders;
  for (const std::string& store : stores) {
    if (is_closed(store)) throw supervisor::Refused(printable(store) + ": Permission denied");
    std::error_code error;
    fs::recursive_directory_iterator entries(store, error);
    if (error) throw supervisor::Refused(fmt::format("{}: {}", printable(store), error.message()));
    for (const fs::recursive_directory_iterator end; entries != end; entries.increment(error)) {
      if (error) throw supervisor::Refused(fmt::format("{}: {}", printable(store), error.message()));
      const std::string name = entries->path().filename();
      const bool is_left_out = name == "unfinished" || name.starts_with("cut-off-");
      const bool is_skipped = !is_left_out && is_closed(entries->path());
      if (is_skipped) skip(entries->path(), "Permission denied");
      if (is_left_out || is_skipped) entries.disable_recursion_pending();
      if (entries->path().filename() == "journal.jsonl")
        folders.push_back(fs::weakly_canonical(entries->path().parent_path()));
    }
  }
  std::ranges::sort(folders);
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  return folders;
}

// Link from a page in `out` to the report.
std::string link_to(const fs::path& folder, const fs::path& out) {
  if (!fs::exists(folder / "report.html")) return "";
  const std::string path = fs::proximate(folder / "report.html", out).generic_string();
  std::string link;
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/._-~").find(c) != std::string_view::npos;
    link += plain ? std::string(1, c)
                  : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return link;
}

std::optional<history::Run> read(const fs::path& folder, const fs::path& out) try {
  manifest::require_sealed_journal(folder);
  const judge::JudgedRun run = judge::open_run(folder);
  if (run.is_judged_again())
    return skip(folder, "judged again: its samples are those of another run"), std::nullopt;
  return history::run_of(run, link_to(folder, out));
} catch (const std::exception& error) {
  skip(folder, error.what());
  return {};
}

}  // namespace

WrittenHistory write_history(const std::vector<std::string>& stores, const fs::path& out) {
  const fs::path folder = fs::weakly_canonical(fs::absolute(out));
  std::vector<history::Run> runs;
  std::map<std::pair<std::string, std::string>, fs::path> known;  // (rig, run id) -> folder
  for (const fs::path& each : run_folders(stores)) {
    std::optional<history::Run> run = read(each, folder);
    if (!run) continue;
    const auto [first, is_new] = known.try_emplace({run->rig, run->id}, each);
    if (is_new)
      runs.push_back(*std::move(run));
    else
      skip(each, fmt::format("a copy of {}: a run counts once", first->second.string()));
  }
  if (runs.empty())
    throw supervisor::Refused(
        "no run could be read: a store is a folder with folders of runs (journal.jsonl) in it");
  const std::size_t count = runs.size();
  const std::vector<history::History> histories = history::histories_of(std::move(runs));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw supervisor::Refused(
        fmt::format("{}: cannot create the folder: {}", printable(out.string()), error.message()));
  std::set<std::string> rigs;
  for (const history::History& history : histories) rigs.insert(history.rig);
  const WrittenHistory written{count, rigs.size(), folder / "history.html", folder / "history.csv"};
  require_replaceable(folder, {"history.html", "history.csv"});
  record::replace_file(written.page, [&](std::ostream& page) { write_history_page(histories, page); });
  record::replace_file(written.table, [&](std::ostream& file) { write_history_csv(histories, file); });
  return written;
}

}  // namespace rigproof::cli
