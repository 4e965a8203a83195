// Every half runs at the MTU that the rig file names. Catches: an MTU lost in a reboot or a firmware update.
#include "fixtures/net/netdev.h"
#include "framework/runner/rig_test.h"

namespace rigproof {
namespace {

class HalfMtu : public RigTest<HalfSubject> {};

TEST_P(HalfMtu, IsAsPlanned) {
  const std::string& netdev = rig().half(subject().half).netdev;
  const auto found = measure("read", std::chrono::seconds(5), [&] {
    return here(subject().half.node) ? net::read_netdev(netdev) : std::optional<net::NetdevFacts>();
  });
  if (!here(subject().half.node)) return;
  if (!found) note(netdev + ": no such netdev");
  report("mtu.netdev", found ? found->mtu : DataSize::bytes(0));
}

RIGPROOF_CASES(EachHalf, HalfMtu, every_half);

}  // namespace
}  // namespace rigproof
