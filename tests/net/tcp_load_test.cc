#include "fixtures/net/tcp.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <optional>
#include <stdexcept>
#include <thread>

#include "tests/net/ends.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;

const LoadWindow kShort{.warm_up = 20ms, .window = 100ms, .intervals = 5, .cool_down = 10ms};

// Connected ends on loopback; each test runs them its way.
struct LoopbackPair {
  explicit LoopbackPair(std::size_t streams, TcpSourceSpec spec = {kLoopback, "127.0.0.1", 0}) {
    sinks.emplace_back(TcpSinkSpec{.at = kLoopback, .streams = streams});
    spec.streams = streams;
    spec.to_port = sinks[0].port();
    sources.emplace_back(std::move(spec), 5s, kNoPoll);
    sinks[0].accept(5s, kNoPoll);
  }
  std::vector<TcpSink> sinks;
  std::vector<TcpSource> sources;
};

TcpSourceSpec with_volume(std::uint64_t bytes) {
  return {.from = kLoopback, .to_address = "127.0.0.1", .to_port = 0, .volume = DataSize::bytes(bytes)};
}

// A connection of somebody else, who says something.
process::FileDescriptor stranger_at(const TcpSink& sink, const std::string& from, const std::string& says) {
  process::FileDescriptor fd(::socket(AF_INET, SOCK_STREAM, 0));
  const Endpoint own(from), to("127.0.0.1", sink.port());
  EXPECT_EQ(::bind(fd.get(), own.data(), own.size()), 0);
  EXPECT_EQ(::connect(fd.get(), to.data(), to.size()), 0);
  EXPECT_EQ(::send(fd.get(), says.data(), says.size(), MSG_NOSIGNAL), static_cast<ssize_t>(says.size()));
  return fd;
}

// Nobody else's bytes count, and nobody keeps the peer out.
TEST(TcpLoad, ASinkTakesOnlyItsPeersConnections) {
  std::vector<TcpSink> sinks;
  sinks.emplace_back(TcpSinkSpec{.at = kLoopback, .streams = 2, .peer = "127.0.0.1", .token = kToken});
  const auto another_address = stranger_at(sinks[0], "127.0.0.2", std::string(64, 'x'));
  const auto another_token = stranger_at(sinks[0], "127.0.0.1", std::string(64, 'x'));
  const auto silent = stranger_at(sinks[0], "127.0.0.1", "");
  std::vector<TcpSource> sources;
  TcpSourceSpec spec = with_volume(1'000'001);
  spec.to_port = sinks[0].port();
  spec.streams = 2;
  spec.token = kToken;
  sources.emplace_back(std::move(spec), 5s, kNoPoll);
  sinks[0].accept(5s, kNoPoll);
  move_tcp(sinks, sources, std::chrono::seconds(20), kNoPoll);
  EXPECT_EQ(sinks[0].received(), DataSize::bytes(2'000'002));
  EXPECT_EQ(sources[0].sent(), DataSize::bytes(2'000'002));
  EXPECT_THAT(sinks[0].strangers().lines(),
              testing::UnorderedElementsAre(
                  testing::AllOf(testing::StartsWith("127.0.0.2:"), testing::HasSubstr("not from 127.0.0.1")),
                  testing::HasSubstr("another token")));
}

