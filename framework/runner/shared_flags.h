#pragma once

#include "framework/ranks/rank_group.h"

namespace rigproof {

// Before InitGoogleTest(): what is in the environment for GoogleTest counts no more. A filter or a shard that some
// shell has exported for its unit tests, here or in the login of a node, would leave cases out, and nothing on
// record would say so.
void forget_gtest_environment();

// Collective, behind InitGoogleTest(): rank 0's GoogleTest flags on every rank, without the `skipped` cases,
// so that all run the same cases in the same order. A shuffle gets its seed here. Switches off what can't work
// with several ranks: exceptions that escape, throwing on a failure.
void share_gtest_flags(RankGroup& ranks, const std::vector<std::string>& skipped);

}  // namespace rigproof
