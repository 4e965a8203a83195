#include "fixtures/emulated_rigs/machine/stolen_cpu.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace rigproof::machine {
namespace {

class Log : public testing::Test {
 protected:
  Log() { std::filesystem::remove(path_); }
  ~Log() override { std::filesystem::remove(path_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // As a CpuLog writes them.
  void sample(int all, int stolen) {
    std::ofstream file(path_, std::ios::app);
    file.width(20);
    file << all << ' ';
    file.width(20);
    file << stolen << ' ';
    file.width(20);
    file << 0 << '\n';
  }

  std::filesystem::path path_ = testing::TempDir() + "rigproof-cpu-log-" + std::to_string(getpid());
};

TEST_F(Log, CountsFromTheStretchBefore) {
  sample(0, 0);
  for (int i = 1; i <= 6; ++i) sample(100 * i, 100);
  const StolenShare share = watch_cpu_log(path_);
  EXPECT_EQ(share(), 0);  // what was stolen first is long ago
  sample(700, 140);
  EXPECT_DOUBLE_EQ(share(), 0.1);
}

TEST_F(Log, ThatIsMissingHasNothingStolen) { EXPECT_EQ(watch_cpu_log(path_)(), 0); }

TEST_F(Log, IsWrittenAsItIsRead) {
  const CpuLog log(path_, {getpid()});
  const auto written = [&] {
    return std::filesystem::exists(path_) && std::filesystem::file_size(path_) > 0;
  };
  while (!written()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(std::filesystem::file_size(path_) % 63, 0u);
}

TEST(WatchStolenCpu, IsEmptyForHardware) { EXPECT_FALSE(watch_stolen_cpu("hardware")); }
TEST(WatchStolenCpu, OfAModelRigWatchesThisMachine) {
  const StolenShare share = watch_stolen_cpu("model");
  ASSERT_TRUE(share);
  EXPECT_EQ(share(), 0);  // no stretch is complete
}
TEST(WatchStolenCpu, OfVirtualMachinesReadsTheLog) {
  unsetenv(kCpuLogVariable);
  EXPECT_FALSE(watch_stolen_cpu("roce-vm"));
  setenv(kCpuLogVariable, "/nonexistent", 1);
  EXPECT_TRUE(watch_stolen_cpu("roce-vm"));
}

}  // namespace
}  // namespace rigproof::machine