// An ordinary user of the peer's host has its address, too. Catches: a sink that runs out of descriptors.
TEST(TcpLoad, SilentConnectionsFromThePeersHostTakeNoMoreThanTheirRoom) {
  constexpr std::size_t kSilent = 300;
  TcpSink sink({.at = kLoopback, .peer = "127.0.0.1", .token = kToken});
  std::vector<process::FileDescriptor> silent;
  std::optional<TcpSource> source;
  const Poll flood = [&] {
    for (int i = 0; i < 20 && silent.size() < kSilent; ++i)
      silent.push_back(stranger_at(sink, "127.0.0.1", ""));
    if (silent.size() == kSilent && !source)
      source.emplace(
          TcpSourceSpec{
              .from = kLoopback, .to_address = "127.0.0.1", .to_port = sink.port(), .token = kToken},
          5s, kNoPoll);
  };
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{kSilent + 150, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  EXPECT_NO_THROW(sink.accept(10s, flood));
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(sink.strangers().lines().size(), 9u) << "eight by name, and how many more";
}

TEST(TcpLoad, AWindowGivesASampleAnInterval) {
  LoopbackPair pair(2);
  const host::CpuUse cpu = run_tcp(pair.sinks, pair.sources, kShort, kNoPoll);
  EXPECT_EQ(pair.sinks[0].rates().intervals().values.size(), 5u);
  EXPECT_GT(evaluate(Statistic::kMax, pair.sinks[0].rates().intervals().values), 0);
  EXPECT_GE(cpu.busy, 0);
  EXPECT_LE(cpu.busiest, 1);
}

TEST(TcpLoad, EverythingSentIsReceivedOnceAWindowIsOver) {
  LoopbackPair pair(3);
  run_tcp(pair.sinks, pair.sources, kShort, kNoPoll);
  EXPECT_GT(pair.sinks[0].received(), DataSize::bytes(0));
  EXPECT_EQ(pair.sinks[0].received(), pair.sources[0].sent());
}

TEST(TcpLoad, AVolumeIsSentToTheByte) {
  LoopbackPair pair(3, with_volume(10'000'001));
  move_tcp(pair.sinks, pair.sources, std::chrono::seconds(20), kNoPoll);
  EXPECT_EQ(pair.sources[0].sent(), DataSize::bytes(30'000'003));
  EXPECT_EQ(pair.sinks[0].received(), DataSize::bytes(30'000'003));
}

// Where the first streams keep the CPUs busy, the threads of the last path must exist already.
TEST(TcpLoad, NoStreamSendsBeforeAllPathsAreReady) {
  LoopbackPair pair(2, with_volume(1'000));
  const StartSignal signal;
  for (TcpSource& source : pair.sources) source.start(signal);
  for (TcpSink& sink : pair.sinks) sink.start();
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(pair.sinks[0].finished());
  signal.give();
  finish_tcp(pair.sinks, pair.sources, std::chrono::steady_clock::now() + 20s, kNoPoll);
  EXPECT_EQ(pair.sinks[0].received(), DataSize::bytes(2'000));
}

// Catches: every later case of a dead path that waits for it as long as for one that drains.
TEST(TcpLoad, APathThatNeverCarriedAnythingIsNotWaitedFor) {
  LoopbackPair pair(2);
  const std::span<TcpSource> nobody;  // no source is started: nothing is sent
  EXPECT_TRUE(pair.sources[0].silent());
  const auto begin = std::chrono::steady_clock::now();
  start_tcp(pair.sinks, nobody, kShort, begin);
  EXPECT_TRUE(pair.sinks[0].silent());
  finish_tcp(pair.sinks, nobody, drained_by(kShort, begin), kNoPoll);
  EXPECT_LT(std::chrono::steady_clock::now(), drained_by(kShort, begin) - 1s);
  EXPECT_EQ(evaluate(Statistic::kMax, pair.sinks[0].rates().intervals().values), 0);
}
TEST(TcpLoad, APathThatCarriedSomethingIsNotSilent) {
  LoopbackPair pair(2, with_volume(1));
  move_tcp(pair.sinks, pair.sources, std::chrono::seconds(20), kNoPoll);
  EXPECT_FALSE(pair.sources[0].silent());
}

TEST(TcpLoad, APathThatStallsIsBrokenOffAndKeepsWhatArrived) {
  LoopbackPair stalled(1);
  const std::span<TcpSink> nobody;  // no sink is started: nothing is read
  start_tcp(nobody, stalled.sources, kShort, std::chrono::steady_clock::now());
  finish_tcp(nobody, stalled.sources, std::chrono::steady_clock::now() + 200ms, kNoPoll);
  EXPECT_TRUE(stalled.sources[0].finished());
  EXPECT_EQ(stalled.sources[0].streams().size(), 1u);
}

TEST(TcpLoad, SaysWhatTcpDid) {
  LoopbackPair pair(2, with_volume(1'000'000));
  move_tcp(pair.sinks, pair.sources, std::chrono::seconds(20), kNoPoll);
  ASSERT_EQ(pair.sources[0].streams().size(), 2u);
  for (const TcpStreamFacts& facts : pair.sources[0].streams()) {
    EXPECT_GT(facts.segments_sent, 1'000'000u / 65536);
    EXPECT_GT(facts.round_trip, 0ns);
    EXPECT_GT(facts.congestion_window, 0u);
    EXPECT_GT(facts.segment, DataSize::bytes(500));
  }
}

TEST(TcpLoad, RunsBothWaysAtOnce) {
  LoopbackPair there(1), back(1);
  std::vector<TcpSink> sinks = std::move(there.sinks);
  sinks.push_back(std::move(back.sinks[0]));
  std::vector<TcpSource> sources = std::move(there.sources);
  sources.push_back(std::move(back.sources[0]));
  run_tcp(sinks, sources, kShort, kNoPoll);
  const RateSeries both = sum_of(std::vector{sinks[0].rates(), sinks[1].rates()});
  const double first = sinks[0].rates().intervals().values[0];
  const double second = sinks[1].rates().intervals().values[0];
  EXPECT_DOUBLE_EQ(both.intervals().values[0], first + second);
}

TEST(TcpLoad, APaceIsNotExceeded) {
  TcpSourceSpec spec = with_volume(2'000'000);
  spec.pace = DataRate::megabits_per_second(160);
  LoopbackPair pair(1, spec);
  const auto begin = std::chrono::steady_clock::now();
  move_tcp(pair.sinks, pair.sources, std::chrono::seconds(20), kNoPoll);
  EXPECT_GT(std::chrono::steady_clock::now() - begin, 50ms)
      << "2 MB at 20 MB/s take 100 ms, less the first ten segments";
}

TEST(TcpLoad, ASilentSourceIsASampleOfZeroNotAHang) {
  LoopbackPair pair(1);
  pair.sinks[0].start(kShort, std::chrono::steady_clock::now());
  sleep_until(std::chrono::steady_clock::now() + 150ms, kNoPoll);
  pair.sources[0].start(StartSignal());
  pair.sinks[0].wait(kNoPoll);
  pair.sources[0].wait(kNoPoll);
  EXPECT_EQ(pair.sinks[0].rates().intervals().values[0], 0);
}

TEST(TcpLoad, ASenderThatLeavesEarlyIsAnErrorNotALowFigure) {
  LoopbackPair pair(1, with_volume(1000));
  const LoadWindow long_window{.warm_up = 0ms, .window = 1h, .intervals = 1};
  try {
    run_tcp(pair.sinks, pair.sources, long_window, kNoPoll);
    FAIL() << "took the end of the stream for a measurement";
  } catch (const NetError& error) {
    EXPECT_EQ(error.device(), "lo");
    EXPECT_THAT(error.what(), testing::HasSubstr("before the window was over"));
  }
}

TEST(TcpLoad, ASinkThatDiesIsAnErrorOfTheSource) {
  LoopbackPair pair(1);
  pair.sources[0].start(StartSignal());
  pair.sinks.clear();
  EXPECT_THROW(pair.sources[0].wait(kNoPoll), NetError);
}

TEST(TcpLoad, EndsWhenPollThrows) {
  LoopbackPair pair(4);
  const LoadWindow endless{.warm_up = 0ms, .window = 1h, .intervals = 1};
  int calls = 0;
  const Poll poll = [&] {
    if (++calls == 3) throw std::runtime_error("the phase is over");
  };
  EXPECT_THROW(run_tcp(pair.sinks, pair.sources, endless, poll), std::runtime_error);
}

TEST(TcpLoad, NobodyListeningIsNamed) {
  std::uint16_t port = 0;
  { port = TcpSink({.at = kLoopback}).port(); }
  try {
    TcpSource source({.from = kLoopback, .to_address = "127.0.0.1", .to_port = port}, 1s, kNoPoll);
    FAIL() << "connected to nobody";
  } catch (const NetError& error) {
    EXPECT_EQ(error.error_number(), ECONNREFUSED);
    EXPECT_THAT(error.what(),
                testing::StartsWith("connect to 127.0.0.1:" + std::to_string(port) + " on lo: "));
  }
}

// A listener that takes none and has room for three: the handshakes of the others are lost, as on a path of which a part is dead.
TEST(TcpLoad, FlowsThatAreDeadBesideOthersAreNoDeadPath) {
  const process::FileDescriptor listener = bound_socket(SOCK_STREAM, kLoopback);
  ASSERT_EQ(::listen(listener.get(), 2), 0);
  try {
    TcpSource source(
        {.from = kLoopback, .to_address = "127.0.0.1", .to_port = local_port(listener.get()), .streams = 16},
        200ms, kNoPoll);
    FAIL() << "connected to a full listener";
  } catch (const NetError& error) {
    EXPECT_EQ(error.error_number(), ETIMEDOUT);
    EXPECT_THAT(error.what(), testing::HasSubstr("3 of 16 streams connected: the path carries some flows"));
  }
}

TEST(TcpLoad, AStreamThatNeverComesIsCounted) {
  TcpSink sink({.at = kLoopback, .streams = 2});
  TcpSource source({.from = kLoopback, .to_address = "127.0.0.1", .to_port = sink.port()}, 5s, kNoPoll);
  try {
    sink.accept(20ms, kNoPoll);
    FAIL() << "accepted a stream that nobody opened";
  } catch (const NetError& error) {
    EXPECT_EQ(error.error_number(), ETIMEDOUT);
    EXPECT_THAT(error.what(), testing::HasSubstr("1 of 2 streams came"));
  }
}

TEST(TcpLoad, ADeviceThatIsNotThereIsNamed) {
  EXPECT_THROW(TcpSink({.at = {"no-such-dev", "127.0.0.1"}}), NetError);
}

TEST(TcpLoad, StreamsArePinnedWhereAsked) {
  TcpSourceSpec spec = with_volume(1000);
  spec.cpus = {0};
  LoopbackPair on_a_cpu(2, spec);
  move_tcp(on_a_cpu.sinks, on_a_cpu.sources, std::chrono::seconds(20), kNoPoll);
  spec.cpus = {1023};
  LoopbackPair nowhere(1, spec);
  EXPECT_THROW(move_tcp(nowhere.sinks, nowhere.sources, std::chrono::seconds(20), kNoPoll), NetError);
}

}  // namespace
}  // namespace rigproof::net
