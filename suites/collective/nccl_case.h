#pragma once

#include <limits>
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

// Base of the NCCL cases. NodePath: a communicator of the subject's two nodes, one GPU per node. AllNodes: all GPUs of all
// nodes, with the owner's settings alone.
template <class SubjectType>
class NcclCase : public RigTest<SubjectType> {
 protected:
  using Detail = RigTestBase::Detail;

  // Collective, a phase. False if NCCL has no code for the GPU, which is reported. Ends as not proven without NCCL in this
  // build or without as many GPUs on a node as the case uses. Refuses a stand-in for NCCL or CUDA that the rig file does not
  // declare. `variables` start NCCL in processes of its own. Between two nodes, variables that nobody has set come from
  // variables_for() them.
  [[nodiscard]] bool connect(const std::map<std::string, std::string>& variables = {},
                             nccl::NcclWaits waits = nccl::NcclWaits::kSleep);

  // Collective, a measuring phase. Reports whether the data was right, which it must be with any numbers of channels and queue
  // pairs and any buffer. `with` distinguishes runs of the same spec.
  [[nodiscard]] CollectiveResult run(const CollectiveSpec& spec, const CollectiveTiming& timing,
                                     const std::string& with = {});
  // The same for the times of short operations.
  [[nodiscard]] CollectiveResult run_bursts(const CollectiveSpec& spec, const std::string& with = {});
  [[nodiscard]] CollectiveTiming timing() const;
  [[nodiscard]] DataRate paths_rate() const;  // ring.rate of the subject

  [[nodiscard]] nccl::NcclEngine* engine() const { return engine_.get(); }  // null on nodes that take no part
  [[nodiscard]] bool reports() const { return this->here(members().front()); }
  // From the next connect() on, only the first nodes of the subject take part.
  void only_first(std::size_t nodes) { nodes_ = nodes; }
  // The nodes in the order of NCCL's ranks: each as often as it has GPUs that take part.
  [[nodiscard]] std::vector<std::size_t> members() const;

  // Records algorithm and protocol of the last collective, on the first node of a communicator with its own processes. NCCL's
  // log never names them for sendrecv and alltoall.
  void record_choice(const CollectiveSpec& spec);

  // A point of a curve: "all_gather in place at 2 MiB".
  [[nodiscard]] static Detail detail_of(const CollectiveSpec& spec, const std::string& with = {});

 private:
  using Measure = CollectiveResult (&)(CollectiveEngine*, RankGroup&, std::size_t members,
                                       const CollectiveSpec&, const CollectiveTiming&);
  [[nodiscard]] CollectiveResult run(Measure measure, const CollectiveSpec& spec,
                                     const CollectiveTiming& timing, const std::string& with);
  std::unique_ptr<nccl::NcclEngine> engine_;
  std::size_t nodes_ = std::numeric_limits<std::size_t>::max();
};

// nccl::all_gpus_together() where rails join every two nodes, or others forward; else none.
[[nodiscard]] std::vector<AllNodes> all_gpus_that_meet(const Rig& rig);

extern template class NcclCase<NodePath>;
extern template class NcclCase<AllNodes>;

}  // namespace rigproof::collective
