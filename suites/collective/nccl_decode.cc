// The operations of a step of decoding by NCCL, all_reduce and all_gather of 8 B to 16 MiB: the time of each size and its data,
// and thousands of small ones in a row. Catches: one size that is slow by a wrong number of channels, protocol or buffer size,
// data by sockets, a CPU in a deep idle state, an NCCL that hangs when some ranks run ahead of others (2.28.9 to 2.29.2 on
// aarch64). Runs between every two nodes with one GPU each, and on larger rigs among all GPUs.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fixtures/collective/operation.h"
#include "fixtures/rdma_flows/write_time.h"
#include "framework/runner/context.h"
#include "suites/collective/nccl_case.h"

namespace rigproof::collective {

constexpr const char* kSlowness =
    "The data goes over sockets, NCCL's channels, protocol or buffer do not suit this size, or a CPU is in a "
    "deep idle "
    "state.";
RIGPROOF_METRICS({"collective.nccl.latency.*", "NCCL latency",
                  "The time of a short NCCL collective, by size: eight in a row, or fewer if they are long.",
                  kSlowness},
                 {"collective.nccl.added.*", "What NCCL adds",
                  "The median time of a short NCCL collective beyond that of an RDMA write of the bytes that "
                  "a GPU sends for it, an equal part over each rail.",
                  "NCCL's channels, protocol or buffer do not suit this size."},
                 {"collective.nccl.all.latency.*", "NCCL latency, all GPUs",
                  "The time of a short NCCL collective of all GPUs of all nodes, by size.", kSlowness});

namespace {

using namespace std::chrono_literals;

// A model rig's devices are names alone.
bool has_verbs(const Rig& rig) {
  return rig.kind != "model" && std::ranges::all_of(every_half(rig), [&](const HalfSubject& half) {
           return rig.half(half.half).rdma.has_value();
         });
}

template <class SubjectType>
class NcclDecodeCase : public NcclCase<SubjectType> {
 protected:
  // Reports the times as FAMILY.OPERATION, at the sizes as the limits name them.
  void time(const std::string& family, Operation operation) {
    if (!this->connect({}, nccl::NcclWaits::kSpin)) return;
    for (const DataSize size : decode_sizes(suite_context().profile)) {
      const CollectiveResult result = this->run_bursts({operation, size});
      if (this->reports())
        this->report(fmt::format("{}.{}", family, name(operation)), result.times,
                     record::at(to_quantity(size)));
      if constexpr (std::is_same_v<SubjectType, NodePath>) report_added(result);
    }
  }

  // Reports what NCCL adds to an RDMA write of the bytes that a rank sends, an equal part over each rail, alone.
  void report_added(const CollectiveResult& result) {
    if (!has_verbs(this->rig()) || result.spec.size < kFewestBytes) return;
    const std::vector<RailPath>& rails = this->subject().paths;
    const double sent = static_cast<double>(result.spec.size.bytes()) * bus_factor(result.spec.operation, 2);
    const auto bytes = static_cast<std::size_t>(sent / static_cast<double>(rails.size()));
    const auto written = this->measure("write", 60s, [&] {
      const std::size_t rounds = bytes <= kFewRoundsFrom ? 200 : 20;
      return rdma_flows::measure_write(this->rig(), this->ranks(), rails.front(), bytes, rounds);
    });
    if (written.why_not) this->note(*written.why_not);
    if (written.times.empty()) return;
    const auto axis = record::at(to_quantity(result.spec.size));
    const SampleSet alone = written.times.set(), by_nccl = result.times.set();
    this->record(id_of("latency", result.spec.operation), alone, {axis, "RDMA write of the same bytes"});
    this->report(id_of("added", result.spec.operation),
                 Quantity{alone.dimension, median(by_nccl) - median(alone)}, axis);
  }

