// Who looks at a card's counters again and again asks the driver for the values alone. Catches: a look that fetches the
// names of some 1,500 counters each time, twenty times a second; values under another counter's name after the driver
// changed their number.
#include <gmock/gmock.h>
#include <linux/ethtool.h>

#include <cerrno>
#include <cstring>

#include "fixtures/net/ethtool.h"

namespace rigproof::net {
namespace {

using testing::ElementsAre;

// A driver: some counters, and how often it was asked for what.
struct Driver {
  std::vector<std::string> names;
  std::vector<std::uint64_t> values;
  int sizes = 0, strings = 0, statistics = 0;

  int answer(void* command) {
    switch (*static_cast<std::uint32_t*>(command)) {
      case ETHTOOL_GSSET_INFO:
        ++sizes;
        static_cast<ethtool_sset_info*>(command)->data[0] = static_cast<std::uint32_t>(names.size());
        return 0;
      case ETHTOOL_GSTRINGS: {
        ++strings;
        auto* const strings_to = static_cast<ethtool_gstrings*>(command);
        strings_to->len = static_cast<std::uint32_t>(names.size());
        for (std::size_t i = 0; i < names.size(); ++i)
          std::strncpy(reinterpret_cast<char*>(strings_to->data) + i * ETH_GSTRING_LEN, names[i].c_str(),
                       ETH_GSTRING_LEN);
        return 0;
      }
      case ETHTOOL_GSTATS: {
        ++statistics;
        auto* const stats = static_cast<ethtool_stats*>(command);
        stats->n_stats = static_cast<std::uint32_t>(values.size());
        std::copy(values.begin(), values.end(), stats->data);
        return 0;
      }
      default:
        return EOPNOTSUPP;
    }
  }
  EthtoolCounters counters() {
    return {"enp1s0f0np0", [this](void* command) { return answer(command); }};
  }
};

TEST(EthtoolCounters, FetchNamesOnceAndValuesByOneCallALook) {
  Driver driver{{"rx_packets_phy", "rx_discards_phy"}, {7, 0}};
  EthtoolCounters counters = driver.counters();
  EXPECT_THAT(counters.read(), ElementsAre(7, 0));
  driver.values = {9, 2};
  for (int look = 0; look < 20; ++look) EXPECT_THAT(counters.read(), ElementsAre(9, 2));
  EXPECT_EQ(counters.find("rx_discards_phy"), 1U);
  EXPECT_EQ(counters.find("rx_discards"), std::nullopt);
  EXPECT_EQ(driver.sizes, 1);
  EXPECT_EQ(driver.strings, 1);
  EXPECT_EQ(driver.statistics, 21);
}

TEST(EthtoolCounters, FetchNamesAnewWhenThereAreMore) {
  Driver driver{{"rx_packets_phy"}, {7}};
  EthtoolCounters counters = driver.counters();
  ASSERT_THAT(counters.read(), ElementsAre(7));
  driver.names = {"rx_new", "rx_packets_phy"};
  driver.values = {1, 8};
  EXPECT_THAT(counters.read(), ElementsAre(1, 8));
  EXPECT_EQ(counters.find("rx_packets_phy"), 1U);
}

TEST(EthtoolCounters, AreNoneWhereTheDriverHasNone) {
  Driver driver;
  EXPECT_TRUE(driver.counters().read().empty());
  EXPECT_EQ(driver.statistics, 0);
}

// Who holds the names for a whole run would watch nothing, and the card's twin would stand for it.
TEST(EthtoolCounters, AreNotNoneWhereTheKernelCouldNotAnswer) {
  const auto refuses = [](int error) { return EthtoolCounters("enp1s0f0np0", [=](void*) { return error; }); };
  EXPECT_THROW(refuses(ENOMEM), NetError);
  EXPECT_TRUE(refuses(EOPNOTSUPP).read().empty());
}

TEST(EthtoolCounters, TellADeviceThatIsNotThere) {
  EXPECT_THROW(EthtoolCounters("no-such-device"), NetError);
}

}  // namespace
}  // namespace rigproof::net
