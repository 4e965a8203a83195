// Proves that a broadcast from one end of a rail arrives at the other end, so the cables join what the rig file joins.
// Layer-2 broadcasts do not depend on addresses and routes. Then the sender asks for the MAC of the other end's address:
// the node that owns it must answer, and no other. Catches: crossed cables, swapped halves, a port in the wrong VLAN, a cable that is
// dead in one direction, an address that two machines have.
#include <fmt/format.h>

#include <algorithm>

#include "fixtures/flows/neighbours.h"
#include "fixtures/flows/probe_path.h"
#include "framework/rig/routed_rails.h"
#include "framework/runner/rig_test.h"

namespace rigproof::link {

RIGPROOF_METRICS(
    {"link.heard", "The cable joins the halves of its rail",
     "A half receives what its peer on the same rail sends.",
     "Two cables are crossed, one is unplugged, or a VLAN separates the ends."},
    {"link.answered", "An address is its node's alone",
     "Only the node that has this address in the rig file answers ARP (IPv6: neighbour discovery) "
     "for it.",
     "Another machine on the network has the same address."});

namespace {

[[maybe_unused]] const bool kSuite = declare_suite({.title = "Each cable joins the halves of its rail",
                                                    .order = 4,
                                                    .first_look = "*",
                                                    .case_seconds = {0.53, 0.53, 0.53}});

class RailWiring : public RigTest<RailPath> {};

RIGPROOF_TEST(RailWiring, IsHeardAtTheOtherEnd, Reports::count("link.heard"),
              Reports::count("link.answered").where_there()) {
  const flows::Hearing heard = measure("announce", std::chrono::seconds(10),
                                       [&] { return flows::hear_along(rig(), ranks(), subject()); });
  const auto answer = measure("ask for the address", std::chrono::seconds(20),
                              [&] { return flows::who_answers(rig(), ranks(), subject()); });
  if (heard.dead) note(*heard.dead);
  if (answer && !answer->by_owner) note(answer->text);
  if (answer && answer->is_first_alone)
    note("only the first answer for the address was seen: all are seen by IPv4 and with CAP_NET_RAW");
  if (answer) report("link.answered", count(answer->by_owner ? 1 : 0));
  if (!here(subject().to.node)) return;
  found_strangers(heard.strangers);
  const bool arrived = std::ranges::count(heard.netdevs, rig().half(subject().to).netdev) > 0;
  for (const std::string& netdev : heard.netdevs)
    if (!arrived)
      note(fmt::format("what {} sends arrives at {} instead", rig().label(subject().from), netdev));
  report("link.heard", count(arrived ? 1 : 0));
}

std::vector<RailPath> every_unrouted_path(const Rig& rig) { return in_one_subnet(rig, every_rail_path(rig)); }
RIGPROOF_CASES(EachRail, RailWiring, every_unrouted_path);

}  // namespace
}  // namespace rigproof::link
