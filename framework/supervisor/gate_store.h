#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/supervisor/run_rig.h"

namespace rigproof::supervisor {

// The key of a baseline: only runs with equal keys are compared.
struct GateKey {
  std::string rig;            // its name
  std::string configuration;  // a name that people choose: letters, digits and . _ -
  std::string profile;
  std::string selection;  // other options that choose cases, in words; empty: every case

  [[nodiscard]] static GateKey of(const std::string& rig, const std::string& configuration,
                                  const RunOptions& options);
  // "model-rig/default-smoke", with a selection "model-rig/default-smoke-1f2e3d4c". Throws Refused for names
  // that cannot be folder names.
  [[nodiscard]] std::filesystem::path folder() const;
};

// The folder in which a gate keeps its runs: STORE/KEY/
//   kept/NAME/        a complete gate: run-1, run-2, ... and the comparison. Appears in one step
//   unfinished/NAME/  a gate in progress or killed: its runs, and the hash of its `order`
//   baseline          one line: the NAME of the kept gate whose runs are the baseline
//   anchor            the same for the first baseline. Later baselines leave it unchanged, so that small
//                     losses cannot add up
// A lock allows one gate at a time and ends with its process. A kill leaves the baseline and all kept gates
// either as before or as after a step.
class GateStore {
 public:
  // Throws Refused if it cannot be created or written, or if another gate (named by its process id) holds it.
  GateStore(const std::filesystem::path& store, const GateKey& key);
  GateStore(const GateStore&) = delete;
  GateStore& operator=(const GateStore&) = delete;
  ~GateStore();

  // The folders of the baseline's runs; empty without a baseline. Throws Refused if the store is damaged.
  [[nodiscard]] std::vector<std::string> baseline() const;
  // The same for the anchor; empty if the baseline is the anchor.
  [[nodiscard]] std::vector<std::string> anchor() const;

  // Returns a folder for a gate's runs; its last part is NAME. An interrupted gate goes on in its old folder
  // if its order is the same and one of its runs was written to within the last day.
  [[nodiscard]] std::filesystem::path begin(const std::string& order = {}) const;
  // Moves a complete gate to kept/ and returns its new folder.
  [[nodiscard]] std::filesystem::path keep(const std::filesystem::path& unfinished) const;
  // The later place of an unfinished gate's run.
  [[nodiscard]] std::filesystem::path where_kept(const std::filesystem::path& run) const;
  // Makes the runs of a kept gate the baseline; also the anchor, if there is none or `anchor_too`.
  void set_baseline(const std::filesystem::path& kept, bool anchor_too = false) const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  [[nodiscard]] std::vector<std::string> runs_named_in(const char* pointer) const;
  [[nodiscard]] std::filesystem::path cut_off(const std::string& order) const;

  std::filesystem::path path_;
  int lock_;
};

}  // namespace rigproof::supervisor
