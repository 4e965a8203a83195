#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "framework/ranks/rank_group.h"
#include "framework/record/events.h"
#include "framework/record/measured.h"
#include "framework/rig/rig.h"
#include "framework/rig/subjects.h"
#include "framework/runner/cable_puller.h"
#include "framework/runner/declare.h"
#include "framework/stats/rate_series.h"

namespace rigproof::inline runner {

// How long a profile measures. Durations affect precision, never a verdict.
struct Windows {
  std::chrono::milliseconds warm_up;  // not part of the result
  std::chrono::milliseconds window;   // measured
  int intervals;                      // samples a window is cut into
  int repeats;                        // number of short operations: probes, round trips
};

// A place in the source; as a default argument: the caller's.
struct SourcePlace {
  const char* file;
  int line;
  static constexpr SourcePlace here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

// Base class of hardware expectations. Every rank runs every case. A case has a few phases that all ranks
// enter, and measurements that the framework judges on rank 0. A body never judges and holds no deciding
// number.
//
//   class FullSize : public RigTest<RailPath> {};
//   RIGPROOF_TEST(FullSize, ComesBackQuickly, Reports::count("latency.lost"), Reports::time("latency.full_size")) {
//     const flows::Echo echo = measure("echo", std::chrono::seconds(60), [&] {
//       return flows::echo_along(rig(), ranks(), subject(), windows().repeats, rig().half(subject().from).mtu);
//     });
//     if (!here(subject().from.node)) return;
//     report("latency.lost", count(echo.trips.lost));
//     if (!echo.trips.times.empty()) report("latency.full_size", echo.trips.times);
//   }
//   RIGPROOF_CASES(EachRail, FullSize, every_rail_pair);
// Calls are local and throw nothing unless stated. At the end of the case, reports and notes of all ranks are
// recorded with the rank's node.
// on record, as of this rank's node, once the case has ended.
class RigTestBase : public testing::Test {
 protected:
  [[nodiscard]] const Rig& rig() const;
  [[nodiscard]] RankGroup& ranks() const;
  [[nodiscard]] Windows windows() const;
  [[nodiscard]] std::size_t node() const;  // this rank's node
  [[nodiscard]] bool here(std::size_t node) const { return node == this->node(); }

  // Collective. Runs body() on every rank, then agrees. Returns body's value if every rank is ok; otherwise
  // leaves the test on every rank and records the failure with rank, node and phase. Exceptions, fatal
  // failures and a passed deadline are failures of this rank. Waits inside body must call ranks().poll().
  // After a failure no phase starts, not even in TearDown(): clean up in destructors.
  template <class Body>
  auto phase(std::string_view name, std::chrono::nanoseconds deadline, Body body,
             SourcePlace where = SourcePlace::here()) {
    return run_phase({name, deadline, false, where, {}}, body);
  }
  // The same, counted as measuring time; the rest of a case is overhead.
  template <class Body>
  auto measure(std::string_view name, std::chrono::nanoseconds deadline, Body body,
               SourcePlace where = SourcePlace::here()) {
    return run_phase({name, deadline, true, where, {}}, body);
  }

  // The same while this cable is pulled: counters of the ports at its ends are ignored. Not proven if the
  // body throws NobodyDidIt.
  template <class Body>
  auto measure_pulled(const PortPath& cable, std::string_view name, std::chrono::nanoseconds deadline,
                      Body body, SourcePlace where = SourcePlace::here()) {
    const auto pulling = [&] {
      try {
        return body();
      } catch (const NobodyDidIt& nobody) {
        not_proven(nobody.what());
      }
    };
    return run_phase({name, deadline, true, where, {cable.from, cable.to}}, pulling);
  }
  // Pulls the cable out of this port, for cables::CablePull (fixtures/cables/cable_pull.h). Local. Throws
  // std::logic_error on rigs without has_cable_puller().
  [[nodiscard]] static RecordedPuller cable_puller(PortRef port);
  // Lets time pass within a phase. Throws if another rank has failed, or at the deadline.
  void wait(std::chrono::nanoseconds time) const;

  // Distinguishes measurements of one id in a case: by a name, a place on a curve or in time, or both.
  //   report("tcp.rate.half", rates, "enp1s0f0np0 tx");   report(id, rate, {at(8, "queue pairs"), "rail0"})
  struct Detail {
    std::string name;
    std::optional<record::Axis> axis;
    Detail() = default;
    Detail(std::convertible_to<std::string> auto text) : name(std::move(text)) {}
    Detail(std::string_view text) : name(text) {}
    Detail(record::Axis place, std::string text = {}) : name(std::move(text)), axis(std::move(place)) {}
  };

  // Local. Records samples, to be judged by the limit with this id. No such limit: an error.
  template <class Value>
  void report(std::string_view id, const Samples<Value>& samples, Detail detail = {}) {
    add(id, samples.set(), std::move(detail), record::Measured::Role::kMeasured);
  }
  void report(std::string_view id, SampleSet samples, Detail detail = {}) {
    add(id, std::move(samples), std::move(detail), record::Measured::Role::kMeasured);
  }
  void report(std::string_view id, Quantity value, Detail detail = {}) {
    add(id, {value.dimension, {value.value}}, std::move(detail), record::Measured::Role::kMeasured);
  }
  template <class Value>
  requires requires(Value value) { to_quantity(value); }
  void report(std::string_view id, Value value, Detail detail = {}) {
    report(id, to_quantity(value), std::move(detail));
  }

