#include "framework/cli/signature.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "framework/cli/report_files.h"
#include "framework/process/process.h"
#include "framework/process/temporary_folder.h"
#include "framework/record/files.h"
#include "framework/supervisor/exit_code.h"
#include "framework/units/shell_words.h"
#include "reports/text/markup.h"

namespace rigproof::cli {
namespace {

namespace fs = std::filesystem;
using process::Captured;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::minutes kTouchIt{3};  // a hardware key waits for a touch
constexpr std::chrono::seconds kVerifying{20};

constexpr std::size_t kLargestText = 64u << 20, kLargestSignature = 64 << 10;  // many times the usual sizes

Captured ssh_keygen(std::vector<std::string> words, const fs::path& input = {},
                    std::chrono::milliseconds deadline = kVerifying) {
  if (!process::find_program("ssh-keygen"))
    throw supervisor::Refused("ssh-keygen is not installed (apt-get install openssh-client)");
  words.insert(words.begin(), "ssh-keygen");
  process::ProcessSpec spec{.arguments = std::move(words)};
  if (!input.empty()) {
    spec.input = process::ProcessSpec::Input::kFile;
    spec.input_file = input;
  }
  Captured said = process::capture(spec, deadline);
  std::erase(said.output, '\r');
  return said;
}

void require_guarded(const fs::path& key, const Captured& said) {
  if (said.output.find("UNPROTECTED PRIVATE KEY") != said.output.npos)
    throw supervisor::Refused(
        fmt::format("{}: others can read this key: chmod 600 {}", key.string(), shell_quoted(key.string())));
}

// "256 SHA256:abc... comment (ED25519)" -> "SHA256:abc..."
std::string fingerprint_of(const fs::path& public_key) {
  std::error_code none;  // ssh-keygen would wait for a pipe or a device
  if (fs::exists(public_key, none) && !fs::is_regular_file(public_key, none))
    throw supervisor::Refused(fmt::format("{}: not a valid key: not a regular file", public_key.string()));
  const Captured found = ssh_keygen({"-l", "-f", public_key.string()});
  require_guarded(public_key, found);
  std::istringstream words(found.output);
  std::string bits, fingerprint;
  words >> bits >> fingerprint;
  if (!found.succeeded() || !fingerprint.starts_with("SHA256:"))
    throw supervisor::Refused(
        fmt::format("{}: not a valid key: {}", public_key.string(), text::one_line(found.output)));
  return fingerprint;
}

std::string file_name_of(const std::string& fingerprint) {
  std::string name = fingerprint.substr(fingerprint.find(':') + 1);
  std::ranges::replace(name, '/', '_');
  std::ranges::replace(name, '+', '-');
  return name + ".sig";
}

// The purpose of a signature, as stated in it (PROTOCOL.sshsig). nullopt: not a valid signature.
std::optional<std::string> namespace_of(const std::string& signature) {
  std::istringstream lines(signature);
  std::string base64, bytes;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("-----")) base64 += line;
  std::uint32_t bits = 0;
  int have = 0;
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (const char c : base64) {
    const auto digit = kDigits.find(c);
    if (digit == kDigits.npos) break;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((have += 6) >= 8) bytes += static_cast<char>(bits >> (have -= 8) & 0xff);
  }
  std::string_view rest = bytes;
  constexpr std::string_view kMagic = "SSHSIG";
  if (!rest.starts_with(kMagic)) return std::nullopt;
  rest.remove_prefix(std::min(rest.size(), kMagic.size() + 4));  // and the version
  const auto next = [&]() -> std::optional<std::string> {
    if (rest.size() < 4) return std::nullopt;
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(rest[i]);
    if (rest.size() - 4 < size) return std::nullopt;
    std::string part(rest.substr(4, size));
    rest.remove_prefix(4 + size);
    return part;
  };
  if (!next()) return std::nullopt;  // the key
  return next();
}

// Entries of a signed text: name -> hash.
std::map<std::string, std::string> entries_of(const std::string& text) {
  std::map<std::string, std::string> entries;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const auto gap = line.find("  "); gap != line.npos)
      entries[line.substr(gap + 2)] = line.substr(0, gap);
  return entries;
}

constexpr std::string_view kHeader = "Rigproof evidence 1\n", kLimits = "limits ", kRig = "rig ";

