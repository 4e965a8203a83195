#pragma once

#include <cstddef>

namespace rigproof::redundancy {

// What loads each path here. All halves of a node at once carry 170 of 400 Gbit/s on a Spark, as its CPU allows. A path
// that is not held back by the CPU shows what the others' coming and going does to it.
inline constexpr std::size_t kStreams = 2;
inline constexpr double kPace = 0.4;  // part of the path's rate

}  // namespace rigproof::redundancy
