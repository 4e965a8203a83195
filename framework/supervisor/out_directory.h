#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace rigproof::supervisor {

// Whether the path, which need not be there yet, is the folder (absolute) or in it.
[[nodiscard]] bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder);

// Throws Refused where the path that an option names, which need not be there yet, is among the facts or logs of a run: they
// are sealed, and that run would not be intact.
void require_outside_of_runs(const std::string& option, const std::filesystem::path& path);

// The folder of one run: DIR, DIR/logs, and some space kept back in DIR/.reserve for the last words when the
// disk is full. The reserve goes with the object.
class OutDirectory {
 public:
  // Throws Refused naming the path: a journal is there already, not a folder, not writable, no space, a place that
  // the rig around this process forgets (RIGPROOF_KEPT names those that it keeps), or among another run's facts or logs.
  explicit OutDirectory(const std::filesystem::path& path);
  // Throws Refused where it holds no run that could be taken up.
  static void require_run(const std::filesystem::path& path);
  // Of a run that is taken up again, whose half-written reports go: throws Refused when it holds none, and for the rest of the above.
  [[nodiscard]] static OutDirectory of_run(const std::filesystem::path& path);
  // Removes the manifest of the journal as it was: the run goes on.
  void unseal() const;
  OutDirectory(const OutDirectory&) = delete;
  OutDirectory& operator=(const OutDirectory&) = delete;
  ~OutDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] static std::filesystem::path journal_in(const std::filesystem::path& path) {
    return path / "journal.jsonl";
  }
  [[nodiscard]] std::filesystem::path journal() const { return journal_in(path_); }
  // What a launch printed. `job`: 0 where it is the suite's only one.
  [[nodiscard]] std::filesystem::path log(const std::string& suite, int job, int launch) const;

  // The SHA-256 of each file in DIR/facts and DIR/logs, by its name in DIR; half-written ones go. Throws std::system_error.
  [[nodiscard]] std::map<std::string, std::string> hash_files() const;

  // Returns whether there was any.
  bool release_reserve();
  [[nodiscard]] bool is_full() const;  // so little is free that writers have failed or are about to

 private:
  struct OfRun {};
  OutDirectory(const std::filesystem::path& path, OfRun);
  std::filesystem::path path_;
};

}  // namespace rigproof::supervisor
