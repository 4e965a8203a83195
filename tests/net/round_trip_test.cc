#include <gmock/gmock.h>
#include <sys/socket.h>

#include <atomic>
#include <stdexcept>

#include "fixtures/net/datagrams.h"
#include "framework/process/file_descriptor.h"
#include "tests/net/ends.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;

RoundTripSpec to(std::uint16_t port, std::size_t probes) {
  return {.from = kLoopback, .to_address = "127.0.0.1", .to_port = port, .token = kToken, .probes = probes};
}

TEST(RoundTrip, KeepsEverySampleAndLeavesTheWarmUpOut) {
  EchoResponder echo(kLoopback, kToken);
  RoundTripSpec spec = to(echo.port(), 50);
  spec.warm_up = 3;
  Pinger pinger(spec);
  echo.meet(pinger.local());
  const auto trips = pinger.measure(kNoPoll);
  ASSERT_EQ(trips.times.values().size(), 50u);
  EXPECT_EQ(trips.lost, 0u);
  for (const auto time : trips.times.values()) EXPECT_GT(time, 0ns);
  EXPECT_TRUE(pinger.strangers().lines().empty());
  EXPECT_TRUE(echo.strangers().lines().empty());
}

TEST(RoundTrip, CountsWhatIsNotAnswered) {
  RoundTripSpec spec = to(9, 3);
  spec.warm_up = 0;
  spec.timeout = 1ms;
  const auto trips = Pinger(spec).measure(kNoPoll);
  EXPECT_EQ(trips.lost, 3u);
  EXPECT_TRUE(trips.times.empty());
}

// Catches: a case that waits for hundreds of lost probes, longer than its deadline.
TEST(RoundTrip, OfALossyPathEndsWithTheTenthLostProbe) {
  int probe = 0;
  DatagramServer server(kLoopback, [&](const DatagramServer::Datagram& datagram, int socket) {
    if (++probe % 3 != 0) ::send(socket, datagram.bytes.data(), datagram.bytes.size(), 0);
    return true;
  });
  RoundTripSpec spec = to(server.port(), 100'000);
  spec.warm_up = 0;
  spec.timeout = 20ms;
  Pinger pinger(spec);
  server.meet(pinger.local());
  const auto trips = pinger.measure(kNoPoll);
  EXPECT_EQ(trips.lost, 10u);
  EXPECT_EQ(trips.times.values().size(), 20u);
}

TEST(RoundTrip, IsOfAPacketOfThisSizeHeadersIncluded) {
  std::atomic<std::size_t> payload = 0;
  DatagramServer server(kLoopback, [&](const DatagramServer::Datagram& datagram, int) {
    payload = datagram.bytes.size();
    return true;
  });
  RoundTripSpec spec = to(server.port(), 1);
  spec.warm_up = 0;
  spec.packet = DataSize::bytes(9000);
  spec.timeout = 200ms;
  Pinger pinger(spec);
  server.meet(pinger.local());
  EXPECT_EQ(pinger.measure(kNoPoll).lost, 1u);
  EXPECT_EQ(payload, 8972u);
}

// Catches: an echo for everybody, by which a stranger learns what a probe looks like, or a figure that he makes.
TEST(RoundTrip, AStrangerIsNotAnsweredAndAnswersForNobody) {
  EchoResponder echo(kLoopback, kToken);
  RoundTripSpec spec = to(echo.port(), 3);
  spec.warm_up = 0;
  spec.timeout = 20ms;
  const process::FileDescriptor stranger = bound_socket(SOCK_DGRAM, {"lo", "127.0.0.2"});
  const auto send_to = [&](const Endpoint& to) {
    const std::string probe(64, 'x');
    ASSERT_EQ(::sendto(stranger.get(), probe.data(), probe.size(), 0, to.data(), to.size()), 64);
  };
  send_to(Endpoint("127.0.0.1", echo.port()));  // before the responder knows its peer
  Pinger pinger(spec);
  echo.meet(pinger.local());
  send_to(Endpoint("127.0.0.1", echo.port()));
  send_to(pinger.local());
  const auto trips = pinger.measure(kNoPoll);
  EXPECT_EQ(trips.times.values().size(), 3u);
  char answer = 0;
  EXPECT_LT(::recv(stranger.get(), &answer, 1, 0), 0);
  EXPECT_THAT(pinger.strangers().lines(), testing::ElementsAre(testing::StartsWith("127.0.0.2:")));
  EXPECT_THAT(echo.strangers().lines(), testing::ElementsAre(testing::AllOf(testing::StartsWith("127.0.0.2:"),
                                                                            testing::EndsWith("(2 times)"))));
}

// Who has the peer's address and port, but not the token, as the peer's former self has.
TEST(RoundTrip, AnotherTokenIsNotAnswered) {
  EchoResponder echo(kLoopback, random_token());
  RoundTripSpec spec = to(echo.port(), 2);
  spec.warm_up = 0;
  spec.timeout = 20ms;
  Pinger pinger(spec);
  echo.meet(pinger.local());
  EXPECT_EQ(pinger.measure(kNoPoll).lost, 2u);
  EXPECT_THAT(echo.strangers().lines(), testing::ElementsAre(testing::HasSubstr("another token")));
}

TEST(RoundTrip, EndsWhenPollThrows) {
  RoundTripSpec spec = to(9, 3);
  spec.timeout = 1h;
  int calls = 0;
  const Poll poll = [&] {
    if (++calls == 3) throw std::runtime_error("the phase is over");
  };
  EXPECT_THROW((void)Pinger(spec).measure(poll), std::runtime_error);
}

TEST(RoundTrip, RefusesAPacketWithoutRoomForItsMark) {
  RoundTripSpec spec = to(9, 1);
  spec.packet = DataSize::bytes(51);
  EXPECT_THROW(Pinger{spec}, std::invalid_argument);
}

}  // namespace
}  // namespace rigproof::net
