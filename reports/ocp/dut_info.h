#pragma once

#include "framework/judge/judged_run.h"
#include "reports/ocp/artifacts.h"

namespace rigproof {

// What was under test: nodes and the parts that they told facts of as hardware, their software with versions, and
// every fact as it stands in the metadata. Of this folder only.
[[nodiscard]] OcpJson dut_info(const JudgedRun& run);

// The hardwareInfoId of a node, as dut_info() declares it; empty for a node that it does not know.
[[nodiscard]] std::string hardware_id(const JudgedRun& run, const std::string& node);

}  // namespace rigproof
