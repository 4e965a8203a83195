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

// What the cases about NCCL share: a communicator of the subject's two nodes, a GPU each.
class NcclCase : public RigTest<NodePath> {
 protected:
  // Collective, a phase. Not proven where this build has no NCCL or a node no GPU. A stand-in for NCCL or CUDA
  // is refused unless the rig file says that there is one, so that no report of it is taken for a rig's.
  // False when NCCL has no code for the GPU: that is on record then. With `variables` in a process of its own.
  // NCCL's variables are variables_for() these two nodes, unless somebody has set them.
  [[nodiscard]] bool connect(const std::map<std::string, std::string>& variables = {},
                             nccl::NcclWaits waits = nccl::NcclWaits::kSleep);

  // Collective, a measuring phase; reports whether the data was right. `with` tells two runs of one spec apart.
  [[nodiscard]] CollectiveResult run(const CollectiveSpec& spec, const CollectiveTiming& timing,
                                     const std::string& with = {});
  [[nodiscard]] CollectiveTiming timing() const;
  [[nodiscard]] DataRate paths_rate() const;

  [[nodiscard]] nccl::NcclEngine* engine() const { return engine_.get(); }  // null on nodes that have no part
  [[nodiscard]] bool reports() const { return here(subject().from); }

  // "all_gather in place at 2 MiB": a point of a curve.
  [[nodiscard]] static Detail detail_of(const CollectiveSpec& spec, const std::string& with = {});

 private:
  std::unique_ptr<nccl::NcclEngine> engine_;
};

}  // namespace rigproof::collective
