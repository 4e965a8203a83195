#include "tests/runner/launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <cstdio>
#include <optional>

#include "framework/judge/run_judge.h"
#include "framework/record/journal.h"

namespace rigproof {
namespace {

std::filesystem::path source(const std::string& name) {
  return std::filesystem::path(RIGPROOF_SOURCE_DIR) / "tests" / "runner" / name;
}

record::TextFile source_file(const std::string& name) {
  return record::text_file(name, file_text(source(name)));
}

void begin_journal(const std::filesystem::path& path, const record::TextFile& rig) {
  std::filesystem::remove(path);
  record::JournalWriter writer = record::JournalWriter::create(path);
  record::RunStarted run;
  run.rig = "mischief-rig";
  run.rig_kind = "model";
  run.asked.profile = "standard";
  run.rig_file = rig;
  run.limits = {source_file("mischief-limits.toml")};
  writer.write(run);
  writer.write(record::SuiteStarted{"mischief", 1, "mpirun"});
}

std::string quoted(const std::string& word) { return "'" + word + "'"; }

std::optional<judge::JudgedCase> find_case(const judge::JudgedRun& record, const std::string& ending) {
  for (const judge::JudgedSuite& suite : record.suites)
    for (const judge::JudgedCase& test : suite.cases)
      if (test.plan.name.ends_with(ending)) return test;
  return {};
}

}  // namespace

Launched Launcher::launch(const LaunchOptions& options) {
  const auto journal = folder() / "journal.jsonl";
  begin_journal(journal, options.rig.empty() ? source_file("mischief-rig.toml")
                                             : record::text_file("rig.toml", options.rig));
  // Launchers at once have a folder each for Open MPI's own files, or the end of one disturbs the start of another.
  std::string command = fmt::format("env TMPDIR={} {} -np {} {}", folder().string(), RIGPROOF_LOCAL_MPIRUN,
                                    options.ranks, RIGPROOF_MISCHIEF);
  command += fmt::format(" --journal {} --gtest_color=no", journal.string());
  if (options.shared_host) command += " --shared-host";
  for (const std::string& argument : options.arguments) command += " " + quoted(argument);
  if (!options.own_address.empty())
    command = fmt::format(
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 unshare -rn "
        "sh -ec 'ip link set lo up; ip link add here type veth peer name there; ip addr add {} dev here; "
        "ip link set here up; ip link set there up; exec \"$@\"' sh {}",
        options.own_address, command);

  const auto output = folder() / "output";
  const int status = std::system(fmt::format("{} >{} 2>&1 </dev/null", command, output.string()).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(output), judge::read_run(folder())};
}

std::string Launched::status(const std::string& ending) const {
  const auto test = find_case(record, ending);
  return test ? std::string(name(test->status())) : "absent";
}

std::string Launched::failures(const std::string& ending) const {
  const auto test = find_case(record, ending);
  std::string text;
  if (!test || test->attempts.empty()) return text;
  const judge::Attempt& found = test->attempts.front();
  for (const record::Failure& failure : found.failures)
    text += fmt::format("{} {} rank {} {} [{}] {} @ {}\n", name(failure.kind), failure.type, failure.rank,
                        failure.node, failure.phase, failure.message, failure.where);
  for (const judge::JudgedMeasurement& measurement : found.measurements)
    if (!measurement.judgement.reason.empty())
      text += fmt::format("{} {} {} {}: {}\n", name(measurement.judgement.verdict), measurement.id,
                          measurement.node, measurement.detail, measurement.judgement.reason);
  return text;
}

}  // namespace rigproof
