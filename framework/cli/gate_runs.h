#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/cli/run_arguments.h"

namespace rigproof::cli {

// Makes the runs of a gate, one after the other, in a folder that may hold runs of an interrupted gate. Complete runs
// count; others are set aside and made again.
class GateRuns {
 public:
  // `shown`: the runs print to stdout, not to console-NNN.txt in the folder.
  GateRuns(const RunArguments& arguments, std::filesystem::path folder, bool shown);

  // Makes runs until there are `wanted`, of `planned` in all; returns the first exit code that is not 0, else 0.
  // Throws like run_and_show().
  [[nodiscard]] int make_up_to(int wanted, int planned, const char* more);
  [[nodiscard]] const std::vector<std::string>& folders() const { return runs_; }
  // True if the latest run was stopped: the gate can go on later.
  [[nodiscard]] bool stopped() const { return stopped_; }
  // Notes on runs that were set aside.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  int next(int planned, const char* more);
  int make(const std::filesystem::path& out, std::size_t number) const;
  void set_aside(const std::filesystem::path& run);

  const RunArguments& arguments_;
  std::filesystem::path folder_;
  bool shown_;
  std::vector<std::string> runs_, notes_;
  bool stopped_ = false;
};

}  // namespace rigproof::cli
