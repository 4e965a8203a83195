// For the record: how NCCL's bandwidth depends on its channels and queue pairs, which way to tune a rig; and by
// which protocol it runs a collective, which says what its bytes on the wire mean (LL doubles them, LL128 adds
// a fifteenth).
#include <fmt/format.h>

#include "fixtures/collective/operation.h"
#include "suites/collective/nccl_case.h"

namespace rigproof::nccl {
namespace {

using namespace std::chrono_literals;

class NcclTuning : public NcclCase {
 protected:
  // A curve of sendrecv over one of NCCL's variables: "sendrecv at 4 channels per peer".
  void sweep(const std::string& variable, const std::string& unit) {
    const DataSize size = sweep_sizes(Operation::kSendRecv, Profile::kSmoke, paths_rate()).back();
    for (const int value : {1, 2, 4, 8}) {
      const std::string point = fmt::format("{} {}", value, unit);
      if (!connect({{variable, std::to_string(value)}})) return;
      const CollectiveResult result = run({Operation::kSendRecv, size}, timing(), point + ", ");
      if (!reports()) continue;
      if (engine()->log().settings.contains(variable))
        record("collective.nccl.tuning", result.busbw, {at(value, unit), "sendrecv"});
      else
        note(fmt::format("NCCL's log does not say that it took {}: {} is no point of the curve", variable,
                         point));
    }
  }
};
RIGPROOF_TEST(NcclTuning, ByChannelsPerPeer) { sweep("NCCL_NCHANNELS_PER_NET_PEER", "channels per peer"); }
RIGPROOF_TEST(NcclTuning, ByQueuePairsPerConnection) {
  sweep("NCCL_IB_QPS_PER_CONNECTION", "queue pairs per connection");
}
RIGPROOF_CASES(EachPair, NcclTuning, every_gpu_pair);

class NcclProtocol : public NcclCase {
 protected:
  // By the log of the collective's first rank, where it says so; sendrecv is not in it.
  void record_choice(const CollectiveSpec& spec) {
    const TransportLog log = engine()->log();
    if (log.choices.empty()) return note(detail_text(detail_of(spec).name, detail_of(spec).axis) + ": NCCL's log names no protocol");
    const NcclChoice& last = log.choices.back();
    found("collective.nccl.protocol",
           fmt::format("{}, algorithm {}, channels {} to {}", last.protocol, last.algorithm, last.first,
                       last.last),
           {.node = node(), .detail = detail_text(detail_of(spec).name, detail_of(spec).axis)});
  }
};
RIGPROOF_TEST(NcclProtocol, IsRecorded) {
  // What this engine sets anyway: nothing but the log differs.
  if (!connect({{"NCCL_DEBUG", "INFO"}})) return;
  const DataSize large = sweep_sizes(Operation::kAllGather, Profile::kSmoke, paths_rate()).back();
  for (const Operation operation : every_operation()) {
    if (operation == Operation::kSendRecv || operation == Operation::kAllToAll) continue;
    for (const DataSize size : {kSmallMessages.front(), large}) {
      const CollectiveResult result = run({operation, size}, {.warm_up = 0s, .window = 0s, .blocks = 1});
      if (reports()) record_choice(result.spec);
    }
  }
}
RIGPROOF_CASES(EachPair, NcclProtocol, every_gpu_pair);

}  // namespace
}  // namespace rigproof::nccl
