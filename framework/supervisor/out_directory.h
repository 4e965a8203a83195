#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::supervisor {

// What to do after a run that stopped: "; make room, then go on: rigproof run --resume out/first". `first` may be empty. An
// emulated rig ends with its command: its run cannot go on.
[[nodiscard]] std::string to_go_on(const Rig& rig, const std::filesystem::path& out,
                                   std::string_view first = {});

// True if the path is `folder` (absolute) or in it. The path need not exist.
[[nodiscard]] bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder);

// Throws Refused if the path of an option, which need not exist, is inside the facts or logs of a run: they
// are sealed, and a new file would break the run's manifest.
void require_outside_of_runs(const std::string& option, const std::filesystem::path& path);

// The folder of one run: DIR, DIR/logs, and DIR/.reserve, disk space kept for the last events when the disk
// is full. The destructor removes the reserve.
class OutDirectory {
 public:
  // Throws Refused naming the path: it has a journal, is not a folder or not writable, has no space, is
  // outside RIGPROOF_KEPT (the folders that the rig around this process keeps), or is inside another run's
  // facts or logs.
  explicit OutDirectory(const std::filesystem::path& path);
  // Throws Refused if the folder holds no run.
  static void require_run(const std::filesystem::path& path);
  // Opens a run to resume; deletes its unfinished files. Throws Refused as above, and if it holds no run.
  [[nodiscard]] static OutDirectory of_run(const std::filesystem::path& path);
  // Removes the journal and all folders that this object created: the run has no record.
  void abandon();
  // Removes the manifest, because the journal will grow.
  void unseal() const;
  OutDirectory(const OutDirectory&) = delete;
  OutDirectory& operator=(const OutDirectory&) = delete;
  ~OutDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] static std::filesystem::path journal_in(const std::filesystem::path& path) {
    return path / "journal.jsonl";
  }
  [[nodiscard]] std::filesystem::path journal() const { return journal_in(path_); }
  // The log of a launch's output. `job`: 0 if the suite has one job only.
  [[nodiscard]] std::filesystem::path log(const std::string& suite, int job, int launch) const;

  // SHA-256 by name of all files in DIR/facts and DIR/logs. Deletes unfinished ones. Throws
  // std::system_error.
  [[nodiscard]] std::map<std::string, std::string> hash_files() const;

  // Returns true if there was a reserve.
  bool release_reserve();
  [[nodiscard]] bool is_full() const;  // so little space is left that writes fail or soon will

 private:
  struct OfRun {};
  OutDirectory(const std::filesystem::path& path, OfRun);
  void create_folders();
  std::filesystem::path path_;
  std::vector<std::filesystem::path> created_ = {};  // folders; a folder comes after those in it
};

}  // namespace rigproof::supervisor
