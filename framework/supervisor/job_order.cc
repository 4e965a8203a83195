#include "framework/supervisor/job_order.h"

#include <algorithm>
#include <limits>
#include <set>

namespace rigproof::supervisor {
namespace {

bool needs_any(const Job& job, const std::set<std::size_t>& nodes) {
  return std::ranges::any_of(job.nodes, [&](std::size_t node) { return nodes.contains(node); });
}

}  // namespace

void JobOrder::begin(record::JobNumber number, const Job& job, Time now) {
  const auto [running, is_new] = running_.try_emplace(number, Running{{}, now});
  running->second.job = {.nodes = job.nodes, .cases = {}, .round = job.round};
}

void JobOrder::end(record::JobNumber number, Time now) {
  const auto found = running_.find(number);
  if (found == running_.end()) return;
  if (found->second.job.round > 0 && !is_late(found->second, now))
    longest_ = std::max(longest_.value_or(Time::duration{}), now - found->second.began);
  running_.erase(found);
}

bool JobOrder::is_late(const Running& running, Time now) const {
  return longest_ && now - running.began > 2 * *longest_;
}

std::vector<std::size_t> JobOrder::ready(std::size_t count,
                                         const std::function<const Job&(std::size_t)>& waiting,
                                         Time now) const {
  std::set<std::size_t> busy, held;  // nodes; held: by late jobs
  int oldest = std::numeric_limits<int>::max() - 1;
  for (const auto& [number, running] : running_) {
    busy.insert(running.job.nodes.begin(), running.job.nodes.end());
    if (is_late(running, now))
      held.insert(running.job.nodes.begin(), running.job.nodes.end());
    else
      oldest = std::min(oldest, running.job.round);
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!needs_any(waiting(i), held)) {
      oldest = std::min(oldest, waiting(i).round);
      break;
    }
  std::vector<std::size_t> chosen;
  // A wider choice of rounds would break up the pairs of the later ones.
  for (std::size_t i = 0; i < count && waiting(i).round <= oldest + 1; ++i) {
    if (needs_any(waiting(i), busy)) continue;
    busy.insert(waiting(i).nodes.begin(), waiting(i).nodes.end());
    chosen.push_back(i);
  }
  return chosen;
}

}  // namespace rigproof::supervisor
