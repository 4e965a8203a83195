// What it costs that arriving data is compared: the same TCP load on loopback, where the CPU is all there is, with and without
// the comparison, in turns. Where others use the CPUs, too, the payload per second of CPU time says more than the rate.
//   data-check-cost [ROUNDS] [STREAMS] [WINDOW_MS]     exits 1 when by CPU time the median of the pairs' ratios is below 0.98
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "fixtures/net/tcp.h"

namespace {

using namespace rigproof;
using namespace std::chrono_literals;

const net::Poll kNoPoll = [] {};

struct Measured {
  double rate, compared, per_cpu_second;
};

double cpu_seconds() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

Measured measure(bool compares, std::size_t streams, std::chrono::milliseconds window) {
  const net::LocalEnd lo{"lo", "127.0.0.1"};
  const net::Token token = net::random_token();
  std::vector<net::TcpSink> sinks;
  sinks.emplace_back(net::TcpSinkSpec{.at = lo, .streams = streams, .compares = compares, .token = token});
  std::vector<net::TcpSource> sources;
  sources.emplace_back(net::TcpSourceSpec{.from = lo,
                                          .to_address = lo.address,
                                          .to_port = sinks[0].port(),
                                          .streams = streams,
                                          .token = token},
                       10s, kNoPoll);
  sinks[0].accept(10s, kNoPoll);
  const double before = cpu_seconds();
  net::run_tcp(sinks, sources, {.warm_up = 200ms, .window = window, .intervals = 1}, kNoPoll);
  const auto data = sinks[0].data();
  if (data.differing_pieces > 0) throw std::runtime_error("data differs: " + data.first.value_or(""));
  return {sinks[0].rates().intervals().values[0],
          static_cast<double>(data.compared.bytes()) / static_cast<double>(data.received.bytes()),
          static_cast<double>(data.received.bytes()) / (cpu_seconds() - before)};
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) try {
  const auto number = [&](int place, long otherwise) {
    return argc > place ? std::stol(argv[place]) : otherwise;
  };
  const long rounds = number(1, 21), streams = number(2, 1), window = number(3, 500);
  std::vector<double> ratios, by_cpu, without, with, compared;
  for (long round = 0; round < rounds; ++round) {
    const bool first = round % 2 == 0;
    Measured one = measure(first, static_cast<std::size_t>(streams), std::chrono::milliseconds(window));
    Measured other = measure(!first, static_cast<std::size_t>(streams), std::chrono::milliseconds(window));
    if (!first) std::swap(one, other);
    with.push_back(one.rate);
    without.push_back(other.rate);
    compared.push_back(one.compared);
    ratios.push_back(one.rate / other.rate);
    by_cpu.push_back(one.per_cpu_second / other.per_cpu_second);
  }
  const double ratio = median(by_cpu);
  fmt::print(
      "{} stream(s), {} pairs of {} ms: {:.2f} Gbit/s compared ({:.1f} % of the bytes), {:.2f} Gbit/s not; "
      "medians of the pairs' ratios: rate {:.4f}, payload per CPU second {:.4f}\n",
      streams, rounds, window, median(with) / 1e9, 100 * median(compared), median(without) / 1e9,
      median(ratios), ratio);
  return ratio < 0.98 ? 1 : 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "data-check-cost: {}\n", error.what());
  return 2;
}
