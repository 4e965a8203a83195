#pragma once

#include <gtest/gtest.h>

#include <string>

#include "framework/record/measured.h"
#include "framework/runner/context.h"

namespace rigproof {

// Adds a part to the running test's result in the framework's own words: GoogleTest prints and counts it, the
// record has it already.
void add_part(SuiteContext& suite, testing::TestPartResult::Type type, const std::string& where,
              const std::string& message);

// What GoogleTest found in this rank's body, as the record keeps it.
[[nodiscard]] Failure failure_of(const SuiteContext& suite, const testing::TestPartResult& part);

// "suites/tcp/rates.cc:40"
[[nodiscard]] std::string place(const char* file, int line);

}  // namespace rigproof
