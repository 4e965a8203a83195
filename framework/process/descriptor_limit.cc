#include "framework/process/descriptor_limit.h"

#include <optional>

namespace rigproof::process {
namespace {

// Process-wide, like the limit itself.
std::optional<rlimit> limit_before;

}  // namespace

void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  const rlimit raised{limit.rlim_max, limit.rlim_max};
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit_before = limit;
}

const rlimit* descriptor_limit_before() { return limit_before ? &*limit_before : nullptr; }

}  // namespace rigproof::process
