// A signature stands for a folder as it was, by somebody who may sign. Catches: a flipped byte, a wrong key, another
// purpose, an expired signer, other limits, a file that was added, a sample that was changed with every report made again,
// no signature: each is refused with a sentence of its own.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "framework/record/files.h"
#include "reports/manifest/manifest.h"
#include "tests/cli/program.h"
#include "tests/support/golden_run.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class SignTest : public testing::Test {
 protected:
  SignTest() {
    record();
    report();
    make_key("vendor");
    make_key("customer");
    make_key("stranger");
    allow("vendor@example " + public_key("vendor") + "\ncustomer@example " + public_key("customer") + "\n");
  }
  // `edit`: of the journal's text.
  void record(const std::function<std::string(std::string)>& edit = {}) const {
    Story story = golden_run();
    std::string text;
    for (record::Event event : story.events()) {
      if (auto* start = std::get_if<record::RunStarted>(&event.body))
        start->programs.front() = built_program();
      text += encode(event) + '\n';
    }
    write_text(run() / "journal.jsonl", edit ? edit(text) : text);
  }
  [[nodiscard]] std::filesystem::path run() const {
    std::filesystem::create_directories(folder.path() / "run");
    return folder.path() / "run";
  }
  // As somebody would who forges it: without its manifest and its signatures a folder is sealed as it is.
  void report() const {
    std::error_code none;  // it may not be signed yet
    std::filesystem::remove(run() / "manifest.sha256");
    std::filesystem::rename(run() / "signatures", folder.path() / "signatures", none);
    (void)rigproof_does({"report", "--no-pdf", run().string()});
    std::filesystem::rename(folder.path() / "signatures", run() / "signatures", none);
  }
  [[nodiscard]] std::string key(const std::string& name) const { return (folder.path() / name).string(); }
  void make_key(const std::string& name) const {
    ASSERT_EQ(answer_of({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key(name)}).code, 0);
  }
  [[nodiscard]] std::string public_key(const std::string& name) const {
    std::istringstream words(file_text(key(name) + ".pub"));
    std::string type, base64;
    words >> type >> base64;
    return type + " " + base64;
  }
  void allow(const std::string& signers) const { write_text(folder.path() / "signers", signers); }
  [[nodiscard]] Answer sign(const std::string& with) const {
    return rigproof_does({"sign", run().string(), "--key", key(with)});
  }
  [[nodiscard]] Answer verify() const {
    return rigproof_does({"verify", run().string(), "--signers", (folder.path() / "signers").string()});
  }
  // By an ssh-keygen that does this first: as somebody who owns the folder could at that moment.
  [[nodiscard]] Answer after(const std::string& script, const Words& words) const {
    write_text(folder.path() / "ssh-keygen",
               "#!/bin/sh\n" + script + "\nPATH=${PATH#*:} exec ssh-keygen \"$@\"\n");
    std::filesystem::permissions(folder.path() / "ssh-keygen", std::filesystem::perms(0755));
    Words command{"env", fmt::format("PATH={}:{}", folder.path().string(), getenv("PATH")), RIGPROOF_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    return answer_of(command);
  }
  [[nodiscard]] Answer verify_after(const std::string& script) const {
    return after(script, {"verify", run().string(), "--signers", (folder.path() / "signers").string()});
  }
  void expect_refused(const std::string& sentence) const {
    const Answer answer = verify();
    EXPECT_EQ(answer.code, 1) << answer.output;
    EXPECT_THAT(answer.output, AllOf(HasSubstr(sentence), HasSubstr("NOT INTACT")));
  }
  TempFolder folder;
};

TEST_F(SignTest, TwoMaySignOneHash) {
  ASSERT_EQ(sign("vendor").code, 0);
  const std::string signed_text = file_text(run() / "evidence.txt");
  const Answer second = sign("customer");
  ASSERT_EQ(second.code, 0) << second.output;
  EXPECT_EQ(file_text(run() / "evidence.txt"), signed_text);
  const Answer answer = verify();
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr(" by vendor@example"), HasSubstr(" by customer@example"),
                                   HasSubstr("\nINTACT")));
}