std::string difference_of(const std::string& name) {
  if (name.starts_with(kLimits))
    return fmt::format("the limits of {} are not those that were signed", name.substr(kLimits.size()));
  if (name.starts_with(kRig)) return "the rig file is not the one that was signed";
  return fmt::format("{} is not the one that was signed", name);
}

// Describes the differences: of limits and rig, else of the journal, else of other files.
std::string difference(const std::string& then, const std::string& now) {
  const auto before = entries_of(then), after = entries_of(now);
  std::string limits, journal, others;
  const auto add = [&](const std::string& name) {
    std::string& list = name.starts_with(kLimits) || name.starts_with(kRig) ? limits
                        : name == "journal.jsonl"                           ? journal
                                                                            : others;
    list += (list.empty() ? "" : "; ") + difference_of(name);
  };
  for (const auto& [name, hash] : before)
    if (const auto found = after.find(name); found == after.end() || found->second != hash) add(name);
  for (const auto& [name, hash] : after)
    if (!before.contains(name)) add(name);
  if (!limits.empty()) return limits;
  if (!journal.empty() && !others.empty())
    return "the journal and the reports made of it were changed together after it was signed: " + journal;
  return journal.empty() ? others : journal;
}

// Length of the place before ssh-keygen's complaint about a line ("/home/me/signers:3: missing key"); 0: no place.
std::size_t place_in(std::string_view line) {
  if (!line.starts_with('/')) return 0;
  for (auto end = line.rfind(": "); end != line.npos && end > 0; end = line.rfind(": ", end - 1))
    if (const auto colon = line.find_last_not_of("0123456789", end - 1);
        colon + 1 < end && line[colon] == ':')
      return end + 2;
  return 0;
}

// Either ssh-keygen's complaints about lines of signers that it cannot use, or all its other lines. Its output mixes
// both, although another line may name the key.
std::string lines_of(const std::string& said, bool complaints) {
  std::istringstream lines(said);
  std::string found;
  for (std::string line; std::getline(lines, line);)
    if ((place_in(line) > 0) == complaints) found += line + "\n";
  return found;
}

// True if ssh-keygen printed these words. Ignores the (absolute) paths: a file name may contain the words, too.
bool says(const Captured& said, std::string_view words) {
  std::istringstream lines(said.output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t place = place_in(line);
    if ((place > 0 ? line.substr(place) : line.substr(0, line.find('/'))).find(words) != line.npos)
      return true;
  }
  return false;
}

// Private copies, which nobody else can change while ssh-keygen reads them.
struct Desk {
  process::TemporaryFolder folder = {};
  fs::path text = folder.path() / kSignedName, signature = folder.path() / "signature",
           signers = folder.path() / "signers", line = folder.path() / "line";
};

// ssh-keygen's answer about the signature on the desk, until the deadline. `by`: the signer's name.
Captured verify_by(const Desk& desk, const fs::path& signers, std::string& by,
                   Clock::time_point deadline = Clock::now() + kVerifying) {
  const auto left = [&] {
    return std::max(std::chrono::milliseconds(0),
                    std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()));
  };
  Captured found = ssh_keygen({"-Y", "find-principals", "-f", signers, "-s", desk.signature}, {}, left());
  if (!found.succeeded()) return found;
  const std::string names = lines_of(found.output, false);
  by = names.substr(0, names.find('\n'));
  return ssh_keygen({"-Y", "verify", "-f", signers, "-I", by, "-n", kNamespace, "-s", desk.signature},
                    desk.text, left());
}

// Fingerprint of the signing key, if the signature on the desk fits the text there; else empty. `said`: the answer.
std::string fingerprint_on(const Desk& desk, Captured& said) {
  said = ssh_keygen({"-Y", "check-novalidate", "-n", kNamespace, "-s", desk.signature}, desk.text);
  const auto at = said.output.rfind("SHA256:");
  if (!said.succeeded() || at == said.output.npos) return "";
  return said.output.substr(at, said.output.find_first_of(" \n", at) - at);
}

constexpr std::string_view kForbidden = "key is not permitted for use in signature namespace ";

bool lists_somebody(const std::string& line) {
  const auto first = line.find_first_not_of(" \t\r");
  return first != line.npos && line[first] != '#';
}

