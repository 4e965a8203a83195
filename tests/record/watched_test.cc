// What the looks at a node's cards saw, as findings of a case. Catches: a phase whose growth is lost because a later one
// was clean, a ratio of nothing taken for a clean one, a reset card taken for a clean one.
#include "framework/record/measured.h"

#include <gmock/gmock.h>

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

record::Watched damaged(double grown) {
  return {
      .id = "load.damaged", .subject = "enp1", .grown = grown, .names = grown > 0 ? "rx_crc_errors_phy" : ""};
}
record::Watched discards(double grown, double of) {
  return {.id = "load.discards", .subject = "enp1", .grown = grown, .of = of, .counts = false};
}
std::vector<record::Measured> findings_of(const std::vector<std::vector<record::Watched>>& looks) {
  record::WatchedSums sums;
  for (const auto& look : looks) sums.add(look);
  return sums.findings("node-b");
}

TEST(WatchedSums, AddUpTheLooksOfACase) {
  const auto findings = findings_of({{damaged(2), discards(1, 100)}, {damaged(0), discards(0, 300)}});
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].id, "load.damaged");
  EXPECT_EQ(findings[0].node, "node-b");
  EXPECT_EQ(findings[0].detail, "enp1");
  EXPECT_THAT(findings[0].samples.values, ElementsAre(2));
  EXPECT_THAT(findings[1].samples.values, ElementsAre(1.0 / 400));
  EXPECT_EQ(findings[1].samples.dimension, Dimension::kRatio);
}
TEST(WatchedSums, SayNothingOfAShareOfNothing) {
  EXPECT_THAT(findings_of({{discards(0, 0)}}), SizeIs(0));
  EXPECT_THAT(findings_of({{discards(2, 0)}}).at(0).samples.values, ElementsAre(1));
}
TEST(WatchedSums, TellWhatWasLost) {
  record::Watched reset = damaged(0);
  reset.lost = "rx_crc_errors_phy went back from 5 to 0";
  const auto findings = findings_of({{damaged(0)}, {reset}});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].unread, record::Measured::Unread::kNotReadable);
}
TEST(WatchedSums, SayOnceWhatEveryLookLost) {
  record::Watched unread = damaged(0), reset = damaged(0);
  unread.lost = "its counters can't be read any more";
  reset.lost = "rx_crc_errors_phy went back from 5 to 0";
  EXPECT_EQ(findings_of({{unread}, {reset}, {unread}}).at(0).text,
            "enp1: its counters can't be read any more, rx_crc_errors_phy went back from 5 to 0");
}
// Catches: GPUs without ECC whose limit no case reports. A count that is lost later is no such thing.
TEST(WatchedSums, TellWhatIsNotThereToCount) {
  const record::Watched absent{
      .id = "load.gpu.corrected", .subject = "GPUs", .absent = "no GPU of this node counts ECC errors"};
  record::Watched lost{.id = "load.gpu.corrected", .subject = "GPU 0"};
  lost.lost = "its count of ECC errors can't be read any more";
  const auto findings = findings_of({{absent}, {lost}});
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].unread, record::Measured::Unread::kNotReadable);
  EXPECT_EQ(findings[1].unread, record::Measured::Unread::kNothingThere);
  EXPECT_EQ(findings[1].text, "no GPU of this node counts ECC errors");
  EXPECT_THAT(findings[1].samples.values, SizeIs(0));
}
TEST(WatchedSums, NameWhatGrew) {
  record::WatchedSums sums;
  sums.add({damaged(3), discards(0, 5)});
  EXPECT_THAT(sums.notes(), ElementsAre("enp1: rx_crc_errors_phy"));
}

}  // namespace
}  // namespace rigproof
