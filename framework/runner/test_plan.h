#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "framework/record/events.h"
#include "framework/rig/case_names.h"
#include "framework/rig/subjects.h"

namespace rigproof {

// The cases that GoogleTest is about to run, in its order. Once it has applied its filter.
[[nodiscard]] SuitePlanned plan_of(const std::string& suite, const Rig& rig,
                                   const std::map<std::string, Subject>& subjects);

// `filter` without these cases.
[[nodiscard]] std::string without_cases(std::string filter, const std::vector<std::string>& skipped);

}  // namespace rigproof
