#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/cli/run_arguments.h"

namespace rigproof::cli {

// The runs of a gate, one after the other, in a folder where those of one that was cut off may lie already: whole ones
// count, the others are set aside and made again.
class GateRuns {
 public:
  // `shown`: the runs say on stdout what they do, not in console-NNN.txt beside them.
  GateRuns(const RunArguments& arguments, std::filesystem::path folder, bool shown);

  // So many runs, of `planned` in all; the first exit code that is not 0 ends it. Throws as run_and_show().
  [[nodiscard]] int make_up_to(int wanted, int planned, const char* more);
  [[nodiscard]] const std::vector<std::string>& folders() const { return runs_; }
  // Whether the latest was stopped: the gate may go on later.
  [[nodiscard]] bool stopped() const { return stopped_; }
  // What was set aside, and which runs are of before.
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
