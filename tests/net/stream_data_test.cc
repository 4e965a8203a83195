// TCP's payload is compared with what was sent. Catches: data that is wrong though TCP's checksum is right, pieces that were
// never compared, a comparison that costs the rate.
#include "fixtures/net/stream_data.h"

#include <gmock/gmock.h>
#include <sys/socket.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "fixtures/net/tcp.h"
#include "framework/process/file_descriptor.h"
#include "tests/net/ends.h"

namespace rigproof::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::vector<char> copy_of(std::span<const char> bytes) { return {bytes.begin(), bytes.end()}; }

TEST(StreamPattern, FollowsFromTheTokenAndThePlace) {
  const StreamPattern pattern(kToken, DataSize::kibibytes(64)), same(kToken, DataSize::kibibytes(1)),
      other(random_token(), DataSize::kibibytes(1));
  const auto piece = copy_of(pattern.piece(1'000'003, 1000));
  EXPECT_EQ(piece.size(), 1000u);
  EXPECT_EQ(piece, copy_of(same.piece(1'000'003, 1000)));
  EXPECT_NE(piece, copy_of(other.piece(1'000'003, 1000)));
  for (const std::uint64_t off : {1u, 8u, 4096u, 8948u, 65536u, 1u << 20})
    EXPECT_NE(piece, copy_of(pattern.piece(1'000'003 + off, 1000))) << off;
  const auto whole = copy_of(pattern.piece(261'000, 60'000));  // across the end of a period
  EXPECT_EQ(copy_of(pattern.piece(270'000, 51'000)), std::vector<char>(whole.begin() + 9000, whole.end()));
}

TEST(StreamCheck, NamesTheFirstByteThatDiffersAndCountsThePieces) {
  const StreamPattern pattern(kToken, StreamCheck::kPiece);
  StreamCheck check;
  auto bytes = copy_of(pattern.piece(5000, 1000));
  check.look_at(pattern, bytes, 5000, Clock::now());
  EXPECT_EQ(check.differing_pieces(), 0u);
  EXPECT_EQ(check.compared(), DataSize::bytes(1000));
  bytes[17] ^= 0x40;
  StreamCheck wrong;
  wrong.look_at(pattern, bytes, 5000, Clock::now());
  EXPECT_EQ(wrong.differing_pieces(), 1u);
  EXPECT_THAT(wrong.first().value_or(""), HasSubstr("byte 5017 of a stream is 0x"));
}

// A slow stream: every piece is looked at. A fast one: a hundredth of the time.
TEST(StreamCheck, TakesAHundredthOfTheTime) {
  const StreamPattern pattern(kToken, StreamCheck::kPiece);
  const auto bytes = copy_of(pattern.piece(0, StreamCheck::kPiece.bytes()));
  const std::span few(bytes.data(), 4096);
  StreamCheck slow;
  for (int i = 0; i < 50; ++i) {
    slow.look_at(pattern, few, 0, Clock::now());
    std::this_thread::sleep_for(2ms);
  }
  EXPECT_GT(slow.compared().bytes(), 10 * few.size());
  StreamCheck fast;
  const auto enough = [&] { return fast.compared().bytes() > 2 * bytes.size(); };
  const auto end = Clock::now() + 50ms, last = end + 10s;  // later where other programs take the CPU
  std::size_t looks = 0;
  for (auto now = Clock::now(); now < end || (!enough() && now < last); now = Clock::now(), ++looks)
    fast.look_at(pattern, bytes, 0, now);
  EXPECT_TRUE(enough());
  EXPECT_LT(fast.compared().bytes() / bytes.size(), looks / 2);
}

// Passes a stream on and turns one bit over in every so many bytes, as a broken NIC behind the checksum does.
class Damaging {
 public:
  Damaging(std::uint16_t sink, std::size_t every) : sink_("127.0.0.1", sink), every_(every) {
    bind_to(listener_.get(), kLoopback, 0);
    EXPECT_EQ(::listen(listener_.get(), 1), 0);
    make_blocking(listener_.get());
    thread_ = std::jthread([this] { pass_on(); });
  }
  [[nodiscard]] std::uint16_t port() const { return local_port(listener_.get()); }

 private:
  void pass_on() const {
    const process::FileDescriptor in(::accept(listener_.get(), nullptr, nullptr));
    const process::FileDescriptor out = socket_on(SOCK_STREAM, "", IpFamily::kIpv4);
    make_blocking(out.get());
    if (::connect(out.get(), sink_.data(), sink_.size()) != 0) return;
    std::vector<char> bytes(1 << 16);
    std::size_t place = 0;
    for (ssize_t size = 0; (size = ::recv(in.get(), bytes.data(), bytes.size(), 0)) > 0;) {
      for (ssize_t i = 0; i < size; ++i)
        if (++place % every_ == 0) bytes[static_cast<std::size_t>(i)] ^= 1;
      if (::send(out.get(), bytes.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) != size) return;
    }
    ::shutdown(out.get(), SHUT_WR);
    char end = 0;
    (void)::recv(out.get(), &end, 1, 0);
  }

  Endpoint sink_;
  std::size_t every_;
  process::FileDescriptor listener_ = socket_on(SOCK_STREAM, "", IpFamily::kIpv4);
  std::jthread thread_;
};

TcpSink::Data received_by_way_of(std::size_t damage_every) {
  std::vector<TcpSink> sinks;
  sinks.emplace_back(TcpSinkSpec{.at = kLoopback, .token = kToken});
  const Damaging proxy(sinks[0].port(), damage_every);
  std::vector<TcpSource> sources;
  sources.emplace_back(TcpSourceSpec{.from = kLoopback,
                                     .to_address = "127.0.0.1",
                                     .to_port = proxy.port(),
                                     .volume = DataSize::mebibytes(8),
                                     .token = kToken},
                       5s, kNoPoll);
  sinks[0].accept(5s, kNoPoll);
  move_tcp(sinks, sources, 20s, kNoPoll);
  return sinks[0].data();
}

TEST(TcpData, DamageBehindTheChecksumIsFoundNamedAndCounted) {
  const TcpSink::Data data = received_by_way_of(5000);
  EXPECT_EQ(data.received, DataSize::mebibytes(8));
  EXPECT_GT(data.differing_pieces, 0u);
  EXPECT_THAT(data.first.value_or(""),
              testing::AllOf(HasSubstr("of a stream is 0x"), HasSubstr(", expected 0x")));
}

TEST(TcpData, SoundDataDoesNotDiffer) {
  const TcpSink::Data data = received_by_way_of(SIZE_MAX);
  EXPECT_EQ(data.received, DataSize::mebibytes(8));
  EXPECT_GT(data.compared, DataSize::bytes(0));
  EXPECT_EQ(data.differing_pieces, 0u);
}

// Both ways of the ends: what one source sends differs from what a sink of another experiment expects.
TEST(TcpData, DataOfAnotherExperimentDiffers) {
  const StreamPattern sent(random_token(), StreamCheck::kPiece), expected(kToken, StreamCheck::kPiece);
  StreamCheck check;
  check.look_at(expected, sent.piece(0, 1000), 0, Clock::now());
  EXPECT_EQ(check.differing_pieces(), 1u);
}

}  // namespace
}  // namespace rigproof::net
