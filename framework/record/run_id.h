#pragma once

#include <string>
#include <string_view>

namespace rigproof {

// A run's id is its beginning, its rig and 48 random bits: "20261120T181502Z-model-rig-0c4f2a91d3e8". Two runs have
// one id only if they are one run: a comparison counts equal ids once. A record that judges the samples of an
// earlier run again is told by its id: "RUN-again-0c4f2a91d3e8" is of "RUN".

// An id for a run that began at `when`, a journal's time ("2026-11-20T18:15:02.123Z"), on this rig.
[[nodiscard]] std::string new_run_id(std::string_view when, std::string_view rig);

// An id for another record of the samples of `run`, itself perhaps one judged again.
[[nodiscard]] std::string id_again(const std::string& run);

// The id of the run that measured: `id` itself, unless it is one judged again.
[[nodiscard]] std::string measured_run(std::string_view id);

}  // namespace rigproof
