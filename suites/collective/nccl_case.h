#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fixtures/collective/measure.h"
#include "fixtures/nccl/installation.h"
#include "fixtures/nccl/nccl_engine.h"
#include "framework/runner/rig_test.h"

namespace rigproof::collective {

using namespace collective;

// Base of the NCCL cases: a communicator of the subject's two nodes, one GPU per node.
class NcclCase : public RigTest<NodePath> {
 protected:
  // Collective, a phase. False if NCCL has no code for the GPU, which is reported. Ends as not proven without NCCL in this
  // build or a GPU on a node. Refuses a stand-in for NCCL or CUDA that the rig file does not declare. `variables` start NCCL
  // in its own process. Variables that nobody has set come from variables_for() these two nodes.
  [[nodiscard]] bool connect(const std::map<std::string, std::string>& variables = {},
                             nccl::NcclWaits waits = nccl::NcclWaits::kSleep);

  // Collective, a measuring phase. Reports whether the data was right. `with` distinguishes runs of the same spec.
  [[nodiscard]] CollectiveResult run(const CollectiveSpec& spec, const CollectiveTiming& timing,
                                     const std::string& with = {});
  [[nodiscard]] CollectiveTiming timing() const;
  [[nodiscard]] DataRate paths_rate() const;

  [[nodiscard]] nccl::NcclEngine* engine() const { return engine_.get(); }  // null on nodes that take no part
  [[nodiscard]] bool reports() const { return here(subject().from); }

  // A point of a curve: "all_gather in place at 2 MiB".
  [[nodiscard]] static Detail detail_of(const CollectiveSpec& spec, const std::string& with = {});

 private:
  std::unique_ptr<nccl::NcclEngine> engine_;
};

}  // namespace rigproof::collective
