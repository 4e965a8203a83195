#pragma once

#include <sys/resource.h>

namespace rigproof::process {

// Raises this process's soft limit of open files to the hard limit. A Process started later gets the old limit: some
// programs close every possible descriptor, or use select().
void raise_descriptor_limit();

// The limit before raise_descriptor_limit(); nullptr: not raised.
[[nodiscard]] const rlimit* descriptor_limit_before();

}  // namespace rigproof::process
