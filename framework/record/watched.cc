#include "framework/record/watched.h"

namespace rigproof::record {
namespace {

void append(std::string& all, const std::string& more) {
  if (!more.empty()) all += (all.empty() ? "" : ", ") + more;
}

}  // namespace

void WatchedSums::add(const std::vector<Watched>& looks) {
  for (const Watched& look : looks) {
    Watched& sum =
        sums_
            .try_emplace(
                {look.id, look.subject},
                Watched{.id = look.id, .subject = look.subject, .counts = look.counts, .about = look.about})
            .first->second;
    sum.grown += look.grown;
    sum.of += look.of;
    append(sum.names, look.names);
    append(sum.lost, look.lost);
  }
}

std::vector<Measured> WatchedSums::findings(const std::string& node) const {
  std::vector<Measured> findings;
  for (const auto& [key, sum] : sums_) {
    Measured finding{.id = sum.id, .node = node, .detail = sum.subject, .role = Measured::Role::kFound};
    finding.about = sum.about;
    if (!sum.lost.empty()) {
      finding.text = sum.subject + ": " + sum.lost;
      finding.unread = Measured::Unread::kNotReadable;
    } else if (sum.counts) {
      finding.samples = {Dimension::kCount, {sum.grown}};
    } else if (sum.of > 0 || sum.grown > 0) {
      finding.samples = {Dimension::kRatio, {sum.of > 0 ? sum.grown / sum.of : 1}};
    } else {
      continue;
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<std::string> WatchedSums::notes() const {
  std::vector<std::string> notes;
  for (const auto& [key, sum] : sums_)
    if (!sum.names.empty()) notes.push_back(sum.subject + ": " + sum.names);
  return notes;
}

}  // namespace rigproof::record
