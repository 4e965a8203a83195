#include "tests/runner/launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <cstdio>
#include <optional>

#include "framework/record/journal.h"

namespace rigproof {
namespace {

std::filesystem::path source(const std::string& name) {
  return std::filesystem::path(RIGPROOF_SOURCE_DIR) / "tests" / "runner" / name;
}

void begin_journal(const std::filesystem::path& path) {
  std::filesystem::remove(path);
  JournalWriter writer = JournalWriter::create(path);
  RunStarted run;
  run.rig = "mischief-rig";
  run.profile = "standard";
  run.thresholds_file = "mischief-limits.toml";
  run.thresholds_text = file_text(source("mischief-limits.toml"));
  writer.write(run);
  writer.write(SuiteStarted{"mischief", 1, "mpirun"});
}

std::string quoted(const std::string& word) { return "'" + word + "'"; }

std::optional<CaseRecord> find_case(const RunRecord& record, const std::string& ending) {
  for (const SuiteRecord& suite : record.suites)
    for (const CaseRecord& test : suite.cases)
      if (test.plan.name.ends_with(ending)) return test;
  return {};
}

}  // namespace

Launched Launcher::launch(const LaunchOptions& options) {
  const auto journal = folder() / "journal.jsonl", rig = folder() / "rig.toml";
  begin_journal(journal);
  write_text(rig, options.rig.empty() ? file_text(source("mischief-rig.toml")) : options.rig);
  std::string command = fmt::format("{} -np {} {}", RIGPROOF_LOCAL_MPIRUN, options.ranks, RIGPROOF_MISCHIEF);
  command += fmt::format(" --rig {} --journal {}", rig.string(), journal.string());
  command += fmt::format(" --thresholds {}", source("mischief-limits.toml").string());
  command += " --gtest_color=no";
  if (options.shared_host) command += " --shared-host";
  for (const std::string& argument : options.arguments) command += " " + quoted(argument);

  const auto output = folder() / "output";
  const int status = std::system(fmt::format("{} >{} 2>&1 </dev/null", command, output.string()).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(output), read_run(folder())};
}

std::string Launched::status(const std::string& ending) const {
  const auto test = find_case(record, ending);
  return test ? std::string(name(test->status())) : "absent";
}

std::string Launched::failures(const std::string& ending) const {
  const auto test = find_case(record, ending);
  std::string text;
  if (!test || test->attempts.empty()) return text;
  const Attempt& found = test->attempts.front();
  for (const Failure& failure : found.failures)
    text += fmt::format("{} {} rank {} {} [{}] {} @ {}\n", name(failure.kind), failure.type, failure.rank,
                        failure.node, failure.phase, failure.message, failure.where);
  for (const Measurement& measurement : found.measurements)
    if (!measurement.judgement.reason.empty())
      text += fmt::format("{} {} {} {}: {}\n", name(measurement.judgement.verdict), measurement.id,
                          measurement.node, measurement.detail, measurement.judgement.reason);
  return text;
}

}  // namespace rigproof
