// NCCL's operations over 2, 3, ... all nodes of a rig, with all GPUs of each: a curve of the bus bandwidth by the number of
// nodes. Recorded only: it shows from which number on a rig slows down, where each pair and all together are judged elsewhere.
#include <fmt/format.h>

#include <vector>

#include "fixtures/collective/operation.h"
#include "framework/runner/context.h"
#include "suites/collective/nccl_case.h"

namespace rigproof::collective {
namespace {

constexpr std::size_t kEveryNumberUpTo = 4;  // then powers of two

std::vector<std::size_t> numbers_of_nodes(std::size_t all) {
  std::vector<std::size_t> numbers;
  for (std::size_t nodes = 2; nodes < all; nodes += nodes < kEveryNumberUpTo ? 1 : nodes)
    numbers.push_back(nodes);
  numbers.push_back(all);
  return numbers;
}

std::vector<AllNodes> many_nodes_that_meet(const Rig& rig) {
  return rig.nodes.size() > 2 ? all_gpus_that_meet(rig) : std::vector<AllNodes>();
}

class NcclScaling : public NcclCase<AllNodes> {};
RIGPROOF_TEST(NcclScaling, ByNumberOfNodes, Reports::count("collective.nccl.wrong")) {
  for (const std::size_t nodes : numbers_of_nodes(subject().nodes().size())) {
    only_first(nodes);
    if (!connect()) return;
    for (const Operation operation : every_operation()) {
      const DataSize size = sweep_sizes(operation, Profile::kSmoke, paths_rate()).back();
      const CollectiveResult result = run({operation, size}, timing(), fmt::format("{} nodes, ", nodes));
      if (reports())
        record("collective.nccl.scaling", result.busbw.rates,
               {record::at(static_cast<double>(nodes), "nodes"), std::string(name(operation))});
    }
  }
}
RIGPROOF_CASES(AllNodes, NcclScaling, many_nodes_that_meet);

}  // namespace
}  // namespace rigproof::collective