// Catches: a customer's signature that makes the vendor's worthless to whoever lists the vendor alone.
TEST_F(SignTest, AListedSignerSuffices) {
  ASSERT_EQ(sign("vendor").code, 0);
  ASSERT_EQ(sign("customer").code, 0);
  for (const char* name : {"vendor", "customer"}) {
    allow(fmt::format("{}@example {}\n", name, public_key(name)));
    const Answer answer = verify();
    EXPECT_EQ(answer.code, 0) << answer.output;
    EXPECT_THAT(answer.output, AllOf(HasSubstr(fmt::format("\nsigned   by {}@example\n", name)),
                                     HasSubstr(fmt::format("\nINTACT: signed by {}@example\n", name)),
                                     HasSubstr(": an unknown signer, not counted: by SHA256:")));
  }
  allow("stranger@example " + public_key("stranger") + "\n");
  expect_refused("its key is not listed in ");
}

// Catches: an unknown signature, of another text, that passes as noted.
TEST_F(SignTest, AnUnknownSignersSignatureMustFitToo) {
  ASSERT_EQ(sign("vendor").code, 0);
  const std::filesystem::path other = folder.path() / "other";
  write_text(other, "another text\n");
  ASSERT_EQ(
      answer_of({"ssh-keygen", "-q", "-Y", "sign", "-f", key("stranger"), "-n", "rigproof-evidence", other})
          .code,
      0);
  std::filesystem::copy_file(other.string() + ".sig", run() / "signatures" / "stranger.sig");
  expect_refused("FAULT    signatures/stranger.sig: it does not match evidence.txt");
}

// Catches: the vendor's signature under what somebody put in the place of what was checked.
TEST_F(SignTest, WhatIsSignedIsWhatWasChecked) {
  const std::string text = (run() / "evidence.txt").string(), forged = (folder.path() / "forged").string();
  write_text(forged, "Rigproof evidence 1\nverdict QUALIFIED\n");
  const std::string at_signing = "case \"$*\" in *'-Y sign'*) ";
  const Answer answer = after(at_signing + "cat " + forged + " >" + text + ";; esac",
                              {"sign", run().string(), "--key", key("vendor")});
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_EQ(verify().code, 0) << verify().output;
  EXPECT_NE(file_text(text), file_text(forged));
  std::filesystem::remove_all(run() / "signatures");
  const Answer other =
      after(at_signing + "exec <" + forged + ";; esac", {"sign", run().string(), "--key", key("vendor")});
  EXPECT_EQ(other.code, 2) << other.output;
  EXPECT_THAT(other.output, HasSubstr("wrote a signature that does not match the text"));
  EXPECT_FALSE(std::filesystem::exists(run() / "signatures"));
}

// Catches: reports that somebody exchanges between the check and the signature.
TEST_F(SignTest, WhatIsExchangedBehindTheCheckIsFoundByTheSignature) {
  const std::string forge = "case \"$*\" in *' -l -f'*|'-l -f'*) echo forged >>" +
                            (run() / "summary.md").string() + "; cd " + run().string() +
                            "; sha256sum summary.md >line; sed -i \"s/.*  summary.md/$(cat "
                            "line)/\" manifest.sha256; rm line;; esac";
  ASSERT_EQ(after(forge, {"sign", run().string(), "--key", key("vendor")}).code, 0);
  expect_refused("summary.md is not the one that was signed");
}

// Catches: a folder that is held against one text, and the signature against another.
TEST_F(SignTest, TheTextThatIsComparedIsTheTextWhoseSignatureIsChecked) {
  ASSERT_EQ(sign("vendor").code, 0);
  const std::string signed_text = file_text(run() / "evidence.txt");
  const std::filesystem::path signature = std::filesystem::directory_iterator(run() / "signatures")->path();
  const std::string bytes = file_text(signature);
  std::filesystem::remove_all(run() / "signatures");
  record([](std::string text) { return replaced(text, "\"values\":[", "\"values\":[1"); });
  report();
  ASSERT_EQ(sign("stranger").code, 0);  // makes the text that fits the forged folder
  std::filesystem::remove_all(run() / "signatures");
  std::filesystem::create_directory(run() / "signatures");
  write_text(signature, bytes);
  write_text(folder.path() / "signed", signed_text);
  const Answer answer =
      verify_after(fmt::format("case \"$*\" in *'-Y verify'*) cat {} >{};; esac",
                               (folder.path() / "signed").string(), (run() / "evidence.txt").string()));
  EXPECT_EQ(answer.code, 1) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("it does not match evidence.txt"));
}

// Catches: a signature under reports that nobody compared with anything.
TEST_F(SignTest, WhatAnotherBuildMadeIsNotSigned) {
  record([](const std::string& text) { return replaced(text, built_program().commit, "0123456789ab"); });
  report();
  const Answer answer = sign("vendor");
  EXPECT_EQ(answer.code, 3) << answer.output;
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("NOT REBUILT: "), HasSubstr("nothing was signed"), Not(HasSubstr("INTACT"))));
  EXPECT_FALSE(std::filesystem::exists(run() / "signatures"));
}

