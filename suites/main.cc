// main() of every suite.
#include "fixtures/observe/node_facts.h"
#include "fixtures/observe/switch_errors.h"
#include "framework/runner/suite_main.h"

// The folder's name, from a file that CMake writes for each suite.
extern const char rigproof_suite_name[];

int main(int argc, char** argv) {
  rigproof::SwitchObserver switches;
  const auto observe = [&switches](const rigproof::Rig& rig, std::size_t node) {
    std::vector<rigproof::Observed> counters = rigproof::observe_link_downs(rig, node);
    const auto of_switches = switches.observe(rig, node);
    counters.insert(counters.end(), of_switches.begin(), of_switches.end());
    return counters;
  };
  return rigproof::suite_main(argc, argv, rigproof_suite_name,
                              {.facts = rigproof::node_facts, .observe = observe});
}
