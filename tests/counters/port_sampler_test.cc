#include "fixtures/counters/port_sampler.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>

#include "tests/support/private_network.h"

namespace rigproof::counters {
namespace {

using namespace std::chrono_literals;

const CounterSource kLoopback{
    .kind = CounterSource::Kind::kNetlink, .device = "lo", .name_space = std::nullopt};

TEST(PortSampler, SeesTrafficOfAKnownSize) {
  in_private_network("ip link set lo up", [] {
    PortSampler sampler({kLoopback}, {.interval = 5ms});
    ASSERT_EQ(
        std::system("bash -c 'for i in {1..20}; do head -c 1000 /dev/zero > /dev/udp/127.0.0.1/9; done'"), 0);
    std::this_thread::sleep_for(50ms);
    const SampledPorts sampled = sampler.stop();
    ASSERT_EQ(sampled.ports.size(), 1u);
    const PortSeries& series = sampled.ports[0];
    EXPECT_GE(series.total().tx.bytes(), 20000u);
    EXPECT_GT(series.peak_tx.bits_per_second(), 0);
    EXPECT_GE(sampled.peak_duplex, series.peak_tx);
    EXPECT_EQ(series.tx_rates().values().size() + 1, series.readings.size());
  });
}
TEST(PortSampler, SeesNothingOnAQuietPort) {
  in_private_network("ip link set lo up", [] {
    PortSampler sampler({kLoopback}, {.interval = 5ms});
    std::this_thread::sleep_for(30ms);
    const PortTraffic total = sampler.stop().ports[0].total();
    EXPECT_EQ(total.tx, DataSize::bytes(0));
    EXPECT_GT(total.time, 0ns);
  });
}
TEST(PortSampler, KeepsItsMemoryBounded) {
  in_private_network("ip link set lo up", [] {
    PortSampler sampler({kLoopback}, {.interval = 1ms, .capacity = 8});
    std::this_thread::sleep_for(100ms);
    const PortSeries series = sampler.stop().ports[0];
    EXPECT_LE(series.readings.size(), 10u);
    EXPECT_GT(series.interval, 1ms);
  });
}
TEST(PortSampler, EndsWithoutBeingStopped) {
  in_private_network("ip link set lo up", [] { const PortSampler sampler({kLoopback}, {.interval = 5ms}); });
}
TEST(PortSampler, RefusesAPortThatIsNotThere) {
  const CounterSource missing{
      .kind = CounterSource::Kind::kNetlink, .device = "none9", .name_space = std::nullopt};
  EXPECT_THROW(PortSampler({missing}), CounterError);
}
}  // namespace
}  // namespace rigproof::counters
