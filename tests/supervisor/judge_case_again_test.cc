#include "framework/supervisor/judge_case_again.h"

#include <gtest/gtest.h>

namespace rigproof {
namespace {

TEST(WordsBehind, UndoesFilledOrSaysNothing) {
  EXPECT_EQ(words_behind("ip addr {change} dev {netdev}", "ip addr add 10.0.0.1/24 dev eth0"),
            (Words{{"change", "add 10.0.0.1/24"}, {"netdev", "eth0"}}));
  EXPECT_EQ(words_behind("{node}", "node-a"), (Words{{"node", "node-a"}}));
  EXPECT_EQ(words_behind("{a} is {a}", "x is x"), (Words{{"a", "x"}}));
  EXPECT_EQ(words_behind("no words", "no words"), Words());
  for (const char* other : {"{a} is {a}", "{a}{b}", "ip {a}", "{a} end", "{a} {", "}"})
    EXPECT_EQ(words_behind(other, "x is y"), Words()) << other;
}

}  // namespace
}  // namespace rigproof
