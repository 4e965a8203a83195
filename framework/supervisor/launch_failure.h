#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace rigproof::supervisor {

// Why a launch ended before its suite was done, as far as its log and its exit tell.
struct LaunchFailure {
  std::string type;              // of the Failure: "crash", "deadline", "lost-peer", "exited", "interrupted"
  std::string reason;            // for a person
  int rank = -1;                 // the culprit, where it is known
  std::string host = {};         // as the launcher calls it
  bool names_culprit = false;    // the reason says who
  std::set<int> survivors = {};  // ranks that lost a connection: the culprit is another
};

// Reads the end of a launch. Pure. `status` is the launcher's wait status (absent: it could not be killed);
// `launcher` its name for messages; `log` the end of what the launch said. A rank's own
// record::last_words() beat the account of mpirun or srun, which beats the exit code: mpirun's codes are ambiguous.
[[nodiscard]] LaunchFailure examine(std::string_view launcher, std::optional<int> status,
                                    std::string_view log);

}  // namespace rigproof::supervisor
