#pragma once

#include <stdexcept>
#include <string>

namespace rigproof::inline runner {

// Thrown inside a phase: what the case is about does not exist on this node (no GPU). Ends the case on all ranks. It is not
// proven if a required limit names the subject, that is, belongs to the family; otherwise it is informative. If the subject
// exists and does not answer, call not_proven().
struct NotThere : std::runtime_error {
  // `limits`: a family, "host.gpu.*".
  NotThere(std::string limits, const std::string& why) : std::runtime_error(why), family(std::move(limits)) {}
  std::string family;
};

}  // namespace rigproof::inline runner
