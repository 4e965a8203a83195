#include "framework/supervisor/gtest_flags.h"

#include <fmt/format.h>

namespace rigproof {

std::vector<std::string> GtestFlags::arguments() const {
  std::vector<std::string> arguments;
  if (!filter.empty()) arguments.push_back("--gtest_filter=" + filter);
  if (repeat != 1) arguments.push_back(fmt::format("--gtest_repeat={}", repeat));
  if (shuffle) {
    arguments.push_back("--gtest_shuffle");
    arguments.push_back(fmt::format("--gtest_random_seed={}", seed));
  }
  if (disabled_too) arguments.push_back("--gtest_also_run_disabled_tests");
  return arguments;
}

}  // namespace rigproof
