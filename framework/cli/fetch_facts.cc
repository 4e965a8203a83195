#include "framework/cli/fetch_facts.h"

#include <fmt/format.h>

#include <filesystem>
#include <list>
#include <memory>
#include <sstream>
#include <system_error>

#include "framework/process/process.h"
#include "framework/supervisor/reachability.h"
#include "framework/supervisor/shell_words.h"
#include "framework/units/printable.h"

namespace rigproof::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kShown = 2000;

std::vector<std::string> command_for(const FactsOrder& order) {
  std::vector<std::string> program{std::filesystem::read_symlink("/proc/self/exe"), "facts", "--node",
                                   order.node};
  program.insert(program.end(), order.arguments.begin(), order.arguments.end());
  if (supervisor::is_this_host(order.address)) return program;
  std::vector<std::string> command = supervisor::remote_agent();
  command.push_back(order.address);
  command.push_back(supervisor::join_words(program));  // a shell reads it there
  return command;
}

// What came instead of a document, for a message: some lines of it, in one.
std::string shown(const std::string& output) {
  std::istringstream lines(output.substr(0, kShown));
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) text += (text.empty() ? "" : "; ") + printable(line);
  return text.empty() ? "nothing came back" : text + (output.size() > kShown ? "..." : "");
}

// The document, without what the agent or a login script says before it.
FetchedFacts read(const FactsOrder& order, const std::string& output) {
  const auto begin = output.starts_with("{") ? 0 : output.find("\n{");
  if (begin == std::string::npos) return {order.node, {}, shown(output)};
  try {
    return {order.node, facts::Document::parse(output.substr(begin), order.node), {}};
  } catch (const facts::FactsError& error) {
    return {order.node, {}, error.what()};
  }
}

class Fetch {
 public:
  explicit Fetch(const FactsOrder& order) : order_(order) {
    try {
      child_ = std::make_unique<process::Process>(
          process::ProcessSpec{.arguments = command_for(order), .owns_descendants = true});
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
  const FactsOrder& order_;
  std::unique_ptr<process::Process> child_;
  std::string error_;
};

}  // namespace

std::vector<FetchedFacts> fetch_facts(const std::vector<FactsOrder>& orders,
                                      std::chrono::milliseconds deadline) {
  std::list<Fetch> fetches;
  for (const FactsOrder& order : orders) fetches.emplace_back(order);
  const auto end = Clock::now() + deadline;
  std::vector<FetchedFacts> results;
  for (Fetch& fetch : fetches) results.push_back(fetch.result_by(end));
  return results;
}

}  // namespace rigproof::cli
