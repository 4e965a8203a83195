#include "framework/cli/gate_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "framework/judge/run_judge.h"
#include "framework/supervisor/exit_code.h"
#include "reports/manifest/manifest.h"

namespace rigproof::cli {
namespace {

bool is_stopped(const judge::JudgedRun& run) { return std::ranges::any_of(run.problems, judge::is_stop); }

// The exit code of a complete run. nullopt: there is none, or it was cut off.
std::optional<int> code_of_complete_run(const std::filesystem::path& run) {
  std::error_code none;
  if (!std::filesystem::exists(run / manifest::kManifestName, none)) return {};
  const judge::JudgedRun judged = judge::open_run(run);
  return is_stopped(judged) ? std::nullopt : std::optional(judged.exit_code());
}

}  // namespace

GateRuns::GateRuns(const RunArguments& arguments, std::filesystem::path folder, bool shown)
    : arguments_(arguments), folder_(std::move(folder)), shown_(shown) {}

int GateRuns::make_up_to(int wanted, int planned, const char* more) {
  while (static_cast<int>(runs_.size()) < wanted)
    if (const int code = next(planned, more); code != supervisor::kExitQualified) return code;
  return supervisor::kExitQualified;
}

int GateRuns::next(int planned, const char* more) {
  const std::size_t number = runs_.size() + 1;
  const std::filesystem::path out = folder_ / fmt::format("run-{:03}", number);
  const std::optional<int> earlier = code_of_complete_run(out);
  if (!earlier) set_aside(out);
  fmt::print(stderr, "gate: run {} of {}{}{}, record in {}\n", number, planned, more,
             earlier ? ": made before" : "", out.string());
  const int code = earlier ? *earlier : make(out, number);
  if (!std::filesystem::exists(out / "journal.jsonl")) return code;
  runs_.push_back(out);
  stopped_ = !earlier && code == supervisor::kExitError && is_stopped(judge::open_run(out));
  return code;
}

int GateRuns::make(const std::filesystem::path& out, std::size_t number) const {
  RunArguments arguments = arguments_;
  arguments.out = out;
  arguments.pdf = false;
  if (shown_) return run_and_show(arguments);
  const std::filesystem::path file = folder_ / fmt::format("console-{:03}.txt", number);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> console(std::fopen(file.c_str(), "we"), std::fclose);
  if (console == nullptr) throw supervisor::Refused(fmt::format("{}: cannot write", file.string()));
  return run_and_show(arguments, console.get());
}

void GateRuns::set_aside(const std::filesystem::path& run) {
  if (!std::filesystem::exists(run)) return;
  std::filesystem::path aside;
  for (int i = 1; aside.empty() || std::filesystem::exists(aside); ++i)
    aside = folder_ / fmt::format("cut-off-{}-{}", i, run.filename().string());
  std::filesystem::rename(run, aside);
  notes_.push_back(fmt::format("{} was cut off and repeated: the incomplete run is in {}",
                               run.filename().string(), aside.filename().string()));
}

}  // namespace rigproof::cli
