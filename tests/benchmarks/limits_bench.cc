// What limits cost a run: loading a thresholds file once, then a lookup and a judgement for each measurement.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "framework/judge/judgement.h"
#include "framework/limits/limit_table.h"

namespace rigproof {
namespace {

const FactDimensions kDimensions = {{"half.rate", Dimension::kDataRate}};
const Facts kFacts = {{"half.rate", to_quantity(DataRate::gigabits_per_second(1))}};

std::string id_of(std::int64_t number) { return fmt::format("suite.measurement.{}", number); }

toml::Document thresholds(std::int64_t limits) {
  std::string text;
  for (std::int64_t i = 0; i < limits; ++i) {
    text += fmt::format(
        "[[limit]]\nid = '{}'\nat_least = '95 % of half.rate'\nremedy.check = 'look'\n"
        "basis = {{ kind = 'policy', source = 'us', quote = 'we say so' }}\n",
        id_of(i));
  }
  return toml::Document::parse(text, "bench.toml");
}

LimitTable table_of(std::int64_t limits) {
  return LimitTable::read({thresholds(limits)}, Profile::kStandard, kDimensions);
}

void parse_and_read(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(table_of(state.range(0)));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(parse_and_read)->RangeMultiplier(10)->Range(10, 1000)->Unit(benchmark::kMillisecond)->Complexity();

void find(benchmark::State& state) {
  const LimitTable table = table_of(state.range(0));
  const std::string id = id_of(state.range(0) / 2);
  for (auto _ : state) benchmark::DoNotOptimize(table.find(id));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(find)->RangeMultiplier(10)->Range(10, 1000)->Complexity(benchmark::oLogN);

void find_and_judge(benchmark::State& state) {
  const LimitTable table = table_of(100);
  const std::string id = id_of(50);
  const SampleSet samples{Dimension::kDataRate,
                          std::vector<double>(static_cast<std::size_t>(state.range(0)), 0.97e9)};
  for (auto _ : state) benchmark::DoNotOptimize(judge::judge(*table.find(id), samples, kFacts));
}
BENCHMARK(find_and_judge)->Arg(1)->Arg(100)->Arg(10000);

}  // namespace
}  // namespace rigproof