// Tries each line of `signers`: find-principals takes the first line with the key, though another line may allow the
// key. Returns the answer for the line that allows it, or for the line at which time ran out; nullopt: no line allows
// it.
std::optional<Captured> verify_by_each_line(const Desk& desk, const std::string& signers, std::string& by) {
  const auto deadline = Clock::now() + kVerifying;
  std::istringstream lines(signers);
  for (std::string line, name; std::getline(lines, line);) {
    if (!lists_somebody(line)) continue;
    record::replace_file(desk.line, line);
    const Captured said = verify_by(desk, desk.line, name, deadline);
    if (said.succeeded()) by = name;
    if (said.succeeded() || !said.status) return said;
  }
  return std::nullopt;
}

// A sentence that explains why ssh-keygen accepts a signature for none of `signers`.
std::string refusal(const Captured& said, const fs::path& signers) {
  const std::string all = text::one_line(said.output);
  if (says(said, "key has expired: "))
    return fmt::format("its key has expired: valid-before in {} has passed", signers.string());
  if (says(said, "key is not yet valid: "))
    return fmt::format("its key is not valid yet: see valid-after in {}", signers.string());
  if (says(said, "incorrect signature"))
    return fmt::format("it does not match {}: the file or the signature was changed after signing",
                       kSignedName);
  if (says(said, "parse signature") || says(said, "invalid format"))
    return "is damaged: OpenSSH cannot read it";
  if (says(said, kForbidden))
    return fmt::format("{} does not allow its key to sign evidence: {}", signers.string(), all);
  if (!says(said, "No principal matched"))
    return fmt::format("ssh-keygen could not check it: {}{}{}", said.how_it_ended(), all.empty() ? "" : ": ",
                       all);
  const std::string complaints = text::one_line(lines_of(said.output, true));
  return fmt::format("its key is not listed in {}{}{}", signers.string(), complaints.empty() ? "" : ": ",
                     complaints);
}

// True if the signature fits the text, but its key is not allowed to sign.
bool is_a_strangers(const Captured& said) {
  return says(said, "key has expired: ") || says(said, "key is not yet valid: ") || says(said, kForbidden) ||
         says(said, "No principal matched");
}

bool is_unreadable(const ReadText& file) { return file.fault.starts_with("cannot be read"); }

ReadText read_text(const fs::path& directory, const fs::path& name, std::size_t largest) {
  struct TooLarge {};
  ReadText file;
  try {
    file.fault = record::read_once(directory, name, [&](std::string_view piece) {
      file.bytes += piece;
      if (file.bytes.size() > largest) throw TooLarge();
    });
  } catch (const TooLarge&) {
    file = {{}, "larger than a signature or its text can be"};
  }
  return file;
}

// Throws Refused if the file cannot be read, or lists nobody.
std::string read_signers(const fs::path& signers) {
  if (!fs::is_regular_file(signers))
    throw supervisor::Refused(
        fmt::format("{}: {} (--signers)", signers.string(),
                    fs::exists(signers) ? "not a regular file" : "there is no such file"));
  std::ifstream file(signers, std::ios::binary);
  if (!file)
    throw supervisor::Refused(fmt::format("{}: cannot be read: {} (--signers)", signers.string(),
                                          std::generic_category().message(errno)));
  std::ostringstream text;
  text << file.rdbuf();
  std::istringstream lines(text.str());
  for (std::string line; std::getline(lines, line);)
    if (lists_somebody(line)) return text.str();
  throw supervisor::Refused(fmt::format(
      "{}: lists no signer; expected one line per signer, 'NAME KEYTYPE KEY' (--signers)", signers.string()));
}

// Replaces the path of the copy by the user's path.
std::string renamed(std::string text, const fs::path& copy, const fs::path& file) {
  for (auto at = text.find(copy.string()); at != text.npos; at = text.find(copy.string(), at))
    text.replace(at, copy.string().size(), file.string()), at += file.string().size();
  return text;
}

}  // namespace

SignedParts read_signed_parts(const fs::path& directory) {
  SignedParts parts{read_text(directory, kSignedName, kLargestText),
                    read_text(directory, kStatementName, kLargestText),
                    {}};
  for (const fs::path& file : signatures_in(directory)) {
    const fs::path name = fs::path(kSignatures) / file.filename();
    parts.signatures.emplace_back(name.string(), read_text(directory, name, kLargestSignature));
  }
  return parts;
}

