#include "framework/supervisor/shell_words.h"

#include <gmock/gmock.h>

#include <stdexcept>

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitWords, SeparatesAtBlanks) {
  EXPECT_THAT(supervisor::split_words("  srun -N 2\t-n 2 "), ElementsAre("srun", "-N", "2", "-n", "2"));
}
TEST(SplitWords, OfNothingAreNone) { EXPECT_THAT(supervisor::split_words(" \t"), IsEmpty()); }
TEST(SplitWords, QuotesKeepBlanks) {
  EXPECT_THAT(supervisor::split_words(R"(a 'b c' "d e" f\ g)"), ElementsAre("a", "b c", "d e", "f g"));
}
TEST(SplitWords, QuotesMayStandInsideAWord) {
  EXPECT_THAT(supervisor::split_words(R"(--x='a b'c)"), ElementsAre("--x=a bc"));
}
TEST(SplitWords, EmptyQuotesAreAWord) {
  EXPECT_THAT(supervisor::split_words(R"(a '' "")"), ElementsAre("a", "", ""));
}
TEST(SplitWords, DoubleQuotesKnowTwoEscapes) {
  EXPECT_THAT(supervisor::split_words(R"("\"\\\n")"), ElementsAre(R"("\\n)"));
}
TEST(SplitWords, ExpandsNothing) {
  EXPECT_THAT(supervisor::split_words("$HOME * `id`"), ElementsAre("$HOME", "*", "`id`"));
}
TEST(SplitWords, RefusesAnOpenQuote) {
  EXPECT_THROW((void)supervisor::split_words("a 'b"), std::invalid_argument);
}
TEST(SplitWords, RefusesATrailingBackslash) {
  EXPECT_THROW((void)supervisor::split_words("a \\"), std::invalid_argument);
}

TEST(JoinWords, IsUndoneBySplit) {
  const std::vector<std::string> words{"a", "b c", "it's", "", "--x=\"y\"", "$(z)"};
  EXPECT_EQ(supervisor::split_words(supervisor::join_words(words)), words);
}
TEST(JoinWords, LeavesPlainWordsAlone) {
  EXPECT_EQ(supervisor::join_words({"mpirun", "-np", "2", "--host", "a:1,b:1"}),
            "mpirun -np 2 --host a:1,b:1");
}

}  // namespace
}  // namespace rigproof
