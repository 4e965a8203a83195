#include "reports/text/remedies.h"

#include <fmt/format.h>

#include <unordered_set>

#include "reports/text/clean.h"
#include "reports/text/describe.h"

namespace rigproof {
namespace {

constexpr std::string_view kRemark = " # ";

std::string line_of(const JudgedMeasurement& missed) {
  const std::string remedy = one_line(missed.remedy);
  const auto remark = remedy.find(kRemark);
  std::string line = remedy.substr(0, remark);
  line.erase(line.find_last_not_of(' ') + 1);
  line += "   # " + one_line(missed.node);
  return remark == std::string::npos ? line : line + ": " + remedy.substr(remark + kRemark.size());
}

}  // namespace

std::vector<std::string> remedies_of(const JudgedRun& run) {
  std::vector<std::string> lines;
  std::unordered_set<std::string> told;
  JudgedCase buffer;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& planned : suite.cases) {
      const Status status = planned.status();
      if (status != Status::kFailed && status != Status::kError) continue;
      const Attempt* attempt = whole(run, planned, buffer).deciding();
      if (attempt == nullptr) continue;
      for (const JudgedMeasurement* missed : misses(*attempt)) {
        if (missed->remedy.empty()) continue;
        std::string line = line_of(*missed);
        if (told.insert(line).second) lines.push_back(std::move(line));
      }
    }
  return lines;
}

}  // namespace rigproof
