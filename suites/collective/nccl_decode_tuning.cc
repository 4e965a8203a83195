// Finds the channels and buffer size of NCCL that suit a step of decoding: the time of short all_reduces by each, and the best
// as lines for nccl.conf. Catches: settings, or a choice of NCCL's own, that cost tokens a second on this rig. NCCL alone
// chooses the protocol: LL128 corrupts data where NCCL does not use it itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "framework/runner/context.h"
#include "framework/runner/not_there.h"
#include "suites/collective/nccl_case.h"

namespace rigproof::collective {

RIGPROOF_METRICS(
    {"collective.nccl.untuned", "NCCL's settings suit short operations",
     "How much longer short NCCL all_reduces take with the settings in effect than with the best found.",
     "NCCL's channels or buffer size do not suit this rig."});

namespace {

using namespace std::chrono_literals;
using Settings = std::map<std::string, std::string>;

constexpr std::array kSizes{DataSize::kibibytes(8), DataSize::kibibytes(64), DataSize::mebibytes(1)};
constexpr double kBetter = 0.95;  // of the time of the best so far: less than this is noise

Settings channels(int number) {
  return {{"NCCL_MIN_NCHANNELS", std::to_string(number)}, {"NCCL_MAX_NCHANNELS", std::to_string(number)}};
}
// One after the other, each beside the best of those before: all combinations would take an hour.
std::vector<std::vector<Settings>> steps() {
  return {{channels(1), channels(2), channels(4), channels(8), channels(16)},
          {{{"NCCL_BUFFSIZE", "1048576"}}, {{"NCCL_BUFFSIZE", "8388608"}}}};
}

std::string text_of(const Settings& settings) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : settings) lines.push_back(name + "=" + value);
  return lines.empty() ? "as they are" : fmt::format("{}", fmt::join(lines, " "));
}

class NcclDecodeTuning : public NcclCase<NodePath> {
 protected:
  // The geometric mean of the times of all sizes; equal on all ranks. nullopt: NCCL has no code for the GPU.
  [[nodiscard]] std::optional<double> time_with(const Settings& settings) {
    Settings variables = settings;
    variables.emplace("NCCL_DEBUG", "INFO");  // a process of its own, also without settings
    if (!connect(variables, nccl::NcclWaits::kSpin)) return {};
    double sum = 0;
    for (const DataSize size : kSizes) {
      const CollectiveResult result =
          run_bursts({Operation::kAllReduce, size}, settings.empty() ? "" : text_of(settings) + ", ");
      sum += std::log(evaluate(Statistic::kMedian, result.times.set().values));
      if (reports())
        record("collective.nccl.decode", result.times, {record::at(to_quantity(size)), text_of(settings)});
    }
    return std::exp(sum / kSizes.size());
  }
};

RIGPROOF_TEST(NcclDecodeTuning, ByChannelsAndBuffer,
              Reports::ratio("collective.nccl.untuned").where_there()) {
  phase("profile", 1s, [] {
    if (suite_context().profile != Profile::kAcceptance)
      throw NotThere("collective.nccl.untuned", "NCCL starts eight times: only in the profile acceptance");
  });
  const std::optional<double> usual = time_with({});
  if (!usual) return;
  Settings best;
  double shortest = *usual;
  for (const std::vector<Settings>& step : steps()) {
    const Settings before = best;
    for (Settings tried : step) {
      tried.insert(before.begin(), before.end());
      const std::optional<double> took = time_with(tried);
      if (!took || *took >= kBetter * shortest) continue;
      shortest = *took;
      best = tried;
    }
  }
  if (!reports()) return;
  const std::string text = text_of(best);
  found("collective.nccl.best", text, {.node = node()});
  found("collective.nccl.untuned", ratio(*usual / shortest), {.node = node(), .about = {{"settings", text}}});
}
RIGPROOF_CASES(EachPair, NcclDecodeTuning, nccl::every_gpu_pair);

}  // namespace
}  // namespace rigproof::collective
