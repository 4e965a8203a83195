#pragma once

#include <filesystem>
#include <string>

namespace rigproof::process {

// Who may be able to change what lies at a path.
enum class Changers { kRoot, kRootAndUs };

// Empty when nobody else can change what lies at the path: it, each folder above it and each symbolic link on the way
// belong to root (or to this user, by `allowed`), and no other user can write there, nor a group that has other members. A folder whose entries
// only their owners may rename (/tmp) is sound above the path, not at its end. Else what lets others in, for a person:
// "/home/anna belongs to user anna". Local; follows symbolic links.
[[nodiscard]] std::string who_else_changes(const std::filesystem::path& path, Changers allowed);

}  // namespace rigproof::process