TEST_F(SignTest, ReportsMadeAgainByTheSameVersionAreThoseThatWereSigned) {
  ASSERT_EQ(sign("vendor").code, 0);
  report();
  EXPECT_EQ(verify().code, 0) << verify().output;
}

// Catches: a PDF that goes with the reports of a signed folder.
TEST_F(SignTest, ReportsOfASignedFolderAreNotMadeAgain) {
  ASSERT_EQ(sign("vendor").code, 0);
  write_text(run() / "report.pdf", "%PDF");
  std::filesystem::remove(run() / "report.html");
  const Answer answer = rigproof_does({"report", "--no-pdf", run().string()});
  EXPECT_EQ(answer.code, 2) << answer.output;
  EXPECT_THAT(answer.output,
              HasSubstr("run was signed: its reports are not changed. To rebuild them, remove " +
                        (run() / "signatures").string() + " and sign again"));
  EXPECT_TRUE(std::filesystem::exists(run() / "report.pdf"));
  EXPECT_FALSE(std::filesystem::exists(run() / "report.html"));
}

// Catches: a retest that replaces what was signed.
TEST_F(SignTest, ASignedFolderIsNotMeasuredOn) {
  ASSERT_EQ(sign("vendor").code, 0);
  const std::string journal = file_text(run() / "journal.jsonl");
  for (const Words& more : {Words{}, Words{"--retest", "node-b"}}) {
    Words words{"run", "--resume", run().string()};
    words.insert(words.end(), more.begin(), more.end());
    const Answer answer = rigproof_does(words);
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, HasSubstr("run was signed: its reports are not changed"));
  }
  EXPECT_EQ(file_text(run() / "journal.jsonl"), journal);
}

// Catches: a PDF that says QUALIFIED of a run that was not, signed with the folder and INTACT from then on. Seen so.
TEST_F(SignTest, APdfThatCannotBeMadeAgainIsNotSigned) {
  write_text(run() / "report.pdf", "%PDF-1.7 QUALIFIED");
  std::ofstream(run() / "manifest.sha256", std::ios::app)
      << record::sha256_of_file(run() / "report.pdf") + "  report.pdf\n";
  const Answer answer = sign("vendor");
  EXPECT_EQ(answer.code, 4) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr("nothing was signed"), HasSubstr("rigproof report ")));
  EXPECT_FALSE(std::filesystem::exists(run() / "signatures"));
}

TEST_F(SignTest, WithoutASignatureItIsNotSigned) {
  expect_refused("not signed: no signature in ");
  EXPECT_EQ(rigproof_does({"verify", run().string()}).code, 0);
}

TEST_F(SignTest, AFlippedByteIsFound) {
  ASSERT_EQ(sign("vendor").code, 0);
  std::string summary = file_text(run() / "summary.md");
  summary[summary.size() / 2] ^= 1;
  write_text(run() / "summary.md", summary);
  expect_refused("FAULT    summary.md: changed since it was hashed");
}

TEST_F(SignTest, AFileThatWasAddedIsFoundAndIsNotSigned) {
  ASSERT_EQ(sign("vendor").code, 0);
  EXPECT_THAT(verify().output, testing::Not(HasSubstr("NOTE")));
  write_text(run() / "report.pdf", "forged");
  expect_refused("FAULT    report.pdf: is not in the manifest");
  const Answer second = sign("customer");
  EXPECT_EQ(second.code, 1);
  EXPECT_THAT(second.output, HasSubstr("nothing was signed"));
}

TEST_F(SignTest, AFlippedByteOfWhatWasSignedIsFound) {
  ASSERT_EQ(sign("vendor").code, 0);
  std::string text = file_text(run() / "evidence.txt");
  text[text.find("  junit.xml") - 1] ^= 1;
  write_text(run() / "evidence.txt", text);
  expect_refused("junit.xml is not the one that was signed");
  expect_refused("it does not match evidence.txt");
}

TEST_F(SignTest, AKeyOfNobodyWhoMaySignIsRefused) {
  ASSERT_EQ(sign("stranger").code, 0);
  expect_refused("its key is not listed in ");
}

