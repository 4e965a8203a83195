#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "framework/judge/judged_run.h"
#include "reports/manifest/manifest.h"

namespace rigproof::cli {

// Signatures under a run, made and checked by OpenSSH's ssh-keygen: files of keys, agents and hardware keys work. What is
// signed is DIR/evidence.txt: the hashes of the journal, of the limits and the rig in it, of every report and of the in-toto
// statement. Each key has its own file in DIR/signatures, so several may sign the same. ssh-keygen reads only private copies:
// what it signs or checks is what this program has in memory.

inline constexpr const char* kSignedName = "evidence.txt";
inline constexpr const char* kStatementName = "evidence.intoto.json";
inline constexpr const char* kSignatures = "signatures";
inline constexpr const char* kNamespace = "rigproof-evidence";

// A file as it was read, once: its bytes, or why there are none.
struct ReadText {
  std::string bytes, fault;
  [[nodiscard]] bool is_there() const { return fault != "missing"; }
};

// All that signing leaves in a folder.
struct SignedParts {
  ReadText text, statement;
  std::vector<std::pair<std::string, ReadText>> signatures;  // by their names in the folder
  // Of the statement, for signed_text(); empty where there is none. One that may not be read counts as the signed one: that is a
  // fault of its own.
  [[nodiscard]] std::string statement_sha256() const;
};
// Throws supervisor::Refused where the signatures may not be listed.
[[nodiscard]] SignedParts read_signed_parts(const std::filesystem::path& directory);

// The text that is signed. `files`: of the manifest.
[[nodiscard]] std::string signed_text(const judge::JudgedRun& run, const std::string& evidence_sha256,
                                      const std::string& statement_sha256,
                                      const std::vector<manifest::HashedFile>& files);

// Why the signed text is none of those that describe the folder; empty: it is one.
[[nodiscard]] std::string fault_of_signed_text(const SignedParts& parts,
                                               const std::vector<std::string>& texts_now);

// Why the statement cannot be read, or does not say what the record does; empty: it does, or there is none.
[[nodiscard]] std::string fault_of_statement(const SignedParts& parts, const std::string& statement_now);

// Throws supervisor::Refused, before anything is written, for what is no key and for what stands in the way of a signature.
void require_signable(const std::filesystem::path& directory, const std::filesystem::path& key);

// Throws supervisor::Refused where somebody has signed another text, or that cannot be read.
void require_same_text(const SignedParts& parts, const std::filesystem::path& directory,
                       const std::string& text);

// Signs this text with a private key, or with the public key of one that an agent or a hardware key holds; writes nothing into the
// folder. The signature was checked against the text. Throws supervisor::Refused with what ssh-keygen says.
struct Signature {
  std::string name, bytes;  // in DIR/signatures
};
[[nodiscard]] Signature sign(const std::string& text, const std::filesystem::path& key);

// One line of what was checked: a fault; or a note; or neither, all is well.
struct SignatureCheck {
  std::string what, fault = {}, note = {};
};
struct SignersFound {
  std::vector<SignatureCheck> checks;
  std::vector<std::string> by;  // those who are listed and have signed
};
// Whether the folder is what was signed by a key that `signers` (a file as ssh-keygen's ALLOWED SIGNERS describes it) names. One
// such signature is enough: those of others, which fit the text, too, are noted. Without any it is a fault.
[[nodiscard]] SignersFound check_signatures(const SignedParts& parts, const std::filesystem::path& signers,
                                            const std::vector<std::string>& texts_now);

// Throws supervisor::Refused where the folder may not be read: nobody can say whether there are any.
[[nodiscard]] std::vector<std::filesystem::path> signatures_in(const std::filesystem::path& directory);

}  // namespace rigproof::cli
