#include "framework/cli/fetch_facts.h"

#include <fmt/format.h>

#include <list>
#include <sstream>

#include "framework/cli/on_host.h"
#include "framework/units/printable.h"

namespace rigproof::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kShown = 2000;

// Output that is not a document, as one line for a message.
std::string shown(const std::string& output) {
  std::istringstream lines(output.substr(0, kShown));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();  // from ssh
    if (!line.empty()) text += (text.empty() ? "" : "; ") + printable(line);
  }
  return text.empty() ? "no output from `rigproof facts`" : text + (output.size() > kShown ? "..." : "");
}

// Reads the document; skips text of the agent or of a login script before it.
FetchedFacts read(const FactsRequest& order, const std::string& output) {
  const auto begin = output.starts_with("{") ? 0 : output.find("\n{");
  if (begin == std::string::npos) return {order.node, {}, shown(output)};
  try {
    return {order.node, facts::Document::answer_of(order.node, output.substr(begin)), {}};
  } catch (const facts::FactsError& error) {
    return {order.node, {}, error.what()};
  }
}

std::vector<std::string> words_for(const FactsRequest& order) {
  std::vector<std::string> words{"facts", "--node", order.node};
  words.insert(words.end(), order.arguments.begin(), order.arguments.end());
  return words;
}

FetchedFacts answer_by(Clock::time_point deadline, OnHost& host, const FactsRequest& order) {
  const std::string output = host.output_by(deadline);
  if (!host.error().empty()) return {order.node, {}, host.error()};
  if (!host.status()) return {order.node, {}, "no answer in time"};
  FetchedFacts fetched = read(order, output);
  if (*host.status() != 0 && !fetched.facts)
    fetched.error += fmt::format(" (the command {})", process::describe_status(*host.status()));
  return fetched;
}

}  // namespace

std::vector<FetchedFacts> fetch_facts(const std::vector<FactsRequest>& orders,
                                      std::chrono::milliseconds deadline) {
  const supervisor::NodeCommands nodes;
  std::list<OnHost> hosts;
  for (const FactsRequest& order : orders)
    hosts.emplace_back(order.node, order.address, words_for(order), nodes);
  const auto end = Clock::now() + deadline;
  std::vector<FetchedFacts> results;
  auto host = hosts.begin();
  for (const FactsRequest& order : orders) results.push_back(answer_by(end, *host++, order));
  return results;
}

}  // namespace rigproof::cli
