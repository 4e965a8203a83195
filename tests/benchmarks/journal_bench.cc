// What a record costs a run: an event written to the journal, and one read back.
#include <benchmark/benchmark.h>

#include "framework/record/journal.h"
#include "tests/support/story.h"
#include "tests/support/temp_folder.h"

namespace rigproof {
namespace {

record::CaseEnded ending_with(std::int64_t samples) {
  judge::JudgedMeasurement measurement = good();
  measurement.samples.values.assign(static_cast<std::size_t>(samples), 0.9781234567e9);
  return ending("Rail/ManyStreams.FillTheHalf/rail0", {measurement});
}

void write_phase_started(benchmark::State& state) {
  const TempFolder folder;
  record::JournalWriter writer = record::JournalWriter::create(folder.path() / "journal.jsonl");
  const record::PhaseStarted phase{"tcp", "Rail/ManyStreams.FillTheHalf/rail0", "measure", 30};
  for (auto _ : state) writer.write(phase);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(write_phase_started);

void write_case_ended(benchmark::State& state) {
  const TempFolder folder;
  record::JournalWriter writer = record::JournalWriter::create(folder.path() / "journal.jsonl");
  const record::CaseEnded ended = ending_with(state.range(0));
  for (auto _ : state) writer.write(ended);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(write_case_ended)->Arg(1)->Arg(100)->Arg(10000);

void read_case_ended(benchmark::State& state) {
  const TempFolder folder;
  const auto path = folder.path() / "journal.jsonl";
  record::JournalWriter writer = record::JournalWriter::create(path);
  const record::CaseEnded ended = ending_with(100);
  for (std::int64_t event = 0; event < state.range(0); ++event) writer.write(ended);
  for (auto _ : state) {
    record::JournalReader reader(path);
    while (auto event = reader.next()) benchmark::DoNotOptimize(event);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(read_case_ended)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rigproof
