#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/report_files.h"
#include "framework/cli/sealed_folder.h"
#include "framework/cli/signature.h"
#include "framework/judge/run_judge.h"
#include "framework/process/temporary_folder.h"
#include "framework/record/files.h"
#include "framework/record/journal.h"
#include "framework/record/run_identity.h"
#include "framework/supervisor/exit_code.h"
#include "framework/units/printable.h"
#include "framework/units/shell_words.h"
#include "reports/manifest/manifest.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::cli {
namespace {

// Exit codes of `rigproof verify`. From kExitNotRebuilt on, there is no fault, but something was not checked; if
// several apply, the first counts.
enum VerifyExit : int {
  kExitIntact = 0,
  kExitNotIntact = 1,
  kExitNotRebuilt = 3,
  kExitPdfNotChecked = 4,
  kExitLogsNotChecked = 5,
};

// Accepts capitals: people type them from a page, and programs of other systems print them.
std::string checked_hash(const std::string& text) {
  std::string hash = lower_case(text);
  if (!hash.empty() && !manifest::is_digest(hash))
    throw supervisor::Refused(
        fmt::format("--evidence {}: not a SHA-256 of 64 digits", text::shortened(text::one_line(text), 100)));
  return hash;
}

struct VerifyArguments {
  std::string directory, evidence, signers;
};
struct SignArguments {
  std::string directory, key;
};

// The program that made the reports: the last one that wrote into the record.
record::Program maker_of(const judge::JudgedRun& run) {
  const std::vector<record::Program>& programs = run.start.again       ? run.start.again->programs
                                                 : run.resumed.empty() ? run.start.programs
                                                                       : run.resumed.back().by.programs;
  return programs.empty() ? record::Program{} : programs.front();
}

// The commit does not identify a checkout with changes, or without git: then the program's own hash must match.
bool is_same_build(const record::Program& a, const record::Program& b) {
  const bool vague = a.commit == "unknown" || a.commit.ends_with("-dirty");
  return a.version == b.version && a.commit == b.commit && (!vague || a.sha256 == b.sha256);
}

std::string describe(const record::Program& program) {
  return fmt::format("rigproof {}, commit {}", text::one_line(program.version),
                     text::one_line(program.commit));
}

// "2026-11-20T18:15:02.123Z, 7 days ago"
std::string time_and_age(const std::string& time) {
  const double days = record::seconds_between(time, record::utc_now()) / 86400;
  return fmt::format("{}, {}", text::one_line(time),
                     days < 1 ? "less than a day ago" : fmt::format("{:.0f} days ago", std::floor(days)));
}

// Compares a run's folder, as it was read, with its manifest, its record, and the hash of a signed page or
// signatures. Reports INTACT only for a folder that was checked completely.
class Verification {
 public:
  explicit Verification(const VerifyArguments& arguments)
      : directory_(arguments.directory), folder_(directory_), signed_(read_signed_parts(directory_)) {}

  // Prints what it finds and returns the exit code.
  int run(const std::string& page_hash, const std::string& signers, bool is_to_be_signed = false) {
    rebuild();
    check_page(page_hash);
    if (has_record_)
      check_signers(signers, is_to_be_signed);
    else if (!signers.empty())
      line("NOTE", "the signatures are not checked", "the record cannot be read");
    check_files();
    check_what_was_added();
    print_head();
    for (const std::string& line : lines_) fmt::print("{}\n", line);
    if (faults_ == 0 && has_record_) fmt::print("{}\n", text::verdict_line(run_));
    if (!evidence_.hash.empty()) fmt::print("evidence SHA-256 {}\n", evidence_.hash);
    return conclude();
  }

  // Call only after run() has found no fault.
  [[nodiscard]] std::string statement() const { return manifest::statement_of(run_, evidence_); }
  [[nodiscard]] std::string text_to_sign(const std::string& statement_sha256) const {
    return signed_text(run_, evidence_.hash, statement_sha256, folder_.manifest());
  }
  [[nodiscard]] const SignedParts& signed_parts() const { return signed_; }

