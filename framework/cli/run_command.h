#pragma once

#include "framework/cli/run_arguments.h"

namespace rigproof {

// Runs, or lists with --gtest_list_tests; prints; returns the exit code.
[[nodiscard]] int run_and_show(const RunArguments& arguments);

// Prints the cases of the chosen suites.
[[nodiscard]] int list_and_show(const RunArguments& arguments);

}  // namespace rigproof
