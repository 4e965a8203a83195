#pragma once

#include <string>
#include <string_view>

namespace rigproof::record {

// The current time in the form of Event::time: "2026-11-20T18:15:02.123Z".
[[nodiscard]] std::string utc_now();

// True if the text is a valid time in this form.
[[nodiscard]] bool is_utc(std::string_view text);

// Seconds from one such time to another; 0 if one is invalid or the clock was set back.
[[nodiscard]] double seconds_between(std::string_view from, std::string_view to);

// A run's id is its start time, its rig and 48 random bits: "20261120T181502Z-model-rig-0c4f2a91d3e8". Equal
// ids mean the same run: a comparison counts them once. A record that judges an earlier run's samples again
// has its own id, "RUN-again-0c4f2a91d3e8", and names the run that measured (Rejudged).

// A new id for a run that began at `when`, a journal's time ("2026-11-20T18:15:02.123Z"), on this rig.
[[nodiscard]] std::string new_run_id(std::string_view when, std::string_view rig);

// A new id for another record of `run`'s samples.
[[nodiscard]] std::string id_again(const std::string& run);

// A program of a run.
struct Program {
  std::string name;  // "rigproof", "rigproof-suite-tcp"
  std::string version, commit, sha256;
};

// This process's program: version, the commit it was built from (else "unknown"), and its file's hash.
[[nodiscard]] Program this_program(std::string name);

[[nodiscard]] std::string user_name();  // the user of this process; a number if it has no name
[[nodiscard]] std::string host_name();

}  // namespace rigproof::record
