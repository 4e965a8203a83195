#pragma once

#include <filesystem>
#include <string>

namespace rigproof::process {

// Users that are allowed to change a path.
enum class Changers { kRoot, kRootAndUs };

// Describes how another user can change what is at the path: "/home/anna belongs to user anna". Empty: nobody else
// can. The path, each folder above it and each symbolic link on the way must belong to root (or to this user, by
// `allowed`). Other users, and groups with other members, must not be able to write there. A sticky folder (/tmp) is
// accepted above the path, not at its end. Local; follows symbolic links.
[[nodiscard]] std::string who_else_changes(const std::filesystem::path& path, Changers allowed);

}  // namespace rigproof::process
