#include "framework/cli/rig_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "framework/process/process.h"
#include "framework/units/printable.h"

namespace rigproof::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr seconds kTryAgain{5}, kSilent{5};
constexpr seconds kEnd{1};  // deadline for the end of the readers

constexpr std::size_t kLongestReason = 500;  // a screen cuts it at its width

constexpr DataRate kNothing = DataRate::bits_per_second(0);

std::vector<std::string> command_for(const Node& node, const supervisor::NodeCommands& nodes) {
  std::vector<std::string> program{process::own_program(), kCountersCommand};
  for (const Port& port : node.ports)
    if (port.counters) program.push_back(counters::to_word(*port.counters));
  return nodes.on(node.name, node.address, program);
}

}  // namespace

class RigRates::Reader {
 public:
  Reader(const Node& node, const supervisor::NodeCommands& nodes)
      : node_(node), nodes_(nodes), ports_(node.ports.size()) {
    for (std::size_t port = 0; port < ports_.size(); ++port)
      if (node.ports[port].counters) counted_.push_back(port);
  }

  void poll() {
    const auto now = Clock::now();
    if (!child_ && now >= start_at_ && !counted_.empty()) start(now);
    if (!child_) return;
    const auto ended = child_->wait_for(std::chrono::milliseconds(0));
    take(child_->take_output(), now);
    if (!ended) return;
    why_ = said_.empty() ? "the reader " + process::describe_status(*ended) : said_;
    child_.reset();
    start_at_ = now + kTryAgain;
    heard_.reset();
  }

  void end() const {
    if (child_) child_->terminate();
  }
  void end_by(Clock::time_point deadline) {
    if (child_) (void)child_->wait_until(deadline);
    child_.reset();
  }

  // The reason why a port has no rates; empty: it has.
  [[nodiscard]] std::string missing(std::size_t port) const {
    if (!node_.ports[port].counters)
      return fmt::format("no counters of {}:{} in the rig file", node_.name, node_.ports[port].name);
    if (!heard_ && !why_.empty()) return fmt::format("no counters from {}: {}", node_.name, why_);
    const auto now = Clock::now();
    if (!heard_)
      return now - started_ < kSilent ? fmt::format("waiting for the counters of {}", node_.name)
                                      : fmt::format("no counters from {}: no answer", node_.name);
    if (now - *heard_ >= kSilent)
      return fmt::format("no counters from {}: silent for {} s", node_.name,
                         std::chrono::floor<seconds>(now - *heard_).count());
    const Watched& watched = ports_[port];
    if (!watched.error.empty()) return fmt::format("no counters from {}: {}", node_.name, watched.error);
    return watched.rates.now() ? "" : fmt::format("waiting for the counters of {}", node_.name);
  }
  [[nodiscard]] const counters::LiveRates& rates(std::size_t port) const { return ports_[port].rates; }
  [[nodiscard]] bool ever_read() const { return ever_read_; }
  [[nodiscard]] const std::string& node() const { return node_.name; }
  // The reader's share of a core since the first reading.
  [[nodiscard]] std::optional<double> share() const {
    if (!first_ || first_->time >= last_.time) return {};
    return std::chrono::duration<double>(last_.cpu - first_->cpu) / (last_.time - first_->time);
  }

 private:
  struct Watched {
    counters::LiveRates rates;
    std::string error;
  };
  struct Cost {
    std::chrono::nanoseconds cpu{0};
    Clock::time_point time;
  };

  void start(Clock::time_point now) {
    started_ = now;
    said_.clear();
    rest_.clear();
    first_.reset();
    for (Watched& port : ports_) port.rates.forget();
    try {
      child_ =
          std::make_unique<process::Process>(process::ProcessSpec{.arguments = command_for(node_, nodes_)});
    } catch (const std::system_error& error) {
      why_ = error.what();
      start_at_ = now + kTryAgain;
    }
  }

  void take(const std::string& output, Clock::time_point now) {
    rest_ += output;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
      take_line(rest_.substr(begin, end - begin), now);
    rest_.erase(0, begin);
    if (rest_.size() > counters::kLongestReading) rest_.clear();
  }

