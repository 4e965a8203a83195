// Every node writes its log folder at a useful pace. Catches: a full or worn flash, a disk that fell back to read-only, a
// folder that lies in a network file system.
#include "fixtures/scratch_file.h"
#include "framework/runner/rig_test.h"

namespace own {
namespace {

using namespace rigproof;

RIGPROOF_METRICS({"disk.write", "Log folder", "The rate at which the node writes to its log folder.",
                  "A full or worn flash, or a folder on a network file system."});

class DiskRate : public RigTest<NodeSubject> {};

RIGPROOF_TEST(DiskRate, KeepsUpWithLogs, Reports::rate("disk.write")) {
  const Samples<DataRate> rates = measure("write", std::chrono::seconds(60), [&] {
    if (!here(subject().node)) return Samples<DataRate>();
    return ScratchFile("/var/tmp").write(windows().window, windows().intervals, [&] { ranks().poll(); });
  });
  if (here(subject().node)) report("disk.write", rates);
}
RIGPROOF_CASES(EachNode, DiskRate, every_node);

}  // namespace
}  // namespace own
