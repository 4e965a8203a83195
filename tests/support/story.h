#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/judge/run_judge.h"
#include "tests/support/case_place.h"

namespace rigproof {

// Makers of records for tests.

inline record::Failure failure(record::Failure::Kind kind, std::string type, std::string message) {
  return {.kind = kind,
          .type = std::move(type),
          .message = std::move(message),
          .node = "node-b",
          .rank = 1,
          .phase = "measure",
          .where = {}};
}

inline judge::JudgedMeasurement recorded(std::string id) {
  return {.id = std::move(id),
          .node = "node-a",
          .detail = {},
          .samples = {Dimension::kDataRate, {0.96e9, 0.97e9, 0.98e9}},
          .unit = "Gbit/s",
          .statistic = Statistic::kMedian,
          .facts = {},
          .judgement = {.verdict = judge::Verdict::kRecorded,
                        .value = 0.97e9,
                        .margin = {},
                        .limit = {},
                        .reason = {}},
          .basis = {},
          .remedy = {},
          .limit_where = {}};
}

inline judge::JudgedMeasurement judged(std::string id, judge::Verdict verdict, double value, double margin) {
  judge::JudgedMeasurement measurement = recorded(std::move(id));
  measurement.samples.values = {value * 0.99, value, value * 1.01};
  measurement.facts = {{"half.rate", {Dimension::kDataRate, 1e9}}};
  measurement.judgement = {.verdict = verdict,
                           .value = value,
                           .margin = margin,
                           .limit = ">= 0.95 Gbit/s (95 % of half.rate)",
                           .reason = verdict == judge::Verdict::kFail
                                         ? "median 0.51 Gbit/s misses >= 0.95 Gbit/s by 46.3 %; a note"
                                         : "",
                           .bounds = {.at_least = 0.95e9}};
  measurement.basis = {"measured", "this rig, 20 runs", "median 0.978 Gbit/s"};
  measurement.remedy = {.check = {"check the link's rate (ethtool)"}};
  measurement.limit_where = {"thresholds/model-rig.toml", 12};
  return measurement;
}

inline judge::JudgedMeasurement good() {
  return judged("tcp.rate.half", judge::Verdict::kPass, 0.978e9, 0.02947);
}
inline judge::JudgedMeasurement missed(std::string id = "tcp.rate.half") {
  return judged(std::move(id), judge::Verdict::kFail, 0.51e9, -0.463);
}

// A rate that pauses: its median is within the limit, its mean is not.
inline judge::JudgedMeasurement missed_mean() {
  judge::JudgedMeasurement measurement = judged("tcp.rate.half", judge::Verdict::kFail, 0.967e9, -0.2106);
  judge::Judgement& judgement = measurement.judgement;
  judgement.limit = ">= 0.95 Gbit/s and <= 1.05 Gbit/s and mean >= 0.85 Gbit/s";
  judgement.reason = "mean 0.671 Gbit/s misses >= 0.85 Gbit/s by 21.1 %";
  judgement.bounds = {.at_least = 0.95e9, .at_most = 1.05e9};
  judgement.statistics = {{Statistic::kMedian, 0.967e9, judgement.bounds, false},
                          {Statistic::kMean, 0.671e9, {.at_least = 0.85e9}, true}};
  judgement.decided_by = 1;
  return measurement;
}

inline judge::JudgedMeasurement advised(std::string id = "preflight.memlock") {
  judge::JudgedMeasurement measurement = missed(std::move(id));
  measurement.judgement.verdict = judge::Verdict::kAdvice;
  measurement.remedy = {.fix = {"sudo systemctl edit ssh"}, .hint = {"LimitMEMLOCK"}};
  return measurement;
}

// What judge() leaves of samples that it cannot judge: a limit without a value.
inline judge::JudgedMeasurement not_judged(std::string id, SampleSet samples) {
  judge::JudgedMeasurement measurement = judged(std::move(id), judge::Verdict::kError, 0, 0);
  measurement.samples = std::move(samples);
  measurement.unit = "";
  measurement.judgement.margin = {};
  measurement.judgement.reason = "these samples cannot be judged";
  return measurement;
}

// As the record keeps what was judged so.
inline record::Measured raw_of(const judge::JudgedMeasurement& judged) {
  return {.id = judged.id,
          .node = judged.node,
          .detail = judged.axis ? judged.line : judged.detail,
          .axis = judged.axis,
          .samples = judged.samples,
          .role = judged.text.empty() ? record::Measured::Role::kMeasured : record::Measured::Role::kFound,
          .text = judged.text};
}

// A measurement at a place of its own on a curve or in time.
inline judge::JudgedMeasurement with_axis(judge::JudgedMeasurement measurement, record::Axis axis) {
  measurement.line = measurement.detail;
  measurement.detail = detail_text(measurement.detail, axis);
  measurement.axis = std::move(axis);
  return measurement;
}

// The end of a case with the verdicts that a test wants.
struct Ending : record::CaseEnded {
  std::vector<judge::JudgedMeasurement> judged;
};

inline Ending ending(std::string name, std::vector<judge::JudgedMeasurement> judged,
                     std::vector<record::Failure> failures = {}) {
  Ending ended{{.suite = "tcp",
                .name = std::move(name),
                .iteration = 1,
                .seconds = 2.5,
                .measuring_s = 2,
                .measured = {},
                .failures = std::move(failures)},
               std::move(judged)};
  for (const judge::JudgedMeasurement& measurement : ended.judged)
    ended.measured.push_back(raw_of(measurement));
  return ended;
}

// A thresholds file that decides nothing.
inline constexpr const char* kNoLimits =
    "[[limit]]\nid = \"other.nothing\"\nenforce = \"informative\"\nunit = \"%\"\n";

// A test's limits are bounds from below: rates that miss them are too slow.
inline bool is_only_slow(const judge::Attempt& attempt) {
  const auto is_slow = [](const judge::JudgedMeasurement& measurement) {
    return !is_failed_or_error(measurement) || (measurement.judgement.verdict == judge::Verdict::kFail &&
                                                measurement.samples.dimension == Dimension::kDataRate);
  };
  return attempt.failures.empty() && std::ranges::any_of(attempt.measurements, judge::is_failed_or_error) &&
         std::ranges::all_of(attempt.measurements, is_slow);
}

// The events of a run, a second apart, with what suite "tcp" does in short words.
class Story {
 public:
  explicit Story(std::string thresholds = kNoLimits) {
    add(record::RunStarted{.id = "20261120T181500Z-model-rig-4f2a",
                           .rig = "model-rig",
                           .rig_kind = "model",
                           .stand_in = "",
                           .asked = {.suites = {}, .filter = {}, .profile = "smoke", .snapshot = {}},
                           .rig_file = record::text_file("model-rig.toml", "[rig]\nname = \"model-rig\"\n"),
                           .limits = {record::text_file("thresholds/model-rig.toml", std::move(thresholds))},
                           .user = "ann",
                           .host = "head",
                           .command_line = "rigproof run --rig model-rig.toml",
                           .programs = {{"rigproof", "0.1.0", "4e5f", "6a7b"}},
                           .declared = {{"tcp", {{"tcp.*", "any", ""}}}}});
  }

