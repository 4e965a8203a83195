// main() of every suite: RIGPROOF_SUITE is the folder's name.
#include "fixtures/observe/node_facts.h"
#include "fixtures/observe/switch_errors.h"
#include "framework/runner/suite_main.h"

namespace {

std::vector<rigproof::Observed> observe(const rigproof::Rig& rig, std::size_t node) {
  std::vector<rigproof::Observed> counters = rigproof::observe_link_downs(rig, node);
  const auto errors = rigproof::observe_switch_errors(rig, node);
  counters.insert(counters.end(), errors.begin(), errors.end());
  return counters;
}

}  // namespace

int main(int argc, char** argv) {
  return rigproof::suite_main(argc, argv, RIGPROOF_SUITE,
                              {.facts = rigproof::node_facts, .observe = observe});
}
