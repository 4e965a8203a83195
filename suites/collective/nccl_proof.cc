// What must be true before a figure of NCCL means anything: the same NCCL and CUDA on both nodes, code for this
// GPU, and every channel by RDMA over the rails, all halves in use; and what it leaves the CPU. Catches: a stale
// or foreign NCCL build, the fallback to sockets or to the management network (a high figure notwithstanding),
// a half that NCCL does not use, a CPU that spins.
#include <fmt/format.h>

#include <set>

#include "fixtures/collective/sizes.h"
#include "fixtures/collective/transport_proof.h"
#include "fixtures/net/patience.h"
#include "suites/collective/nccl_case.h"

namespace rigproof {
namespace {

using namespace std::chrono_literals;

class NcclInstalled : public NcclCase {};
TEST_P(NcclInstalled, IsTheSameOnBothNodes) {
  std::set<std::string> nccl, cuda;
  phase("compare", 30s, [&] {
    std::string why_not;
    const NcclInstallation own = checked_installation(rig(), why_not);
    if (!why_not.empty()) not_proven(why_not);
    note("NCCL " + own.nccl + ", CUDA " + own.cuda);
    const auto versions = ranks().share(own.nccl), runtimes = ranks().share(own.cuda);
    for (const std::size_t node : {subject().from, subject().to}) {
      nccl.insert(versions.at(node));
      cuda.insert(runtimes.at(node));
    }
  });
  if (!reports()) return;
  report("collective.nccl.versions", count(static_cast<double>(nccl.size())), "NCCL");
  report("collective.nccl.versions", count(static_cast<double>(cuda.size())), "CUDA");
}
RIGPROOF_CASES(EachPair, NcclInstalled, every_gpu_pair);

class NcclTransport : public NcclCase {};
TEST_P(NcclTransport, IsRdmaOverEveryHalf) {
  if (!connect()) return;
  const DataSize size = sweep_sizes(Operation::kSendRecv, Profile::kSmoke, paths_rate()).front();
  (void)run({Operation::kSendRecv, size}, {.warm_up = 0s, .window = 0s, .blocks = 1});
  if (reports()) report("collective.nccl.device_code", count(1));
  if (engine() == nullptr) return;
  const TransportProof proof = prove_transport(engine()->log(), rig().node(node()));
  for (const std::string& finding : proof.findings) note(finding);
  const auto channels = static_cast<double>(proof.channels);
  report("collective.nccl.channels", count(channels));
  report("collective.nccl.foreign", count(static_cast<double>(proof.foreign)));
  const auto halves = static_cast<double>(proof.used.size() + proof.unused.size());
  report("collective.nccl.halves", ratio(static_cast<double>(proof.used.size()) / halves));
  if (proof.channels == 0) return;
  report("collective.nccl.rdma", ratio(static_cast<double>(proof.by_rdma) / channels));
  record("collective.nccl.gdr", ratio(static_cast<double>(proof.gdr) / channels));
}
RIGPROOF_CASES(EachPair, NcclTransport, every_gpu_pair);

class NcclCpu : public NcclCase {};
TEST_P(NcclCpu, StaysIdle) {
  if (!connect()) return;
  const CpuUse before = measure("baseline", windows().window + 30s, [&] {
    const CpuTimes start = read_cpu_times();
    sleep_until(Clock::now() + windows().window, [&] { ranks().poll(); });
    return cpu_use(start, read_cpu_times());
  });
  const DataSize size = sweep_sizes(Operation::kSendRecv, Profile::kSmoke, paths_rate()).back();
  const CollectiveResult result = run(
      {Operation::kSendRecv, size}, {.warm_up = windows().warm_up, .window = windows().window, .blocks = 2});
  if (engine() == nullptr) return;
  report("collective.nccl.cpu", ratio(std::max(0.0, result.cpu.busy - before.busy)));
  record("collective.nccl.cpu_baseline", ratio(before.busy));
  record("collective.nccl.cpu_busiest", ratio(result.cpu.busiest));
  record("collective.nccl.cpu_softirq", ratio(result.cpu.softirq));
}
RIGPROOF_CASES(EachPair, NcclCpu, every_gpu_pair);

}  // namespace
}  // namespace rigproof
