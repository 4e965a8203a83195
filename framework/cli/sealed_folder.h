#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "framework/cli/stated_verdict.h"
#include "framework/process/temporary_folder.h"
#include "reports/manifest/manifest.h"

namespace rigproof::cli {

// A run's folder as it was read: every file once, through no link. The folder may change later: all results refer to
// the bytes that were read.
class SealedFolder {
 public:
  // Throws manifest::ManifestError, record::FileError (no room for the copy).
  explicit SealedFolder(const std::filesystem::path& directory);

  struct File {
    std::string name, sha256;
    std::string fault;  // why it differs from the manifest; empty: it does not
    StatedVerdicts stated;
  };
  // Lines of the manifest, in its order.
  [[nodiscard]] const std::vector<manifest::HashedFile>& manifest() const { return manifest_; }
  [[nodiscard]] const std::vector<File>& files() const { return files_; }
  [[nodiscard]] bool lists(std::string_view name) const { return names_.contains(name); }
  // A private folder with copies of the journal and of report.html, as far as they can be read.
  [[nodiscard]] const std::filesystem::path& copy() const { return copy_.path(); }
  // The hash that report.html carries, and the page's own hash with manifest::kBlank in that place; empty: none.
  [[nodiscard]] const std::string& carried_hash() const { return carried_; }
  [[nodiscard]] const std::string& blank_report() const { return blank_; }

 private:
  File read(const std::filesystem::path& directory, const manifest::HashedFile& listed);
  void read_report();

  std::vector<manifest::HashedFile> manifest_;
  std::set<std::string, std::less<>> names_;  // of the manifest
  std::vector<File> files_;
  process::TemporaryFolder copy_;
  std::string carried_, blank_;
};

}  // namespace rigproof::cli
