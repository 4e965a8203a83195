#pragma once

#include <fmt/format.h>

#include "framework/compare/comparison.h"
#include "tests/support/story.h"

namespace rigproof {

inline constexpr const char* kRateLimit =
    "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"0.9 Gbit/s\"\ntolerance = \"2 %\"\n"
    "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";

// By the limit above.
inline compare::Comparison compared(const std::vector<compare::RunToCompare>& base,
                                    const std::vector<compare::RunToCompare>& candidate) {
  return compare_runs(base, candidate,
                      LimitTable::read({toml::Document::parse(kRateLimit, "t.toml")}, Profile::kSmoke, {}));
}

inline judge::JudgedMeasurement rate(double value) {
  judge::JudgedMeasurement measurement = good();
  measurement.samples.values = {value};
  measurement.judgement.value = value;
  return measurement;
}

inline compare::RunToCompare run(const std::string& id, const std::vector<Ending>& endings) {
  return {id, "2026-11-20T18:15:00.000Z", "out/" + id, run_of(endings, kRateLimit)};
}

// Runs that measured about this rate in one case.
inline std::vector<compare::RunToCompare> runs(const std::string& name, double value, int count = 7) {
  std::vector<compare::RunToCompare> runs;
  for (int i = 0; i < count; ++i)
    runs.push_back(
        run(fmt::format("{}-{}", name, i), {ending("Rail.Fills/rail0", {rate(value * (1 + 1e-4 * i))})}));
  return runs;
}

}  // namespace rigproof