 private:
  // An unreadable journal is a fault, because the manifest requires a journal. A journal of another format is not.
  bool opens_the_journal() try {
    if (manifest::find(folder_.manifest(), manifest::kJournalName) == nullptr)
      check(manifest::kManifestName, "does not list journal.jsonl");
    run_ = judge::open_run(folder_.copy());
    return has_record_ = true;
  } catch (const record::JournalError& error) {
    std::string why = text::one_line(error.what());
    if (why.starts_with(folder_.copy().string()))
      why = directory_.string() + why.substr(folder_.copy().string().size());
    if (why.ends_with(record::kUseItsWriter)) {
      line("NOTE", "the record", why);
      not_rebuilt_ = "the record is of another build and cannot be read";
    } else {
      check("the record", why);
    }
    return false;
  }

  // Makes the reports from the record again, if this build made the reports in the folder.
  void rebuild() {
    std::vector<manifest::HashedFile> listed;
    for (const manifest::HashedFile& file : folder_.manifest())
      if (manifest::is_evidence(file.name)) listed.push_back(file);
    const record::Program here = record::this_program("rigproof");
    if (opens_the_journal() && is_same_build(maker_of(run_), here)) {
      Rebuilt rebuilt = rebuild_hashes(run_, std::move(listed));
      evidence_ = std::move(rebuilt.evidence);
      rebuilt_ = std::move(rebuilt.reports);
      return;
    }
    if (has_record_)
      not_rebuilt_ = fmt::format("another build made the reports ({}; this is {})", describe(maker_of(run_)),
                                 describe(here));
    former_hash_ = manifest::evidence_of(first_reports(listed)).hash;
    carries_former_hash_ = folder_.carried_hash() == former_hash_;
    evidence_ = manifest::evidence_of(std::move(listed), folder_.blank_report());
  }

  // The lines that former builds hashed: the journal and the reports made from it alone.
  static std::vector<manifest::HashedFile> first_reports(std::vector<manifest::HashedFile> files) {
    std::erase_if(files,
                  [](const manifest::HashedFile& file) { return file.name.find('/') != file.name.npos; });
    return files;
  }

  void check_page(const std::string& hash) {
    if (hash.empty()) return;
    is_page_ = hash == evidence_.hash;
    if (!is_page_ && carries_former_hash_ && hash == former_hash_) {
      proof_ = "the journal, and the reports made from it alone, have that hash";
      return line("NOTE", "the signed hash",
                  "has the form of former builds: it covers journal.jsonl and the reports made from it "
                  "alone, not report.html, facts and logs");
    }
    check(
        "the signed hash",
        is_page_ ? "" : fmt::format("is {}, but this folder's is {}", text::one_line(hash), evidence_.hash));
    if (is_page_) proof_ = "the folder of that hash";
  }

  void check_signers(const std::string& signers, bool is_to_be_signed) {
    std::vector<std::string> texts{text_to_sign(signed_.statement_sha256())};
    if (carries_former_hash_)
      texts.push_back(signed_text(run_, former_hash_, signed_.statement_sha256(), folder_.manifest()));
    if (!is_to_be_signed && (not_rebuilt_.empty() || !signed_.statement.fault.empty()))
      if (signed_.statement.is_there()) check(kStatementName, fault_of_statement(signed_, statement()));
    if (!signers.empty()) {
      SignersFound found = check_signatures(signed_, signers, texts);
      for (const SignatureCheck& one : found.checks)
        one.note.empty() ? check(one.what, one.fault) : line("NOTE", one.what, one.note);
      signers_ = std::move(found.by);
      if (!signers_.empty()) proof_ = fmt::format("signed by {}", fmt::join(signers_, ", "));
      return;
    }
    if (!is_to_be_signed && not_rebuilt_.empty() && (signed_.text.is_there() || !signed_.signatures.empty()))
      check(kSignedName, fault_of_signed_text(signed_, texts));
    if (!signed_.signatures.empty())
      line("NOTE",
           fmt::format("{} in {} not checked",
                       signed_.signatures.size() == 1 ? "the signature" : "the signatures", kSignatures),
           "give --signers FILE");
  }

