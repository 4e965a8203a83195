// What a suite of one's own for Sparks takes from librigproof-dev beyond the example: RDMA between two nodes, a cable that is
// pulled, a node's facts, a collective. Built against the package, and run on no rig.
#include "fixtures/cables/cable_pull.h"
#include "fixtures/collective/measure.h"
#include "fixtures/facts/node_facts.h"
#include "fixtures/facts/read_facts.h"
#include "fixtures/rdma_flows/rdma_flows.h"
#include "framework/runner/rig_test.h"

namespace rigproof::spark {

using namespace std::chrono_literals;

class WriteRate : public RigTest<RailPath> {};
RIGPROOF_TEST(WriteRate, FillsTheHalf, Reports::rate("spark.write")) {
  measure("write", 60s, [&] {
    rdma_flows::RdmaFlows flows(rig(), ranks(), {subject()}, {});
    flows.run({.warm_up = windows().warm_up, .window = windows().window, .intervals = windows().intervals});
    if (flows.dead(0)) note(*flows.dead(0));
  });
}
RIGPROOF_CASES(EachRail, WriteRate, every_rail_path);

class OneFact : public RigTest<NodeSubject> {};
RIGPROOF_TEST(OneFact, IsRead, Reports::text("spark.host")) {
  const auto facts = phase("read", 30s, [&] { return facts::read_facts({.node = rig().node(node()).name}); });
  if (here(subject().node)) found("spark.host", facts.host, {.node = subject().node});
}
RIGPROOF_CASES(EachNode, OneFact, every_node);

class OneCollective : public RigTest<NodePath> {};
RIGPROOF_TEST(OneCollective, EndsInTime, Reports::time("spark.collective")) {
  const collective::CollectiveTiming timing{.warm_up = 1ms, .window = 10ms, .blocks = 3};
  const int operations = collective::operations_in_a_block(timing, [](int count) { return count * 1e-3; });
  if (here(subject().from)) report("spark.collective", std::chrono::nanoseconds(operations));
}
RIGPROOF_CASES(EachPair, OneCollective, every_node_pair);

class Pulled : public RigTest<PortPath> {};
RIGPROOF_TEST(Pulled, IsNoticed, Reports::count("spark.pulled")) { not_proven(cables::kNeeds); }
RIGPROOF_CASES(EachCable, Pulled, cables::pulled_cables);

}  // namespace rigproof::spark
