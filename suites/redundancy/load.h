#pragma once

#include <cstddef>

namespace rigproof::redundancy {

// Load of each path. All halves of a node at once carry 170 of 400 Gbit/s on a Spark, limited by its CPU. Below the CPU's
// limit, a path shows how other paths that stop and return affect it.
inline constexpr std::size_t kStreams = 2;
inline constexpr double kPace = 0.4;  // part of the path's rate

}  // namespace rigproof::redundancy
