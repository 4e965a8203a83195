#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/judge/judged_run.h"
#include "reports/manifest/manifest.h"

namespace rigproof::cli {

// Signatures under a run, made and checked by OpenSSH's ssh-keygen: files of keys, agents and hardware keys work. What is
// signed is DIR/evidence.txt: the hashes of the journal, of the limits and the rig in it, of every report and of the in-toto
// statement. Each key has its own file in DIR/signatures, so several may sign the same.

inline constexpr const char* kSignedName = "evidence.txt";
inline constexpr const char* kStatementName = "evidence.intoto.json";
inline constexpr const char* kSignatures = "signatures";
inline constexpr const char* kNamespace = "rigproof-evidence";

// Why a file that is there cannot be read; empty: it can.
[[nodiscard]] std::string why_unreadable(const std::filesystem::path& file);

// The text that is signed for a folder as it is now. `files`: of its manifest. A statement that cannot be read counts as the
// signed one: it is a fault of its own.
[[nodiscard]] std::string signed_text(const judge::JudgedRun& run, const manifest::Evidence& evidence,
                                      const std::filesystem::path& directory,
                                      const std::vector<manifest::HashedFile>& files);

// Writes it as DIR/evidence.txt. Throws supervisor::Refused when another one is there that somebody has signed, or
// when that cannot be read.
void write_signed_text(const std::filesystem::path& directory, const std::string& text);

// Why DIR/evidence.txt does not describe the folder as it is now; empty: it does.
[[nodiscard]] std::string fault_of_signed_text(const std::filesystem::path& directory,
                                               const std::string& text_now);

// Why DIR/evidence.intoto.json cannot be read, or does not say what the record does; empty: it does, or there is none.
[[nodiscard]] std::string fault_of_statement(const std::filesystem::path& directory,
                                             const std::string& statement_now);

// Throws supervisor::Refused, before anything is written, for what is no key and for what stands in the way of a signature.
void require_signable(const std::filesystem::path& directory, const std::filesystem::path& key);

// Signs DIR/evidence.txt with a private key, or with the public key of one that an agent or a hardware key holds. Returns
// where the signature lies. Throws supervisor::Refused with what ssh-keygen says.
std::filesystem::path sign(const std::filesystem::path& directory, const std::filesystem::path& key);

// One line of what was checked: a fault, or empty.
struct SignatureCheck {
  std::string what, fault;
};
// Whether the folder as it is now is what was signed, and every signature in it is by a key that `signers` (a file as
// ssh-keygen's ALLOWED SIGNERS describes it) names. A folder without a signature is a fault, too.
[[nodiscard]] std::vector<SignatureCheck> check_signatures(const std::filesystem::path& directory,
                                                           const std::filesystem::path& signers,
                                                           const std::string& text_now);

// Throws supervisor::Refused where the folder may not be read: nobody can say whether there are any.
[[nodiscard]] std::vector<std::filesystem::path> signatures_in(const std::filesystem::path& directory);

}  // namespace rigproof::cli
