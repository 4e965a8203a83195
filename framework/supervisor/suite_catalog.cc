#include "framework/supervisor/suite_catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>

#include "framework/process/capture.h"
#include "framework/supervisor/exit_code.h"

namespace rigproof {
namespace {

constexpr std::string_view kPrefix = "rigproof-suite-";
constexpr std::array<std::string_view, 10> kOrder{"preflight", "host", "switch",     "link", "mtu",
                                                  "tcp",       "rdma", "collective", "phy",  "redundancy"};

std::size_t place(std::string_view name) {
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), name) - kOrder.begin());
}

bool runs_before(const Suite& a, const Suite& b) {
  return std::pair(place(a.name), a.name) < std::pair(place(b.name), b.name);
}

std::vector<std::string> names_of(const std::vector<Suite>& suites) {
  std::vector<std::string> names;
  for (const Suite& suite : suites) names.push_back(suite.name);
  return names;
}

bool is_disabled(std::string_view test_suite, std::string_view test) {
  const auto last = test_suite.rfind('/');
  const std::string_view fixture = last == std::string_view::npos ? test_suite : test_suite.substr(last + 1);
  return test.starts_with("DISABLED_") || test_suite.starts_with("DISABLED_") ||
         fixture.starts_with("DISABLED_");
}

std::string_view next_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line.substr(0, line.find("  # "));
}

}  // namespace

std::vector<Suite> find_suites(const std::filesystem::path& folder) {
  std::vector<Suite> suites;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string file = entry.path().filename();
    if (!file.starts_with(kPrefix) || access(entry.path().c_str(), X_OK) != 0) continue;
    suites.push_back({file.substr(kPrefix.size()), entry.path()});
  }
  if (suites.empty()) {
    throw Refused(
        fmt::format("nothing can be proven: there is no suite in {} (rigproof-suite-NAME); suites are built "
                    "where MPI is found (apt-get install libopenmpi-dev, then build again)",
                    folder.string()),
        kExitNotProven);
  }
  std::sort(suites.begin(), suites.end(), runs_before);
  return suites;
}

std::vector<Suite> choose_suites(const std::vector<Suite>& known, const std::vector<std::string>& names) {
  if (names.empty()) return known;
  const std::vector<std::string> there = names_of(known);
  for (const std::string& name : names) {
    if (std::find(there.begin(), there.end(), name) != there.end()) continue;
    throw Refused(
        fmt::format("--suite: there is no suite '{}'; there are: {}", name, fmt::join(there, ", ")));
  }
  std::vector<Suite> chosen;
  std::copy_if(known.begin(), known.end(), std::back_inserter(chosen), [&](const Suite& suite) {
    return std::find(names.begin(), names.end(), suite.name) != names.end();
  });
  return chosen;
}

bool is_house_suite(std::string_view name) { return place(name) < kOrder.size(); }

bool loads_rails(std::string_view name) { return name == "collective" || name == "phy"; }

std::vector<std::string> list_cases(const Suite& suite, const ListRequest& request) {
  std::vector<std::string> command{suite.program, "--rig", request.rig};
  if (request.thresholds) command.insert(command.end(), {"--thresholds", *request.thresholds});
  const std::vector<std::string> flags = request.gtest.arguments();
  command.insert(command.end(), flags.begin(), flags.end());
  command.push_back("--gtest_list_tests");
  const Captured listed = capture(command, request.patience.list);
  if (!listed.succeeded()) {
    throw Refused(fmt::format("suite {} cannot list its cases: {}\n{}", suite.name, listed.how_it_ended(),
                              listed.output));
  }
  return parse_case_list(listed.output, request.gtest.disabled_too);
}

std::vector<std::string> parse_case_list(std::string_view text, bool disabled_too) {
  std::vector<std::string> names;
  std::string test_suite;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.starts_with("  ") && !test_suite.empty()) {
      const std::string_view test = line.substr(2);
      if (disabled_too || !is_disabled(test_suite, test))
        names.push_back(fmt::format("{}.{}", test_suite, test));
    } else {
      test_suite = line.ends_with('.') ? line.substr(0, line.size() - 1) : "";
    }
  }
  return names;
}

}  // namespace rigproof
