#include "framework/process/library_folders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <sstream>

#include "framework/process/ownership.h"

namespace rigproof::process {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "LD_LIBRARY_PATH";

std::vector<fs::path> parts_of(const std::string& of_build) {
  std::vector<fs::path> folders;
  std::istringstream list(of_build);
  for (std::string folder; std::getline(list, folder, ':');)
    if (!folder.empty()) folders.emplace_back(folder);
  return folders;
}

}  // namespace

std::string library_folders_of_build() { return RIGPROOF_LIBRARY_FOLDERS; }

std::vector<fs::path> library_folders(const std::string& of_build) {
  std::vector<fs::path> folders = parts_of(of_build);
  std::erase_if(folders, [](const fs::path& folder) {
    return !who_else_changes(folder, Changers::kRootAndUs).empty();
  });
  return folders;
}

std::string own_library_path(const std::string& of_build) {
  std::vector<std::string> own;
  for (const fs::path& folder : library_folders(of_build))
    if (!who_else_changes(folder, Changers::kRoot).empty()) own.push_back(folder.string());
  return fmt::format("{}", fmt::join(own, ":"));
}

void export_own_library_path(const std::string& of_build) {
  const std::string own = own_library_path(of_build);
  if (own.empty()) return;
  const char* const before = ::getenv(kVariable);
  const bool any = before != nullptr && *before != '\0';
  ::setenv(kVariable, (any ? std::string(before) + ":" + own : own).c_str(), 1);
}

std::string refused_library_folders(const std::string& of_build) {
  std::string text;
  for (const fs::path& folder : parts_of(of_build))
    if (const std::string why = who_else_changes(folder, Changers::kRootAndUs);
        !why.empty() && fs::exists(folder))
      text += fmt::format(
          "; libraries of this build lie in {}, and {}: run as that user, or name the folder in {} if you "
          "trust it",
          folder.string(), why, kVariable);
  return text;
}

}  // namespace rigproof::process
