#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "framework/judge/judged_run.h"
#include "reports/manifest/manifest.h"

namespace rigproof::cli {

// Signatures of a run, made and checked by OpenSSH's ssh-keygen: key files, agents and hardware keys work. The signed
// text is DIR/evidence.txt: hashes of the journal, of its limits and rig, of every report and of the in-toto
// statement. Each key has its own file in DIR/signatures, so several keys can sign the same text. ssh-keygen reads
// only private copies, so it signs and checks exactly the bytes that this program has in memory.

inline constexpr const char* kSignedName = "evidence.txt";
inline constexpr const char* kStatementName = "evidence.intoto.json";
inline constexpr const char* kSignatures = "signatures";
inline constexpr const char* kNamespace = "rigproof-evidence";

// A file, read once: its bytes, or the reason why there are none.
struct ReadText {
  std::string bytes, fault;
  [[nodiscard]] bool is_there() const { return fault != "missing"; }
};

// All files that signing leaves in a folder.
struct SignedParts {
  ReadText text, statement;
  std::vector<std::pair<std::string, ReadText>> signatures;  // by their names in the folder
  // The statement's hash for signed_text(); empty: no statement. For an unreadable statement the signed hash counts:
  // a separate check reports that fault.
  [[nodiscard]] std::string statement_sha256() const;
};
// Throws supervisor::Refused if the signatures cannot be listed.
[[nodiscard]] SignedParts read_signed_parts(const std::filesystem::path& directory);

// The text that is signed. `files`: lines of the manifest.
[[nodiscard]] std::string signed_text(const judge::JudgedRun& run, const std::string& evidence_sha256,
                                      const std::string& statement_sha256,
                                      const std::vector<manifest::HashedFile>& files);

// The reason why the signed text is none of `texts_now`, which describe the folder; empty: it is one.
[[nodiscard]] std::string fault_of_signed_text(const SignedParts& parts,
                                               const std::vector<std::string>& texts_now);

// The reason why the statement cannot be read or differs from the record; empty: it agrees, or there is none.
[[nodiscard]] std::string fault_of_statement(const SignedParts& parts, const std::string& statement_now);

// Throws supervisor::Refused, before any write, if `key` is not a key or the signature's file cannot be written.
void require_signable(const std::filesystem::path& directory, const std::filesystem::path& key);

// Throws supervisor::Refused if another text was signed before, or if that text cannot be read.
void require_same_text(const SignedParts& parts, const std::filesystem::path& directory,
                       const std::string& text);

// Signs this text with a private key, or with the public key of one in an agent or a hardware key. Checks the
// signature against the text. Does not write into the folder. Throws supervisor::Refused with ssh-keygen's message.
struct Signature {
  std::string name, bytes;  // in DIR/signatures
};
[[nodiscard]] Signature sign(const std::string& text, const std::filesystem::path& key);

// One result of a check: a fault, a note, or neither if all is well.
struct SignatureCheck {
  std::string what, fault = {}, note = {};
};
struct SignersFound {
  std::vector<SignatureCheck> checks;
  std::vector<std::string> by;  // listed signers who have signed
};
// Checks that a key of `signers` (a file as in ssh-keygen's ALLOWED SIGNERS) signed this folder. One such signature
// is enough: other keys' signatures of the text are then only noted, else they are faults.
[[nodiscard]] SignersFound check_signatures(const SignedParts& parts, const std::filesystem::path& signers,
                                            const std::vector<std::string>& texts_now);

// Paths of the signatures. Throws supervisor::Refused if the folder cannot be read: there may be some.
[[nodiscard]] std::vector<std::filesystem::path> signatures_in(const std::filesystem::path& directory);

// Throws supervisor::Refused if the folder has signatures: they do not fit reports with other bytes, nor a PDF that was
// added or removed.
void require_unsigned(const std::filesystem::path& directory);

}  // namespace rigproof::cli
