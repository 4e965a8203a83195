#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rigproof::process {

// Folders outside of the dynamic loader's own in which this build found libraries (CUDA's, NCCL's), joined by colons.
[[nodiscard]] std::string library_folders_of_build();

// Those of them in which root and this user alone can change what lies there. The run paths of programs name such folders
// only where they are root's: a program that others start must not run a user's code.
[[nodiscard]] std::vector<std::filesystem::path> library_folders(
    const std::string& of_build = library_folders_of_build());

// The same, without those that run paths name: programs that this one starts find libraries there by LD_LIBRARY_PATH.
// Joined by colons; empty: none.
[[nodiscard]] std::string own_library_path(const std::string& of_build = library_folders_of_build());

// Puts own_library_path() behind LD_LIBRARY_PATH of this process's environment, for what it starts.
void export_own_library_path(const std::string& of_build = library_folders_of_build());

// Why programs that need libraries of this build may not find them: "; libraries of this build lie in ...", folders that
// another user can change, and what to type. Empty: there are none.
[[nodiscard]] std::string refused_library_folders(const std::string& of_build = library_folders_of_build());

}  // namespace rigproof::process