TEST_F(SignTest, WhatIsNoSignatureIsNamedAndNobodyWaitsForIt) {
  ASSERT_EQ(sign("vendor").code, 0);
  const std::filesystem::path file = std::filesystem::directory_iterator(run() / "signatures")->path();
  for (const char* kind : {"empty", "text", "folder", "pipe"}) {
    std::filesystem::remove(file);
    if (std::string(kind) == "folder")
      std::filesystem::create_directory(file);
    else if (std::string(kind) == "pipe")
      ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    else
      write_text(file, std::string(kind) == "empty" ? "" : "garbage\n");
    SCOPED_TRACE(kind);
    expect_refused("signature of OpenSSH");
  }
}

// Catches: a file of any size that is read whole, behind a good signature too.
TEST_F(SignTest, WhatIsFarTooLargeIsNoSignature) {
  ASSERT_EQ(sign("vendor").code, 0);
  std::ofstream(std::filesystem::directory_iterator(run() / "signatures")->path(), std::ios::app)
      << std::string(64 << 10, '\n');
  expect_refused("is not a valid signature of OpenSSH");
}

// Catches: somebody who looks for a listed key among the signers.
TEST_F(SignTest, ASignatureThatWasCutShortIsDamagedAndNoStrangers) {
  ASSERT_EQ(sign("vendor").code, 0);
  const std::filesystem::path file = std::filesystem::directory_iterator(run() / "signatures")->path();
  const std::string whole = file_text(file);
  write_text(file, whole.substr(0, whole.size() / 2));
  expect_refused("is damaged: OpenSSH cannot read it");
  EXPECT_THAT(verify().output, Not(HasSubstr("not listed")));
}

// Catches: a folder that is intact, or signed by nobody, because its signatures could not be looked at.
TEST_F(SignTest, WhatMayNotBeReadIsNotCalledMissingOrChanged) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  ASSERT_EQ(sign("vendor").code, 0);
  namespace fs = std::filesystem;
  const fs::path signature = fs::directory_iterator(run() / "signatures")->path();
  for (const fs::path& file : {run() / "evidence.txt", run() / "evidence.intoto.json", signature}) {
    fs::permissions(file, fs::perms::none);
    expect_refused("cannot be read: Permission denied");
    EXPECT_THAT(verify().output, AllOf(HasSubstr("NOT INTACT: 1 fault:"), Not(HasSubstr("not listed"))));
    fs::permissions(file, fs::perms(0644));
  }
  fs::permissions(run() / "evidence.txt", fs::perms::none);
  const Answer second = sign("customer");
  EXPECT_EQ(second.code, 2) << second.output;
  EXPECT_THAT(second.output, AllOf(HasSubstr("evidence.txt: cannot be read: Permission denied"),
                                   Not(HasSubstr("has changed since"))));
  fs::permissions(run() / "evidence.txt", fs::perms(0644));
  fs::permissions(run() / "signatures", fs::perms::none);
  for (const Answer& answer : {verify(), rigproof_does({"verify", run().string()})}) {
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, HasSubstr("signatures: cannot be read: Permission denied"));
  }
  fs::permissions(run() / "signatures", fs::perms(0755));
}

TEST_F(SignTest, WithoutTheTextThatWasSignedNothingIsSaidOfTheSigners) {
  ASSERT_EQ(sign("vendor").code, 0);
  std::filesystem::remove(run() / "evidence.txt");
  const std::string missing =
      "FAULT    evidence.txt: missing, or not a regular file: the text that was signed is unknown";
  expect_refused(missing);
  EXPECT_THAT(rigproof_does({"verify", run().string()}).output, HasSubstr(missing));
  write_text(run() / "evidence.txt", "another text\n");
  expect_refused("FAULT    evidence.txt: is not a valid signed text");
}

// Catches: limits and a rig that are called changed, each twice, for the line ends of an editor.
TEST_F(SignTest, LineEndsOfWindowsAreNamedAsWhatTheyAre) {
  ASSERT_EQ(sign("vendor").code, 0);
  std::string text = file_text(run() / "evidence.txt");
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 2) text.insert(at, "\r");
  write_text(run() / "evidence.txt", text);
  expect_refused("FAULT    evidence.txt: its line ends were changed to CRLF");
  write_text(run() / "evidence.txt", replaced(text, "  junit.xml", "0  junit.xml"));
  expect_refused("FAULT    evidence.txt: junit.xml is not the one that was signed\n");
}