  // Checks every line of the manifest, and every file that the record lists.
  void check_files() {
    for (const SealedFolder::File& file : folder_.files()) {
      if (!file.fault.empty())
        check(file.name, file.fault);
      else if (!has_record_)
        line("HASHED", file.name, "");
      else
        check_file(file);
    }
    for (const auto& [name, hash] : run_.files)
      if (!folder_.lists(name)) check(name, "the record has its hash, but it is not in the manifest");
    const std::vector<manifest::HashedFile> at_least{{manifest::kReportName, {}}};
    for (const manifest::HashedFile& report : rebuilt_.empty() ? at_least : rebuilt_)
      if (!folder_.lists(report.name))
        check(manifest::kManifestName, fmt::format("does not list {}", report.name));
  }

  void check_file(const SealedFolder::File& file) {
    if (const std::string fault = file.stated.fault(run_); !fault.empty()) return check(file.name, fault);
    if (file.name == manifest::kJournalName) return check(file.name, "");
    if (file.name == manifest::kPdfName) return check_pdf(file);
    if (file.name.starts_with("facts/") || file.name.starts_with("logs/")) return check_kept(file);
    if (not_rebuilt_.empty()) {
      const manifest::HashedFile* made = manifest::find(rebuilt_, file.name);
      return check(file.name, made == nullptr ? "not a file that a run seals: remove the file and its line"
                              : made->sha256 == file.sha256
                                  ? ""
                                  : "differs from the report rebuilt from journal.jsonl");
    }
    if (file.name == manifest::kReportName && !carries_former_hash_ &&
        folder_.carried_hash() != evidence_.hash)
      return check(file.name, "does not carry the hash of this evidence");
    line("HASHED", file.name,
         file.stated.any() ? "states the verdict as it is judged here; the rest was not rebuilt"
                           : "not rebuilt");
  }

  void check_kept(const SealedFolder::File& file) {
    const auto known = run_.files.find(file.name);
    if (known != run_.files.end())
      return check(file.name,
                   known->second == file.sha256 ? "" : "is not the file whose hash the record has");
    if (is_page_ || !signers_.empty()) return check(file.name, "");
    line("HASHED", file.name, "the record has no hash of it");
    ++logs_;
  }

  // A PDF is proven by a signature, or if a proven report gives the same PDF again.
  void check_pdf(const SealedFolder::File& file) {
    if (!signers_.empty()) return check(file.name, "");
    const manifest::HashedFile* report = manifest::find(folder_.manifest(), manifest::kReportName);
    const manifest::HashedFile* made = manifest::find(rebuilt_, manifest::kReportName);
    if (!not_rebuilt_.empty())
      pdf_ = "report.html was not rebuilt";
    else if (report == nullptr || made == nullptr || report->sha256 != made->sha256)
      pdf_ = "report.html differs from the one rebuilt from the record";
    else
      pdf_ = why_other_pdf(file.sha256);
    if (pdf_.empty()) return check(file.name, "");
    line("HASHED", file.name, pdf_);
  }

  [[nodiscard]] std::string why_other_pdf(const std::string& sha256) const {
    const std::filesystem::path pdf = folder_.copy() / manifest::kPdfName;
    if (std::string why = render_pdf(folder_.copy() / manifest::kReportName, pdf); !why.empty()) return why;
    return record::sha256_of_file(pdf) == sha256
               ? ""
               : "rebuilt here from report.html it has other bytes: another version of WeasyPrint wrote the "
                 "file, or it was changed";
  }

