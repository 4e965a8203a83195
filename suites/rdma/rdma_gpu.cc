// Whether the RDMA devices take a GPU's memory as source and target (GPUDirect): recorded for every half, required
// of none, since a rig without GPUs is one, too, and a GPU whose memory is the host's needs no such way.
#include "fixtures/verbs/gpu_direct.h"
#include "fixtures/verbs/verbs_error.h"
#include "framework/runner/rig_test.h"
#include "suites/rdma/rdma_subjects.h"

namespace rigproof {
namespace {

class GpuDirect : public RigTest<HalfSubject> {
 protected:
  // A device that is not there is another case's finding.
  [[nodiscard]] static std::string probe(const std::string& device) {
    try {
      return probe_gpu_direct(device);
    } catch (const DeadRdmaPath& error) {
      return std::string("no answer: ") + error.what();
    } catch (const VerbsError& error) {
      return std::string("no answer: ") + error.what();
    }
  }
};

RIGPROOF_TEST(GpuDirect, IsProbed, Reports::text("rdma.gpu_direct")) {
  const auto answer = measure("probe", std::chrono::seconds(30), [&]() -> std::string {
    return here(subject().half.node) ? probe(*rig().half(subject().half).rdma) : "";
  });
  if (here(subject().half.node)) found("rdma.gpu_direct", answer, Finding{subject().half.node});
}

RIGPROOF_CASES(EachHalf, GpuDirect, rdma_halves);

}  // namespace
}  // namespace rigproof
