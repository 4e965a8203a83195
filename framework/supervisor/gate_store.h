#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/supervisor/run_rig.h"

namespace rigproof::supervisor {

// What a baseline belongs to: runs are compared only where all of this is the same.
struct GateKey {
  std::string rig;            // its name
  std::string configuration;  // a name that people give: letters, digits and . _ -
  std::string profile;
  std::string selection;  // what else chooses cases, in words; empty: every case

  [[nodiscard]] static GateKey of(const std::string& rig, const std::string& configuration,
                                  const RunOptions& options);
  // "model-rig/default-smoke", "model-rig/default-smoke-1f2e3d4c" with a selection. Throws Refused for names that are
  // no plain folder names.
  [[nodiscard]] std::filesystem::path folder() const;
};

// Where a gate keeps its runs: STORE/KEY/
//   kept/NAME/        a gate that came to its end: run-1, run-2, ... and the comparison. Appears whole
//   unfinished/NAME/  one that is under way, or was killed: its runs, and the hash of its `order`
//   baseline          a line of text: the NAME of the kept gate whose runs are the baseline
//   anchor            the same, of the first baseline: later ones leave it as it is, so that small losses can't add up
// One gate at a time holds it, by a lock that goes with its holder. A kill at any point leaves the baseline, and all
// that is kept, as it was before or as it is after.
class GateStore {
 public:
  // Throws Refused: cannot be created or written, or another gate holds it (named by its process id).
  GateStore(const std::filesystem::path& store, const GateKey& key);
  GateStore(const GateStore&) = delete;
  GateStore& operator=(const GateStore&) = delete;
  ~GateStore();

  // The folders of the baseline's runs; none when there is no baseline yet. Throws Refused when it is damaged.
  [[nodiscard]] std::vector<std::string> baseline() const;
  // The same of the anchor; none where the baseline is the anchor.
  [[nodiscard]] std::vector<std::string> anchor() const;

  // A folder for the runs of a gate, NAME is its last part. One that was cut off goes on where it was: it had the same
  // order, and a run of it was written to within the last day.
  [[nodiscard]] std::filesystem::path begin(const std::string& order = {}) const;
  // It came to its end: moves it to the kept ones and returns where it is now.
  [[nodiscard]] std::filesystem::path keep(const std::filesystem::path& unfinished) const;
  // Where a run of an unfinished gate is going to be.
  [[nodiscard]] std::filesystem::path where_kept(const std::filesystem::path& run) const;
  // The runs of a kept gate are the baseline from now on; the anchor, too, where there is none or `anchor_too`.
  void set_baseline(const std::filesystem::path& kept, bool anchor_too = false) const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  [[nodiscard]] std::vector<std::string> runs_named_in(const char* pointer) const;
  [[nodiscard]] std::filesystem::path cut_off(const std::string& order) const;

  std::filesystem::path path_;
  int lock_;
};

}  // namespace rigproof::supervisor
