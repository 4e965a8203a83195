#include "reports/manifest/manifest.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

#include "framework/record/files.h"
#include "tests/support/story.h"
#include "tests/support/temp_folder.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

class Manifest : public testing::Test {
 protected:
  std::string why() {
    try {
      (void)manifest::read_manifest(folder.path());
      return "accepted";
    } catch (const manifest::ManifestError& error) {
      return error.what();
    }
  }
  std::string refusal(const std::string& text) {
    write_text(folder.path() / manifest::kManifestName, text);
    return why();
  }
  TempFolder folder;
};

TEST_F(Manifest, HashesAreThoseOfTheStandard) {
  EXPECT_EQ(record::sha256("abc"), kOfAbc);
  EXPECT_EQ(record::sha256(""), kOfNothing);
  manifest::HashingStream stream;
  stream << "a" << 'b' << "c";
  EXPECT_EQ(stream.hex(), kOfAbc);
  manifest::HashingStream large;
  large << std::string(100'000, 'x');
  EXPECT_EQ(large.hex(), record::sha256(std::string(100'000, 'x')));
}

TEST_F(Manifest, WritesWhatItReads) {
  write_text(folder.path() / "a.txt", "abc");
  write_text(folder.path() / "b.txt", "");
  const auto files = manifest::hash_files(folder.path(), {"a.txt", "b.txt"});
  EXPECT_EQ(manifest_text(files), std::string(kOfAbc) + "  a.txt\n" + kOfNothing + "  b.txt\n");
  write_text(folder.path() / manifest::kManifestName, manifest_text(files));
  EXPECT_EQ(manifest_text(manifest::read_manifest(folder.path())), manifest_text(files));
  EXPECT_EQ(evidence_of(files).hash, record::sha256(manifest_text(files)));
}

// As `sha256sum` says it of its standard input.
TEST_F(Manifest, TheHashOfTheEvidenceIsOfTheReportToo) {
  const std::vector<manifest::HashedFile> files{{"journal.jsonl", kOfAbc}};
  EXPECT_EQ(evidence_of(files, kOfNothing).hash, record::sha256(manifest_text(files) + kOfNothing + "  -\n"));
  EXPECT_TRUE(manifest::is_evidence("logs/tcp.1.log"));
  EXPECT_FALSE(manifest::is_evidence("report.html"));
  EXPECT_FALSE(manifest::is_evidence("report.pdf"));
}

// Each would make a reader wait, or read what is none.
TEST_F(Manifest, WhatIsNoFileIsRefused) {
  const std::filesystem::path path = folder.path() / manifest::kManifestName;
  EXPECT_THAT(why(), HasSubstr("no manifest; `rigproof report` writes one"));
  std::filesystem::create_directory(path);
  EXPECT_THAT(why(), HasSubstr("manifest.sha256: not a regular file"));
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(why(), HasSubstr("manifest.sha256: not a regular file"));
  std::filesystem::remove(path);
  std::filesystem::create_symlink("nowhere", path);
  EXPECT_THAT(why(), HasSubstr("manifest.sha256: not a regular file"));
}

// Catches: a list that ends where it could not be read on, and is taken for the whole.
TEST_F(Manifest, WhatCannotBeReadToItsEndIsRefused) {
  const std::filesystem::path path = folder.path() / manifest::kManifestName;
  std::filesystem::create_symlink("/proc/self/mem", path);  // its first page is never there
  EXPECT_THAT(why(), HasSubstr("manifest.sha256: cannot be read: Input/output error"));
  std::filesystem::remove(path);
  write_text(path, std::string(kOfAbc) + "  journal.jsonl\n");
  std::filesystem::resize_file(path, (64 << 20) + 1);  // takes no space
  EXPECT_THAT(why(), HasSubstr("manifest.sha256: too large for a manifest"));
}

// Catches: a run in another user's folder that is called a run without a manifest.
TEST_F(Manifest, InAFolderOfSomebodyElseIsNotCalledMissing) {
  write_text(folder.path() / manifest::kManifestName, std::string(kOfAbc) + "  journal.jsonl\n");
  constexpr uid_t kNobody = 65534;
  const uid_t me = geteuid();
  std::filesystem::permissions(folder.path(), std::filesystem::perms::none);
  if (me == 0) {
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  std::string why = "accepted";
  try {
    (void)manifest::read_manifest(folder.path());
  } catch (const manifest::ManifestError& error) {
    why = error.what();
  }
  ASSERT_EQ(seteuid(me), 0);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  EXPECT_THAT(why, HasSubstr("manifest.sha256: cannot be read: Permission denied"));
}

TEST_F(Manifest, AJournalThatWasChangedSinceItWasSealedIsRefused) {
  const auto why = [&] {
    try {
      manifest::require_sealed_journal(folder.path());
      return std::string();
    } catch (const manifest::ManifestError& error) {
      return std::string(error.what());
    }
  };
  write_text(folder.path() / "journal.jsonl", "abc");
  EXPECT_EQ(why(), "") << "a run that goes on has no manifest";
  write_text(folder.path() / manifest::kManifestName, std::string(kOfAbc) + "  journal.jsonl\n");
  EXPECT_EQ(why(), "");
  write_text(folder.path() / "journal.jsonl", "abd");
  EXPECT_THAT(why(), HasSubstr("journal.jsonl: changed since it was hashed (manifest.sha256)"));
  std::filesystem::remove(folder.path() / "journal.jsonl");
  EXPECT_THAT(why(), HasSubstr("journal.jsonl: missing (manifest.sha256)"))
      << "nobody knows that it is the same";
  write_text(folder.path() / manifest::kManifestName, std::string(kOfAbc) + "  summary.md\n");
  EXPECT_THAT(why(), HasSubstr("manifest.sha256: does not list journal.jsonl"));
  write_text(folder.path() / manifest::kManifestName, "nonsense\n");
  EXPECT_THAT(why(), HasSubstr("manifest.sha256:1: not of the form"));
}

// Reports are made again; facts and logs are not, and would be sealed as they are.
TEST_F(Manifest, ALogThatWasChangedSinceItWasSealedIsRefused) {
  const auto why = [&] {
    try {
      manifest::require_sealed_evidence(folder.path());
      return std::string();
    } catch (const manifest::ManifestError& error) {
      return std::string(error.what());
    }
  };
  const auto write = [&](const char* name) { write_text(folder.path() / name, "abc"); };
  std::filesystem::create_directory(folder.path() / "logs");
  for (const char* name : {"journal.jsonl", "summary.md", "logs/tcp.1.log"}) write(name);
  EXPECT_EQ(why(), "") << "a run that goes on has no manifest";
  write_text(folder.path() / manifest::kManifestName,
             fmt::format("{0}  journal.jsonl\n{0}  summary.md\n{0}  logs/tcp.1.log\n", kOfAbc));
  EXPECT_EQ(why(), "");
  std::filesystem::remove(folder.path() / "summary.md");
  EXPECT_EQ(why(), "");
  write_text(folder.path() / "logs/tcp.1.log", "abd");
  EXPECT_THAT(why(), HasSubstr("logs/tcp.1.log: changed since it was hashed (manifest.sha256)"));
  std::filesystem::remove(folder.path() / "logs/tcp.1.log");
  EXPECT_THAT(why(), HasSubstr("logs/tcp.1.log: missing (manifest.sha256)"));
}

TEST_F(Manifest, TellsWhatBecameOfAFile) {
  write_text(folder.path() / "a.txt", "abc");
  const manifest::HashedFile file{"a.txt", kOfAbc};
  EXPECT_EQ(fault_of(folder.path(), file), "");
  write_text(folder.path() / "a.txt", "abd");
  EXPECT_EQ(fault_of(folder.path(), file), "changed since it was hashed");
  std::filesystem::remove(folder.path() / "a.txt");
  EXPECT_EQ(fault_of(folder.path(), file), "missing");
  std::filesystem::create_directory(folder.path() / "a.txt");
  EXPECT_EQ(fault_of(folder.path(), file), "not a regular file");
}

TEST_F(Manifest, RefusesWhatIsNone) {
  const std::string good = std::string(kOfAbc) + "  a.txt\n";
  EXPECT_EQ(refusal(good), "accepted");
  EXPECT_THAT(refusal(""), HasSubstr("the manifest is empty"));
  EXPECT_THAT(refusal(good + "x\n"), HasSubstr(":2: not of the form"));
  EXPECT_THAT(refusal(std::string(64, 'X') + "  a.txt\n"), HasSubstr(":1: not a SHA-256"));
  EXPECT_THAT(refusal(good + good), HasSubstr(":2: 'a.txt' is listed twice"));
  for (const std::string& name : {std::string("../a.txt"), std::string("/etc/passwd"),
                                  std::string("logs/../../a"), std::string("./a.txt"), std::string("logs//a"),
                                  std::string("logs/"), std::string("a.txt\0.html", 11)})
    EXPECT_THAT(refusal(std::string(kOfAbc) + "  " + name + "\n"), HasSubstr("is not inside the folder"));
  std::filesystem::remove(folder.path() / manifest::kManifestName);
  EXPECT_THROW((void)manifest::read_manifest(folder.path()), manifest::ManifestError);
}

// Catches: a statement that does not say what stood in for hardware.
TEST(Statement, NamesAStandIn) {
  judge::JudgedRun run = run_of({ending("A.B", {good()})});
  EXPECT_THAT(manifest::statement_of(run, {}), Not(HasSubstr("standIn")));
  run.start.stand_in = "NCCL";
  EXPECT_THAT(manifest::statement_of(run, {}), HasSubstr("\"standIn\": \"NCCL\""));
}

TEST_F(Manifest, AFileThatCannotBeReadIsNamed) {
  try {
    (void)manifest::hash_files(folder.path(), {"none.txt"});
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("none.txt: cannot read"));
  }
}

}  // namespace
}  // namespace rigproof
