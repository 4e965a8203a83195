#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "framework/record/run_record.h"

namespace rigproof {

// Makers of records for tests.

inline Failure failure(Failure::Kind kind, std::string type, std::string message) {
  return {.kind = kind,
          .type = std::move(type),
          .message = std::move(message),
          .node = "node-b",
          .rank = 1,
          .phase = "measure",
          .where = {}};
}

inline Measurement recorded(std::string id) {
  return {
      .id = std::move(id),
      .node = "node-a",
      .detail = {},
      .samples = {Dimension::kDataRate, {0.96e9, 0.97e9, 0.98e9}},
      .unit = "Gbit/s",
      .statistic = Statistic::kMedian,
      .facts = {},
      .judgement = {.verdict = Verdict::kRecorded, .value = 0.97e9, .margin = {}, .limit = {}, .reason = {}},
      .basis = {},
      .remedy = {},
      .limit_where = {}};
}

inline Measurement judged(std::string id, Verdict verdict, double value, double margin) {
  Measurement measurement = recorded(std::move(id));
  measurement.samples.values = {value * 0.99, value, value * 1.01};
  measurement.facts = {{"half.rate", {Dimension::kDataRate, 1e9}}};
  measurement.judgement = {.verdict = verdict,
                           .value = value,
                           .margin = margin,
                           .limit = ">= 0.95 Gbit/s (95 % of half.rate)",
                           .reason = verdict == Verdict::kFail
                                         ? "median 0.51 Gbit/s misses >= 0.95 Gbit/s by 46.3 %; a note"
                                         : ""};
  measurement.basis = {"measured", "this rig, 20 runs", "median 0.978 Gbit/s"};
  measurement.remedy = "check the link's rate (ethtool)";
  measurement.limit_where = "thresholds/model-rig.toml:12";
  return measurement;
}

inline Measurement good() { return judged("tcp.rate.half", Verdict::kPass, 0.978e9, 0.02947); }
inline Measurement missed(std::string id = "tcp.rate.half") {
  return judged(std::move(id), Verdict::kFail, 0.51e9, -0.463);
}

// What judge() leaves of samples that it cannot judge: a limit without a value.
inline Measurement not_judged(std::string id, SampleSet samples) {
  Measurement measurement = judged(std::move(id), Verdict::kError, 0, 0);
  measurement.samples = std::move(samples);
  measurement.unit = "";
  measurement.judgement.margin = {};
  measurement.judgement.reason = "these samples cannot be judged";
  return measurement;
}

inline CaseEnded ending(std::string name, std::vector<Measurement> measurements,
                        std::vector<Failure> failures = {}) {
  return {.suite = "tcp",
          .name = std::move(name),
          .iteration = 1,
          .seconds = 2.5,
          .measuring_s = 2,
          .measurements = std::move(measurements),
          .failures = std::move(failures)};
}

// The events of a run, a second apart, with what suite "tcp" does in short words.
class Story {
 public:
  explicit Story(std::string thresholds = "") {
    add(RunStarted{.version = "0.1.0",
                   .id = "20261120T181500Z-model-rig-4f2a",
                   .rig = "model-rig",
                   .rig_kind = "model",
                   .profile = "smoke",
                   .command_line = "rigproof run --rig model-rig.toml",
                   .host = "head",
                   .rig_file = "model-rig.toml",
                   .rig_text = "[rig]\nname = \"model-rig\"\n",
                   .thresholds_file = "thresholds/model-rig.toml",
                   .thresholds_text = std::move(thresholds),
                   .stand_in = ""});
  }

  Story& add(EventBody body) {
    const std::uint64_t seq = events_.size();
    events_.push_back(
        {seq, fmt::format("2026-11-20T18:{:02}:{:02}.000Z", 15 + seq / 60, seq % 60), std::move(body)});
    return *this;
  }

  Story& launch(int number = 1) {
    return add(SuiteStarted{"tcp", number, "mpirun -np 2 rigproof-suite-tcp"});
  }
  Story& plan(const std::vector<std::string>& names) {
    SuitePlanned plan{"tcp", {}};
    for (const std::string& name : names)
      plan.cases.push_back({name, "rail0: node-a -> node-b", {"node-a", "node-b"}});
    return add(plan);
  }
  Story& start(std::string name, int iteration = 1) {
    return add(CaseStarted{"tcp", std::move(name), iteration});
  }
  Story& run(CaseEnded ended) {
    start(ended.name, ended.iteration);
    return add(std::move(ended));
  }
  Story& done(int number = 1) { return add(SuiteDone{"tcp"}).add(SuiteEnded{"tcp", number, true, ""}); }
  Story& broken_off(int number, std::string reason) {
    return add(SuiteEnded{"tcp", number, false, std::move(reason)});
  }
  Story& end() { return add(RunEnded{0, static_cast<double>(events_.size())}); }

  [[nodiscard]] const std::vector<Event>& events() const& { return events_; }
  const std::vector<Event>& events() const&& = delete;
  [[nodiscard]] RunRecord record() const {
    RunAssembler assembler;
    for (const Event& event : events_) assembler.add(event);
    return assembler.record();
  }

 private:
  std::vector<Event> events_;
};

// A whole healthy run of one suite with these endings.
inline RunRecord run_of(const std::vector<CaseEnded>& endings, std::string thresholds = "") {
  Story story(std::move(thresholds));
  std::vector<std::string> names;
  for (const CaseEnded& ended : endings) names.push_back(ended.name);
  story.launch().plan(names);
  for (const CaseEnded& ended : endings) story.run(ended);
  return story.done().end().record();
}

}  // namespace rigproof
