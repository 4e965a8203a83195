// Proves that a message written into the peer's memory arrives unchanged, each way along each rail. Catches: an unreachable
// peer, a wrong address, an MTU black hole, memory that differs from the sent data.
#include "fixtures/rdma_flows/rdma_flows.h"
#include "framework/runner/rig_test.h"
#include "suites/rdma/rdma_load.h"

namespace rigproof::rdma {

RIGPROOF_METRICS({"rdma.connects", "Queue pairs connect", "Queue pairs of every rail connect.",
                  "No RoCE v2 GID, or the subnet is not reachable."});

namespace {

class Connection : public RdmaLoadTest<RailPath> {};

RIGPROOF_TEST(Connection, CarriesAMessageUnchanged, Reports::count("rdma.connects")) {
  rdma_flows::RdmaFlows flows =
      connected({subject()}, {.load = {.message = DataSize::kibibytes(64), .depth = 1, .messages = 1}});
  measure("write", std::chrono::seconds(30), [&] { flows.move(); });
  if (!here(subject().to.node)) return;
  if (flows.dead(0)) note(*flows.dead(0));
  if (flows.difference(0)) note(*flows.difference(0));
  report("rdma.connects", count(flows.dead(0) || flows.difference(0) ? 0 : 1));
}

RIGPROOF_CASES(EachRail, Connection, rdma_rail_paths);

}  // namespace
}  // namespace rigproof::rdma