// Catches: somebody who looks for a listed key among the signers.
TEST_F(SignTest, OnlyAKeyThatIsNotFoundIsCalledNotListed) {
  ASSERT_EQ(sign("vendor").code, 0);
  const auto verify_by = [&](const std::string& deed, const std::string& before) {
    return verify_after(fmt::format("case \"$*\" in *{}*) {};; esac", deed, before));
  };
  for (const char* deed : {"find-principals", "verify"}) {
    const Answer answer = verify_by(deed, "kill -9 $$");
    EXPECT_EQ(answer.code, 1) << answer.output;
    EXPECT_THAT(answer.output, AllOf(HasSubstr(".sig"), Not(HasSubstr("not listed")),
                                     HasSubstr(": ssh-keygen could not check it: was killed by signal 9")));
  }
  EXPECT_THAT(verify_by("verify", "echo no memory; exit 255").output,
              HasSubstr(": ssh-keygen could not check it: exited with code 255: no memory"));
}

// Catches: an error that leaves the signatures unchecked.
TEST_F(SignTest, WhatIsNoFileInThePlaceOfWhatWasSignedIsAFault) {
  ASSERT_EQ(sign("vendor").code, 0);
  for (const char* name : {"evidence.intoto.json", "evidence.txt"}) {
    const std::filesystem::path file = run() / name;
    std::filesystem::remove(file);
    std::filesystem::create_symlink(name, file);  // to itself
    expect_refused(std::string("FAULT    evidence.txt: "));
    std::filesystem::remove(file);
    std::filesystem::create_directory(file);
    expect_refused(std::string("FAULT    evidence.txt: "));
  }
}

TEST_F(SignTest, SignersThatCannotBeReadOrListNobodyAreNamed) {
  ASSERT_EQ(sign("vendor").code, 0);
  for (const char* text : {"", "\n", "# nobody yet\r\n \r\n"}) {
    allow(text);
    const Answer answer = verify();
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, HasSubstr("signers: lists no signer"));
  }
  allow("vendor@example " + public_key("vendor") + "\r\n");
  EXPECT_EQ(verify().code, 0) << "an editor of Windows wrote it";
}

TEST_F(SignTest, ALineOfTheSignersThatIsNoneHidesNoOther) {
  ASSERT_EQ(sign("vendor").code, 0);
  const std::string line = "vendor@example " + public_key("vendor") + "\n",
                    old = "vendor@example valid-before=\"20200101\" " + public_key("vendor") + "\n",
                    git = "git@example namespaces=\"git\" " + public_key("vendor") + "\n";
  for (const std::string& before : {std::string("no line\n"), old, git}) {
    allow(before + line);
    const Answer answer = verify();
    EXPECT_EQ(answer.code, 0) << answer.output;
    EXPECT_THAT(answer.output, HasSubstr(".sig by vendor@example\n"));
  }
  allow("vendor@example valid-before=\"soon\" " + public_key("vendor") + "\n");
  expect_refused("signers:1: bad options: invalid \"valid-before\" time");
  allow("no line\n" + git);
  expect_refused("signers does not allow its key to sign evidence");
}

// Catches: a program started for each comment of a long file.
TEST_F(SignTest, LinesOfTheSignersThatListNobodyAreNotTried) {
  ASSERT_EQ(sign("vendor").code, 0);
  const std::string key = public_key("vendor") + "\n", log = (folder.path() / "log").string();
  allow("git@example namespaces=\"git\" " + key + "# one\n\n \t# two\n\r\nvendor@example " + key);
  const Answer answer = verify_after("case \"$*\" in *find-principals*) echo >>" + log + ";; esac");
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_EQ(file_text(log), "\n\n\n") << "all of the file, then two lines";
}

// Catches: a word of the file's own name that is taken for one of ssh-keygen's.
TEST_F(SignTest, TheNameOfTheSignersSaysNothingOfTheKey) {
  ASSERT_EQ(sign("vendor").code, 0);
  for (const char* name :
       {"namespaces", "incorrect signature", "parse signature", "invalid format",
        "a:1: key has expired: ", ": key is not permitted for use in signature namespace "}) {
    const std::string signers = (folder.path() / name).string();
    write_text(signers, "no line\ncustomer@example " + public_key("customer") + "\n");
    EXPECT_THAT(rigproof_does({"verify", run().string(), "--signers", signers}).output,
                HasSubstr(": its key is not listed in " + signers + ": " + signers + ":1: missing key"));
  }
  const std::string signers = (folder.path() / "No principal matched").string();
  write_text(signers, "no line\nvendor@example " + public_key("vendor") + "\n");
  const Answer answer = answer_of({"env", "-C", folder.path(), RIGPROOF_PROGRAM, "verify", run().string(),
                                   "--signers", "No principal matched"});
  EXPECT_EQ(answer.code, 0) << answer.output;
  write_text(folder.path() / "signers", file_text(signers));
  const Answer failed =
      verify_after("case \"$*\" in *verify*) echo " + signers + ":1: missing key; exit 255;; esac");
  EXPECT_THAT(failed.output, HasSubstr(": ssh-keygen could not check it: exited with code 255: "));
}

