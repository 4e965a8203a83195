#include "framework/cli/stated_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "framework/units/printable.h"
#include "reports/text/markup.h"

namespace rigproof::cli {
namespace {

enum class Says { kVerdict, kExitCode, kOcpResult };

// A stated text: after `mark`, within kReach, between `from` and the first character of `to`, if `then` follows.
struct Place {
  std::string_view report, mark, from, to, then;
  Says says = Says::kVerdict;
};
constexpr std::size_t kReach = 4096;
constexpr std::array kPlaces{
    Place{"report.html", "name=\"rigproof-verdict\" content=\"", "", "\"", ""},
    Place{"report.html", "class=\"verdict ", "<strong>", ",<", ""},
    Place{"report.html", "<h2>Scope</h2>", "<p>", ",:<", ""},
    Place{"junit.xml", "<property name=\"verdict\" value=\"", "", "\"", ""},
    Place{"junit-strict.xml", "<property name=\"verdict\" value=\"", "", "\"", ""},
    Place{"summary.md", "\x02\n# ", "", ",\n", ""},
    Place{"metrics.txt", "rigproof_verdict{rigproof_verdict=\"", "", "\"", "} 1"},
    Place{"metrics.txt", "\nrigproof_exit_code{", "} ", "\n", "", Says::kExitCode},
    Place{"metrics.prom", "\nrigproof_run_verdict{", ",verdict=\"", "\"", "} 1"},
    Place{"metrics.prom", "\nrigproof_run_exit_code{", "} ", "\n", "", Says::kExitCode},
    Place{"ocp.jsonl", "\"metadata\":{\"run\":", ",\"verdict\":\"", "\"", ""},
    Place{"ocp.jsonl", "\"testRunEnd\":{", "\"result\":\"", "\"", "", Says::kOcpResult},
};
constexpr std::size_t kLongestMark = 64;

// The text at a place; `behind` begins after the place's mark. Empty: none.
std::string_view stated(const Place& place, std::string_view behind) {
  behind = behind.substr(0, kReach);
  const auto from = behind.find(place.from);
  if (from == behind.npos) return {};
  behind.remove_prefix(from + place.from.size());
  const auto to = behind.find_first_of(place.to);
  if (to == behind.npos || !behind.substr(to + 1).starts_with(place.then)) return {};
  return behind.substr(0, to);
}

const char* ocp_result(int exit_code) {
  return exit_code == 0 ? "PASS" : exit_code == 1 ? "FAIL" : "NOT_APPLICABLE";
}

}  // namespace

StatedVerdicts::StatedVerdicts(std::string report) : report_(std::move(report)) {
  if (std::ranges::find(kPlaces, report_, &Place::report) == kPlaces.end()) report_.clear();
  kept_ = "\x02\n";  // marks the start of the report and of a line
}

void StatedVerdicts::add(std::string_view piece) {
  if (report_.empty()) return;
  kept_ += piece;
  search(false);
}

void StatedVerdicts::finish() { search(true); }

void StatedVerdicts::search(bool to_the_end) {
  const std::size_t whole = kReach + kLongestMark;
  const std::size_t end = to_the_end ? kept_.size() : kept_.size() - std::min(kept_.size(), whole);
  for (const Place& place : kPlaces) {
    if (place.report != report_) continue;
    for (auto at = kept_.find(place.mark); at < end; at = kept_.find(place.mark, at + 1)) {
      const std::string text(stated(place, std::string_view(kept_).substr(at + place.mark.size())));
      if (text.empty()) continue;
      (place.says == Says::kVerdict    ? verdicts_
       : place.says == Says::kExitCode ? exit_codes_
                                       : results_)
          .insert(text);
    }
  }
  kept_.erase(0, end);
}

std::string StatedVerdicts::fault(const judge::JudgedRun& run) const {
  if (verdicts_.empty() && exit_codes_.empty() && results_.empty())
    return "";  // the verdict needs all cases of the run
  const auto differing = [](const std::set<std::string>& stated, const std::string& judged) {
    const auto other = std::ranges::find_if(stated, [&](const std::string& one) { return one != judged; });
    return other == stated.end() ? "" : *other;
  };
  std::string other = differing(verdicts_, run.verdict());
  if (other.empty()) other = differing(exit_codes_, std::to_string(run.exit_code()));
  if (other.empty()) other = differing(results_, ocp_result(run.exit_code()));
  if (other.empty()) return "";
  return fmt::format("says {}, but the record is judged {} (exit code {})",
                     text::shortened(text::one_line(other), 60), run.verdict(), run.exit_code());
}

}  // namespace rigproof::cli
