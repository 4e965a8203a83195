#include "framework/toml/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

#include "tests/toml/toml_test_support.h"

namespace rigproof::toml {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class Files : public testing::Test {
 protected:
  Files() { std::filesystem::create_directories(folder_); }
  ~Files() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(std::string_view text) {
    const auto path = folder_ / "t.toml";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static std::string refusal_of_load(const std::filesystem::path& path) {
    return refusal([&] { (void)Document::load(path); });
  }

  std::filesystem::path folder_ = testing::TempDir() + "rigproof-toml-" + std::to_string(getpid());
};

TEST_F(Files, AreReadAndKeepTheirText) {
  const Document document = Document::load(write("a = \"b\"\n"));
  EXPECT_EQ(document.root().text("a"), "b");
  EXPECT_EQ(document.text(), "a = \"b\"\n");
}

TEST_F(Files, MessagesNameTheFile) {
  const auto path = write("a = \n");
  EXPECT_THAT(refusal_of_load(path), StartsWith(path.string() + ":1:5: "));
}

TEST_F(Files, MissingOrNoFileIsRefused) {
  EXPECT_THAT(refusal_of_load(folder_ / "none.toml"), HasSubstr("none.toml: cannot be read: No such file"));
  EXPECT_THAT(refusal_of_load(folder_), HasSubstr("is a folder"));
  EXPECT_THAT(refusal_of_load("/dev/null"), HasSubstr("is not a regular file"));
  EXPECT_THAT(refusal_of_load(write("") / "x"), HasSubstr("cannot be read: Not a directory"));
}

TEST_F(Files, UnreadableFileIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const auto path = write("a = 1");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_THAT(refusal_of_load(path), HasSubstr("cannot be read: Permission denied"));
}

TEST_F(Files, LargerThan4MiBIsRefused) {
  const std::string comment = "#" + std::string((4U << 20) - 1, 'x');
  EXPECT_EQ(refusal_of_load(write(comment)), "accepted");
  EXPECT_THAT(refusal_of_load(write(comment + "x")), HasSubstr("is larger than 4 MiB"));
}

TEST(Parse, DrawsACaretUnderTheColumn) {
  EXPECT_THAT(refusal_of_parse("a = 1\nbb = = 2\n"),
              AllOf(StartsWith("t.toml:2:6: "), EndsWith("\n  2 | bb = = 2\n    |      ^")));
}

// Catches: "control characters are prohibited" for a quote that was forgotten.
TEST(Parse, AStringThatIsNotClosedIsReportedWhereItOpens) {
  for (const std::string text :
       {"a = \"x\nb = 1\n", "a = 'x\r\nb = 1", "a = \"x", "a = \"x\\", "a = \"\"\"x\n"})
    EXPECT_THAT(refusal_of_parse(text), StartsWith("t.toml:1:5: this string has no closing quote")) << text;
  EXPECT_EQ(refusal_of_parse("a = \"\"\"x\n\"\"\"\nb = ''\nc = \"\\\"\""), "accepted");
}

TEST(Parse, RefusesDuplicates) {
  EXPECT_THAT(refusal_of_parse("a = 1\na = 2\n"),
              AllOf(StartsWith("t.toml:2:"), HasSubstr("cannot redefine")));
  EXPECT_THAT(refusal_of_parse("[a]\n[a]\n"), AllOf(StartsWith("t.toml:2:"), HasSubstr("cannot redefine")));
}

TEST(Parse, RefusesWhatIsNotUtf8Text) {
  EXPECT_THAT(refusal_of_parse("a = \"\xFF\""), HasSubstr("invalid utf-8"));
  EXPECT_THAT(refusal_of_parse(std::string_view("\xFF\xFE"
                                                "a\0",
                                                4)),
              StartsWith("t.toml:1:1: the file is UTF-16"));
  EXPECT_THAT(refusal_of_parse(std::string_view("a = \"x\0\"", 8)), HasSubstr("control characters"));
}

TEST(Parse, RefusesCurlyQuotesAndTheLike) {
  for (const auto text : {"a = \xE2\x80\x9Cx\xE2\x80\x9D", "a =\xC2\xA0'x'", "a = \xC3\xA4"}) {
    EXPECT_THAT(refusal_of_parse(text),
                HasSubstr("only plain ASCII is allowed outside of strings and comments"));
  }
  EXPECT_EQ(refusal_of_parse("a = '\xC3\xA4' # \xC3\xA4"), "accepted");
}

TEST(Parse, StepsOverAByteOrderMark) {
  EXPECT_THAT(refusal_of_parse("\xEF\xBB\xBF"
                               "a = \n"),
              StartsWith("t.toml:1:5: "));
}

TEST(Parse, ShowsControlCharactersEscapedAndTabsAsSpaces) {
  const std::string message = refusal_of_parse("\ta = \"\x1B[31m\"");
  EXPECT_THAT(message, AllOf(HasSubstr("|  a = \"\\x1B[31m\"\n"), testing::Not(HasSubstr("\x1B"))));
}

TEST(Parse, CutsALongLineAroundTheColumn) {
  const std::string message = refusal_of_parse("a = \"" + std::string(100000, 'y') + "\" !");
  EXPECT_LT(message.size(), 400U);
  EXPECT_THAT(message, AllOf(HasSubstr("| ...yyy"), HasSubstr("y\" !\n")));
}

TEST(Parse, CaretCountsCharactersNotBytes) {
  EXPECT_THAT(refusal_of_parse("a = \"\xC3\xA4\xC3\xA4\" !"),
              AllOf(StartsWith("t.toml:1:10: "), EndsWith("\n    |          ^")));
}

TEST(Parse, SurvivesNestingBombs) {
  const std::string many(100000, '[');
  std::string inline_tables = "a=";
  std::string dots = "a";
  for (int i = 0; i < 100000; ++i) inline_tables += "{a=", dots += ".a";
  for (const std::string& bomb : {many, "a=" + many, inline_tables, dots + "=1", "[" + dots + "]"}) {
    EXPECT_THAT(refusal_of_parse(bomb), StartsWith("t.toml:1:"));
  }
}

TEST(Parse, ABombBehindAStringThatEndsInAQuoteIsSeen) {
  std::string dots = "a";
  for (int i = 0; i < 100000; ++i) dots += ".a";
  EXPECT_THAT(refusal_of_parse("a = [\"\"\"x\"\"\"\", {" + dots + " = 1}]"), HasSubstr("nested too deeply"));
}

TEST(Parse, DotsInStringsAndCommentsAreNoNesting) {
  const std::string dots(1000, '.');
  EXPECT_EQ(refusal_of_parse("a = \"\\\"" + dots + "\" # " + dots + "\nb = '" + dots + "'\nc = '''\n" + dots +
                             "'''"),
            "accepted");
}

}  // namespace
}  // namespace rigproof::toml