  // A sustained rate (Reports::sustained): the rate, its worst interval and its longest gap, each with a
  // limit of its own: "tcp.worst_interval", "tcp.longest_gap".
  void report(std::string_view id, const SustainedRate auto& rates, Detail detail = {}) {
    report(id, rates.intervals(), detail);
    report_steadiness(rates, std::move(detail));
  }
  // Rates of several paths at once (Reports::sum_of_paths): their sum under `id`; per path its worst
  // interval, longest gap and, if there are several, share ("tcp.share").
  void report(std::string_view id, const std::vector<RateSeries>& paths, Detail detail = {});
  // Reports worst interval and longest gap only, for a rate whose value is reported elsewhere.
  void report_steadiness(const SustainedRate auto& rates, Detail detail = {}) {
    report_steadiness(rates.intervals(), rates.longest_gap(), std::move(detail));
  }
  // Reports the shares of two or more paths.
  void report_shares(const std::vector<RateSeries>& paths, const std::string& detail = {});

  // Local. The same without a limit: recorded as context, never judged.
  template <class Value>
  void record(std::string_view id, const Samples<Value>& samples, Detail detail = {}) {
    add(id, samples.set(), std::move(detail), record::Measured::Role::kBeside);
  }
  void record(std::string_view id, SampleSet samples, Detail detail = {}) {
    add(id, std::move(samples), std::move(detail), record::Measured::Role::kBeside);
  }
  void record(std::string_view id, Quantity value, Detail detail = {}) {
    add(id, {value.dimension, {value.value}}, std::move(detail), record::Measured::Role::kBeside);
  }

  // Local. Reports a fact of a node, from any rank; judged if the thresholds have a limit for it. `about`
  // adds values for the placeholders of the limit's remedy to those of the subject ({node}, {wanted} and
  // Subject::remedy_values()). Throws std::out_of_range for an unknown node.
  struct Finding {
    std::size_t node;
    std::string detail = {};
    RemedyValues about = {};
  };
  void found(std::string_view id, Quantity value, const Finding& finding);
  void found(std::string_view id, const std::string& text, const Finding& finding);
  // The fact could not be read, for this reason: with a limit, the case is not proven.
  void unread(std::string_view id, const std::string& why, const Finding& finding);
  // The fact does not exist here, and a sound rig may lack it.
  void nothing_there(std::string_view id, const std::string& why, const Finding& finding);

  // Records as "SUITE.strangers" which others sent data to this node's ends. No result changed.
  void found_strangers(const std::vector<std::string>& strangers);
  // Reports what a load (flows::Flows) received: strangers, and for each path how the data compares with what was sent, as
  // "SUITE.data_differs" and "SUITE.data_compared". `when` begins each note and detail.
  void report_data(const auto& load, const std::string& when = {}) {
    found_strangers(load.strangers());
    for (const auto& seen : load.data_seen()) {
      if (!seen.first.empty()) note(when + seen.first);
      report(of_suite("data_differs"), count(seen.differing_pieces), when + seen.path);
      record(of_suite("data_compared"), ratio(seen.compared), when + seen.path);
    }
  }

  // has_required_limit: true if the thresholds require the limit. limits_under: the rest of all ids that begin
  // with `prefix`. Other ranks have no limits.
  [[nodiscard]] bool has_required_limit(std::string_view id) const;
  [[nodiscard]] std::vector<std::string> limits_under(std::string_view prefix) const;
  // The limit's dimension; nullopt for a limit on a text, and on other ranks.
  [[nodiscard]] std::optional<Dimension> dimension_of_limit(std::string_view id) const;

  // Folder with the facts of all nodes, judged instead of the rig on a single rank; empty for a live rig.
  [[nodiscard]] const std::filesystem::path& snapshot() const;

  // Inside a phase: this cannot be measured here, for this reason. Leaves the body; the case is not proven.
  [[noreturn]] void not_proven(const std::string& reason);

  // Local. Adds a line for the reader of a failure of this case ("largest size that passed: 1472 B"),
  // prefixed by this rank's node.
  void note(std::string text);

 private:
  struct PhaseSpec {
    std::string_view name;
    std::chrono::nanoseconds deadline;
    bool measuring;
    SourcePlace where;
    std::vector<PortRef> pulled;
  };
  template <class Body>
  auto run_phase(const PhaseSpec& spec, Body& body) {
    using Result = std::invoke_result_t<Body&>;
    if constexpr (std::is_void_v<Result>) {
      guard(spec, [&] { body(); });
    } else {
      std::optional<Result> result;
      guard(spec, [&] { result.emplace(body()); });
      return std::move(*result);
    }
  }
  void guard(const PhaseSpec& spec, const std::function<void()>& body);
  void add(std::string_view id, SampleSet samples, Detail detail, record::Measured::Role role);
  void report_steadiness(const SampleSet& intervals, std::chrono::duration<double> gap, Detail detail);
  void add_finding(record::Measured measured, const Finding& finding);
  [[nodiscard]] static std::string of_suite(std::string_view name);  // "tcp.share" for "share"
};

// A case about one subject (HalfSubject, RailPath, ...), as a GoogleTest parameter.
template <class SubjectType>
class RigTest : public RigTestBase, public testing::WithParamInterface<SubjectType> {
 protected:
  [[nodiscard]] const SubjectType& subject() const { return this->GetParam(); }
};

// The rig over which cases are instantiated. Loaded before InitGoogleTest evaluates parameter lists.
[[nodiscard]] const Rig& rig_under_test();

}  // namespace rigproof::inline runner

// Instantiates FIXTURE's tests for every subject in LIST(rig). An empty list gives no case.
#define RIGPROOF_CASES(PREFIX, FIXTURE, LIST)                                 \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FIXTURE);                     \
  INSTANTIATE_TEST_SUITE_P(                                                   \
      PREFIX, FIXTURE, testing::ValuesIn(LIST(::rigproof::rig_under_test())), \
      [](const auto& info) { return ::rigproof::declare_case(#PREFIX, #FIXTURE, info.param); })
