#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/report_files.h"
#include "framework/cli/signature.h"
#include "framework/judge/run_judge.h"
#include "framework/record/files.h"
#include "framework/record/journal.h"
#include "framework/record/run_identity.h"
#include "framework/supervisor/exit_code.h"
#include "framework/units/printable.h"
#include "reports/manifest/manifest.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::cli {
namespace {

constexpr int kExitNotIntact = 1;

// As a person types it from a page, and as programs of other systems print it, in capitals.
std::string checked_hash(const std::string& text) {
  std::string hash = lower_case(text);
  if (!hash.empty() && (hash.size() != 64 || hash.find_first_not_of("0123456789abcdef") != hash.npos))
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

// A commit says nothing of a checkout with changes, or without git: then the program's own hash does.
bool is_same_build(const record::Program& a, const record::Program& b) {
  const bool vague = a.commit == "unknown" || a.commit.ends_with("-dirty");
  return a.version == b.version && a.commit == b.commit && (!vague || a.sha256 == b.sha256);
}

std::string describe(const record::Program& program) {
  return fmt::format("rigproof {}, commit {}", text::one_line(program.version),
                     text::one_line(program.commit));
}

// Compares a run's folder with its manifest, the manifest with what the journal makes, and all of it with the
// hash of a signed page.
class Verification {
 public:
  explicit Verification(const VerifyArguments& arguments)
      : directory_(arguments.directory), manifest_(manifest::read_manifest(directory_)) {}

  int run(const std::string& signed_hash, const std::string& signers, bool is_to_be_signed = false) {
    for (const manifest::HashedFile& file : manifest_) check(file.name, manifest::fault_of(directory_, file));
    check_what_was_added();
    if (!opens_the_journal()) return conclude();
    check_against_the_journal();
    if (!signed_hash.empty())
      check("the signed hash",
            signed_hash == evidence_.hash
                ? ""
                : fmt::format("is {}, but this folder's is {}", text::one_line(signed_hash), evidence_.hash));
    if (!is_to_be_signed) check_what_signing_left(signers);
    if (!signers.empty())
      for (const SignatureCheck& one : check_signatures(directory_, signers, text_to_sign()))
        check(one.what, one.fault);
    else if (const auto signatures = signatures_in(directory_); !signatures.empty())
      fmt::print("NOTE     {} in {} not checked: give --signers FILE\n",
                 signatures.size() == 1 ? "the signature" : "the signatures", kSignatures);
    if (faults_ == 0) fmt::print("{}\n", text::verdict_line(run_));
    fmt::print("evidence SHA-256 {}\n", evidence_.hash);
    return conclude();
  }

  // After run() has found it intact.
  [[nodiscard]] std::string text_to_sign() const {
    return signed_text(run_, evidence_, directory_, manifest_);
  }
  // One that is there before the first signature is nobody's; later it is signed, and so must say what the record does,
  // whoever wrote it.
  void write_statement() const {
    const std::string statement = manifest::statement_of(run_, evidence_);
    if (signatures_in(directory_).empty())
      return record::replace_file(directory_ / kStatementName, statement);
    if (const std::string fault = fault_of_statement(directory_, statement); !fault.empty())
      throw supervisor::Refused(fmt::format("{}: {}: remove {}, then sign again",
                                            (directory_ / kStatementName).string(), fault,
                                            (directory_ / kSignatures).string()));
  }

 private:
  int conclude() const {
    fmt::print("{}\n",
               faults_ == 0
                   ? "INTACT"
                   : fmt::format("NOT INTACT: {} fault{}: what this folder says of the rig is not proven",
                                 faults_, faults_ == 1 ? "" : "s"));
    return faults_ == 0 ? 0 : kExitNotIntact;
  }

  // One that cannot be read is a fault of the folder: its manifest says that there was one.
  bool opens_the_journal() try {
    run_ = judge::open_run(directory_);
    return true;
  } catch (const record::JournalError& error) {
    check("the record", text::one_line(error.what()));
    return false;
  }

  void check(const std::string& what, const std::string& fault) {
    fmt::print("{:<8} {}{}{}\n", fault.empty() ? "OK" : "FAULT", text::one_line(what),
               fault.empty() ? "" : ": ", fault);
    faults_ += fault.empty() ? 0 : 1;
  }

  // Whoever opens the folder takes a report or a log in it for the run's own.
  void check_what_was_added() {
    const FilesThere there = files_there(directory_);
    for (const std::string& name : there.of_the_run)
      if (manifest::find(manifest_, name) == nullptr)
        check(name, "is not in the manifest: it was added after the folder was sealed. Remove it");
    for (const std::string& name : there.others)
      if (name != kSignedName && name != kStatementName && name != kSignatures)
        fmt::print("NOTE     {} is not part of the run: not checked\n", text::one_line(name));
  }

  // Another build of this program may write other reports of the same journal: then only the manifest and the report's own
  // mark speak.
  void check_against_the_journal() {
    const Rebuilt rebuilt = rebuild_hashes(run_, directory_);
    const record::Program maker = maker_of(run_), here = record::this_program("rigproof");
    const bool same_build = same_build_ = is_same_build(maker, here);
    std::vector<manifest::HashedFile> listed;
    for (const manifest::HashedFile& file : rebuilt.evidence.files) {
      const manifest::HashedFile* entry = manifest::find(manifest_, file.name);
      check_entry(file, entry, same_build);
      listed.push_back(entry == nullptr ? file : *entry);
    }
    evidence_ = manifest::evidence_of(std::move(listed));
    check_entry(rebuilt.report, manifest::find(manifest_, rebuilt.report.name), same_build);
    if (!same_build) {
      fmt::print(
          "NOTE     made by another build ({}; this is {}): reports are not made again, only hashes are "
          "checked\n",
          describe(maker), describe(here));
      check("report.html", carries_the_hash() ? "" : "does not carry the hash of this evidence");
    }
  }

  // Neither is in the manifest, which was there before anybody signed; both are read in place of the record.
  void check_what_signing_left(const std::string& signers) {
    std::error_code none;
    const std::filesystem::path statement = directory_ / kStatementName;
    if ((same_build_ || !why_unreadable(statement).empty()) &&
        std::filesystem::is_regular_file(statement, none))
      check(kStatementName, fault_of_statement(directory_, manifest::statement_of(run_, evidence_)));
    const bool is_there =
        std::filesystem::exists(std::filesystem::symlink_status(directory_ / kSignedName, none));
    if (same_build_ && signers.empty() && (is_there || !signatures_in(directory_).empty()))
      check(kSignedName, fault_of_signed_text(directory_, text_to_sign()));
  }

  void check_entry(const manifest::HashedFile& made, const manifest::HashedFile* entry, bool same_build) {
    if (entry == nullptr)
      check(manifest::kManifestName, fmt::format("does not list {}", made.name));
    else if (same_build && entry->sha256 != made.sha256)
      check(made.name, "differs from the report rebuilt from journal.jsonl");
  }

  [[nodiscard]] bool carries_the_hash() const {
    std::error_code none;  // of a pipe a reader would wait, of a device read for ever
    if (!std::filesystem::is_regular_file(directory_ / "report.html", none)) return false;
    std::ostringstream text;
    text << std::ifstream(directory_ / "report.html", std::ios::binary).rdbuf();
    return text.view().find(fmt::format("name=\"rigproof-evidence\" content=\"{}\"", evidence_.hash)) !=
           std::string_view::npos;
  }

  std::filesystem::path directory_;
  std::vector<manifest::HashedFile> manifest_;
  judge::JudgedRun run_;
  manifest::Evidence evidence_;
  bool same_build_ = false;  // as made the reports
  int faults_ = 0;
};

// What is not intact is not signed: nobody could tell later what it was.
int sign_folder(const SignArguments& arguments) {
  Verification folder({arguments.directory, {}, {}});
  if (folder.run({}, {}, true) != 0) {
    fmt::print(stderr, "nothing was signed: {} does not match its manifest\n", arguments.directory);
    return kExitNotIntact;
  }
  const std::filesystem::path directory = arguments.directory;
  require_signable(directory, arguments.key);
  folder.write_statement();
  write_signed_text(directory, folder.text_to_sign());
  fmt::print(stderr, "signing {} (a hardware key may want to be touched)\n",
             (directory / kSignedName).string());
  try {
    fmt::print("signed: {}\n", sign(directory, arguments.key).string());
  } catch (...) {
    std::error_code none;
    if (signatures_in(directory).empty())  // a text that nobody signed is no evidence
      for (const char* name : {kSignedName, kStatementName}) std::filesystem::remove(directory / name, none);
    throw;
  }
  return 0;
}

}  // namespace

Command add_sign_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("sign", "Sign a run's folder with a key of OpenSSH");
  const auto arguments = std::make_shared<SignArguments>();
  app->add_option("DIR", arguments->directory, "The folder of a run")->required();
  app->add_option("--key", arguments->key,
                  "A private key, or the public key of one that an agent or a hardware key holds")
      ->required();
  app->footer("Exit codes: 0 signed; 1 the folder is not intact; 2 error: nothing was signed.");
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
         "Who may sign: a file as ssh-keygen's ALLOWED SIGNERS describes it; a folder that none of them has "
         "signed is not intact")
      ->check(not_empty);
  app->footer("Exit codes: 0 intact; 1 not intact; 2 error: nothing could be checked.");
  return {app, [arguments] {
            return Verification(*arguments).run(checked_hash(arguments->evidence), arguments->signers);
          }};
}

}  // namespace rigproof::cli
