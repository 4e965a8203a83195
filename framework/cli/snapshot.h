#pragma once

#include <filesystem>

#include "framework/rig/rig.h"

namespace rigproof {

// Whether the folder has the facts of every node of the rig. Throws FactsError naming the file and what is
// wrong with it.
void check_snapshot(const Rig& rig, const std::filesystem::path& folder);

}  // namespace rigproof
