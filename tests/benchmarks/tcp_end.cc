// One end of a TCP load, alone, for measuring the generator itself.
//   tcp-end sink   DEVICE ADDRESS STREAMS WARM_UP_MS WINDOW_MS     prints "port N", later "rate
//   BIT/S" tcp-end source DEVICE ADDRESS STREAMS TO_ADDRESS TO_PORT      prints "retransmitted
//   SEGMENTS"

#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "fixtures/net/tcp.h"

namespace {

using namespace rigproof;
using namespace std::chrono_literals;

const net::Poll kNoPoll = [] {};

void run_sink(const net::LocalEnd& end, std::size_t streams, const LoadWindow& window) {
  std::vector<net::TcpSink> sinks;
  sinks.emplace_back(net::TcpSinkSpec{.at = end, .streams = streams});
  fmt::print("port {}\n", sinks[0].port());
  std::fflush(stdout);
  sinks[0].accept(10s, kNoPoll);
  net::run_tcp(sinks, {}, window, kNoPoll);
  fmt::print("rate {:.0f}\n", sinks[0].rates().intervals().values[0]);
}

void run_source(const net::LocalEnd& end, std::size_t streams, const std::string& to_address,
                std::uint16_t to_port) {
  net::TcpSource source({.from = end, .to_address = to_address, .to_port = to_port, .streams = streams}, 10s,
                        kNoPoll);
  source.start(net::StartSignal());
  source.wait(kNoPoll);
  fmt::print("retransmitted {}\n", source.segments_retransmitted());
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 6) throw std::runtime_error("wrong number of arguments; see the top of tcp_end.cc");
  const net::LocalEnd end{words[1], words[2]};
  const std::size_t streams = std::stoul(words[3]);
  if (words[0] == "sink") {
    run_sink(end, streams,
             {.warm_up = std::chrono::milliseconds(std::stol(words[4])),
              .window = std::chrono::milliseconds(std::stol(words[5])),
              .intervals = 1});
  } else {
    run_source(end, streams, words[4], static_cast<std::uint16_t>(std::stoul(words[5])));
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "tcp-end: {}\n", error.what());
  return 2;
}
