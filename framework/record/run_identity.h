#pragma once

#include <string>
#include <string_view>

namespace rigproof::record {

// Now, as Event::time: "2026-11-20T18:15:02.123Z".
[[nodiscard]] std::string utc_now();

// A time in that form, and one that exists.
[[nodiscard]] bool is_utc(std::string_view text);

// From one such time to another; 0 when either is none, or for a clock that was set back.
[[nodiscard]] double seconds_between(std::string_view from, std::string_view to);

// A run's id is its beginning, its rig and 48 random bits: "20261120T181502Z-model-rig-0c4f2a91d3e8". Two runs have
// one id only if they are one run: a comparison counts equal ids once. A record that judges the samples of an
// earlier run again has an id of its own, "RUN-again-0c4f2a91d3e8", and names the run that measured (Rejudged).

// An id for a run that began at `when`, a journal's time ("2026-11-20T18:15:02.123Z"), on this rig.
[[nodiscard]] std::string new_run_id(std::string_view when, std::string_view rig);

// An id for another record of the samples of `run`.
[[nodiscard]] std::string id_again(const std::string& run);

// A program that took part.
struct Program {
  std::string name;  // "rigproof", "rigproof-suite-tcp"
  std::string version, commit, sha256;
};

// This process's program: its version, the commit it was built from ("unknown" outside a checkout) and the hash of its
// file.
[[nodiscard]] Program this_program(std::string name);

[[nodiscard]] std::string user_name();  // who runs it; a number where it has no name
[[nodiscard]] std::string host_name();

}  // namespace rigproof::record
