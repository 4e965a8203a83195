#include "framework/cli/hear_cables.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <set>
#include <sstream>

#include "fixtures/net/token.h"
#include "framework/cli/on_host.h"
#include "framework/supervisor/reachability.h"

namespace rigproof::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostNodes = 16;           // more are behind a switch, and packets grow with the square
constexpr std::chrono::seconds kStart{8};        // for all hosts together: to listen, and to announce
constexpr std::chrono::milliseconds kHear{300};  // after the last announcement was sent

std::vector<std::string> netdevs_of(const facts::DiscoveredNode& node) {
  std::set<std::string> netdevs;
  for (const facts::FoundHalf& half : facts::candidates(node))
    if (!half.no_carrier) netdevs.insert(half.netdev);
  return {netdevs.begin(), netdevs.end()};
}

std::string random_word() {
  const net::Token token = net::random_token();
  return fmt::format("{:016x}{:016x}", token.words[0], token.words[1]);
}

class Hearing {
 public:
  explicit Hearing(const std::vector<facts::DiscoveredNode>& nodes) : nodes_(nodes) {
    for (const facts::DiscoveredNode& node : nodes) netdevs_.push_back(netdevs_of(node));
  }

  // Output of each listener.
  [[nodiscard]] std::vector<std::string> listen() {
    start_listeners();
    announce(ports());
    const auto end = Clock::now() + kHear;
    std::vector<std::string> outputs;
    for (OnHost& listener : listeners_) outputs.push_back(listener.output_by(end));
    return outputs;
  }

 private:
  [[nodiscard]] OnHost on(std::size_t node, const std::vector<std::string>& words) const {
    return {nodes_[node].facts.node(), nodes_[node].address, words, commands_};
  }

  void start_listeners() {
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      std::vector<std::string> words{"host-hear", token_};
      words.insert(words.end(), netdevs_[node].begin(), netdevs_[node].end());
      listeners_.push_back(on(node, words));
    }
  }

  [[nodiscard]] std::vector<std::string> ports() {
    const auto deadline = Clock::now() + kStart;
    const auto is_listening = [](const std::string& output) {
      return output.find("rigproof-ports") != output.npos && output.ends_with('\n');
    };
    std::set<std::string> ports;
    for (OnHost& listener : listeners_)
      for (const std::string& line :
           marked_lines(listener.output_by(deadline, is_listening), "rigproof-ports ")) {
        std::istringstream words(line);
        for (std::string port; words >> port;)
          if (port.size() < 6 && std::ranges::all_of(port, [](char c) { return c >= '0' && c <= '9'; }))
            ports.insert(port);
      }
    return {ports.begin(), ports.end()};
  }

  void announce(const std::vector<std::string>& ports) {
    std::list<OnHost> announcers;
    for (std::size_t node = 0; node < nodes_.size() && !ports.empty(); ++node) {
      std::vector<std::string> words{"host-announce", token_, nodes_[node].facts.node()};
      for (const std::string& netdev : netdevs_[node]) words.insert(words.end(), {"--on", netdev});
      for (const std::string& port : ports) words.insert(words.end(), {"--to", port});
      announcers.push_back(on(node, words));
    }
    const auto deadline = Clock::now() + kStart;
    for (OnHost& announcer : announcers) (void)announcer.output_by(deadline);
  }

  const std::vector<facts::DiscoveredNode>& nodes_;
  std::vector<std::vector<std::string>> netdevs_;  // by node
  const std::string token_ = random_word();
  const supervisor::NodeCommands commands_;
  std::list<OnHost> listeners_;
};

}  // namespace

void hear_cables(std::vector<facts::DiscoveredNode>& nodes) {
  if (nodes.size() > kMostNodes) return;
  const std::vector<std::string> outputs = Hearing(nodes).listen();
  for (std::size_t node = 0; node < nodes.size(); ++node)
    for (const std::string& line : marked_lines(outputs[node], "rigproof-heard ")) {
      std::istringstream words(line);
      facts::Announcement heard;
      if (words >> heard.netdev >> heard.from_node >> heard.from_netdev) nodes[node].heard.push_back(heard);
    }
}

}  // namespace rigproof::cli