// ssh-keygen writes other letters than those of ASCII as numbers: "/home/\\303\\266/signers:1: missing key".
// Catches: such a complaint that is taken for the name of who signed.
TEST_F(SignTest, SignersMayLieAnywhere) {
  ASSERT_EQ(sign("vendor").code, 0);
  const std::string signers = (folder.path() / "zugeh\xC3\xB6rig").string();
  write_text(signers, "no line\n/CN=vendor " + public_key("vendor") + "\n");
  const Answer answer = rigproof_does({"verify", run().string(), "--signers", signers});
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr(".sig by /CN=vendor\n"));
}

TEST_F(SignTest, SignersThatAreNoFileAreNotRead) {
  ASSERT_EQ(sign("vendor").code, 0);
  for (const std::string what : {"run", "pipe"}) {
    if (what == "pipe") {
      ASSERT_EQ(mkfifo((folder.path() / what).c_str(), 0600), 0);
    }
    const Answer answer =
        rigproof_does({"verify", run().string(), "--signers", (folder.path() / what).string()});
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, HasSubstr(what + ": not a regular file (--signers)"));
  }
}

TEST_F(SignTest, WhatStandsInTheWayIsNamedBeforeAnythingIsWritten) {
  for (const char* way : {"evidence.txt", "evidence.intoto.json", "signatures"}) {
    if (std::string(way) == "signatures")
      write_text(run() / way, "");
    else
      std::filesystem::create_directory(run() / way);
    const Answer answer = sign("vendor");
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, HasSubstr(std::string(way) + (std::string(way) == "signatures"
                                                                 ? ": not a folder"
                                                                 : ": cannot write: there is a folder")));
    std::filesystem::remove(run() / way);
    for (const char* left : {"evidence.txt", "evidence.intoto.json", "signatures"})
      EXPECT_FALSE(std::filesystem::exists(run() / left)) << left;
  }
}

// Catches: a key that was touched for nothing, and what it made, left in the folder.
TEST_F(SignTest, WhatStandsInThePlaceOfTheSignatureIsNamedBeforeTheKeyIsUsed) {
  const std::filesystem::path signatures = run() / "signatures";
  ASSERT_EQ(sign("vendor").code, 0);
  const std::filesystem::path file = std::filesystem::directory_iterator(signatures)->path();
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  const Answer answer = sign("vendor");
  EXPECT_EQ(answer.code, 2) << answer.output;
  EXPECT_THAT(answer.output, AllOf(HasSubstr(file.string() + ": cannot write: there is a folder"),
                                   Not(HasSubstr("signing "))));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(signatures), {}), 1);
  std::filesystem::remove_all(signatures);
  std::filesystem::create_symlink("nowhere", signatures);
  EXPECT_THAT(sign("vendor").output,
              AllOf(HasSubstr("signatures: not a folder"), Not(HasSubstr("signing "))));
}

TEST_F(SignTest, WhatAKilledSignerLeftIsNoSignatureAndGoes) {
  const std::filesystem::path signatures = run() / "signatures";
  ASSERT_EQ(sign("vendor").code, 0);
  const std::string name = std::filesystem::directory_iterator(signatures)->path().filename();
  std::filesystem::remove(signatures / name);
  write_text(signatures / fmt::format(".{}.123.tmp", name), "-----BEGIN SSH");
  expect_refused("not signed: no signature in ");
  ASSERT_EQ(sign("vendor").code, 0);
  EXPECT_EQ(verify().code, 0) << verify().output;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(signatures), {}), 1);
}

TEST_F(SignTest, AKeyThatOthersCanReadIsRefusedInOneLine) {
  std::filesystem::permissions(key("vendor"), std::filesystem::perms(0644));
  const Answer answer = sign("vendor");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("vendor: others can read this key: chmod 600 "));
  EXPECT_FALSE(std::filesystem::exists(run() / "signatures"));
  std::filesystem::remove(key("vendor") + ".pub");  // ssh-keygen looks there first
  EXPECT_THAT(sign("vendor").output, HasSubstr("vendor: others can read this key: chmod 600 "));
}

