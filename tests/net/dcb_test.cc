// The kernel's DCB answer: trust in DSCP, its map, priority flow control and bandwidths. Answers are laid out as in
// linux/net/dcb/dcbnl.c, dcbnl_ieee_fill(). Catches: a map of which only the last entry is read.
#include "fixtures/net/dcb.h"

#include <gmock/gmock.h>
#include <linux/dcbnl.h>
#include <linux/netlink.h>

#include <cstring>

#include "fixtures/net/socket.h"

namespace rigproof::net {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::string attribute(int type, const std::string& value) {
  const nlattr header{static_cast<std::uint16_t>(NLA_HDRLEN + value.size()),
                      static_cast<std::uint16_t>(type)};
  std::string text(reinterpret_cast<const char*>(&header), sizeof header);
  text += value;
  text.resize(NLA_ALIGN(text.size()));
  return text;
}
template <class Value>
std::string attribute(int type, const Value& value) {
  return attribute(type, std::string(reinterpret_cast<const char*>(&value), sizeof value));
}

std::string app(std::uint8_t selector, std::uint16_t protocol, std::uint8_t priority) {
  return attribute(DCB_ATTR_IEEE_APP,
                   dcb_app{.selector = selector, .priority = priority, .protocol = protocol});
}

std::string answer(const std::string& app_table) {
  ieee_pfc pfc{};
  pfc.pfc_en = 1 << 3 | 1 << 5;
  ieee_ets ets{};
  ets.prio_tc[3] = 1;
  ets.tc_tsa[0] = ets.tc_tsa[1] = IEEE_8021QAZ_TSA_ETS;
  ets.tc_tx_bw[0] = 40;
  ets.tc_tx_bw[1] = 60;
  ets.tc_tx_bw[2] = 9;
  return attribute(DCB_ATTR_IEEE_ETS, ets) + attribute(DCB_ATTR_IEEE_PFC, pfc) +
         attribute(DCB_ATTR_IEEE_APP_TABLE, app_table);
}

TEST(Dcb, ShowsPriorityFlowControlAndBandwidths) {
  const DcbSettings settings = parse_dcb(answer(""), "eth0");
  EXPECT_THAT(settings.pfc, ElementsAre(3, 5));
  EXPECT_THAT(settings.queues, ElementsAre(0, 0, 0, 1, 0, 0, 0, 0));
  EXPECT_THAT(settings.shares, ElementsAre(40, 60, 0, 0, 0, 0, 0, 0))
      << "the share of a strict queue means nothing";
}

TEST(Dcb, TrustsDscpIfTheTableMapsIt) {
  const DcbSettings settings =
      parse_dcb(answer(app(IEEE_8021QAZ_APP_SEL_DSCP, 26, 3) + app(IEEE_8021QAZ_APP_SEL_DGRAM, 4791, 5) +
                       app(IEEE_8021QAZ_APP_SEL_DSCP, 48, 6)),
                "eth0");
  EXPECT_THAT(settings.dscp_priorities, ElementsAre(Pair(26, 3), Pair(48, 6)));
  EXPECT_EQ(settings.priority_of(26), 3);
  EXPECT_EQ(settings.priority_of(0), 0);
}

TEST(Dcb, WithoutAMapEveryClassHasPriority0) {
  const DcbSettings settings = parse_dcb(answer(app(IEEE_8021QAZ_APP_SEL_DGRAM, 4791, 5)), "eth0");
  EXPECT_THAT(settings.dscp_priorities, IsEmpty());
  EXPECT_EQ(settings.priority_of(26), 0);
}

TEST(Dcb, ADriverWithoutSettingsIsNotOneWithoutFlowControl) {
  EXPECT_THROW((void)parse_dcb(attribute(DCB_ATTR_IEEE_APP_TABLE, std::string()), "eth0"), NetError);
}

}  // namespace
}  // namespace rigproof::net
