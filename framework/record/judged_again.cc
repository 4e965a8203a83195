#include "framework/record/judged_again.h"

#include "framework/record/run_id.h"

namespace rigproof {

bool is_judged_again(const RunRecord& run) { return measured_run(run.start.id) != run.start.id; }

const std::string& measured_at(const RunRecord& run) {
  const bool has_suites = !run.suites.empty() && !run.suites.front().started.empty();
  return is_judged_again(run) && has_suites ? run.suites.front().started : run.started;
}

}  // namespace rigproof