TEST_F(SignTest, ASignatureForAnotherPurposeIsRefused) {
  ASSERT_EQ(sign("vendor").code, 0);
  const std::filesystem::path file = run() / "evidence.txt", made = run() / "evidence.txt.sig";
  ASSERT_EQ(
      answer_of({"ssh-keygen", "-q", "-Y", "sign", "-f", key("vendor"), "-n", "file", file.string()}).code,
      0);
  for (const auto& entry : std::filesystem::directory_iterator(run() / "signatures"))
    std::filesystem::copy_file(made, entry.path(), std::filesystem::copy_options::overwrite_existing);
  expect_refused("was made for another purpose: namespace 'file', not 'rigproof-evidence'");
}

TEST_F(SignTest, AnExpiredSignerIsRefused) {
  ASSERT_EQ(sign("vendor").code, 0);
  allow("vendor@example valid-before=\"20200101\" " + public_key("vendor") + "\n");
  expect_refused("its key has expired");
}

TEST_F(SignTest, OtherLimitsAreFound) {
  ASSERT_EQ(sign("vendor").code, 0);
  record([](std::string text) {
    const auto place = text.find("at_least = ");
    EXPECT_NE(place, text.npos);
    return text.replace(place, 11, "at_least  =");
  });
  report();
  expect_refused("the limits of ");
  expect_refused(" are not those that were signed");
}

TEST_F(SignTest, ASampleChangedWithEveryReportMadeAgainIsFound) {
  ASSERT_EQ(sign("vendor").code, 0);
  record([](std::string text) {
    const auto place = text.find("\"values\":[");
    EXPECT_NE(place, text.npos);
    return text.insert(place + 10, "1");
  });
  report();
  const Answer unasked = rigproof_does({"verify", run().string()});  // nobody said who may sign
  EXPECT_EQ(unasked.code, 1);
  EXPECT_THAT(unasked.output,
              AllOf(HasSubstr("FAULT    evidence.intoto.json: differs from journal.jsonl"),
                    HasSubstr("FAULT    evidence.txt: the journal and the reports made of it")));
  expect_refused("the journal and the reports made of it were changed together after it was signed");
}

// Catches: a statement of a missed run that says PASSED, and that the second signer signs unseen.
TEST_F(SignTest, AStatementThatSaysWhatTheRecordDoesNotIsFoundAndNotSigned) {
  ASSERT_EQ(sign("stranger").code, 0);
  const std::filesystem::path statement = run() / "evidence.intoto.json";
  const std::string before = record::sha256_of_file(statement);
  write_text(statement, replaced(file_text(statement), "\"FAILED\"", "\"PASSED\""));
  EXPECT_EQ(rigproof_does({"verify", run().string()}).code, 1);
  write_text(run() / "evidence.txt",
             replaced(file_text(run() / "evidence.txt"), before, record::sha256_of_file(statement)));
  const Answer second = sign("vendor");
  EXPECT_EQ(second.code, 2) << second.output;
  EXPECT_THAT(second.output, AllOf(HasSubstr("evidence.intoto.json: differs from journal.jsonl"),
                                   HasSubstr("signatures, then sign again"), Not(HasSubstr("signed: "))));
  expect_refused("FAULT    evidence.intoto.json: differs from journal.jsonl");
}

// Catches: a text without its signatures that says what the record does not, in a folder that is called intact.
TEST_F(SignTest, WhatWasSignedIsCheckedThoughItsSignaturesAreGone) {
  ASSERT_EQ(sign("vendor").code, 0);
  std::filesystem::remove_all(run() / "signatures");
  EXPECT_EQ(rigproof_does({"verify", run().string()}).code, 0);
  const std::string text = file_text(run() / "evidence.txt");
  write_text(run() / "evidence.txt", replaced(text, "\nverdict ERROR\n", "\nverdict QUALIFIED\n"));
  const Answer answer = rigproof_does({"verify", run().string()});
  EXPECT_EQ(answer.code, 1) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("FAULT    evidence.txt: does not describe this folder"));
  ASSERT_EQ(sign("vendor").code, 0);  // the text is made anew: nobody had signed that one
  EXPECT_EQ(verify().code, 0) << verify().output;
}

