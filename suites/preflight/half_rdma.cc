// Every half's RDMA device is the one of the rig file, active, on Ethernet, at the path MTU that the netdev's
// allows, with a RoCE v2 GID for the half's address. Catches: a RoCE path MTU of 1024, a GID table that moved,
// a second half without a GID, InfiniBand mode, devices and netdevs mixed up.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fixtures/facts/gid.h"
#include "suites/preflight/facts_case.h"

namespace rigproof {
namespace {

constexpr const char* kPort = "1";  // a ConnectX function has one

std::vector<HalfSubject> every_rdma_half(const Rig& rig) {
  std::vector<HalfSubject> halves = every_half(rig);
  std::erase_if(halves, [&](const HalfSubject& subject) { return !rig.half(subject.half).rdma; });
  return halves;
}

class HalfRdma : public HalfFacts {
 protected:
  [[nodiscard]] const std::string& device() const { return *half().rdma; }
  [[nodiscard]] bool is_there(const FactsBook& book) {
    const NodeFacts& facts = of_node(book);
    if (facts.has({"rdma", device()})) return true;
    if (facts.why_unread({"rdma", device()})) not_proven(find_text(facts, {"rdma", device()}).why);
    note(facts.node() + " has no RDMA device " + device());
    return false;
  }
  void judge_port(std::string_view id, const char* fact) {
    look([&](const FactsBook& book) {
      const auto found = is_there(book) ? find_text(of_node(book), {"rdma", device(), "ports", kPort, fact})
                                        : Found<std::string>{"no such device", {}};
      judge(id, found, finding());
    });
  }
};

TEST_P(HalfRdma, BelongsToTheHalf) {
  look([&](const FactsBook& book) {
    const bool there = is_there(book);
    const auto netdevs = of_node(book).texts({"rdma", device(), "netdevs"});
    const bool same = there && std::ranges::find(netdevs, netdev()) != netdevs.end();
    if (there && !same) note(fmt::format("{} belongs to {}", device(), fmt::join(netdevs, ", ")));
    judge("preflight.rdma.present", count(same ? 1 : 0), finding());
  });
}

TEST_P(HalfRdma, IsActive) { judge_port("preflight.rdma.state", "state"); }
TEST_P(HalfRdma, IsOnEthernet) { judge_port("preflight.rdma.link_layer", "link_layer"); }

TEST_P(HalfRdma, UsesTheLargestPathMtu) {
  look([&](const FactsBook& book) {
    const auto mtu = is_there(book)
                         ? find_number(of_node(book), {"rdma", device(), "ports", kPort, "active_mtu"})
                         : Found<double>{0, {}};
    judge("preflight.rdma.active_mtu", as(Dimension::kDataSize, mtu), finding());
  });
}

TEST_P(HalfRdma, HasARoceV2Gid) {
  look([&](const FactsBook& book) {
    const NodeFacts& facts = of_node(book);
    double good = 0;
    if (is_there(book)) {
      if (facts.why_unread({"rdma", device(), "ports", kPort, "gids"}))
        not_proven(find_text(facts, {"rdma", device(), "ports", kPort, "gids"}).why);
      for (const std::string& index : facts.keys({"rdma", device(), "ports", kPort, "gids"})) {
        const auto gid = [&](const char* what) {
          return facts.text({"rdma", device(), "ports", kPort, "gids", index, what}).value_or("");
        };
        const bool usable = gid("type") == "RoCE v2" && gid("gid") == gid_of_ipv4(half().address);
        good += usable ? 1 : 0;
        if (usable) note(fmt::format("{}: GID index {}", device(), index));
      }
      if (good == 0) note(fmt::format("{} has no GID of type RoCE v2 with {}", device(), half().address));
    }
    judge("preflight.rdma.gid", count(good), finding());
  });
}

RIGPROOF_CASES(EachHalf, HalfRdma, every_rdma_half);

}  // namespace
}  // namespace rigproof
