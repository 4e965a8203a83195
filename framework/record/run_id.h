#pragma once

#include <string>
#include <string_view>

namespace rigproof {

// A run's id is its beginning, its rig and 48 random bits: "20261120T181502Z-model-rig-0c4f2a91d3e8". Two runs have
// one id only if they are one run: a comparison counts equal ids once. A record that judges the samples of an
// earlier run again has an id of its own, "RUN-again-0c4f2a91d3e8", and names the run that measured (Rejudged).

// An id for a run that began at `when`, a journal's time ("2026-11-20T18:15:02.123Z"), on this rig.
[[nodiscard]] std::string new_run_id(std::string_view when, std::string_view rig);

// An id for another record of the samples of `run`.
[[nodiscard]] std::string id_again(const std::string& run);

}  // namespace rigproof
