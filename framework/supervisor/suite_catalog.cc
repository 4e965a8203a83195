#include "framework/supervisor/suite_catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "framework/judge/beside_pairs.h"
#include "framework/judge/judge_case.h"
#include "framework/judge/run_checks.h"
#include "framework/process/library_folders.h"
#include "framework/process/process.h"
#include "framework/record/run_identity.h"
#include "framework/record/strict_json.h"
#include "framework/rig/subjects.h"
#include "framework/supervisor/case_plan.h"
#include "framework/supervisor/exit_code.h"

namespace rigproof::supervisor {

std::vector<std::string> GtestFlags::arguments() const {
  std::vector<std::string> arguments;
  if (!filter.empty()) arguments.push_back("--gtest_filter=" + filter);
  if (repeat != 1) arguments.push_back(fmt::format("--gtest_repeat={}", repeat));
  if (shuffle) {
    arguments.push_back("--gtest_shuffle");
    arguments.push_back(fmt::format("--gtest_random_seed={}", seed));
  }
  if (disabled_too) arguments.push_back("--gtest_also_run_disabled_tests");
  if (first_look) arguments.push_back("--first-look");
  return arguments;
}

namespace {

constexpr std::string_view kPrefix = "rigproof-suite-";

std::vector<std::string> names_of(const std::vector<Suite>& suites) {
  std::vector<std::string> names;
  for (const Suite& suite : suites) names.push_back(suite.name);
  return names;
}

// The line with the description, without output of libraries around it.
std::string_view description_in(std::string_view output) {
  const auto line = output.starts_with('{') ? 0 : output.find("\n{");
  if (line == output.npos) return output;
  const std::string_view rest = output.substr(line == 0 ? 0 : line + 1);
  return rest.substr(0, rest.find('\n'));
}

std::vector<Suite> suites_in(const std::filesystem::path& folder) {
  std::vector<Suite> suites;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string file = entry.path().filename();
    if (!file.starts_with(kPrefix) || access(entry.path().c_str(), X_OK) != 0) continue;
    suites.push_back({file.substr(kPrefix.size()), entry.path()});
  }
  return suites;
}

// Text of the dynamic loader before the name of a library.
constexpr std::string_view kMissing = "error while loading shared libraries: ";
bool lacks_libraries(std::string_view output) { return output.find(kMissing) != output.npos; }

// The dynamic loader's reason why this program cannot start here; empty if it can.
std::string why_not_started(const std::filesystem::path& program) {
  constexpr std::chrono::seconds kLoading{20};
  constexpr int kNotStarted = 127;
  const process::ProcessSpec command{.arguments = {program, "--describe"}, .owns_descendants = true};
  const process::Captured said = process::capture(command, kLoading);
  if (!said.status || process::exit_code_of(*said.status) != kNotStarted) return {};
  const auto at = said.output.find(kMissing);
  const std::string reason = at == std::string::npos ? said.output : said.output.substr(at + kMissing.size());
  return reason.empty() ? said.how_it_ended() : reason.substr(0, reason.find('\n'));
}

// Replaces the suite of this name by the one with NCCL, if that can start here.
void take_place(const Suite& with_nccl, std::vector<Suite>& suites) {
  const auto plain = std::ranges::find(suites, with_nccl.name, &Suite::name);
  if (plain == suites.end()) return suites.push_back(with_nccl);
  const std::string why = why_not_started(with_nccl.program);
  if (why.empty())
    plain->program = with_nccl.program;
  else
    plain->without_nccl = fmt::format(
        "NCCL cannot be used, its cases are not proven: {}. On every node: apt-get install libnccl2 and "
        "the CUDA runtime (libcudart) from NVIDIA's packages, or name their folder in LD_LIBRARY_PATH",
        why);
}

void add_own(const std::filesystem::path& folder, std::vector<Suite>& suites) {
  const std::vector<Suite> added = suites_in(folder);
  if (added.empty())
    throw Refused(fmt::format("--suites {0}: there is no suite (a program rigproof-suite-NAME) in {0}",
                              folder.string()));
  for (const Suite& suite : added) {
    const auto known = std::ranges::find(suites, suite.name, &Suite::name);
    if (known != suites.end())
      throw Refused(fmt::format("--suites {}: there is a suite '{}' already, {}; give this one another name",
                                folder.string(), suite.name, known->program.string()));
    suites.push_back(suite);
  }
}

}  // namespace

