#include "reports/text/markup.h"

#include <gtest/gtest.h>

#include <sstream>

namespace rigproof {
namespace {

TEST(Markup, EscapesWhatIsForeign) {
  EXPECT_EQ(text::escaped("<a b=\"c\" d='e'>&"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
  EXPECT_EQ(text::escaped("\x01\xff"), "\uFFFD\uFFFD");
}

TEST(Markup, ClosesWhatItOpens) {
  std::ostringstream out;
  {
    text::Markup page(out);
    const auto table = page.element("table", {{"class", "a\"b"}});
    page.leaf("td", "<x>");
    page.empty("br");
  }
  EXPECT_EQ(out.str(), "<table class=\"a&quot;b\"><td>&lt;x&gt;</td>\n<br/></table>\n");
}

TEST(Markup, CutsLongTextsButNoAttribute) {
  std::ostringstream out;
  text::Markup page(out);
  page.leaf("p", std::string(1 << 20, 'x'));
  EXPECT_LT(out.str().size(), 5000u);
  page.empty("polyline", {{"points", std::string(10'000, '1')}});
  EXPECT_GT(out.str().size(), 10'000u);
}

}  // namespace
}  // namespace rigproof
