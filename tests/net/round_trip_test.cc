#include "fixtures/net/datagrams.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "tests/net/ends.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;

TEST(RoundTrip, KeepsEverySampleAndLeavesTheWarmUpOut) {
  const EchoResponder echo(kLoopback);
  const auto trips = measure_round_trips(
      {.from = kLoopback, .to_address = "127.0.0.1", .to_port = echo.port(), .probes = 50, .warm_up = 3},
      kNoPoll);
  ASSERT_EQ(trips.times.values().size(), 50u);
  EXPECT_EQ(trips.lost, 0u);
  for (const auto time : trips.times.values()) EXPECT_GT(time, 0ns);
}

TEST(RoundTrip, CountsWhatIsNotAnswered) {
  const auto trips = measure_round_trips(
      {.from = kLoopback, .to_address = "127.0.0.1", .to_port = 9, .probes = 3, .warm_up = 0, .timeout = 1ms},
      kNoPoll);
  EXPECT_EQ(trips.lost, 3u);
  EXPECT_TRUE(trips.times.empty());
}

TEST(RoundTrip, IsOfAPacketOfThisSizeHeadersIncluded) {
  std::atomic<std::size_t> payload = 0;
  const DatagramServer server(kLoopback,
                              [&](const DatagramServer::Datagram& got) { payload = got.bytes.size(); });
  const auto trips = measure_round_trips({.from = kLoopback,
                                          .to_address = "127.0.0.1",
                                          .to_port = server.port(),
                                          .probes = 1,
                                          .warm_up = 0,
                                          .packet = DataSize::bytes(9000),
                                          .timeout = 200ms},
                                         kNoPoll);
  EXPECT_EQ(trips.lost, 1u);
  EXPECT_EQ(payload, 8972u);
}

TEST(RoundTrip, EndsWhenPollThrows) {
  const RoundTripSpec spec{
      .from = kLoopback, .to_address = "127.0.0.1", .to_port = 9, .probes = 3, .timeout = 1h};
  int calls = 0;
  const Poll poll = [&] {
    if (++calls == 3) throw std::runtime_error("the phase is over");
  };
  EXPECT_THROW((void)measure_round_trips(spec, poll), std::runtime_error);
}

TEST(RoundTrip, RefusesAPacketWithoutRoomForASequence) {
  const RoundTripSpec spec{
      .from = kLoopback, .to_address = "127.0.0.1", .to_port = 9, .probes = 1, .packet = DataSize::bytes(35)};
  EXPECT_THROW((void)measure_round_trips(spec, kNoPoll), std::invalid_argument);
}

}  // namespace
}  // namespace rigproof::net
