#include "framework/machine/machine_load.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "framework/machine/machine_log.h"
#include "framework/machine/machine_time.h"

namespace rigproof {
namespace {

class Log : public testing::Test {
 protected:
  Log() { std::filesystem::remove(path_); }
  ~Log() override { std::filesystem::remove(path_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // As a MachineLog writes them.
  void look(int all, int taken) {
    std::ofstream file(path_, std::ios::app);
    file.width(20);
    file << all << ' ';
    file.width(20);
    file << taken << '\n';
  }

  std::filesystem::path path_ = testing::TempDir() + "rigproof-machine-" + std::to_string(getpid());
};

TEST_F(Log, CountsFromTheStretchBefore) {
  look(0, 0);
  for (int i = 1; i <= 6; ++i) look(100 * i, 100);
  const LoggedMachine machine(path_);
  EXPECT_EQ(machine.worst_taken(), 0);  // what was taken first is long ago
  look(700, 140);
  EXPECT_DOUBLE_EQ(machine.worst_taken(), 0.1);
}

TEST_F(Log, ThatIsNotThereSaysNothing) {
  const LoggedMachine machine(path_);
  EXPECT_EQ(machine.worst_taken(), 0);
}

TEST_F(Log, IsWrittenAsItIsRead) {
  const MachineLog log(path_, {getpid()});
  const auto looked = [&] { return std::filesystem::exists(path_) && std::filesystem::file_size(path_) > 0; };
  while (!looked()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(std::filesystem::file_size(path_) % 42, 0u);
}

TEST(MachineUnder, ANodeOfItsOwnIsNotWatched) { EXPECT_EQ(watch_machine_under("hardware"), nullptr); }
TEST(MachineUnder, AModelRigIsThisOne) {
  const auto machine = watch_machine_under("model");
  ASSERT_NE(machine, nullptr);
  EXPECT_EQ(machine->worst_taken(), 0);  // no stretch is over
}
TEST(MachineUnder, VirtualMachinesIsTheLoggedOne) {
  unsetenv(kMachineLogVariable);
  EXPECT_EQ(watch_machine_under("roce-vm"), nullptr);
  setenv(kMachineLogVariable, "/nonexistent", 1);
  EXPECT_NE(watch_machine_under("roce-vm"), nullptr);
}

}  // namespace
}  // namespace rigproof
