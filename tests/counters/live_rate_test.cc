// Rates of ports that are watched. Catches a peak made of one late reading, a reset taken for traffic, a line from
// elsewhere taken for a reading, a counter's name that does not survive the way to another node.
#include "fixtures/counters/port_sampler.h"

#include <gtest/gtest.h>

namespace rigproof::counters {
namespace {

using std::chrono::milliseconds;

PortCounters at(int ms, std::uint64_t tx, std::uint64_t rx) {
  PortCounters counters{tx, rx, 0, 0, {}};
  counters.time += milliseconds(ms);
  return counters;
}
double tx_of(const LiveRates& rates) { return rates.now() ? rates.now()->tx.bytes_per_second() : -1; }

TEST(LiveRates, AreThoseOfTheLastSecond) {
  LiveRates rates;
  rates.add(at(0, 0, 0));
  rates.add(at(500, 500, 50));
  EXPECT_FALSE(rates.now());
  rates.add(at(1000, 1000, 100));
  EXPECT_DOUBLE_EQ(tx_of(rates), 1000);
  EXPECT_DOUBLE_EQ(rates.now()->rx.bytes_per_second(), 100);
  rates.add(at(1500, 1000, 100));
  EXPECT_DOUBLE_EQ(tx_of(rates), 500);
  rates.add(at(2000, 1000, 100));
  EXPECT_DOUBLE_EQ(tx_of(rates), 0);
  EXPECT_DOUBLE_EQ(rates.peak().tx.bytes_per_second(), 1000);
}

// All of a second's bytes shown at once, as firmware may refresh: no peak beyond what the second carried.
TEST(LiveRates, TakeNoRefreshForAPeak) {
  LiveRates rates;
  for (int i = 0; i < 40; ++i) rates.add(at(250 * i, 1000 * static_cast<std::uint64_t>(i / 4), 0));
  EXPECT_DOUBLE_EQ(rates.peak().tx.bytes_per_second(), 1000);
}

TEST(LiveRates, BeginAnewAfterAReset) {
  LiveRates rates;
  for (int i = 0; i < 4; ++i) rates.add(at(500 * i, 500 * static_cast<std::uint64_t>(i), 0));
  rates.add(at(2000, 3, 0));
  EXPECT_FALSE(rates.now());
  rates.add(at(2500, 3, 0));
  rates.add(at(3000, 3, 0));
  EXPECT_DOUBLE_EQ(tx_of(rates), 0);
  EXPECT_DOUBLE_EQ(rates.peak().tx.bytes_per_second(), 1000);
}

TEST(LiveRates, SpanNoGap) {
  LiveRates rates;
  rates.add(at(0, 0, 0));
  rates.forget();
  rates.add(at(60'000, 1'000'000, 0));
  EXPECT_FALSE(rates.now());
}

TEST(NodeReading, SurvivesTheWay) {
  const NodeReading sent{{at(1500, 1ULL << 63, 7), "no \"such\" device\n\xff"}, std::chrono::nanoseconds(12)};
  const std::string line = to_line(sent);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = parse_reading(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->cpu, sent.cpu);
  ASSERT_EQ(read->ports.size(), 2U);
  const auto& counters = std::get<PortCounters>(read->ports[0]);
  EXPECT_EQ(counters.tx_bytes, 1ULL << 63);
  EXPECT_EQ(counters.rx_bytes, 7U);
  EXPECT_EQ(counters.time, at(1500, 0, 0).time);
  EXPECT_TRUE(std::get<std::string>(read->ports[1]).starts_with("no \"such\" device"));
}

TEST(NodeReading, IsNothingElse) {
  for (const char* line :
       {"", "Welcome to Ubuntu", "{", "{}", "{\"ports\":[]}", "{\"cpu_ns\":\"x\",\"ports\":[]}",
        "{\"cpu_ns\":1,\"ports\":[{}]}", "{\"cpu_ns\":1,\"cpu_ns\":2,\"ports\":[]}",
        "ssh: connect to host node-b port 22: Connection refused"})
    EXPECT_FALSE(parse_reading(line)) << line;
}

// A node may send anything, and the differences of what is taken must not overflow.
TEST(NodeReading, TakesNoNumberThatOverflowsALaterSum) {
  const auto line = [](const std::string& cpu, const std::string& time, const std::string& bytes) {
    return "{\"cpu_ns\":" + cpu + ",\"ports\":[{\"time_ns\":" + time + ",\"tx_bytes\":" + bytes +
           ",\"rx_bytes\":0}]}";
  };
  EXPECT_TRUE(parse_reading(line("1", "2", "3")));
  for (const char* time :
       {"-1", "1e300", "1.5", "9223372036854775807", "18446744073709551615", "\"1\"", "null"}) {
    EXPECT_FALSE(parse_reading(line(time, "2", "3"))) << time;
    EXPECT_FALSE(parse_reading(line("1", time, "3"))) << time;
  }
  for (const char* bytes : {"-1", "1e300", "1.5", "\"1\"", "null"})
    EXPECT_FALSE(parse_reading(line("1", "2", bytes))) << bytes;
}
TEST(NodeReading, IsNoLineThatIsTooLong) {
  EXPECT_FALSE(parse_reading("{\"cpu_ns\":1,\"ports\":[" + std::string(kLongestReading, ' ') + "]}"));
}

TEST(SourceWord, SurvivesTheWay) {
  const CounterSource netlink{
      .kind = CounterSource::Kind::kNetlink, .device = "a-port0", .name_space = "fabric"};
  const CounterSource ethtool{.kind = CounterSource::Kind::kEthtool,
                              .device = "enp1s0f0np0",
                              .name_space = {},
                              .tx_bytes = "ucast bytes tx",
                              .rx_bytes = "[0]: rx, \"bytes\""};
  for (const CounterSource& source : {netlink, ethtool}) {
    const CounterSource read = parse_source(to_word(source));
    EXPECT_EQ(read.kind, source.kind);
    EXPECT_EQ(read.device, source.device);
    EXPECT_EQ(read.name_space, source.name_space);
    EXPECT_EQ(read.tx_bytes, source.tx_bytes);
    EXPECT_EQ(read.rx_bytes, source.rx_bytes);
    EXPECT_EQ(read.rx_packets, source.rx_packets);
  }
  for (const char* word : {"", "lo", "{}", "[]", "{\"source\":\"magic\",\"device\":\"lo\"}",
                           "{\"source\":\"ethtool\",\"device\":\"lo\"}"})
    EXPECT_THROW((void)parse_source(word), CounterError) << word;
}

}  // namespace
}  // namespace rigproof::counters
