// The CPU idles while RDMA moves the data: what the whole node does beyond its baseline while both halves of a
// port carry all they can. The thread that waits for completions sleeps; the rates of the other cases are taken
// by one that spins, a whole CPU of each node that drives them. Catches: data that the CPU copies after all
// (a bounce buffer, software RDMA), an interrupt storm, a thread that spins: each is named.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fixtures/net/poll.h"
#include "suites/rdma/rdma_load.h"
#include "suites/rdma/rdma_subjects.h"

namespace rigproof {
namespace {

class CpuUnderRdma : public RdmaLoadTest<PortPath> {
 protected:
  [[nodiscard]] CpuUse baseline() {
    return phase("baseline", windows().window + std::chrono::seconds(5), [&] {
      ranks().barrier();
      const CpuTimes before = read_cpu_times();
      net::sleep_until(Clock::now() + windows().window, [&] { ranks().poll(); });
      return cpu_use(before, read_cpu_times());
    });
  }
  // An idle CPU proves nothing where nothing moves.
  void require_all(const RdmaFlows& flows) {
    phase("check", std::chrono::seconds(5), [&] {
      for (std::size_t path = 0; path < subject().paths.size(); ++path)
        if (flows.dead(path)) not_proven(subject().paths[path].text() + ": " + *flows.dead(path));
    });
  }
};

RIGPROOF_TEST(CpuUnderRdma, Idles, Reports::ratio("rdma.cpu_busy")) {
  const RdmaFlowsSpec spec{.load = {.message = DataSize::mebibytes(1), .depth = 4},
                           .queue_pairs = 1,
                           .waiting = Waiting::kSleep,
                           .watch_threads = true};
  const CpuUse idle = baseline();
  const RdmaFlows flows = loaded(subject().paths, spec);
  require_all(flows);
  if (here(subject().from.node))
    report("rdma.cpu_busy", ratio(std::max(0.0, flows.cpu().busy - idle.busy)), "sender");
  if (here(subject().to.node))
    report("rdma.cpu_busy", ratio(std::max(0.0, flows.cpu().busy - idle.busy)), "receiver");
  const std::string spinning = fmt::format("{}", fmt::join(flows.spinning(), ", "));
  found("rdma.cpu_spinning", spinning.empty() ? "none" : spinning, Finding{node()});
  record("rdma.cpu_busiest", ratio(flows.cpu().busiest));
  record("rdma.cpu_softirq", ratio(flows.cpu().softirq));
  record("rdma.cpu_baseline", ratio(idle.busy));
  for (std::size_t path = 0; path < subject().paths.size(); ++path)
    if (here(subject().from.node)) record("rdma.rate.share", flows.rates(path), subject().paths[path].name());
}
RIGPROOF_CASES(EachPort, CpuUnderRdma, rdma_port_paths);

}  // namespace
}  // namespace rigproof
