// What ranks tell each other of their paths arrives as it was said, whatever bytes it has. Catches a reason that is taken for
// a word or cut at a line's end, and tables of jobs that do not fit together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "fixtures/flows/flows.h"
#include "framework/cbor/cbor.h"

namespace rigproof {
namespace {

using flows::PathTable;
using testing::ElementsAre;

PathTable merged(const PathTable& a, const PathTable& b) {
  return PathTable::merge({a.bytes(), b.bytes()}, a.said().size());
}

TEST(PathTable, KeepsEveryByteOfWordsAndReasons) {
  const std::string word("!no\nreason\0at all\xff", 18), reason = "connect to 10.0.0.2\nfailed: \xfe";
  PathTable table(3);
  table.say(0, word);
  table.kill(1, reason);
  const PathTable all = PathTable::merge({table.bytes()}, 3);
  EXPECT_THAT(all.said(), ElementsAre(word, "", ""));
  EXPECT_EQ(all.reason(0), std::nullopt);
  EXPECT_EQ(all.reason(1), reason);
  EXPECT_EQ(all.reason(2), std::nullopt);
}
TEST(PathTable, HasWhatAnyoneSaidFirst) {
  PathTable a(3), b(3);
  b.say(0, "of b");
  a.say(1, "of a"), b.say(1, "of b");
  a.say(2, "of a"), b.kill(2, "dead on b");
  EXPECT_THAT(merged(a, b).said(), ElementsAre("of b", "of a", "of a"));
  EXPECT_EQ(merged(a, b).reason(2), "dead on b");
}
TEST(PathTable, AReasonWithoutWordsKillsAll) {
  PathTable table(1);
  table.kill(0, "");
  EXPECT_EQ(PathTable::merge({table.bytes()}, 1).reason(0), "");
}
TEST(PathTable, OfOtherPathsIsRefused) {
  EXPECT_THROW((void)PathTable::merge({PathTable(2).bytes()}, 3), cbor::Malformed);
  EXPECT_THROW((void)PathTable::merge({"4000 17"}, 1), cbor::Malformed);
}

}  // namespace
}  // namespace rigproof
