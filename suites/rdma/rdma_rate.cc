// What RDMA carries, counted when the peer has acknowledged it: writes by one queue pair and by eight, sends by
// eight, both halves of a port, all halves of a node, both directions at once; and that the devices had to repeat
// nothing. Catches: a PCIe link trained narrow, path MTU 1024, one of the halves unused, a lossy hop, loss that
// only the cards' counters show, one direction that is slow.
#include <algorithm>

#include "suites/rdma/rdma_load.h"
#include "suites/rdma/rdma_subjects.h"

namespace rigproof {
namespace {

constexpr std::size_t kManyQueuePairs = 8;

// As many bytes under way for one queue pair as for many.
RdmaFlowsSpec one(RdmaOperation operation) {
  return {.load = {.operation = operation, .message = DataSize::kibibytes(64), .depth = 16},
          .queue_pairs = 1};
}
RdmaFlowsSpec many(RdmaOperation operation) {
  return {.load = {.operation = operation, .message = DataSize::kibibytes(16), .depth = 8},
          .queue_pairs = kManyQueuePairs};
}

template <class SubjectType>
class Rate : public RdmaLoadTest<SubjectType> {
 protected:
  void run(std::string_view id, const std::vector<RailPath>& paths, const RdmaFlowsSpec& spec) {
    const RdmaFlows flows = this->loaded(paths, spec);
    this->report_rates(id, paths, flows);
    this->report_faults(paths, flows);
    this->record("rdma.cpu_busy_spinning", ratio(flows.cpu().busy));
  }
};

class RailRdmaRate : public Rate<RailPath> {};
RIGPROOF_TEST(RailRdmaRate, OfWritesByOneQueuePair, Reports::rate("rdma.write.rate.one_queue_pair"), Reports::count("rdma.data_differs"), Reports::count("rdma.retries").where_there(), Reports::count("rdma.out_of_sequence").where_there(), Reports::count("rdma.discards").where_there()) {
  run("rdma.write.rate.one_queue_pair", {subject()}, one(RdmaOperation::kWrite));
}
RIGPROOF_TEST(RailRdmaRate, OfWritesFillsTheHalf, Reports::rate("rdma.write.rate.half"), Reports::count("rdma.data_differs"), Reports::count("rdma.retries").where_there(), Reports::count("rdma.out_of_sequence").where_there(), Reports::count("rdma.discards").where_there()) {
  run("rdma.write.rate.half", {subject()}, many(RdmaOperation::kWrite));
}
RIGPROOF_TEST(RailRdmaRate, OfSendsFillsTheHalf, Reports::rate("rdma.send.rate.half"), Reports::count("rdma.data_differs"), Reports::count("rdma.retries").where_there(), Reports::count("rdma.out_of_sequence").where_there(), Reports::count("rdma.discards").where_there()) {
  run("rdma.send.rate.half", {subject()}, many(RdmaOperation::kSend));
}
RIGPROOF_CASES(EachRail, RailRdmaRate, rdma_rail_paths);

class PortRdmaRate : public Rate<PortPath> {};
RIGPROOF_TEST(PortRdmaRate, FillsThePortByBothHalves, Reports::rate("rdma.write.rate.port"), Reports::count("rdma.data_differs"), Reports::count("rdma.retries").where_there(), Reports::count("rdma.out_of_sequence").where_there(), Reports::count("rdma.discards").where_there()) {
  run("rdma.write.rate.port", subject().paths, many(RdmaOperation::kWrite));
}
RIGPROOF_CASES(EachPort, PortRdmaRate, rdma_port_paths);

class NodeRdmaRate : public Rate<NodePath> {};
RIGPROOF_TEST(NodeRdmaRate, OfAllHalves, Reports::rate("rdma.write.rate.node"), Reports::count("rdma.data_differs"), Reports::count("rdma.retries").where_there(), Reports::count("rdma.out_of_sequence").where_there(), Reports::count("rdma.discards").where_there()) {
  run("rdma.write.rate.node", subject().paths, many(RdmaOperation::kWrite));
}
RIGPROOF_CASES(EachNode, NodeRdmaRate, rdma_node_paths);

class DuplexRdmaRate : public Rate<RailPath> {};
RIGPROOF_TEST(DuplexRdmaRate, HoldsInBothDirectionsAtOnce, Reports::rate("rdma.write.rate.both_ways"), Reports::count("rdma.data_differs"), Reports::count("rdma.retries").where_there(), Reports::count("rdma.out_of_sequence").where_there(), Reports::count("rdma.discards").where_there()) {
  const auto rail = std::ranges::find(rig().rails, subject().rail, &Rail::name);
  const RailPath back(rig(), *rail, subject().to, subject().from, false);
  run("rdma.write.rate.both_ways", {subject(), back}, many(RdmaOperation::kWrite));
}
RIGPROOF_CASES(EachRail, DuplexRdmaRate, rdma_rail_pairs);

}  // namespace
}  // namespace rigproof
