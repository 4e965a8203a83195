// Every half that the rig file names is there, is the device that the file means, has its address and its
// link. Catches: a NIC off the bus, a dead or unplugged cable, a rate that was negotiated down, a swapped
// half, an address on the wrong half.
#include <algorithm>

#include "fixtures/net/netdev.h"
#include "framework/runner/rig_test.h"

namespace rigproof {
namespace {

class HalfLink : public RigTest<HalfSubject> {
 protected:
  [[nodiscard]] const Half& half() const { return rig().half(subject().half); }
  [[nodiscard]] bool mine() const { return here(subject().half.node); }

  // What the half's own node sees; nothing on the other nodes and where the netdev is absent.
  [[nodiscard]] std::optional<net::NetdevFacts> read() {
    return measure("read", std::chrono::seconds(5), [&] {
      return mine() ? net::read_netdev(half().netdev) : std::optional<net::NetdevFacts>();
    });
  }
  // Leaves the case, agreed by all ranks, when the attribute can't be read on the half's node.
  void require(bool readable, const std::string& what) {
    phase("check", std::chrono::seconds(5), [&] {
      if (mine() && !readable) not_proven(half().netdev + ": " + what + " can't be read");
    });
  }
};

TEST_P(HalfLink, IsTheDeviceOfTheRigFile) {
  const auto found = read();
  if (!mine()) return;
  if (!found) note(half().netdev + ": no such netdev");
  const bool same = found && (!half().mac || *half().mac == found->mac);
  if (found && !same) note(half().netdev + " has MAC " + found->mac + ", the rig file says " + *half().mac);
  report("link.present", count(same ? 1 : 0));
}

TEST_P(HalfLink, IsUp) {
  const auto found = read();
  if (!mine()) return;
  if (found && !found->up) note(half().netdev + " is administratively down");
  if (found && found->up && !found->carrier.value_or(false)) note(half().netdev + " has no carrier");
  report("link.up", count(found && found->up && found->carrier.value_or(false) ? 1 : 0));
}

TEST_P(HalfLink, RunsAtThePortsRate) {
  const auto found = read();
  require(found && found->speed, "speed");
  if (mine()) report("link.rate", *found->speed);
}

TEST_P(HalfLink, HasItsAddressAlone) {
  const auto found = read();
  if (!mine()) return;
  const std::string wanted = half().address + "/" + std::to_string(half().prefix_length);
  const auto addresses = found ? found->ipv4 : std::vector<std::string>();
  for (const std::string& address : addresses)
    if (address != wanted) note(half().netdev + " also has " + address);
  if (std::ranges::find(addresses, wanted) == addresses.end()) note(half().netdev + " lacks " + wanted);
  report("link.address", count(addresses == std::vector{wanted} ? 1 : 0));
}

RIGPROOF_CASES(EachHalf, HalfLink, every_half);

}  // namespace
}  // namespace rigproof