  void take_line(std::string line, Clock::time_point now) {
    if (line.ends_with('\r')) line.pop_back();  // from ssh
    const auto reading = counters::parse_reading(line);
    if (!reading || reading->ports.size() != counted_.size()) {
      if (!line.empty()) said_ = shortened(line, kLongestReason);
      return;
    }
    heard_ = now;
    ever_read_ = true;
    why_.clear();
    for (std::size_t i = 0; i < counted_.size(); ++i) take_port(ports_[counted_[i]], reading->ports[i]);
    last_ = {reading->cpu, now};
    if (!first_) first_ = last_;
  }

  static void take_port(Watched& port, const std::variant<counters::PortCounters, std::string>& reading) {
    if (const auto* counters = std::get_if<counters::PortCounters>(&reading)) {
      port.error.clear();
      port.rates.add(*counters);
    } else {
      port.error = shortened(std::get<std::string>(reading), kLongestReason);
      port.rates.forget();
    }
  }

  const Node& node_;
  const supervisor::NodeCommands& nodes_;
  std::vector<Watched> ports_;
  std::vector<std::size_t> counted_;  // ports with counters
  std::unique_ptr<process::Process> child_;
  Clock::time_point start_at_, started_ = Clock::now();
  std::optional<Clock::time_point> heard_;  // last reading of this reader
  bool ever_read_ = false;
  std::string rest_;  // incomplete line
  std::string said_;  // last line that is not a reading
  std::string why_;   // why the last reader ended
  std::optional<Cost> first_;
  Cost last_;
};

RigRates::RigRates(const Rig& rig)
    : rig_(rig), peak_tx_(kNothing), peak_rx_(kNothing), peak_duplex_(kNothing) {
  for (const Node& node : rig.nodes) readers_.push_back(std::make_unique<Reader>(node, nodes_));
}

// Ends the readers with SIGTERM: a step of Slurm does not end with an srun that got SIGKILL.
RigRates::~RigRates() {
  for (const auto& reader : readers_) reader->end();
  const auto by = Clock::now() + kEnd;
  for (const auto& reader : readers_) reader->end_by(by);
}

void RigRates::poll() {
  for (const auto& reader : readers_) reader->poll();
}

void RigRates::show_in(terminal::LiveState& state) {
  state.cables.clear();
  DataRate tx = kNothing, rx = kNothing;
  const auto missing = [&](PortRef port) { return readers_[port.node]->missing(port.port); };
  const auto show = [&](const Link& link, PortRef port, std::string far_end) {
    const counters::LiveRates& rates = readers_[port.node]->rates(port.port);
    const auto now = rates.now().value_or(counters::LiveRates::Rates{kNothing, kNothing});
    terminal::LiveCable cable{.link = link.name,
                              .port = rig_.label(port),
                              .far_end = std::move(far_end),
                              .rate = rig_.port(port).rate,
                              .tx = {now.tx, rates.peak().tx},
                              .rx = {now.rx, rates.peak().rx},
                              .no_counters = missing(port)};
    if (cable.no_counters.empty()) tx = tx + now.tx, rx = rx + now.rx;
    state.cables.push_back(std::move(cable));
  };
  for (const Link& link : rig_.links) {
    if (link.ports.size() == 2) {
      const bool first = missing(link.ports[0]).empty() || !missing(link.ports[1]).empty();
      show(link, link.ports[first ? 0 : 1], rig_.label(link.ports[first ? 1 : 0]));
    } else {
      for (const PortRef port : link.ports) show(link, port, link.through.value_or(link.name));
    }
  }
  peak_tx_ = std::max(peak_tx_, tx);
  peak_rx_ = std::max(peak_rx_, rx);
  peak_duplex_ = std::max(peak_duplex_, tx + rx);
  state.tx = {tx, peak_tx_};
  state.rx = {rx, peak_rx_};
  state.duplex = {tx + rx, peak_duplex_};
}

std::string RigRates::cost_text() const {
  std::string text;
  for (const auto& reader : readers_) {
    if (const auto share = reader->share())
      text += fmt::format("{}{:.2f} %{} on {}", text.empty() ? "reading takes " : ", ", 100 * *share,
                          text.empty() ? " of a core" : "", reader->node());
  }
  return text;
}

std::vector<std::string> RigRates::unread() const {
  std::vector<std::string> nodes;
  for (const auto& reader : readers_)
    if (!reader->ever_read()) nodes.push_back(reader->missing(0));
  return nodes;
}

}  // namespace rigproof::cli
