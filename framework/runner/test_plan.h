#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "framework/record/events.h"
#include "framework/rig/case_names.h"
#include "framework/rig/rig.h"
#include "framework/runner/declare.h"

namespace rigproof::inline runner {

// The cases that GoogleTest is about to run, in its order, with what they declare on this rig. Once it has applied its
// filter. `observes`: what the suite's hooks read at its start and end.
[[nodiscard]] record::SuitePlanned plan_of(const std::string& suite, const Rig& rig,
                                           const std::vector<Reports>& observes,
                                           const std::vector<Reports>& watches = {});

// All that this program may report on any rig.
[[nodiscard]] std::vector<record::Declared> declared_of_all(const std::vector<Reports>& observes,
                                                            const std::vector<Reports>& watches = {});

// `filter` without these cases.
[[nodiscard]] std::string without_cases(std::string filter, const std::vector<std::string>& skipped);

// "ManyStreams.FillTheHalf/rail0_node_a_to_node_b"
[[nodiscard]] std::string full_name(const testing::TestInfo& test);

}  // namespace rigproof::inline runner
