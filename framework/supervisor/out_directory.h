#pragma once

#include <filesystem>

namespace rigproof::supervisor {

// Whether the path, which need not be there yet, is the folder (absolute) or in it.
[[nodiscard]] bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

// The folder of one run: DIR, DIR/logs, and some space kept back in DIR/.reserve for the last words when the
// disk is full. The reserve goes with the object.
class OutDirectory {
 public:
  // Throws Refused naming the path: a journal is there already, not a folder, not writable, no space, a place that
  // the rig around this process forgets (RIGPROOF_KEPT names those that it keeps).
  explicit OutDirectory(const std::filesystem::path& path);
  OutDirectory(const OutDirectory&) = delete;
  OutDirectory& operator=(const OutDirectory&) = delete;
  ~OutDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path journal() const { return path_ / "journal.jsonl"; }
  [[nodiscard]] std::filesystem::path log(const std::string& suite, int launch) const;
  [[nodiscard]] std::filesystem::path skip_list(const std::string& suite, int launch) const;

  void release_reserve();
  [[nodiscard]] bool is_full() const;  // so little is free that writers have failed or are about to

 private:
  std::filesystem::path path_;
};

}  // namespace rigproof::supervisor
