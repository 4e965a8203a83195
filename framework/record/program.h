#pragma once

#include <string>

#include "framework/record/events.h"

namespace rigproof {

// This process's program: its version, the commit it was built from ("unknown" outside a checkout) and the hash of its
// file.
[[nodiscard]] Program this_program(std::string name);

[[nodiscard]] std::string user_name();  // who runs it; a number where it has no name
[[nodiscard]] std::string host_name();

}  // namespace rigproof
