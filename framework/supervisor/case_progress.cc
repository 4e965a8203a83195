#include "framework/supervisor/case_progress.h"

#include <algorithm>
#include <utility>

namespace rigproof {

void CaseProgress::see(const EventBody& event, bool is_void) {
  if (const auto* plan = std::get_if<SuitePlanned>(&event)) {
    for (const PlannedCase& test : plan->cases) {
      if (std::find(planned_.begin(), planned_.end(), test.name) == planned_.end())
        planned_.push_back(test.name);
    }
  } else if (const auto* ended = std::get_if<CaseEnded>(&event)) {
    if (ended->iteration >= iterations_) settle(ended->name);
    if (is_void) void_.insert(ended->name);
  }
}

bool CaseProgress::reopen_void() {
  const auto open = std::exchange(void_, {});
  for (const std::string& name : open) settled_.erase(name);
  return !open.empty();
}

std::vector<std::string> CaseProgress::open() const {
  std::vector<std::string> open;
  std::copy_if(planned_.begin(), planned_.end(), std::back_inserter(open),
               [this](const std::string& name) { return !settled_.contains(name); });
  return open;
}

}  // namespace rigproof