std::string SignedParts::statement_sha256() const {
  if (statement.fault.empty()) return record::sha256(statement.bytes);
  // An unreadable statement may be unchanged: the signed hash counts.
  return is_unreadable(statement) ? entries_of(text.bytes)[kStatementName] : "";
}

std::string signed_text(const judge::JudgedRun& run, const std::string& evidence_sha256,
                        const std::string& statement_sha256, const std::vector<manifest::HashedFile>& files) {
  std::string text = fmt::format("{}run {}\nverdict {}\nevidence SHA-256 {}\n", kHeader,
                                 text::one_line(run.start.id), run.verdict(), evidence_sha256);
  std::vector<manifest::HashedFile> lines = files;
  for (const record::TextFile& limits : run.start.limits)
    lines.push_back({std::string(kLimits) + text::one_line(limits.file), record::sha256(limits.text)});
  lines.push_back(
      {std::string(kRig) + text::one_line(run.start.rig_file.file), record::sha256(run.start.rig_file.text)});
  if (!statement_sha256.empty()) lines.push_back({kStatementName, statement_sha256});
  return text + manifest::manifest_text(lines);
}

void require_signable(const fs::path& directory, const fs::path& key) {
  const std::string name = file_name_of(fingerprint_of(key));
  require_replaceable(directory, {kSignedName, kStatementName});
  std::error_code none;
  const fs::file_status status = fs::symlink_status(directory / kSignatures, none);
  if (fs::exists(status) && !fs::is_directory(status))
    throw supervisor::Refused(fmt::format("{}: not a folder", (directory / kSignatures).string()));
  require_replaceable(directory / kSignatures, {name});
}

void require_same_text(const SignedParts& parts, const fs::path& directory, const std::string& text) {
  if (parts.signatures.empty()) return;
  const fs::path file = directory / kSignedName;
  if (is_unreadable(parts.text))
    throw supervisor::Refused(fmt::format("{}: {}", file.string(), parts.text.fault));
  if (parts.text.bytes != text)
    throw supervisor::Refused(
        fmt::format("{} was signed, but this folder has changed since: remove {}, then sign again",
                    file.string(), (directory / kSignatures).string()));
}

Signature sign(const std::string& text, const fs::path& key) {
  const Desk desk;
  record::replace_file(desk.text, text);
  Captured done = ssh_keygen({"-Y", "sign", "-f", key.string(), "-n", kNamespace}, desk.text, kTouchIt);
  constexpr std::string_view kBegin = "-----BEGIN SSH SIGNATURE-----", kEnd = "-----END SSH SIGNATURE-----";
  const auto begin = done.output.find(kBegin), end = done.output.find(kEnd);
  if (!done.succeeded() || begin == done.output.npos || end == done.output.npos) {
    require_guarded(key, done);
    throw supervisor::Refused(fmt::format("{}: ssh-keygen did not sign: {}{}", key.string(),
                                          text::one_line(done.output),
                                          " (a key with a passphrase: give it to an agent first, ssh-add)"));
  }
  Signature signature{{}, done.output.substr(begin, end + kEnd.size() - begin) + "\n"};
  record::replace_file(desk.signature, signature.bytes);
  const std::string fingerprint = fingerprint_on(desk, done);
  if (fingerprint.empty())
    throw supervisor::Refused(fmt::format("{}: ssh-keygen wrote a signature that does not match the text: {}",
                                          key.string(), text::one_line(done.output)));
  signature.name = file_name_of(fingerprint);
  return signature;
}