  // The first event, to be changed before the record is made.
  [[nodiscard]] record::RunStarted& begun() { return std::get<record::RunStarted>(events_.front().body); }

  Story& add(record::EventBody body) {
    const std::uint64_t seq = events_.size();
    events_.push_back(
        {seq, fmt::format("2026-11-20T18:{:02}:{:02}.000Z", 15 + seq / 60, seq % 60), std::move(body)});
    return *this;
  }

  Story& launch(int number = 1) {
    return add(record::SuiteStarted{"tcp", number, "mpirun -np 2 rigproof-suite-tcp"});
  }
  Story& plan(const std::vector<std::string>& names) {
    record::SuitePlanned plan{"tcp", {}};
    const auto rig = judge::rig_of(begun());
    for (const std::string& name : names) {
      SubjectPlace place = rig ? place_in(*rig, name) : SubjectPlace();
      if (place.kind == SubjectPlace::Kind::kRun)
        place = {SubjectPlace::Kind::kNodes, "", {"node-a", "node-b"}, true};
      plan.cases.push_back({name, "rail0: node-a -> node-b", std::move(place)});
    }
    return add(plan);
  }
  Story& start(std::string name, int iteration = 1) {
    return add(record::CaseStarted{"tcp", std::move(name), iteration});
  }
  Story& run(Ending ended) {
    start(ended.name, ended.iteration);
    return add(std::move(ended));
  }
  Story& add(Ending ended) {
    (*verdicts_)[ended.name].push_back(ended.judged);
    return add(record::EventBody(static_cast<record::CaseEnded&>(ended)));
  }
  Story& done(int number = 1) {
    return add(record::SuiteDone{"tcp"}).add(record::SuiteEnded{"tcp", number, true, ""});
  }
  Story& broken_off(int number, std::string reason) {
    return add(record::SuiteEnded{"tcp", number, false, std::move(reason)});
  }
  Story& end() { return add(record::RunEnded{static_cast<double>(events_.size())}); }

  [[nodiscard]] const std::vector<record::Event>& events() const& { return events_; }
  const std::vector<record::Event>& events() const&& = delete;
  // With the verdicts that its endings have.
  [[nodiscard]] judge::JudgedRun record() const {
    judge::RunJudge judge(case_judge());
    for (const record::Event& event : events_) judge.add(event);
    return judge.run();
  }
  // Judges a case that ended by the verdicts of its endings, in their order.
  [[nodiscard]] judge::RunJudge::CaseJudge case_judge() const {
    return [verdicts = std::make_shared<Verdicts>(*verdicts_)](
               const record::CaseEnded& ended, const judge::Duty&, const judge::JudgeContext& context) {
      judge::Attempt attempt{.launch = 0,
                             .iteration = ended.iteration,
                             .started = {},
                             .seconds = ended.seconds,
                             .measuring_s = ended.measuring_s,
                             .measurements = {},
                             .failures = ended.failures,
                             .status = judge::Status::kError};
      std::deque<std::vector<judge::JudgedMeasurement>>& left = (*verdicts)[ended.name];
      if (!left.empty()) {
        attempt.measurements = left.front();
        left.pop_front();
      }
      attempt.replaced = judge::is_void(attempt.failures);
      attempt.only_slow = is_only_slow(attempt);
      set_status(attempt, ended.suite + "." + ended.name, context);
      return attempt;
    };
  }

 private:
  using Verdicts = std::map<std::string, std::deque<std::vector<judge::JudgedMeasurement>>>;
  std::vector<record::Event> events_;
  std::shared_ptr<Verdicts> verdicts_ = std::make_shared<Verdicts>();
};

// A whole healthy run of one suite with these endings.
inline judge::JudgedRun run_of(const std::vector<Ending>& endings, std::string thresholds = kNoLimits) {
  Story story(std::move(thresholds));
  std::vector<std::string> names;
  for (const Ending& ended : endings) names.push_back(ended.name);
  story.launch().plan(names);
  for (const Ending& ended : endings) story.run(ended);
  return story.done().end().record();
}

}  // namespace rigproof
