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

// How long a profile measures. Durations decide precision, never a verdict.
struct Windows {
  std::chrono::milliseconds warm_up;  // left out of the figure
  std::chrono::milliseconds window;   // measured
  int intervals;                      // samples a window is cut into
  int repeats;                        // of short operations: probes, round trips
};

// Where a phase stands in the source. As a default argument: where it is called.
struct SourcePlace {
  const char* file;
  int line;
  static constexpr SourcePlace here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

// What one hardware expectation needs. Every rank runs every case; a case is a few phases that all ranks
// enter, and measurements that the framework judges on rank 0. A body never judges and holds no number that
// decides.
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
//
// A call is local unless it says collective, and throws nothing unless it says so. What is reported or noted on any rank is
// on record, as of this rank's node, once the case has ended.
class RigTestBase : public testing::Test {
 protected:
  [[nodiscard]] const Rig& rig() const;
  [[nodiscard]] RankGroup& ranks() const;
  [[nodiscard]] Windows windows() const;
  [[nodiscard]] std::size_t node() const;  // this rank's node
  [[nodiscard]] bool here(std::size_t node) const { return node == this->node(); }

  // Collective. Runs body() on every rank, then agrees: returns body's value only when every rank is ok;
  // otherwise leaves the test on every rank (the failure is on record, with rank, node and phase).
  // Exceptions, fatal failures and an overrun deadline count as this rank's failure. Waits inside body must
  // call ranks().poll(). A case that has been left enters no further phase, in TearDown() neither: clean up
  // in destructors.
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

  // The same while this cable is pulled: what the cards at its ends say of it is no fault of theirs. Not proven when the
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
  // For cables::CablePull (fixtures/cables/cable_pull.h), local: who pulls the cable out of this port. Throws
  // std::logic_error on rigs without has_cable_puller().
  [[nodiscard]] static RecordedPuller cable_puller(PortRef port);
  // Within a phase: lets the time pass. Ends with an exception when another rank has failed, or at the deadline.
  void wait(std::chrono::nanoseconds time) const;

  // Which of several measurements of one id in one case: by a name, its place on a curve or in time, or both.
  //   report("tcp.rate.half", rates, "enp1s0f0np0 tx");   report(id, rate, {at(8, "queue pairs"), "rail0"})
  struct Detail {
    std::string name;
    std::optional<record::Axis> axis;
    Detail() = default;
    Detail(std::convertible_to<std::string> auto text) : name(std::move(text)) {}
    Detail(std::string_view text) : name(text) {}
    Detail(record::Axis place, std::string text = {}) : name(std::move(text)), axis(std::move(place)) {}
  };

  // Local. Puts samples on record; they are judged by the limit with this id, and without one that is an error.
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

  // A sustained rate (Reports::sustained): beside the rate itself its worst interval and its longest gap, each judged by a
  // limit of the suite's: "tcp.worst_interval", "tcp.longest_gap".
  void report(std::string_view id, const SustainedRate auto& rates, Detail detail = {}) {
    report(id, rates.intervals(), detail);
    report_steadiness(rates, std::move(detail));
  }
  // What several paths carried at once (Reports::sum_of_paths): their sum under `id`; of each path its worst interval,
  // its longest gap and, of more than one, its share ("tcp.share").
  void report(std::string_view id, const std::vector<RateSeries>& paths, Detail detail = {});
  // Of a rate whose own figure is another one: what report() puts beside it.
  void report_steadiness(const SustainedRate auto& rates, Detail detail = {}) {
    report_steadiness(rates.intervals(), rates.longest_gap(), std::move(detail));
  }
  void report_shares(const std::vector<RateSeries>& paths, const std::string& detail = {});  // of two or more

  // Local. The same without a limit: beside the others on record, never judged.
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

  // Local; throws std::out_of_range for a node that the rig has not. A fact of a node, reported by whichever rank knows it; judged where the thresholds have a limit for it. `about`
  // stands for the placeholders of the limit's remedy, beside those of the subject ({node}, {wanted} and
  // Subject::remedy_values()).
  struct Finding {
    std::size_t node;
    std::string detail = {};
    RemedyValues about = {};
  };
  void found(std::string_view id, Quantity value, const Finding& finding);
  void found(std::string_view id, const std::string& text, const Finding& finding);
  // It could not be read, for this reason: under a limit the case is not proven.
  void unread(std::string_view id, const std::string& why, const Finding& finding);
  // There is nothing to read, and a sound rig may lack it.
  void nothing_there(std::string_view id, const std::string& why, const Finding& finding);

  // Puts on record, as "SUITE.strangers", who else sent something to this node's ends, if anybody did. It changed no figure.
  void found_strangers(const std::vector<std::string>& strangers);

  // On rank 0: whether the thresholds have this limit; what follows `prefix` in the ids that begin with it.
  // Elsewhere none.
  [[nodiscard]] bool has_limit(std::string_view id) const;
  [[nodiscard]] std::vector<std::string> limits_under(std::string_view prefix) const;
  // What the limit is of; nothing for one on a text, and elsewhere.
  [[nodiscard]] std::optional<Dimension> dimension_of_limit(std::string_view id) const;

  // Not empty: the folder with the facts of every node to be judged instead of the rig itself. Then there is
  // one rank, for all of them.
  [[nodiscard]] const std::filesystem::path& snapshot() const;

  // Inside a phase: this cannot be measured here, for this reason. Leaves the body; the case is not proven.
  [[noreturn]] void not_proven(const std::string& reason);

  // Local. A line for the person who reads a failure of this case ("largest size that passed: 1472 B"), with the name of
  // this rank's node in front.
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
};

// A case about one subject (HalfSubject, RailPath, ...), a GoogleTest parameter.
template <class SubjectType>
class RigTest : public RigTestBase, public testing::WithParamInterface<SubjectType> {
 protected:
  [[nodiscard]] const SubjectType& subject() const { return this->GetParam(); }
};

// The rig that cases are instantiated over: loaded before InitGoogleTest evaluates parameter lists.
[[nodiscard]] const Rig& rig_under_test();

}  // namespace rigproof::inline runner

// Instantiates FIXTURE's tests for every subject that LIST(rig) returns; a rig without one has no such case.
#define RIGPROOF_CASES(PREFIX, FIXTURE, LIST)                                 \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FIXTURE);                     \
  INSTANTIATE_TEST_SUITE_P(                                                   \
      PREFIX, FIXTURE, testing::ValuesIn(LIST(::rigproof::rig_under_test())), \
      [](const auto& info) { return ::rigproof::declare_case(#PREFIX, #FIXTURE, info.param); })