bool is_among(const std::vector<Suite>& suites, const std::string& name) {
  return std::ranges::find(suites, name, &Suite::name) != suites.end();
}

std::vector<Suite> find_suites(const SuiteFolders& folders) {
  std::vector<Suite> suites = suites_in(folders.installed);
  if (suites.empty()) {
    throw Refused(
        fmt::format("nothing can be proven: there is no suite in {} (rigproof-suite-NAME); suites are built "
                    "where MPI is found (apt-get install libopenmpi-dev, then build again)",
                    folders.installed.string()),
        kExitNotProven);
  }
  for (const Suite& with_nccl : suites_in(folders.installed / "nccl")) take_place(with_nccl, suites);
  for (const std::filesystem::path& folder : folders.added) add_own(folder, suites);
  std::ranges::sort(suites, {}, &Suite::name);
  return suites;
}

std::vector<Suite> choose_suites(const std::vector<Suite>& known, const std::vector<std::string>& names) {
  if (names.empty()) return known;
  for (const std::string& name : names)
    if (!is_among(known, name))
      throw Refused(fmt::format("--suite: there is no suite '{}'; there are: {}", name,
                                fmt::join(names_of(known), ", ")));
  std::vector<Suite> chosen;
  std::copy_if(known.begin(), known.end(), std::back_inserter(chosen), [&](const Suite& suite) {
    return std::find(names.begin(), names.end(), suite.name) != names.end();
  });
  return chosen;
}

std::vector<std::string> not_built(const std::vector<Suite>& installed) {
  std::vector<std::string> missing;
  std::istringstream words(RIGPROOF_SHIPPED_SUITES);  // the folders of suites/, by CMake
  for (std::string name; words >> name;)
    if (!is_among(installed, name)) missing.push_back(name);
  return missing;
}

namespace {

// Cases grow with the pairs of nodes. kMost: more do not fit into a head node's memory.
std::chrono::milliseconds time_to_list(const DescribeRequest& request) {
  constexpr std::chrono::microseconds kEachPair{6000};
  constexpr std::size_t kMost = 512;
  const std::size_t nodes = std::min(request.nodes, kMost);
  return request.timeouts.list +
         std::chrono::duration_cast<std::chrono::milliseconds>(kEachPair * (nodes * (nodes - 1) / 2));
}

// Characters shown of a refused description, which may list a million cases.
constexpr std::size_t kMostSaid = 2000;

// Remedy if another version wrote an unreadable description; else empty.
std::string other_version(std::string_view description) try {
  const auto json = record::parse_strict_json(description);
  const auto at = nlohmann::json::json_pointer("/program/version");
  if (!json.is_object() || !json.contains(at) || !json[at].is_string()) return {};
  const auto built_against = json[at].get<std::string>(), ours = record::this_program("").version;
  if (built_against == ours) return {};
  return fmt::format(
      "it is built against librigproof-dev {}, this is rigproof {}: build it again with "
      "librigproof-dev {} (",
      built_against, ours, ours);
} catch (const std::exception&) {  // not JSON
  return {};
}

}  // namespace

record::SuiteDescription describe(const Suite& suite, const DescribeRequest& request) {
  process::ProcessSpec command{.arguments = {suite.program, "--describe"},
                               .most_output = std::numeric_limits<std::size_t>::max(),
                               .owns_descendants = true};
  if (!request.rig.empty()) {
    const std::vector<std::string> flags = request.gtest.arguments();
    command.arguments.insert(command.arguments.end(), {"--rig", request.rig});
    if (request.by_example) command.arguments.emplace_back("--examples");
    if (request.with_operator) command.arguments.emplace_back("--operator");
    if (request.rounds.rounds > 0)
      command.arguments.insert(command.arguments.end(), {"--rounds", std::to_string(request.rounds.rounds),
                                                         "--seed", std::to_string(request.rounds.seed)});
    command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  }
  const process::Captured described = process::capture(command, time_to_list(request));
  const auto refuse = [&](const std::string& why) {
    throw Refused(fmt::format("suite {} cannot describe its cases: {}{}\n{:.{}}", suite.name, why,
                              lacks_libraries(described.output) ? process::refused_library_folders() : "",
                              described.output, kMostSaid));
  };
  if (!described.succeeded()) refuse(described.how_it_ended());
  record::SuiteDescription description;
  const std::string_view said = description_in(described.output);
  try {
    description = record::decode_description(said);
  } catch (const std::invalid_argument& error) {
    const std::string why = other_version(said);
    refuse(why.empty() ? error.what() : why + error.what() + ")");
  }
  return description;
}

