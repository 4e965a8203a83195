// The kernel's own words about hardware during a load. Catches: a line of another program taken for the hardware's, a line
// from before the load, a harmless message counted, a node whose log is closed reported as silent.
#include "fixtures/facts/kernel_log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>

#include "tests/support/temp_folder.h"

namespace rigproof::facts {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

bool counts(int level, const char* text) { return is_about_hardware({level, text}); }

TEST(KernelRecord, HasALevelAndAText) {
  const auto record =
      parse_kernel_record("28,339,5140900,-;NVRM: Xid (PCI:000f:01:00): 79, GPU has fallen off the bus.");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->level, 4);  // 28 = facility 3, level 4
  EXPECT_EQ(record->text, "NVRM: Xid (PCI:000f:01:00): 79, GPU has fallen off the bus.");
  EXPECT_FALSE(parse_kernel_record(" SUBSYSTEM=pci"));
  EXPECT_FALSE(parse_kernel_record("4;text"));
  EXPECT_FALSE(parse_kernel_record(""));
}
TEST(KernelRecord, OfHardwareIsAWarningOfADriverOrAReportOfAnError) {
  EXPECT_TRUE(counts(3, "mlx5_core 0000:01:00.0: mlx5_cmd_out_err: ACCESS_REG failed"));
  EXPECT_TRUE(counts(4, "{1}[Hardware Error]: event severity: corrected"));
  EXPECT_TRUE(counts(4, "pcieport 0000:00:00.0: AER: Corrected error received: 0000:00:00.0"));
  EXPECT_TRUE(counts(3, "EDAC MC0: 1 CE on unknown memory"));
  EXPECT_FALSE(counts(6, "mlx5_core 0000:01:00.0 enp1s0f0np0: Link up"));
  EXPECT_FALSE(counts(3, "my-driver: NVRM is not here"));
  EXPECT_FALSE(counts(4, "audit: type=1400"));
}

// A pipe of packets gives one record for each read, as /dev/kmsg does.
class KernelLogTest : public testing::Test {
 protected:
  KernelLogTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_DIRECT | O_CLOEXEC), 0);
    reader = process::FileDescriptor(ends[0]);
    writer = process::FileDescriptor(ends[1]);
    watch.emplace("/proc/self/fd/" + std::to_string(ends[0]));
  }
  void say(const std::string& text) const {
    ASSERT_EQ(write(writer.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  process::FileDescriptor reader, writer;
  std::optional<KernelLogWatch> watch;
};

TEST_F(KernelLogTest, CountsWhatIsNewAndNamesTheFirst) {
  EXPECT_EQ(watch->look().at(0).grown, 0);
  say("3,1,1,-;mlx5_core 0000:01:00.0: health poll failed\n SUBSYSTEM=pci\n");
  say("6,2,1,-;mlx5_core 0000:01:00.0: Link up\n");
  say("4,3,1,-;NVRM: Xid 31\n");
  const record::Watched watched = watch->look().at(0);
  EXPECT_EQ(watched.id, "load.kernel_log");
  EXPECT_EQ(watched.grown, 2);
  EXPECT_EQ(watched.names, "mlx5_core 0000:01:00.0: health poll failed (and 1 more lines)");
  EXPECT_EQ(watch->look().at(0).grown, 0);
}
TEST(KernelLog, ThatMayNotBeReadReportsNothing) {
  EXPECT_THAT(KernelLogWatch("/no/such/log").look(), IsEmpty());
}
TEST(KernelLog, BeginsAtItsEnd) {
  const TempFolder folder;
  write_text(folder.path() / "log", "3,1,1,-;NVRM: Xid 31\n");
  KernelLogWatch watch(folder.path() / "log");
  ASSERT_THAT(watch.look(), SizeIs(1));
  EXPECT_EQ(watch.look().at(0).grown, 0);
}

}  // namespace
}  // namespace rigproof::facts