// Catches: a forged line that clears the screen and prints a verdict of its own.
TEST_F(SignTest, WhatIsQuotedOfTheSignedTextMovesNoCursor) {
  ASSERT_EQ(sign("vendor").code, 0);
  std::ofstream(run() / "evidence.txt", std::ios::app)
      << std::string(64, '0') << "  limits \x1b[2J\x1b[HINTACT\x1b[8m\n";
  for (const Answer& answer : {verify(), rigproof_does({"verify", run().string()})}) {
    EXPECT_EQ(answer.code, 1) << answer.output;
    EXPECT_THAT(answer.output, AllOf(HasSubstr("INTACT"), Not(HasSubstr("\x1b["))));
  }
}

TEST_F(SignTest, WhatIsNotIntactIsNotSigned) {
  std::ofstream(run() / "junit.xml", std::ios::app) << " ";
  const Answer answer = sign("vendor");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.output, HasSubstr("nothing was signed"));
}

TEST_F(SignTest, AFileThatIsNoKeyIsNamed) {
  write_text(folder.path() / "nonsense", "no key\n");
  const Answer answer = sign("nonsense");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("nonsense: not a valid key"));
  EXPECT_THAT(answer.output, testing::Not(HasSubstr("\xEF\xBF\xBD")))
      << "ssh-keygen ends its lines with a carriage return";
  for (const char* left : {"evidence.txt", "evidence.intoto.json", "signatures"})
    EXPECT_FALSE(std::filesystem::exists(run() / left)) << left << " of a signature that nobody made";
}

TEST_F(SignTest, APipeInTheKeysPlaceIsNamedAndNobodyWaitsForIt) {
  ASSERT_EQ(mkfifo(key("pipe").c_str(), 0600), 0);
  const Answer answer = sign("pipe");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("pipe: not a valid key: not a regular file"));
}

// Catches: a text for nobody's signature, and a statement, in a folder that was not signed.
TEST_F(SignTest, AKeyThatDoesNotSignLeavesNothing) {
  ASSERT_EQ(answer_of({"ssh-keygen", "-q", "-t", "ed25519", "-N", "a secret", "-f", key("locked")}).code, 0);
  const auto refused = [&] {  // without a terminal to ask at
    const Answer answer = answer_of({"setsid", "-w", "env", "SSH_ASKPASS_REQUIRE=never", RIGPROOF_PROGRAM,
                                     "sign", run().string(), "--key", key("locked")});
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, HasSubstr("ssh-keygen did not sign"));
  };
  refused();
  for (const char* left : {"evidence.txt", "evidence.intoto.json", "signatures"})
    EXPECT_FALSE(std::filesystem::exists(run() / left)) << left << " of a signature that nobody made";
  ASSERT_EQ(sign("vendor").code, 0);
  const std::string signed_text = file_text(run() / "evidence.txt");
  refused();
  EXPECT_EQ(file_text(run() / "evidence.txt"), signed_text);  // the vendor's
  EXPECT_EQ(verify().code, 0) << verify().output;
}

// By its specification: https://github.com/in-toto/attestation, spec/predicates/test-result.md and spec/v1/statement.md.
TEST_F(SignTest, TheStatementIsOneOfInToto) {
  ASSERT_EQ(sign("vendor").code, 0);
  const auto statement = nlohmann::json::parse(file_text(run() / "evidence.intoto.json"));
  EXPECT_EQ(statement.at("_type"), "https://in-toto.io/Statement/v1");
  EXPECT_EQ(statement.at("predicateType"), "https://in-toto.io/attestation/test-result/v0.1");
  ASSERT_FALSE(statement.at("subject").empty());
  EXPECT_EQ(statement["subject"][0].at("name"), "journal.jsonl");
  for (const auto& subject : statement["subject"])  // files that whoever has the folder can hash
    EXPECT_EQ(record::sha256_of_file(run() / subject.at("name").get<std::string>()),
              subject.at("digest").at("sha256").get<std::string>());
  const auto& predicate = statement.at("predicate");
  EXPECT_THAT(predicate.at("result"), testing::AnyOf("PASSED", "WARNED", "FAILED"));
  ASSERT_GE(predicate.at("configuration").size(), 2u);
  for (const auto& resource : predicate["configuration"])
    EXPECT_EQ(resource.at("digest").at("sha256").get<std::string>().size(), 64u);
  for (const char* list : {"passedTests", "warnedTests", "failedTests"})
    for (const auto& test : predicate.at(list)) EXPECT_TRUE(test.is_string());
  for (const auto& [name, value] : predicate.items())
    EXPECT_THAT(
        name, testing::AnyOf("result", "configuration", "url", "passedTests", "warnedTests", "failedTests"));
}

}  // namespace
}  // namespace rigproof
