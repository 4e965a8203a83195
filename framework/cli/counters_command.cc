#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "fixtures/counters/port_sampler.h"
#include "framework/cli/command.h"
#include "framework/cli/rig_rates.h"

namespace rigproof::cli {
namespace {

constexpr std::chrono::milliseconds kInterval{500};

std::chrono::nanoseconds own_cpu() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// A port that cannot be read may come back: each read tries to open it again.
class CountedPort {
 public:
  explicit CountedPort(const std::string& word) : source_(counters::parse_source(word)) {}

  std::variant<counters::PortCounters, std::string> read() try {
    if (!reader_) reader_.emplace(source_);
    return reader_->read();
  } catch (const std::exception& error) {
    reader_.reset();
    return std::string(error.what());
  }

 private:
  CounterSource source_;
  std::optional<counters::PortCounterReader> reader_;
};

bool write_line(std::string line) {
  line += '\n';
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t size = write(STDOUT_FILENO, line.data() + at, line.size() - at);
    if (size <= 0) return false;
    at += static_cast<std::size_t>(size);
  }
  return true;
}

int print_counters(const std::vector<std::string>& words) {
  std::vector<CountedPort> ports(words.begin(), words.end());
  for (auto next = std::chrono::steady_clock::now();; std::this_thread::sleep_until(next)) {
    counters::NodeReading reading{{}, own_cpu()};
    for (CountedPort& port : ports) reading.ports.push_back(port.read());
    if (!write_line(to_line(reading))) return 0;
    for (const auto now = std::chrono::steady_clock::now(); next <= now;) next += kInterval;
  }
}

}  // namespace

Command add_counters_command(CLI::App& parent) {
  CLI::App* app =
      parent.add_subcommand(kCountersCommand, "Print the counters of this node's ports, twice a second");
  app->group("");  // hidden: `run` and `watch` start it on every node
  const auto words = std::make_shared<std::vector<std::string>>();
  app->add_option("SOURCE", *words)->take_all()->required();
  return {app, [words] { return print_counters(*words); }};
}

}  // namespace rigproof::cli
