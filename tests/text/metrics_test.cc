// Texts about an id come from what the suites declared. Catches: an id without its family's title, a text of a stranger's
// record that fills a page.
#include "reports/text/metrics.h"

#include <gtest/gtest.h>

namespace rigproof::text {
namespace {

record::Declared metric(const std::string& id, const std::string& title) {
  return {.id = id, .kind = "count", .needs = "", .title = title, .meaning = "m", .causes = "c"};
}

TEST(Metrics, AreFoundByTheirIdOrTheirFamily) {
  const Metrics::BySuite declared{{"preflight", {metric("preflight.sysctl.*", "Kernel setting")}},
                                  {"tcp", {metric("tcp.rate", "One half"), metric("load.ber", "Bit errors")}},
                                  {"rdma", {metric("load.ber", "Bit errors"), metric("rdma.rate", "")}}};
  const Metrics metrics(declared);
  EXPECT_EQ(metrics.title_of("tcp.rate"), "One half");
  EXPECT_EQ(metrics.title_of("preflight.sysctl.net.core.rmem_max"), "Kernel setting");
  EXPECT_EQ(metrics.find("load.ber")->meaning, "m");
  for (const char* id : {"tcp.rat", "tcp.rates", "preflight.sysctl", "rdma.rate", ""}) {
    EXPECT_EQ(metrics.find(id), nullptr) << id;
    EXPECT_EQ(metrics.title_of(id), "") << id;
  }
  EXPECT_EQ(metrics.all().size(), 4U);  // one has no title
}
TEST(Metrics, OfAStrangersRecordHaveShortTitles) {
  const Metrics::BySuite declared{{"tcp", {metric("tcp.rate", "a\n" + std::string(1 << 20, 'x'))}}};
  const std::string title = Metrics(declared).title_of("tcp.rate");
  EXPECT_LE(title.size(), 83U);
  EXPECT_EQ(title.find('\n'), title.npos);
}

}  // namespace
}  // namespace rigproof::text
