#pragma once

#include <sys/resource.h>

namespace rigproof::process {

// Raises this process's soft limit of open files to its hard one. A Process that is started later keeps the limit of
// before: some programs close every descriptor that they may have, or use select().
void raise_descriptor_limit();

// The limit of before, or nullptr: it was not raised.
[[nodiscard]] const rlimit* descriptor_limit_before();

}  // namespace rigproof::process