std::vector<fs::path> signatures_in(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code error;
  const fs::directory_iterator entries(directory / kSignatures, error);
  if (error == std::errc::permission_denied)
    throw supervisor::Refused(
        fmt::format("{}: cannot be read: {}", (directory / kSignatures).string(), error.message()));
  for (const auto& entry : entries)
    if (entry.path().extension() == ".sig") found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

void require_unsigned(const fs::path& directory) {
  if (!signatures_in(directory).empty())
    throw supervisor::Refused(
        fmt::format("{} was signed: its reports are not changed. To rebuild them, remove {} and sign again",
                    directory.string(), (directory / kSignatures).string()));
}

namespace {

// The reason why the signed text is unknown; empty: the text is known.
std::string why_no_text(const ReadText& text) {
  if (text.fault.empty() || is_unreadable(text)) return text.fault;
  return "missing, or not a regular file: the text that was signed is unknown";
}

}  // namespace

std::string fault_of_signed_text(const SignedParts& parts, const std::vector<std::string>& texts_now) {
  if (std::string why = why_no_text(parts.text); !why.empty()) return why;
  std::string then = parts.text.bytes;
  const auto is_one = [&] { return std::ranges::find(texts_now, then) != texts_now.end(); };
  if (is_one()) return "";
  if (std::erase(then, '\r') > 0 && is_one()) return "its line ends were changed to CRLF";
  if (!then.starts_with(kHeader)) return "is not a valid signed text";
  const std::string differs = text::one_line(difference(then, texts_now.front()));  // it quotes the file
  return differs.empty() ? "does not describe this folder: its run, verdict or evidence differs" : differs;
}

std::string fault_of_statement(const SignedParts& parts, const std::string& statement_now) {
  if (!parts.statement.is_there()) return "";
  if (!parts.statement.fault.empty()) return parts.statement.fault;
  if (parts.statement.bytes == statement_now) return "";
  return "differs from journal.jsonl: the file was changed, or another build wrote it";
}

namespace {

enum class By { kSigner, kStranger, kNobody };

// `note`: the name of the signer, else the reason why there is none.
By who_signed(const Desk& desk, const ReadText& signature, const std::string& signers, const fs::path& file,
              std::string& note) {
  const auto nobody = [&](std::string why) { return note = std::move(why), By::kNobody; };
  if (is_unreadable(signature)) return nobody(signature.fault);
  const auto made_for = namespace_of(signature.bytes);
  if (!made_for) return nobody("is not a valid signature of OpenSSH");
  if (*made_for != kNamespace)
    return nobody(fmt::format("was made for another purpose: namespace '{}', not '{}'",
                              text::one_line(*made_for), kNamespace));
  record::replace_file(desk.signature, signature.bytes);
  std::string by;
  Captured said = verify_by(desk, desk.signers, by), checked;
  if (says(said, kForbidden)) said = verify_by_each_line(desk, signers, by).value_or(said);
  if (said.succeeded()) return note = by, By::kSigner;
  note = renamed(refusal(said, file), desk.signers, file);
  if (!is_a_strangers(said)) return By::kNobody;
  const std::string fingerprint = fingerprint_on(desk, checked);
  if (fingerprint.empty()) return nobody(refusal(checked, file));
  if (by.empty()) by = fingerprint;
  note = fmt::format("by {}: {}", by, note);
  return By::kStranger;
}

}  // namespace

SignersFound check_signatures(const SignedParts& parts, const fs::path& signers,
                              const std::vector<std::string>& texts_now) {
  SignersFound found;
  const std::string listed = read_signers(signers);
  if (parts.signatures.empty()) {
    found.checks.push_back(
        {"signatures",
         fmt::format("not signed: no signature in {} (rigproof sign DIR --key KEY)", kSignatures)});
    return found;
  }
  found.checks.push_back({kSignedName, fault_of_signed_text(parts, texts_now)});
  if (!why_no_text(parts.text).empty()) return found;
  const Desk desk;
  record::replace_file(desk.text, parts.text.bytes);
  record::replace_file(desk.signers, listed);
  std::vector<SignatureCheck> strangers;
  for (const auto& [name, signature] : parts.signatures) {
    std::string note;
    const By by = who_signed(desk, signature, listed, signers, note);
    if (by == By::kSigner) {
      found.by.push_back(text::one_line(note));
      found.checks.push_back({fmt::format("{} by {}", name, note)});
    } else {
      (by == By::kStranger ? strangers : found.checks).push_back({name, note});
    }
  }
  // Signatures by unknown keys are not faults if a listed signer has signed.
  for (SignatureCheck& one : strangers) {
    if (!found.by.empty()) one.note = "an unknown signer, not counted: " + std::exchange(one.fault, {});
    found.checks.push_back(std::move(one));
  }
  return found;
}

}  // namespace rigproof::cli
