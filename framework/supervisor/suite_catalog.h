#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/supervisor/gtest_flags.h"
#include "framework/supervisor/patience.h"

namespace rigproof {

// A suite as installed: an executable `rigproof-suite-NAME`.
struct Suite {
  std::string name;
  std::filesystem::path program;
};

// The suites in `folder`, in the order in which they run: from the ground up, unknown ones last by name.
// Throws Refused (not proven) when there is none.
[[nodiscard]] std::vector<Suite> find_suites(const std::filesystem::path& folder);

// Those with these names (all when empty), in the order of `known`. Throws Refused naming the known ones.
[[nodiscard]] std::vector<Suite> choose_suites(const std::vector<Suite>& known,
                                               const std::vector<std::string>& names);

// Whether the house knows a suite of this name, built here or not.
[[nodiscard]] bool is_house_suite(std::string_view name);

// The suite that judges the facts of a snapshot, without a rig.
inline constexpr const char* kFactsSuite = "preflight";

// Whether this suite's own MPI messages are a load to measure, so that they belong on the rails.
[[nodiscard]] bool loads_rails(std::string_view name);

struct ListRequest {
  std::filesystem::path rig;
  std::optional<std::filesystem::path> thresholds;
  GtestFlags gtest;
  Patience patience;
};

// The cases that the suite would run on this rig, as GoogleTest lists them. Starts the suite here, on no
// node. Throws Refused with the suite's own words when it can't list.
[[nodiscard]] std::vector<std::string> list_cases(const Suite& suite, const ListRequest& request);

// The full names in the output of --gtest_list_tests, less the disabled ones unless `disabled_too`.
[[nodiscard]] std::vector<std::string> parse_case_list(std::string_view text, bool disabled_too);

}  // namespace rigproof
