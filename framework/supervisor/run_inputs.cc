#include "framework/supervisor/run_inputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "framework/record/run_id.h"
#include "framework/supervisor/exit_code.h"

namespace rigproof {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::vector<Suite> with_cases(const RunOptions& options, const std::vector<Suite>& chosen,
                              std::size_t& cases) {
  const ListRequest request{options.rig, options.thresholds, options.gtest, options.patience};
  std::vector<Suite> suites;
  cases = 0;
  for (const Suite& suite : chosen) {
    const std::size_t count = list_cases(suite, request).size();
    cases += count * static_cast<std::size_t>(options.gtest.repeat);
    if (count > 0) suites.push_back(suite);
  }
  if (suites.empty()) {
    throw Refused(
        options.gtest.selects()
            ? fmt::format("no case matches --gtest_filter={}; see: rigproof list", options.gtest.filter)
            : "the chosen suites have no case for this rig; see: rigproof list");
  }
  return suites;
}

}  // namespace

RunInputs load_inputs(const RunOptions& options) {
  const auto rig = toml::Document::load(options.rig);
  RunInputs inputs{.rig = read_rig(rig),
                   .rig_text = rig.text(),
                   .limits = {},
                   .thresholds_text = {},
                   .suites = {},
                   .cases = 0};
  const auto thresholds = toml::Document::load(options.thresholds);
  inputs.limits = LimitTable::read(thresholds, options.profile, rig_fact_dimensions());
  inputs.thresholds_text = thresholds.text();
  const std::vector<Suite> chosen = choose_suites(find_suites(options.suite_folder), options.suites);
  inputs.suites = with_cases(options, chosen, inputs.cases);
  return inputs;
}

RunStarted describe_run(const RunOptions& options, const RunInputs& inputs, const std::string& when) {
  RunStarted start;
  start.version = RIGPROOF_VERSION;
  start.id = new_run_id(when, inputs.rig.name);
  start.rig = inputs.rig.name;
  start.rig_kind = inputs.rig.kind;
  start.profile = name(options.profile);
  start.command_line = options.command_line;
  start.host = host_name();
  start.stand_in = inputs.rig.stand_in.value_or("");
  if (!options.facts.empty())
    start.stand_in += fmt::format("{}facts recorded in {} for the rig itself",
                                  start.stand_in.empty() ? "" : "; ", options.facts.string());
  start.rig_file = options.rig;
  start.rig_text = inputs.rig_text;
  start.thresholds_file = options.thresholds;
  start.thresholds_text = inputs.thresholds_text;
  return start;
}

}  // namespace rigproof
