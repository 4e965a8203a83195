#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "framework/judge/judged_run.h"
#include "tests/support/temp_folder.h"

namespace rigproof {

// A launch of the mischief suite on this host, as the supervisor does it, into a journal of its own.
struct LaunchOptions {
  std::vector<std::string> arguments = {};  // for the suite, added to those that it needs
  int ranks = 2;
  bool shared_host = true;
  std::string rig = {};  // a text; by default the mischief rig's
  // "198.18.1.1/24": this host's only address, in a network namespace of the launch's own.
  std::string own_address = {};
};

struct Launched {
  int exit_code;       // mpirun's
  std::string output;  // of all ranks
  judge::JudgedRun record;

  // "passed", "failed", ... of the case whose name ends so; "absent" when there is none.
  [[nodiscard]] std::string status(const std::string& ending) const;
  // All that was said against it, a line each: "error phase-mismatch rank 1 node-b [measure] MESSAGE @ WHERE".
  [[nodiscard]] std::string failures(const std::string& ending) const;
};

class Launcher {
 public:
  [[nodiscard]] Launched launch(const LaunchOptions& options);
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TempFolder folder_;
};

}  // namespace rigproof
