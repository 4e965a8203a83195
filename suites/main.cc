// main() of every suite: RIGPROOF_SUITE is the folder's name.
#include "fixtures/observe/node_facts.h"
#include "framework/runner/suite_main.h"

int main(int argc, char** argv) {
  return rigproof::suite_main(argc, argv, RIGPROOF_SUITE,
                              {.facts = rigproof::node_facts, .observe = rigproof::observe_link_downs});
}
