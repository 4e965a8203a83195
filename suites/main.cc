// main() of every suite: RIGPROOF_SUITE is the folder's name.
#include "fixtures/emulated_rigs/machine/stolen_cpu.h"
#include "fixtures/observe/node_facts.h"
#include "fixtures/observe/switch_errors.h"
#include "framework/runner/suite_main.h"

int main(int argc, char** argv) {
  rigproof::SwitchObserver switches;
  const auto observe = [&switches](const rigproof::Rig& rig, std::size_t node) {
    std::vector<rigproof::Observed> counters = rigproof::observe_link_downs(rig, node);
    const auto of_switches = switches.observe(rig, node);
    counters.insert(counters.end(), of_switches.begin(), of_switches.end());
    return counters;
  };
  const auto watch_disturbance = [](const rigproof::Rig& rig) {
    return rigproof::machine::watch_stolen_cpu(rig.kind);
  };
  return rigproof::suite_main(
      argc, argv, RIGPROOF_SUITE,
      {.facts = rigproof::node_facts, .observe = observe, .watch_disturbance = watch_disturbance});
}
