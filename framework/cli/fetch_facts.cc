#include "framework/cli/fetch_facts.h"

#include <fmt/format.h>

#include <filesystem>
#include <list>
#include <memory>
#include <sstream>
#include <system_error>

#include "framework/process/process.h"
#include "framework/supervisor/reachability.h"
#include "framework/units/printable.h"

namespace rigproof::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kShown = 2000;

std::vector<std::string> command_for(const FactsRequest& order, const supervisor::NodeCommands& nodes) {
  std::vector<std::string> program{std::filesystem::read_symlink("/proc/self/exe"), "facts", "--node",
                                   order.node};
  program.insert(program.end(), order.arguments.begin(), order.arguments.end());
  return nodes.on(order.node, order.address, program);
}

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

class Fetch {
 public:
  Fetch(const FactsRequest& order, const supervisor::NodeCommands& nodes) : order_(order) {
    try {
      child_ = std::make_unique<process::Process>(
          process::ProcessSpec{.arguments = command_for(order, nodes), .owns_descendants = true});
    } catch (const std::system_error& error) {
      error_ = error.what();
    }
  }

  [[nodiscard]] FetchedFacts result_by(Clock::time_point deadline) {
    if (!child_) return {order_.node, {}, error_};
    const auto status = child_->wait_until(deadline);
    if (!status) return {order_.node, {}, "no answer in time"};
    FetchedFacts fetched = read(order_, child_->output());
    if (*status != 0 && !fetched.facts)
      fetched.error += fmt::format(" (the command {})", process::describe_status(*status));
    return fetched;
  }

 private:
  const FactsRequest& order_;
  std::unique_ptr<process::Process> child_;
  std::string error_;
};

}  // namespace

std::vector<FetchedFacts> fetch_facts(const std::vector<FactsRequest>& orders,
                                      std::chrono::milliseconds deadline) {
  const supervisor::NodeCommands nodes;
  std::list<Fetch> fetches;
  for (const FactsRequest& order : orders) fetches.emplace_back(order, nodes);
  const auto end = Clock::now() + deadline;
  std::vector<FetchedFacts> results;
  for (Fetch& fetch : fetches) results.push_back(fetch.result_by(end));
  return results;
}

}  // namespace rigproof::cli
