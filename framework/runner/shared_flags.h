#pragma once

#include "framework/ranks/rank_group.h"

namespace rigproof {

// Collective, behind InitGoogleTest(): rank 0's GoogleTest flags on every rank, without the `skipped` cases,
// so that all run the same cases in the same order (a launcher hands the environment on to its own host
// only). A shuffle gets its seed here. Switches off what can't work with several ranks: exceptions that
// escape, throwing on a failure.
void share_gtest_flags(RankGroup& ranks, const std::vector<std::string>& skipped);

}  // namespace rigproof
