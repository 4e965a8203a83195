#include <gtest/gtest.h>

#include <filesystem>

#include "framework/limits/limit_table.h"
#include "framework/rig/rig.h"

namespace rigproof {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> every_file() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(RIGPROOF_SOURCE_DIR "/thresholds")) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  return files;
}

TEST(EveryThresholdsFile, LoadsInEveryProfile) {
  for (const fs::path& file : every_file()) {
    for (const Profile profile : {Profile::kSmoke, Profile::kStandard, Profile::kAcceptance}) {
      EXPECT_NO_THROW((void)LimitTable::load(file, profile, rig_fact_dimensions())) << file;
    }
  }
}

TEST(EveryThresholdsFile, HasNoLimitWithoutASourceToFollow) {
  for (const fs::path& file : every_file()) {
    const LimitTable table = LimitTable::load(file, Profile::kStandard, rig_fact_dimensions());
    for (const Limit& limit : table.limits()) {
      EXPECT_FALSE(limit.basis.quote.empty()) << limit.where << ": " << limit.id;
      EXPECT_FALSE(limit.remedy.empty()) << limit.where << ": " << limit.id;
    }
  }
}

}  // namespace
}  // namespace rigproof
