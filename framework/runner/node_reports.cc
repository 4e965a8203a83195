#include "framework/runner/node_reports.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "framework/ranks/packing.h"

namespace rigproof {
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

std::string pack(const std::map<std::string, std::string>& facts, const std::string& error) {
  Packer out;
  out.put(error);
  for (const auto& [name, text] : facts) out.put(name).put(text);
  return out.bytes();
}

std::string pack(const std::vector<Observed>& observations, const std::string& error) {
  Packer out;
  out.put(error);
  for (const Observed& seen : observations)
    out.put(seen.id).put(seen.node).put(seen.subject).put(seen.why).put(seen.value);
  return out.bytes();
}

void write_problem(SuiteContext& suite, const std::string& type, const Node& node, const std::string& error) {
  if (!error.empty()) suite.write(Problem{type, suite.suite + " on " + node.name + ": " + error});
}

}  // namespace

void record_nodes(SuiteContext& suite, const SuiteHooks& hooks) {
  auto facts = own_facts();
  const std::string failed = attempt([&] {
    if (hooks.facts) facts.merge(hooks.facts(suite.rig, static_cast<std::size_t>(suite.ranks.rank())));
  });
  const auto all = suite.ranks.gather("the nodes' facts", pack(facts, failed), kReading);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Node& node = suite.rig.node(rank);
    Unpacker in(all[rank]);
    write_problem(suite, "facts", node, in.text());
    NodeSeen seen{suite.suite, node.name, static_cast<int>(rank), {}};
    while (!in.empty()) {
      const std::string name = in.text();
      seen.facts[name] = in.text();
    }
    suite.write(seen);
  }
}

void record_observations(SuiteContext& suite, const SuiteHooks& hooks) {
  std::vector<Observed> mine;
  const std::string failed = attempt([&] {
    if (hooks.observe) mine = hooks.observe(suite.rig, static_cast<std::size_t>(suite.ranks.rank()));
  });
  const auto all = suite.ranks.gather("the nodes' counters", pack(mine, failed), kReading);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    Unpacker in(all[rank]);
    write_problem(suite, "observe", suite.rig.node(rank), in.text());
    while (!in.empty()) {
      const std::string id = in.text(), node = in.text(), subject = in.text(), why = in.text();
      suite.write(Observed{id, node, subject, in.number(), why});
    }
  }
}

}  // namespace rigproof