  // A reader would take an added report or log for one of the run.
  void check_what_was_added() {
    const FilesThere there = files_there(directory_);
    for (const std::string& name : there.of_the_run)
      if (!folder_.lists(name))
        check(name, "is not in the manifest: it was added after the folder was sealed. Remove it");
    std::vector<std::string> own = names_of_a_run();
    own.insert(own.end(),
               {manifest::kManifestName, kSignedName, kStatementName, kSignatures, "facts", "logs"});
    for (const std::string& name : there.others) {
      if (name == kSignedName || name == kStatementName || name == kSignatures) continue;
      const auto twin = std::ranges::find(own, lower_case(name));
      if (twin != own.end())
        check(name, fmt::format("not part of the run, but on file systems that ignore capitals it has the "
                                "name of {}. Remove it",
                                *twin));
      else
        line("NOTE", name, "is not part of the run: not checked");
    }
  }

  void check(const std::string& what, const std::string& fault) {
    line(fault.empty() ? "OK" : "FAULT", what, fault);
    faults_ += fault.empty() ? 0 : 1;
  }
  void line(const char* word, const std::string& what, const std::string& more) {
    lines_.push_back(fmt::format("{:<8} {}{}{}", word, text::one_line(what), more.empty() ? "" : ": ", more));
  }

  void print_head() const {
    if (!has_record_) return;
    fmt::print("run      {} on rig {}: measured from {}, by {} on {}, as its record says\n",
               text::one_line(run_.measured_run()), text::one_line(run_.start.rig),
               time_and_age(run_.started), text::one_line(run_.start.user), text::one_line(run_.start.host));
    if (run_.is_judged_again())
      fmt::print("judged   again {}, by {}\n", time_and_age(run_.start.again->time),
                 text::one_line(run_.start.again->user));
    fmt::print("signed   {}\n", !signers_.empty()            ? fmt::format("by {}", fmt::join(signers_, ", "))
                                : signed_.signatures.empty() ? "no"
                                                             : "not checked (give --signers FILE)");
  }

  // Prints the last lines and returns the exit code. INTACT refers to the whole folder.
  int conclude() const {
    if (faults_ > 0) {
      fmt::print("NOT INTACT: {} fault{}: the statements of this folder about the rig are not proven\n",
                 faults_, faults_ == 1 ? "" : "s");
      return kExitNotIntact;
    }
    int code = kExitIntact;
    const auto leave_open = [&](int exit, const std::string& words) {
      fmt::print("{}\n", words);
      if (code == kExitIntact) code = exit;
    };
    if (!not_rebuilt_.empty())
      leave_open(
          kExitNotRebuilt,
          fmt::format("NOT REBUILT: {}: only that build can check them against the record", not_rebuilt_));
    if (!pdf_.empty()) leave_open(kExitPdfNotChecked, fmt::format("PDF NOT CHECKED: {}", pdf_));
    if (logs_ > 0)
      leave_open(kExitLogsNotChecked,
                 fmt::format("LOGS NOT CHECKED: the record has no hash of {} file{} among facts and logs",
                             logs_, logs_ == 1 ? "" : "s"));
    fmt::print("{}{}\n", code == kExitIntact ? "INTACT: " : "NOTE     ",
               proof_.empty() ? "consistent in itself, but not proven to be the folder that was sealed: give "
                                "--evidence HASH, from the signed page, or --signers FILE"
                              : proof_);
    return code;
  }

