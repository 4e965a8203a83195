// Every half has the RDMA device that the rig file names: there, active, RoCE over Ethernet, with the path MTU
// that the netdev's MTU allows and a RoCE v2 GID of the rail's address; the twins of a port have one each.
// Catches: a driver that is not bound, a character device missing, netdev MTU 1500 (path MTU 1024), an address
// that is gone or on the other half, swapped devices.
#include "fixtures/verbs/rdma_device.h"

#include <fmt/format.h>
#include <net/if.h>

#include <algorithm>
#include <set>

#include "fixtures/net/netdev.h"
#include "fixtures/verbs/registered_buffer.h"
#include "fixtures/verbs/verbs_error.h"
#include "framework/runner/rig_test.h"
#include "suites/rdma/rdma_subjects.h"

namespace rigproof {
namespace {

// nullopt where the device is not there or does not open, which is a finding.
std::optional<RdmaDeviceFacts> read_or_note(const std::string& device,
                                            const std::function<void(std::string)>& note) {
  try {
    auto facts = read_rdma_device(device);
    if (!facts) note(fmt::format("no RDMA device {} here", device));
    return facts;
  } catch (const DeadRdmaPath& error) {
    note(error.what());
  } catch (const VerbsError& error) {
    note(error.what());
  }
  return std::nullopt;
}

class HalfDevice : public RigTest<HalfSubject> {
 protected:
  [[nodiscard]] const Half& half() const { return rig().half(subject().half); }
  [[nodiscard]] bool mine() const { return here(subject().half.node); }
  [[nodiscard]] std::optional<RdmaDeviceFacts> read() {
    return measure("read", std::chrono::seconds(10), [&]() -> std::optional<RdmaDeviceFacts> {
      if (!mine()) return std::nullopt;
      return read_or_note(*half().rdma, [&](std::string text) { note(std::move(text)); });
    });
  }
};

TEST_P(HalfDevice, IsTheDeviceOfTheNetdev) {
  const auto found = read();
  if (!mine()) return;
  const bool its = found && std::ranges::find(found->netdevs, half().netdev) != found->netdevs.end();
  if (found && !its)
    note(fmt::format("{} belongs to {}, not to {}", found->name,
                     found->netdevs.empty() ? "no netdev" : found->netdevs.front(), half().netdev));
  report("rdma.device", count(its ? 1 : 0));
}

TEST_P(HalfDevice, IsActive) {
  const auto found = read();
  if (!mine()) return;
  if (found && !found->active) note(found->name + " is " + found->state);
  report("rdma.active", count(found && found->active ? 1 : 0));
}

TEST_P(HalfDevice, SpeaksRoceOverEthernet) {
  const auto found = read();
  if (mine()) report("rdma.ethernet", count(found && found->ethernet ? 1 : 0));
}

TEST_P(HalfDevice, HasItsPathMtu) {
  const auto found = read();
  if (!mine()) return;
  if (found) note(fmt::format("{} on {}, whose MTU decides", found->name, half().netdev));
  report("rdma.active_mtu", found ? found->active_mtu : DataSize::bytes(0));
}

TEST_P(HalfDevice, HasTheGidOfItsAddress) {
  const auto found = read();
  if (!mine()) return;
  const auto netdev = if_nametoindex(half().netdev.c_str());
  const bool has = found && choose_gid(found->gids, half().address, netdev);
  if (found && !has)
    note(fmt::format("{} has no RoCE v2 GID of {} on {}; its GIDs: {}", found->name, half().address,
                     half().netdev, describe(found->gids)));
  report("rdma.gid", count(has ? 1 : 0));
}

RIGPROOF_CASES(EachHalf, HalfDevice, rdma_halves);

class PortDevices : public RigTest<PortSubject> {};

// The RDMA devices whose netdevs sit behind the port. Catches: a twin that is missing or behind another port.
TEST_P(PortDevices, AreOneAHalf) {
  std::set<std::string> devices, ports;
  measure("read", std::chrono::seconds(10), [&] {
    if (!here(subject().port.node)) return;
    for (const Half& half : rig().port(subject().port).halves) {
      const auto found = read_or_note(*half.rdma, [&](std::string text) { note(std::move(text)); });
      if (!found || found->netdevs.empty()) continue;
      const auto netdev = net::read_netdev(found->netdevs.front());
      if (netdev && !netdev->port) not_proven(netdev->name + ": the port it sits behind can't be read");
      if (!netdev) continue;
      ports.insert(netdev->port->id);
      devices.insert(found->name);
    }
  });
  if (!here(subject().port.node)) return;
  if (ports.size() > 1) note("they sit behind " + std::to_string(ports.size()) + " ports");
  report("rdma.port_devices", count(ports.size() == 1 ? static_cast<double>(devices.size()) : 0));
}

RIGPROOF_CASES(EachPort, PortDevices, rdma_ports);

class NodeMemory : public RigTest<NodeSubject> {};

// What a device may use is locked memory, and the limit that counts is the rank's own. Catches: a memlock limit
// that a login shell does not have but mpirun's daemons do.
TEST_P(NodeMemory, MayBeLockedWithoutLimit) {
  const auto limit = measure("read", std::chrono::seconds(5), [] { return memlock_limit(); });
  if (!here(subject().node)) return;
  if (limit) note("the memlock limit of a rank here is " + to_text(to_quantity(*limit)));
  report("rdma.memlock", count(limit ? 0 : 1));
}

RIGPROOF_CASES(EachNode, NodeMemory, rdma_nodes);

}  // namespace
}  // namespace rigproof
