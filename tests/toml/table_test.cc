#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/toml/toml_test_support.h"

namespace rigproof::toml {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Table root(std::string_view text) { return Document::parse(text, "t.toml").root(); }

TEST(Table, ReadsEveryTypeAndFinishes) {
  const Table table =
      root("a='x'\nb='5 us'\nc=3\nd=['x','y']\ne=true\nf={g='z'}\n[[h]]\ni='1'\n[[h]]\ni='2'\n");
  EXPECT_EQ(table.text("a"), "x");
  EXPECT_EQ(table.quantity("b", Dimension::kTime).value, 5e-6);
  EXPECT_EQ(table.integer("c"), 3);
  EXPECT_THAT(table.texts("d"), ElementsAre("x", "y"));
  EXPECT_EQ(table.maybe_boolean("e"), true);
  EXPECT_EQ(table.table("f").text("g"), "z");
  EXPECT_EQ(table.tables("h").at(1).text("i"), "2");
  EXPECT_NO_THROW(table.finish());
}

TEST(Table, AbsentKeysAreEmptyOptionals) {
  const Table table = root("");
  EXPECT_FALSE(table.has("a"));
  EXPECT_FALSE(table.maybe_text("a"));
  EXPECT_FALSE(table.maybe_texts("a"));
  EXPECT_FALSE(table.maybe_boolean("a"));
  EXPECT_FALSE(table.maybe_table("a"));
  EXPECT_TRUE(table.tables("a").empty());
}

TEST(Table, InlineAndHeaderTablesReadTheSame) {
  for (const auto text : {"a = { b = 'x' }", "[a]\nb = 'x'", "a.b = 'x'"}) {
    EXPECT_EQ(root(text).table("a").text("b"), "x");
  }
}

TEST(Table, AMissingKeyIsReportedAtItsTable) {
  const Table table = root("x = 1\n[a]\nb = 'x'\n").table("a");
  EXPECT_EQ(refusal([&] { (void)table.text("c"); }), "t.toml:2:1: missing key 'c'\n  2 | [a]\n    | ^");
}

// Catches: "missing key 'address'" of a table that shows "adress".
TEST(Table, AMisspeltKeyIsReportedWhereItStands) {
  const Table table = root("adress = 'x'\nrails = 'x'\n");
  EXPECT_THAT(refusal([&] { (void)table.text("address"); }),
              StartsWith("t.toml:1:1: unknown key 'adress'; did you mean 'address'?"));
  (void)table.text("rails");
  EXPECT_THAT(refusal([&] { (void)table.text("rail"); }), HasSubstr("missing key 'rail'"));
}

TEST(Table, AWrongTypeIsReportedAtItsValue) {
  const Table table = root("a = 5\nb = ['x', 5]\nc = 'x'\nd = []\ne = '  '\n");
  EXPECT_THAT(refusal([&] { (void)table.text("a"); }),
              StartsWith("t.toml:1:5: 'a' must be a string, not an integer"));
  EXPECT_THAT(refusal([&] { (void)table.texts("b"); }),
              StartsWith("t.toml:2:11: 'b' must hold strings only, not an integer"));
  EXPECT_THAT(refusal([&] { (void)table.integer("c"); }), HasSubstr("'c' must be an integer, not a string"));
  EXPECT_THAT(refusal([&] { (void)table.maybe_boolean("c"); }), HasSubstr("must be true or false"));
  EXPECT_THAT(refusal([&] { (void)table.table("c"); }), HasSubstr("must be a table"));
  EXPECT_THAT(refusal([&] { (void)table.texts("d"); }), HasSubstr("'d' is empty"));
  EXPECT_THAT(refusal([&] { (void)table.text("e"); }), HasSubstr("'e' is empty"));
}

TEST(Table, ASingleTableIsNoListOfTables) {
  const Table table = root("[a]\nb = 1\n");
  EXPECT_THAT(refusal([&] { (void)table.tables("a"); }), HasSubstr("write [[a]]"));
  EXPECT_THAT(refusal([&] { (void)table.table("a").tables("b"); }), HasSubstr("(write b = [{ ... }])"))
      << "[[b]] would be a table of the document";
}

TEST(Table, AQuantityNeedsItsUnitAndDimension) {
  const Table table = root("a = 170\nb = '170'\nc = '9000 B'\nd = 1.5\ne = '9000'\n");
  const auto refused = [&](std::string_view key) {
    return refusal([&] { (void)table.quantity(key, Dimension::kDataRate); });
  };
  EXPECT_THAT(refused("a"), StartsWith("t.toml:1:5: no unit in 170 (write e.g. \"170 Gbit/s\")"));
  EXPECT_THAT(refused("b"), StartsWith("t.toml:2:5: no unit in '170'"));
  EXPECT_THAT(refused("c"), StartsWith("t.toml:3:5: '9000 B' is a data size, but 'c' is a data rate"));
  EXPECT_THAT(refused("d"), HasSubstr("no unit in 1.5"));
  EXPECT_THAT(refusal([&] { (void)table.quantity("e", Dimension::kDataSize); }),
              StartsWith("t.toml:5:5: no unit in '9000' (write e.g. \"9000 B\")"));
}

TEST(Table, ADateIsADayOfTheCalendar) {
  const Table table = root(
      "a = 2026-12-31\nb = '2028-02-29'\nc = '2026-02-29'\nd = '2026-1-1'\ne = '2026-12-31x'\n"
      "f = 2026-12-31T00:00:00Z\n");
  EXPECT_EQ(table.date("a"), "2026-12-31");
  EXPECT_EQ(table.date("b"), "2028-02-29");
  for (const auto key : {"c", "d", "e"}) {
    EXPECT_THAT(refusal([&] { (void)table.date(key); }),
                HasSubstr("is not a valid date (write e.g. \"2026-12-31\")"));
  }
  EXPECT_THAT(refusal([&] { (void)table.date("f"); }),
              HasSubstr("'f' must be a date, not a date with a time"));
}

TEST(Table, FinishRefusesAKeyThatNobodyReadAndNamesTheNearest) {
  const Table table = root("at_lest = 'x'\n");
  (void)table.maybe_text("at_least");
  (void)table.maybe_text("remedy");
  EXPECT_THAT(refusal([&] { table.finish(); }),
              StartsWith("t.toml:1:1: unknown key 'at_lest'; did you mean 'at_least'?"));
}

TEST(Table, FinishTakesACapitalForItsSmallLetter) {
  const Table table = root("AT_LEAST = 'x'\n");
  (void)table.maybe_text("at_least");
  (void)table.maybe_text("AT");
  EXPECT_THAT(refusal([&] { table.finish(); }), HasSubstr("did you mean 'at_least'?"));
}

TEST(Table, FinishListsTheKnownKeysWhenNoneIsNear) {
  const Table table = root("\n  colour = 'x'\n");
  (void)table.maybe_text("id");
  (void)table.maybe_text("remedy");
  EXPECT_THAT(refusal([&] { table.finish(); }),
              StartsWith("t.toml:2:3: unknown key 'colour' (known: id, remedy)"));
}

TEST(Table, AskingForAKeyIsNotReadingIt) {
  const Table table = root("a = 1\n");
  EXPECT_TRUE(table.has("a"));
  EXPECT_THAT(refusal([&] { table.finish(); }), HasSubstr("unknown key 'a'"));
}

TEST(Table, FailPointsAtTheValueTheElementOrTheTable) {
  const Table table = root("a = 'x'\nb = ['x', 'y']\n");
  EXPECT_THAT(refusal([&] { table.fail("a", "no"); }), StartsWith("t.toml:1:5: no\n"));
  EXPECT_THAT(refusal([&] { table.fail("b", "no", 1); }), StartsWith("t.toml:2:11: no\n"));
  EXPECT_THAT(refusal([&] { table.fail("b", "no", 7); }), StartsWith("t.toml:2:5: no\n"));
  EXPECT_THAT(refusal([&] { table.fail("", "no"); }), StartsWith("t.toml:1:1: no\n"));
}

TEST(Table, OutlivesItsDocumentAndKnowsItsPlace) {
  const Table table = root("\n[[a]]\n").tables("a").front();
  EXPECT_EQ(table.where(), (toml::Place{"t.toml", 2}));
  EXPECT_EQ(to_text(table.where()), "t.toml:2");
  EXPECT_EQ(to_text(toml::Place()), "");
}

}  // namespace
}  // namespace rigproof::toml
