// One end of an RDMA load, alone, for measuring the generator itself.
//   rdma-end OPERATION send|receive DEVICE NETDEV ADDRESS SIZE DEPTH QUEUE_PAIRS MESSAGES SIGNAL_EVERY spin|sleep
// OPERATION: write_bw, send_bw, write_lat. Prints its address in one line and reads the peer's; the receiver then
// waits for another line, the end. The sender prints "rate BIT/S" (from the first post to the last completion) or
// "latency SECONDS" (the median), and "user SECONDS", the CPU time of the loop in user mode.

#include <fmt/core.h>
#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "fixtures/verbs/load.h"
#include "fixtures/verbs/ping_pong.h"
#include "framework/record/codec.h"

namespace {

using namespace rigproof;

using Clock = std::chrono::steady_clock;

const net::Poll kNoPoll = [] {};

struct Request {
  std::string operation;
  bool sends;
  verbs::RdmaHalf half;
  DataSize size;
  std::uint32_t depth;
  std::size_t queue_pairs;
  std::uint64_t messages;
  std::uint32_t signal_every;
  verbs::Waiting waiting;
};

Request parse(const std::vector<std::string>& words) {
  if (words.size() != 11) throw std::runtime_error("wrong number of arguments; see the top of rdma_end.cc");
  return {.operation = words[0],
          .sends = words[1] == "send",
          .half = {words[2], words[3], words[4]},
          .size = DataSize::bytes(std::stoull(words[5])),
          .depth = static_cast<std::uint32_t>(std::stoul(words[6])),
          .queue_pairs = std::stoul(words[7]),
          .messages = std::stoull(words[8]),
          .signal_every = static_cast<std::uint32_t>(std::stoul(words[9])),
          .waiting = words[10] == "sleep" ? verbs::Waiting::kSleep : verbs::Waiting::kSpin};
}

std::string read_line() {
  std::string line;
  std::getline(std::cin, line);
  return line;
}

void connect(verbs::RdmaEnd& end) {
  using record::codec::Decoder;
  fmt::print("{}\n", record::codec::Encoder::value(end.address()).dump());
  std::fflush(stdout);
  verbs::RdmaEndAddress peer;
  Decoder::read(Decoder::Json::parse(read_line()), peer);
  end.connect(peer);
}

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) / 1e6;
}

void run_latency(const Request& request) {
  const verbs::PingPongSpec spec{.message = request.size, .rounds = request.messages};
  verbs::RdmaEnd end(end_spec(spec, request.half));
  connect(end);
  if (!request.sends) return pong(end, spec, kNoPoll);
  const auto samples = ping(end, spec, kNoPoll).set();
  fmt::print("latency {:.9f}\n", evaluate(Statistic::kMedian, samples.values));
}

void run_bandwidth(const Request& request) {
  const bool writes = request.operation == "write_bw";
  const verbs::RdmaLoadSpec spec{
      .operation = writes ? verbs::RdmaOperation::kWrite : verbs::RdmaOperation::kSend,
      .message = request.size,
      .depth = request.depth,
      .signal_every = request.signal_every,
      .messages = request.messages};
  verbs::RdmaEnd end({.half = request.half,
                      .queue_pairs = request.queue_pairs,
                      .depth = request.depth,
                      .receives = receives_of(spec, request.queue_pairs),
                      .buffer = buffer_of(spec, request.queue_pairs),
                      .attributes = {.timeout = 18}});
  connect(end);
  const std::uint64_t all = request.messages * request.queue_pairs;
  if (!request.sends) {
    verbs::RdmaSink sink(end, spec);
    std::vector<verbs::RdmaPart> parts{{.sink = &sink}};
    if (!writes)
      run_rdma(
          parts, request.waiting, [&] { return sink.received() == all; }, kNoPoll);
    (void)read_line();
    if (const auto difference = sink.difference()) throw std::runtime_error(*difference);
    return;
  }
  verbs::RdmaSource source(end, spec);
  std::vector<verbs::RdmaPart> parts{{.source = &source}};
  const double user = user_seconds();
  const auto begin = Clock::now();
  source.start();
  run_rdma(
      parts, request.waiting, [] { return true; }, kNoPoll);
  const std::chrono::duration<double> time = Clock::now() - begin;
  if (parts[0].dead) throw std::runtime_error(*parts[0].dead);
  fmt::print("rate {:.0f}\nuser {:.6f}\n", static_cast<double>(all * request.size.bytes()) * 8 / time.count(),
             user_seconds() - user);
}

}  // namespace

int main(int argc, char** argv) try {
  const Request request = parse({argv + 1, argv + argc});
  request.operation == "write_lat" ? run_latency(request) : run_bandwidth(request);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "rdma-end: {}\n", error.what());
  return 2;
}
