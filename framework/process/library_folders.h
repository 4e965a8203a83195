#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rigproof::process {

// Folders, joined by colons, in which this build found libraries (CUDA, NCCL) outside the loader's default folders.
[[nodiscard]] std::string library_folders_of_build();

// The build's folders that only root and this user can change. Run paths in programs name only folders that root
// alone can change: a program that others start must not run a user's code.
[[nodiscard]] std::vector<std::filesystem::path> library_folders(
    const std::string& of_build = library_folders_of_build());

// The folders of library_folders() that run paths do not name, joined by colons, for LD_LIBRARY_PATH of started
// programs. Empty: none.
[[nodiscard]] std::string own_library_path(const std::string& of_build = library_folders_of_build());

// Appends own_library_path() to LD_LIBRARY_PATH of this process, for programs that it starts.
void export_own_library_path(const std::string& of_build = library_folders_of_build());

// Explains why programs possibly miss libraries of this build: lists folders that another user can change, and what to
// type ("; libraries of this build lie in ..."). Empty: none.
[[nodiscard]] std::string refused_library_folders(const std::string& of_build = library_folders_of_build());

}  // namespace rigproof::process
