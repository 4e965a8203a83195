#include "framework/record/measured.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace rigproof::record {
namespace {

// Exact: a point of a sweep is a power of two.
std::string size_text(double bytes) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits{
      {{1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}}};
  for (const auto& [scale, unit] : kUnits)
    if (bytes >= scale && std::fmod(bytes, scale) == 0) return fmt::format("{} {}", bytes / scale, unit);
  return fmt::format("{} B", bytes);
}

}  // namespace

Axis at(Quantity x) { return {Axis::Kind::kPoint, std::string(name(x.dimension)), x}; }

Axis at(double number, std::string of) { return {Axis::Kind::kPoint, std::move(of), count(number)}; }

Axis every(std::chrono::duration<double> interval) {
  return {Axis::Kind::kSeries, "time", to_quantity(interval)};
}

std::string to_text(const Axis& axis) {
  if (axis.kind == Axis::Kind::kSeries) return "every " + to_text(axis.x);
  if (axis.x.dimension == Dimension::kDataSize) return "at " + size_text(axis.x.value);
  if (axis.x.dimension == Dimension::kCount) return fmt::format("at {} {}", axis.x.value, axis.of);
  return "at " + to_text(axis.x);
}

std::string detail_text(const std::string& detail, const std::optional<Axis>& axis) {
  if (!axis) return detail;
  return detail.empty() ? to_text(*axis) : detail + " " + to_text(*axis);
}

std::string_view name(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::kFail:
      return "fail";
    case Failure::Kind::kError:
      return "error";
    case Failure::Kind::kSkip:
      return "skip";
  }
  return "error";
}

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
    if (sum.lost.find(look.lost) == sum.lost.npos) append(sum.lost, look.lost);  // without repetition
    if (!look.absent.empty()) sum.absent = look.absent;
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
    } else if (!sum.absent.empty()) {
      finding.text = sum.absent;
      finding.unread = Measured::Unread::kNothingThere;
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
