#pragma once

#include <string>
#include <vector>

#include "framework/compare/comparison.h"

namespace rigproof::text {

// The words that every report of a comparison uses; one clean line each.

// "WORSE: rig model-rig (model), profile smoke: 7 base runs, 7 candidate runs; 31 compared: 1 regressed, 30 unchanged"
[[nodiscard]] std::string comparison_line(const compare::Comparison& comparison);

// "tcp.rate.half on node-b (rail0)"; of a case without one: "the case"
[[nodiscard]] std::string label(const compare::ComparedMeasurement& measurement);

[[nodiscard]] std::string side_text(const compare::ComparedMeasurement& measurement,
                                    const compare::ComparedSide& side);                  // "0.978 Gbit/s"
[[nodiscard]] std::string change_text(const compare::ComparedMeasurement& measurement);  // "-4.9 %"
[[nodiscard]] std::string interval_text(
    const compare::ComparedMeasurement& measurement);  // "-5.2 % to -4.6 %"
[[nodiscard]] std::string reason_text(
    const compare::ComparedMeasurement& measurement);  // with the runs that it needs

// How the verdicts were reached, in a few sentences.
[[nodiscard]] std::vector<std::string> method_text(const compare::Comparison& comparison);

}  // namespace rigproof::text
