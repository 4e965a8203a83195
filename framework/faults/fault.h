#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof::inline faults {

// A sign is shown by a measurement of a node that meets the condition, in the grammar of a limit; without a condition by one
// that missed its own limit or advice. A rate is one of all nodes of its case.
struct Sign {
  std::string id;
  std::optional<Limit> condition = {};
};

// A known fault: its signs in a run, its source and its remedy.
struct Fault {
  std::string name;                        // "no cable: the NIC is switched off"
  std::string certainty;                   // "certain", "likely" or "possible"
  std::vector<Sign> when;                  // each must be shown by some measurement of the node
  std::vector<Sign> unless = {};           // none may be shown by any measurement of the node
  std::vector<std::string> explains = {};  // ids and families ("tcp.rate.*") whose remedies it replaces
  Basis basis = {};
  Remedy remedy = {};
  toml::Place where = {};
};

// Reads the faults of some files, in their order.
//
//   [[fault]]
//   name      = "no cable: the NIC is switched off"
//   certainty = "likely"               # or certain, possible
//   when      = [{ id = "preflight.present", at_most = "0 count" }]      # conditions as in a limit: at_least, at_most,
//   unless    = [{ id = "preflight.present", at_least = "1 count" }]     # equals, statistic, one_of, at_least_version; or
//                                                                        # missed = true: the id missed its limit or advice
//   explains  = ["preflight.present", "tcp.*"]                           # optional
//   basis     = { kind = "vendor", source = "...", quote = "..." }       # as in a limit
//   remedy.hint = "Put in the cable."                                    # as in a limit; {node}, and words of the subject
//
// Throws toml::InputError: unknown keys, a missing unit, a condition without a bound, two faults with one name, a file
// without a fault.
[[nodiscard]] std::vector<Fault> read_faults(const std::vector<toml::Document>& documents,
                                             const FactDimensions& facts);

}  // namespace rigproof::inline faults
