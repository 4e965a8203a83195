#include "framework/runner/node_reports.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "framework/record/codec.h"

namespace rigproof::inline runner {
namespace {

constexpr std::chrono::seconds kReading{30};

// Runs a hook of the suite; what it throws is a problem of the run, not the end of the suite.
template <class Hook>
std::string attempt(const Hook& hook) {
  try {
    hook();
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::map<std::string, std::string> own_facts() {
  utsname system{};
  uname(&system);
  return {{"hostname", system.nodename},
          {"kernel", system.release},
          {"architecture", system.machine},
          {"pid", std::to_string(getpid())}};
}

// What one rank read, and what a hook threw.
struct NodeReading {
  std::map<std::string, std::string> facts;
  std::vector<record::Observed> counters;
  std::string error;
};

template <class Archive>
void fields(Archive& archive, record::Of<NodeReading> auto& reading) {
  archive("facts", reading.facts);
  archive("counters", reading.counters);
  archive("error", reading.error);
}

void write_problem(SuiteContext& suite, const std::string& type, const Node& node, const std::string& error) {
  if (!error.empty()) suite.write(record::Problem{type, suite.suite + " on " + node.name + ": " + error});
}

}  // namespace

void record_nodes(SuiteContext& suite, const SuiteHooks& hooks) {
  NodeReading mine{own_facts(), {}, {}};
  mine.error = attempt([&] {
    if (hooks.facts) mine.facts.merge(hooks.facts(suite.rig, static_cast<std::size_t>(suite.ranks.rank())));
  });
  const auto all = suite.ranks.gather("the nodes' facts", record::codec::to_bytes(mine), kReading);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Node& node = suite.rig.node(rank);
    const auto reading = record::codec::from_bytes<NodeReading>(all[rank]);
    write_problem(suite, "facts", node, reading.error);
    suite.write(record::NodeSeen{suite.suite, node.name, static_cast<int>(rank), reading.facts});
  }
}

void record_observations(SuiteContext& suite, const SuiteHooks& hooks) {
  NodeReading mine;
  mine.error = attempt([&] {
    if (hooks.observe) mine.counters = hooks.observe(suite.rig, static_cast<std::size_t>(suite.ranks.rank()));
  });
  const auto all = suite.ranks.gather("the nodes' counters", record::codec::to_bytes(mine), kReading);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto reading = record::codec::from_bytes<NodeReading>(all[rank]);
    write_problem(suite, "observe", suite.rig.node(rank), reading.error);
    for (const record::Observed& seen : reading.counters) suite.write(seen);
  }
}

}  // namespace rigproof::inline runner
