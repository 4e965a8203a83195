// Two ranks of the NCCL engine on this machine's first GPU, as two hosts, alone:
//   nccl-end ENGINE OPERATION BYTES WARM_UPS OPERATIONS
// prints busbw in GB/s (10^9 B/s), then the ways of the first rank's channels. ENGINE: rigproof-nccl-engine.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <memory>

#include "fixtures/collective/operation.h"
#include "fixtures/nccl/engine_process.h"
#include "fixtures/nccl/transport_log.h"

namespace rigproof::nccl {
namespace {

using namespace collective;

using Seconds = std::chrono::duration<double>;
constexpr std::size_t kRanks = 2;

class Pair {
 public:
  explicit Pair(const std::string& engine) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    const auto poll = [deadline] {
      if (std::chrono::steady_clock::now() > deadline)
        throw CollectiveError("still not done after 5 minutes");
    };
    for (std::size_t rank = 0; rank < kRanks; ++rank)
      ranks_.push_back(std::make_unique<EngineProcess>(
          engine, std::map<std::string, std::string>{{"NCCL_HOSTID", fmt::format("rank{}", rank)}}, poll));
    const std::string id = ranks_.front()->new_id();
    (void)all([&](std::size_t rank) {
      ranks_[rank]->connect({{0, 1}, rank}, id);
      return Seconds(0);
    });
  }

  // One operation of `times`, on the slowest rank.
  [[nodiscard]] Seconds run(int times) {
    return all([&](std::size_t rank) { return Seconds(ranks_[rank]->run(times, [] {})); }) / times;
  }
  void prepare(const CollectiveSpec& spec) {
    for (const auto& rank : ranks_) rank->prepare(spec, 1);
  }
  void verify() {
    for (const auto& rank : ranks_)
      if (const auto fault = rank->fault()) throw CollectiveError("wrong data: " + *fault);
  }
  [[nodiscard]] TransportLog log() const { return ranks_.front()->log(); }

 private:
  template <class Do>
  Seconds all(Do act) {
    std::vector<std::future<Seconds>> acts;
    for (std::size_t rank = 0; rank < kRanks; ++rank)
      acts.push_back(std::async(std::launch::async, [&act, rank] { return act(rank); }));
    Seconds slowest(0);
    for (auto& one : acts) slowest = std::max(slowest, one.get());
    return slowest;
  }

  std::vector<std::unique_ptr<EngineProcess>> ranks_;
};

void measure(const std::string& engine, CollectiveSpec spec, int warm_ups, int operations) {
  spec = whole(spec, kRanks);
  Pair pair(engine);
  pair.prepare(spec);
  (void)pair.run(1);
  pair.verify();
  (void)pair.run(warm_ups);
  const auto algbw = algorithm_bandwidth(spec, pair.run(operations));
  const DataRate busbw = bus_bandwidth(spec.operation, kRanks, algbw).rate();
  fmt::print("{:.4f}\n", busbw.bytes_per_second() / 1e9);
  const TransportLog log = pair.log();
  for (const NcclChannel& channel : log.channels)
    if (channel.sends) fmt::print("{}\n", describe_way(channel));
}

}  // namespace
}  // namespace rigproof::nccl

int main(int argc, char** argv) try {
  using namespace rigproof;
  using namespace rigproof::collective;
  using namespace rigproof::nccl;
  if (argc != 6) throw std::invalid_argument("nccl-end ENGINE OPERATION BYTES WARM_UPS OPERATIONS");
  const auto operations = every_operation();
  const auto named =
      std::ranges::find(operations, std::string_view(argv[2]), [](Operation each) { return name(each); });
  if (named == operations.end()) throw std::invalid_argument(fmt::format("no operation '{}'", argv[2]));
  measure(argv[1], {*named, DataSize::bytes(std::stoull(argv[3]))}, std::stoi(argv[4]), std::stoi(argv[5]));
} catch (const std::exception& error) {
  std::fprintf(stderr, "nccl-end: %s\n", error.what());
  return 2;
}
