// What ECC finds in the memories while a load goes on. Catches: errors between preflight and the end of a run, a count that was
// reset or vanished taken for a clean one, a node without ECC taken for one without errors.
#include "fixtures/facts/memory_errors.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temp_folder.h"

namespace rigproof::facts {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::map<std::string, record::Watched> by_id(const std::vector<record::Watched>& all) {
  std::map<std::string, record::Watched> by_id;
  for (const record::Watched& one : all) by_id[one.id] = one;
  return by_id;
}

TEST(MemoryErrorGrowth, CountsBothKindsOfEachMemory) {
  const auto grown = by_id(
      growth_of({{"memory mc0", {5, 0}}, {"GPU 0", {1, 2}}}, {{"memory mc0", {8, 1}}, {"GPU 0", {1, 4}}}));
  EXPECT_EQ(grown.at("load.memory.corrected").grown, 3);
  EXPECT_EQ(grown.at("load.memory.uncorrected").grown, 1);
  EXPECT_EQ(grown.at("load.memory.uncorrected").subject, "memory mc0");
  EXPECT_THAT(grown.at("load.memory.uncorrected").names, HasSubstr("uncorrected ECC errors 1"));
  EXPECT_EQ(grown.at("load.gpu.corrected").grown, 0);
  EXPECT_EQ(grown.at("load.gpu.uncorrected").grown, 2);
}

TEST(MemoryErrorGrowth, ACountThatWentBackOrIsGoneIsLost) {
  const auto back = by_id(growth_of({{"memory mc0", {5, 2}}}, {{"memory mc0", {5, 0}}}));
  EXPECT_THAT(back.at("load.memory.uncorrected").lost, HasSubstr("went back from 2 to 0"));
  EXPECT_THAT(back.at("load.memory.corrected").lost, IsEmpty());
  EXPECT_THAT(by_id(growth_of({{"GPU 0", {0, 0}}}, {})).at("load.gpu.uncorrected").lost,
              HasSubstr("can't be read"));
}

TEST(MemoryErrorGrowth, WhatNobodyCountsIsNoZero) {
  EXPECT_THAT(growth_of({}, {{"memory mc0", {5, 2}}}), IsEmpty());
  EXPECT_THAT(growth_of({{"GPU 0", {std::nullopt, 0}}}, {{"GPU 0", {std::nullopt, 0}}}), testing::SizeIs(1));
}

// A tree as the kernel's EDAC shows it.
class MemoryErrorWatchTest : public testing::Test {
 protected:
  void write(const std::string& controller, const std::string& file, const std::string& text) const {
    const auto path = folder_.path() / "sys/devices/system/edac/mc" / controller / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  TempFolder folder_;
};

TEST_F(MemoryErrorWatchTest, ReadsEveryMemoryControllerOfTheKernel) {
  write("mc0", "ce_count", "3");
  write("mc0", "ue_count", "0");
  write("mc1", "ce_count", "0");
  write("mc1", "ue_count", "0");
  write("power", "ue_count", "7");
  MemoryErrorWatch watch{FileTree(folder_.path())};
  write("mc1", "ue_count", "2");
  const auto grown = watch.look();
  EXPECT_EQ(grown.size(), 4u);
  EXPECT_EQ(grown.back().subject, "memory mc1");
  for (const record::Watched& one : grown)
    EXPECT_EQ(one.grown, one.subject == "memory mc1" && one.id == "load.memory.uncorrected" ? 2 : 0)
        << one.subject;
  EXPECT_EQ(by_id(watch.look()).at("load.memory.uncorrected").grown, 0) << "counted once";
}

TEST_F(MemoryErrorWatchTest, WhatCannotBeReadAnyMoreIsLost) {
  write("mc0", "ce_count", "0");
  write("mc0", "ue_count", "0");
  MemoryErrorWatch watch{FileTree(folder_.path())};
  write("mc0", "ue_count", "nonsense");
  EXPECT_THAT(by_id(watch.look()).at("load.memory.uncorrected").lost, HasSubstr("can't be read"));
}

// Catches: a kernel without EDAC whose run is not proven, and a record that grows by it with each load.
TEST_F(MemoryErrorWatchTest, AMemoryThatNobodyCountsIsAbsentAtTheFirstLook) {
  MemoryErrorWatch watch{FileTree(folder_.path())};
  const auto first = by_id(watch.look());
  for (const char* id : {"load.memory.uncorrected", "load.memory.corrected"})
    EXPECT_THAT(first.at(id).absent, HasSubstr("no EDAC driver"));
  EXPECT_THAT(watch.look(), IsEmpty());
}

TEST_F(MemoryErrorWatchTest, AControllerWhoseCountsCannotBeReadIsNotAbsent) {
  write("mc0", "ce_count", "nonsense");
  EXPECT_THAT(MemoryErrorWatch{FileTree(folder_.path())}.look(), IsEmpty());
}

}  // namespace
}  // namespace rigproof::facts
