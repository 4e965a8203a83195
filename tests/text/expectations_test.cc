// Every id that a suite declares or a shipped limit has can be explained. Catches a new measurement of which `rigproof
// explain`, the man page and the reports know nothing.
#include "reports/text/expectations.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace rigproof::text {
namespace {

void collect(const char* folder, const char* ending, const std::regex& id, std::set<std::string>& ids) {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(RIGPROOF_SOURCE_DIR) / folder)) {
    if (entry.path().extension() != ending) continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator one(text.begin(), text.end(), id), end; one != end; ++one)
      ids.insert((*one)[1]);
  }
}

TEST(Expectations, ExplainWhateverSuitesDeclareAndLimitsName) {
  std::set<std::string> ids;
  collect("suites", ".cc", std::regex(R"~(Reports::\w+\(\s*"([\w.*]+)")~"), ids);
  collect("thresholds", ".toml", std::regex(R"~(\bid\s*=\s*"([\w.]+)")~"), ids);
  ASSERT_GT(ids.size(), 150U);
  for (const std::string& id : ids) EXPECT_NE(expectation_of(id), nullptr) << id;
}

}  // namespace
}  // namespace rigproof::text
