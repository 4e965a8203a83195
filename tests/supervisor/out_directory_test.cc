#include "framework/supervisor/out_directory.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "framework/supervisor/exit_code.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(OutDirectory, MakesTheFolderAndItsParents) {
  const Scratch scratch;
  const supervisor::OutDirectory out(scratch.path("a/b"));
  EXPECT_TRUE(std::filesystem::is_directory(scratch.path("a/b/logs")));
}
TEST(OutDirectory, RefusesOneThatHoldsARun) {
  const Scratch scratch;
  scratch.write("out/journal.jsonl", "precious");
  EXPECT_THAT([&] { supervisor::OutDirectory out(scratch.path("out")); },
              ThrowsMessage<supervisor::Refused>(HasSubstr("contains a run already")));
  EXPECT_EQ(scratch.read("out/journal.jsonl"), "precious");
}
// Catches: facts of another run that are sealed as this one's, and a run of hours whose folder can't be sealed, or is not
// intact, because of them.
TEST(OutDirectory, RefusesWhatAnotherRunLeft) {
  for (const char* left :
       {"manifest.sha256", "evidence.txt", "signatures/a.sig", "facts/node-a.json", "logs/tcp.1.log"}) {
    const Scratch scratch;
    scratch.write(std::string("out/") + left, "of another run");
    EXPECT_THAT([&] { supervisor::OutDirectory out(scratch.path("out")); },
                ThrowsMessage<supervisor::Refused>(HasSubstr("of another run")))
        << left;
    EXPECT_EQ(scratch.read(std::string("out/") + left), "of another run");
  }
}
TEST(OutDirectory, WritesThroughNoLinkAndWaitsForNoPipe) {
  const Scratch scratch;
  const auto precious = scratch.write("precious", "text");
  std::filesystem::create_directories(scratch.path("out"));
  std::filesystem::create_symlink(precious, scratch.path("out/.reserve"));
  EXPECT_THAT([&] { supervisor::OutDirectory out(scratch.path("out")); },
              ThrowsMessage<supervisor::Refused>(HasSubstr("cannot write there")));
  EXPECT_EQ(scratch.read("precious"), "text");
  std::filesystem::remove(scratch.path("out/.reserve"));
  ASSERT_EQ(mkfifo(scratch.path("out/.reserve").c_str(), 0600), 0);
  EXPECT_THAT([&] { supervisor::OutDirectory out(scratch.path("out")); },
              ThrowsMessage<supervisor::Refused>(HasSubstr("cannot write there")));
}
TEST(OutDirectory, RefusesAFileInItsPlace) {
  const Scratch scratch;
  const auto file = scratch.write("out", "text");
  EXPECT_THAT([&] { supervisor::OutDirectory out(file); },
              ThrowsMessage<supervisor::Refused>(HasSubstr(file.string())));
  EXPECT_EQ(scratch.read("out"), "text");
}
TEST(OutDirectory, KeepsSpaceBackWhileItLives) {
  const Scratch scratch;
  {
    const supervisor::OutDirectory out(scratch.path("out"));
    EXPECT_GT(std::filesystem::file_size(scratch.path("out/.reserve")), 0);
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.path("out/.reserve")));
}
// Catches: a folder with an empty journal, which no command takes.
TEST(OutDirectory, AbandonedLeavesNothing) {
  const Scratch scratch;
  scratch.write("there/mine", "");
  supervisor::OutDirectory out(scratch.path("there/a/b"));
  scratch.write("there/a/b/journal.jsonl", "");
  out.abandon();
  EXPECT_FALSE(std::filesystem::exists(scratch.path("there/a")));
  EXPECT_TRUE(std::filesystem::exists(scratch.path("there/mine")));
}
TEST(ToGoOn, NamesWhatCanBeTyped) {
  Rig rig = rig_of({node("node-a", "10.0.0.1"), node("node-b", "10.0.0.2")});
  rig.kind = "hardware";
  EXPECT_EQ(supervisor::to_go_on(rig, "out/a b", "make room"),
            "; make room, then go on: rigproof run --resume 'out/a b'");
  rig.kind = "model";
  EXPECT_THAT(supervisor::to_go_on(rig, "out"), HasSubstr("; type the same command again"));
}
TEST(OutDirectory, GivesTheReserveFree) {
  const Scratch scratch;
  supervisor::OutDirectory out(scratch.path("out"));
  out.release_reserve();
  EXPECT_FALSE(std::filesystem::exists(scratch.path("out/.reserve")));
}

// Catches: a report that a killed run had half written, kept for ever beside those of the run that went on.
TEST(OutDirectory, OfARunThatGoesOnHasNoHalfWrittenReports) {
  const Scratch scratch;
  for (const char* file : {"out/journal.jsonl", "out/junit.xml", "out/.junit.xml.4711.tmp",
                           "out/facts/.node-a.json.4711.tmp", "out/notes.tmp"})
    scratch.write(file, "text");
  const auto out = supervisor::OutDirectory::of_run(scratch.path("out"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("out/.junit.xml.4711.tmp")));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("out/facts/.node-a.json.4711.tmp")));
  for (const char* file : {"out/journal.jsonl", "out/junit.xml", "out/notes.tmp"})
    EXPECT_EQ(scratch.read(file), "text") << file;
}

TEST(OutDirectory, RefusesAPlaceThatTheRigForgets) {
  const Scratch scratch;
  ::setenv("RIGPROOF_KEPT", ("/nowhere:" + scratch.path("kept").string()).c_str(), 1);
  EXPECT_NO_THROW(supervisor::OutDirectory(scratch.path("kept/a b")));
  EXPECT_NO_THROW(supervisor::OutDirectory(scratch.path("kept")));
  for (const char* other : {"elsewhere", "kept/../elsewhere", "kept-too"})
    EXPECT_THAT([&] { supervisor::OutDirectory out(scratch.path(other)); },
                ThrowsMessage<supervisor::Refused>(HasSubstr("deleted with the rig")))
        << other;
  ::unsetenv("RIGPROOF_KEPT");
  EXPECT_FALSE(std::filesystem::exists(scratch.path("elsewhere")));
}

}  // namespace
}  // namespace rigproof