  // The first rank waits for every operation, the others run ahead. NCCL has a process of its own: where it hangs in a call,
  // the phase ends by its deadline all the same.
  void hammer() {
    if (!this->connect({{"NCCL_DEBUG", "INFO"}}, nccl::NcclWaits::kSpin)) return;
    if (this->engine() != nullptr) this->note("NCCL " + this->engine()->facts().version);
    constexpr int kRounds = 20;
    const int operations = suite_context().profile == Profile::kSmoke ? 50 : 1000;
    std::vector<std::string> faults;
    Samples<std::chrono::duration<double>> times;
    for (int round = 0; round < kRounds; ++round) {
      const CollectiveSpec spec{Operation::kAllReduce,
                                kHammered.at(static_cast<std::size_t>(round) % kHammered.size())};
      const CollectiveResult done = this->measure("hammer", 30s + operations * 10ms, [&] {
        CollectiveResult result =
            measure_uneven(this->engine(), this->ranks(), this->members().size(), spec, operations);
        if (!result.refused.empty()) this->not_proven(result.refused);
        return result;
      });
      for (const std::string& fault : done.faults)
        faults.push_back(fmt::format("round {}, {}", round + 1, fault));
      times.add(done.times.values().front());
    }
    if (this->engine() == nullptr) return;
    for (const std::string& fault : faults) this->note(fault);
    this->report("collective.nccl.wrong", count(faults.size()));
    if (this->reports()) this->record("collective.nccl.hammer", times);
  }

 private:
  static constexpr DataSize kFewestBytes = DataSize::kibibytes(4);
  static constexpr std::size_t kFewRoundsFrom = 64 << 10;
  static double median(const SampleSet& set) { return evaluate(Statistic::kMedian, set.values); }
  static std::string id_of(const char* family, Operation operation) {
    return fmt::format("collective.nccl.{}.{}", family, name(operation));
  }
  static constexpr std::array kHammered{DataSize::kibibytes(64), DataSize::bytes(8), DataSize::kibibytes(8),
                                        DataSize::kibibytes(1)};
};

std::vector<Reports> of_times(const std::string& id) {
  return {Reports::time(id), Reports::count("collective.nccl.wrong")};
}
std::vector<Reports> of_times_of_pairs(const std::string& operation) {
  std::vector<Reports> all = of_times("collective.nccl.latency." + operation);
  all.push_back(Reports::time("collective.nccl.added." + operation).on_rigs_with("RDMA devices", has_verbs));
  return all;
}

class NcclLatency : public NcclDecodeCase<NodePath> {};
RIGPROOF_TEST(NcclLatency, OfShortAllReduces, of_times_of_pairs("all_reduce")) {
  time("collective.nccl.latency", Operation::kAllReduce);
}
RIGPROOF_TEST(NcclLatency, OfShortAllGathers, of_times_of_pairs("all_gather")) {
  time("collective.nccl.latency", Operation::kAllGather);
}
RIGPROOF_CASES(EachPair, NcclLatency, nccl::every_gpu_pair);

class NcclHammer : public NcclDecodeCase<NodePath> {};
RIGPROOF_TEST(NcclHammer, NeverHangs, Reports::count("collective.nccl.wrong")) { hammer(); }
RIGPROOF_CASES(EachPair, NcclHammer, nccl::every_gpu_pair);

class NcclLatencyOfAll : public NcclDecodeCase<AllNodes> {};
RIGPROOF_TEST(NcclLatencyOfAll, OfShortAllReduces, of_times("collective.nccl.all.latency.all_reduce")) {
  time("collective.nccl.all.latency", Operation::kAllReduce);
}
RIGPROOF_TEST(NcclLatencyOfAll, OfShortAllGathers, of_times("collective.nccl.all.latency.all_gather")) {
  time("collective.nccl.all.latency", Operation::kAllGather);
}
RIGPROOF_CASES(AllNodes, NcclLatencyOfAll, nccl::all_gpus_together);

class NcclHammerOfAll : public NcclDecodeCase<AllNodes> {};
RIGPROOF_TEST(NcclHammerOfAll, NeverHangs, Reports::count("collective.nccl.wrong")) { hammer(); }
RIGPROOF_CASES(AllNodes, NcclHammerOfAll, nccl::all_gpus_together);

}  // namespace

}  // namespace rigproof::collective