Describer::Describer(DescribeRequest request, const Rig& rig)
    : request_(std::move(request)),
      rig_(rig),
      sampled_(rig),
      subjects_(std::make_shared<SubjectFinder>(rig)) {
  keep_rounds(sampled_, request_.rounds);
}

PlannedSuite Describer::planned(const Suite& suite, const DescribeRequest& request) const {
  PlannedSuite planned{suite, describe(suite, request), nullptr};
  const record::SuiteTraits& traits = planned.description.traits;
  std::string filter = request.gtest.filter;
  if (request.gtest.first_look) filter = traits.first_look.empty() ? "-*" : traits.first_look;
  planned.cases = std::make_shared<CasePlan>(traits.one_job ? rig_ : sampled_, subjects_, planned.description,
                                             std::move(filter));
  planned.description.plan.cases.clear();
  return planned;
}

PlannedSuite Describer::on_rig(const Suite& suite) const {
  DescribeRequest request = request_;
  try {
    request.by_example = true;
    return planned(suite, request);
  } catch (const NotByExample&) {
    request.by_example = false;
    return planned(suite, request);
  }
}

std::vector<PlannedSuite> Describer::all(const std::vector<Suite>& suites,
                                         const std::vector<Suite>& chosen) const {
  const DescribeRequest without_rig{.rig = {}, .gtest = {}, .timeouts = request_.timeouts};
  std::vector<PlannedSuite> described;
  for (const Suite& suite : suites)
    described.push_back(is_among(chosen, suite.name)
                            ? on_rig(suite)
                            : PlannedSuite{suite, describe(suite, without_rig), nullptr});
  const auto place = [](const PlannedSuite& planned) {
    const int order = planned.description.traits.order;
    return std::pair(order == 0 ? std::numeric_limits<int>::max() : order, planned.suite.name);
  };
  std::ranges::sort(described, {}, place);
  return described;
}

std::vector<record::Declared> declared_by_every_run() {
  return {
      {.id = judge::kStateLimit,
       .kind = "count",
       .needs = "",
       .title = "The rig stays as it is",
       .meaning = "Settings, versions and devices of every node are the same at the end of the run as at "
                  "its beginning.",
       .causes = "Something was changed, rebooted or plugged during the run."},
      {.id = std::string(judge::kBesidePairs),
       .kind = std::string(base_unit(Dimension::kRatio)),
       .needs = "a pair that was too slow while other pairs were measured",
       .title = "Slow beside other pairs",
       .meaning = "The rate beside other pairs, as a part of the rate alone; only for cases that were too "
                  "slow beside them.",
       .causes = "What these pairs share is too slow for all at once: a switch, a cable between switches, "
                 "a CPU."}};
}

std::map<std::string, std::vector<record::Declared>> declared_metrics(const SuiteFolders& folders,
                                                                      std::string_view id) {
  std::map<std::string, std::vector<record::Declared>> all;
  const auto take = [&](const std::string& name, std::vector<record::Declared> declared) {
    const std::vector<record::Declared>& taken = all[name] = std::move(declared);
    return std::ranges::any_of(
        taken, [&](const record::Declared& one) { return judge::is_declared_by(one.id, id); });
  };
  if (take(judge::kRunSuite, declared_by_every_run())) return all;
  std::vector<Suite> suites = find_suites(folders);
  std::stable_partition(suites.begin(), suites.end(),
                        [&](const Suite& suite) { return id.starts_with(suite.name + "."); });
  for (const Suite& suite : suites)
    if (take(suite.name, describe(suite, {}).declared)) break;
  return all;
}

}  // namespace rigproof::supervisor
