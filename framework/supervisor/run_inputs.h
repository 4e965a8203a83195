#pragma once

#include <string>
#include <vector>

#include "framework/limits/limit_table.h"
#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/run_rig.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof {

// Everything a run is decided by, loaded and checked while nothing of the rig has been touched.
struct RunInputs {
  Rig rig;
  std::string rig_text;
  LimitTable limits;
  std::string thresholds_text;
  std::vector<Suite> suites;  // that have cases to run
  std::size_t cases;          // of all of them, iterations included
};

// Throws toml::InputError or Refused.
[[nodiscard]] RunInputs load_inputs(const RunOptions& options);

// The journal's first line. `when` is UTC as in Event::time.
[[nodiscard]] RunStarted describe_run(const RunOptions& options, const RunInputs& inputs,
                                      const std::string& when);

}  // namespace rigproof
