// Whatever a text holds, a TOML file gives it back and nothing else. Catches: a quote that closes a string early, a line
// break that begins a table, a control character or a mark that turns the text around in whoever's terminal.
#include "framework/toml/encode.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "tests/toml/toml_test_support.h"

namespace rigproof::toml {
namespace {

std::string every_character() {
  std::string text;
  for (char c = 1; c > 0; ++c) text += c;  // U+0001 to U+007F
  return text + "\u0085\u00e4\u202e\u2028\ufeff\U0001F600";
}

TEST(Encoded, IsReadBackAsItWas) {
  for (const std::string& text :
       {every_character(), std::string("a\"\n[[switch]]\nname = \"b"), std::string("\\"),
        std::string("\\u0041"), std::string("'''"), std::string("\"\"\"")}) {
    const Document document =
        Document::parse("key = " + encoded(text) + "\nlist = " + encoded({text, "b"}) + "\n", "t");
    EXPECT_EQ(document.root().text("key"), text);
    EXPECT_THAT(document.root().texts("list"), testing::ElementsAre(text, "b"));
    EXPECT_EQ(document.root().keys().size(), 2U);
  }
}
TEST(Encoded, ShowsNothingThatMisleads) {
  const std::string text = encoded(every_character());
  for (const char* hidden : {"\n", "\x1b", "\x7f", "\u0085", "\u202e", "\u2028"})
    EXPECT_EQ(text.find(hidden), std::string::npos) << text;
}
TEST(Encoded, RefusesWhatIsNoText) {
  EXPECT_THROW((void)encoded("\xff"), std::invalid_argument);
  EXPECT_THROW((void)encoded(std::string("\xed\xa0\x80")), std::invalid_argument);
}
TEST(Comment, IsOneLine) {
  const std::string text = comment("a\n[[switch]]\r\x1b[31m" + every_character());
  EXPECT_EQ(text.find_first_of("\n\r\x1b"), std::string::npos) << text;
  EXPECT_TRUE(Document::parse(text + "\n", "t").root().keys().empty());
}

}  // namespace
}  // namespace rigproof::toml