  std::filesystem::path directory_;
  SealedFolder folder_;
  SignedParts signed_;
  judge::JudgedRun run_;
  bool has_record_ = false;
  std::vector<manifest::HashedFile> rebuilt_;  // by this build; empty if another build made the reports
  manifest::Evidence evidence_;
  std::string former_hash_;  // the hash as former builds made it
  bool carries_former_hash_ = false;
  bool is_page_ = false;              // the given hash is this folder's
  std::vector<std::string> signers_;  // listed signers who have signed
  std::string proof_;                 // what proves that this is the sealed folder
  std::vector<std::string> lines_;
  std::string not_rebuilt_, pdf_;  // the reason why not; empty: it was
  std::size_t logs_ = 0;           // files without a hash in the record
  int faults_ = 0;
};

// Returns true if the statement must be written: before the first signature, a present one does not count. Later it
// is signed, and must agree with the record.
bool require_statement(const SignedParts& parts, const std::filesystem::path& directory,
                       const std::string& statement) {
  if (parts.signatures.empty()) return true;
  if (const std::string fault = fault_of_statement(parts, statement); !fault.empty())
    throw supervisor::Refused(fmt::format("{}: {}: remove {}, then sign again",
                                          (directory / kStatementName).string(), fault,
                                          (directory / kSignatures).string()));
  return false;
}

// Signs only what is intact and was checked: nobody could tell later what was signed.
int sign_folder(const SignArguments& arguments) {
  Verification folder({arguments.directory, {}, {}});
  const std::filesystem::path directory = arguments.directory;
  if (const int code = folder.run({}, {}, true); code != kExitIntact) {
    fmt::print(stderr, "nothing was signed: {} {}\n", arguments.directory,
               code == kExitNotIntact ? "does not match its manifest" : "was not checked completely");
    if (code == kExitPdfNotChecked)
      fmt::print(stderr, "to make {} again here, which sign can then check: rigproof report {}\n",
                 manifest::kPdfName, shell_quoted(arguments.directory));
    return code;
  }
  require_signable(directory, arguments.key);
  const SignedParts& before = folder.signed_parts();
  const std::string statement = folder.statement();
  const bool is_first = require_statement(before, directory, statement);
  const std::string text =
      folder.text_to_sign(is_first ? record::sha256(statement) : before.statement_sha256());
  require_same_text(before, directory, text);
  fmt::print(stderr, "signing {} (touch the hardware key if it blinks)\n",
             (directory / kSignedName).string());
  const Signature signature = sign(text, arguments.key);
  if (is_first) record::replace_file(directory / kStatementName, statement);
  record::replace_file(directory / kSignedName, text);
  std::filesystem::create_directories(directory / kSignatures);
  record::replace_file(directory / kSignatures / signature.name, signature.bytes);
  fmt::print("signed: {}\n", (directory / kSignatures / signature.name).string());
  return kExitIntact;
}

}  // namespace

Command add_sign_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("sign", "Sign a run's folder with an OpenSSH key");
  const auto arguments = std::make_shared<SignArguments>();
  app->add_option("DIR", arguments->directory, "The folder of a run")->required();
  app->add_option("--key", arguments->key,
                  "A private key, or the public key of one that an agent or a hardware key holds")
      ->required();
  app->footer(
      "Exit codes: 0 signed; 1 the folder is not intact; 2 error; 3, 4 or 5 a part of the folder could not "
      "be checked (see rigproof verify). The folder is signed only if the exit code is 0.");
  return {app, [arguments] { return sign_folder(*arguments); }};
}

Command add_verify_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("verify", "Check a run's folder against its manifest");
  const auto arguments = std::make_shared<VerifyArguments>();
  app->add_option("DIR", arguments->directory, "The folder of a run")->required();
  app->add_option("--evidence", arguments->evidence, "The evidence SHA-256 on a signed page")
      ->check(not_empty);
  app->add_option(
         "--signers", arguments->signers,
         "File of allowed signers, in the format that `man ssh-keygen` describes under ALLOWED SIGNERS. A "
         "folder that none of them has signed is not intact; signatures of others are noted")
      ->check(not_empty);
  app->footer(
      "Exit codes: 0 intact: everything was checked; 1 not intact; 2 error: nothing could be checked. No "
      "fault was found, but: 3 another build made the reports, which this build cannot rebuild; 4 report.pdf "
      "could not be rebuilt with the same bytes; 5 the record has no hash of some facts or logs, and neither "
      "--evidence nor --signers vouches for them. Without --evidence and --signers a folder is only checked "
      "against itself.");
  return {app, [arguments] {
            return Verification(*arguments).run(checked_hash(arguments->evidence), arguments->signers);
          }};
}

}  // namespace rigproof::cli
