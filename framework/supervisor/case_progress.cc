#include "framework/supervisor/case_progress.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace rigproof::supervisor {

void CaseProgress::see(const record::EventBody& event, bool replaced) {
  const auto* ended = std::get_if<record::CaseEnded>(&event);
  if (ended == nullptr) return;
  if (ended->iteration >= iterations_) close(ended->name);
  if (replaced) replaced_.insert(ended->name);
}

bool CaseProgress::reopen_replaced() {
  const auto open = std::exchange(replaced_, {});
  for (const std::string& name : open) closed_.erase(name);
  return !open.empty();
}

std::vector<std::string> CaseProgress::open() const {
  std::vector<std::string> open;
  std::copy_if(planned_.begin(), planned_.end(), std::back_inserter(open),
               [this](const std::string& name) { return !closed_.contains(name); });
  return open;
}

}  // namespace rigproof::supervisor
