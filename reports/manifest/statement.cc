#include "reports/manifest/statement.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "framework/record/files.h"
#include "reports/text/clean.h"

namespace rigproof::manifest {
namespace {

using nlohmann::ordered_json;

ordered_json resource(const std::string& name, const std::string& sha256) {
  return {{"name", text::one_line(name)}, {"digest", {{"sha256", sha256}}}};
}

}  // namespace

std::string statement_of(const judge::JudgedRun& run, const Evidence& evidence) {
  ordered_json configuration = ordered_json::array();
  configuration.push_back(resource(run.start.rig_file.file, record::sha256(run.start.rig_file.text)));
  for (const record::TextFile& limits : run.start.limits)
    configuration.push_back(resource(limits.file, record::sha256(limits.text)));

  ordered_json passed = ordered_json::array(), warned = passed, failed = passed;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) {
      const judge::Status status = test.status();
      if (status == judge::Status::kRecorded) continue;
      ordered_json& list = status == judge::Status::kPassed   ? passed
                           : status == judge::Status::kWaived ? warned
                                                              : failed;
      list.push_back(text::one_line(test.full_name()));
    }
  const bool good = run.exit_code() == 0;
  const char* result = !good                                            ? "FAILED"
                       : run.verdict() == "QUALIFIED" && warned.empty() ? "PASSED"
                                                                        : "WARNED";
  const ordered_json statement = {
      {"_type", "https://in-toto.io/Statement/v1"},
      {"subject", {resource(fmt::format("evidence of run {}", run.start.id), evidence.hash)}},
      {"predicateType", "https://in-toto.io/attestation/test-result/v0.1"},
      {"predicate",
       {{"result", result},
        {"configuration", configuration},
        {"passedTests", passed},
        {"warnedTests", warned},
        {"failedTests", failed}}}};
  return statement.dump(2) + "\n";
}

}  // namespace rigproof::manifest
