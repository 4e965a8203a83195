#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "framework/limits/remedy.h"
#include "framework/ranks/rank_group.h"
#include "framework/rig/rig.h"
#include "framework/rig/subjects.h"
#include "framework/runner/profile_windows.h"
#include "framework/stats/samples.h"

namespace rigproof {

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
//   class WriteRate : public RigTest<RailPath> {};
//   TEST_P(WriteRate, FillsTheHalf) {
//     const Samples<DataRate> rate = measure("write", 30s, [&] { return write_pair(ranks(), subject(),
//     windows()); }); if (here(subject().to.node)) report("rdma.write.rate.half", rate);
//   }
//   RIGPROOF_CASES(EachRail, WriteRate, every_rail_path);
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
    return run_phase({name, deadline, false, where}, body);
  }
  // The same, counted as measuring time; the rest of a case is overhead.
  template <class Body>
  auto measure(std::string_view name, std::chrono::nanoseconds deadline, Body body,
               SourcePlace where = SourcePlace::here()) {
    return run_phase({name, deadline, true, where}, body);
  }

  // Local. Hands samples to the framework, judged at the end of the case by the limit with this id; an id
  // without a limit is an error. `detail` tells several of one id in one case apart.
  template <class Value>
  void report(std::string_view id, const Samples<Value>& samples, std::string_view detail = {}) {
    add_measurement(id, samples.set(), detail, true);
  }
  void report(std::string_view id, SampleSet samples, std::string_view detail = {}) {
    add_measurement(id, std::move(samples), detail, true);
  }
  void report(std::string_view id, Quantity value, std::string_view detail = {}) {
    add_measurement(id, {value.dimension, {value.value}}, detail, true);
  }
  template <class Value>
  requires requires(Value value) { to_quantity(value); }
  void report(std::string_view id, Value value, std::string_view detail = {}) {
    report(id, to_quantity(value), detail);
  }
  // The same without a limit: recorded beside the others, never judged.
  template <class Value>
  void record(std::string_view id, const Samples<Value>& samples, std::string_view detail = {}) {
    add_measurement(id, samples.set(), detail, false);
  }
  void record(std::string_view id, Quantity value, std::string_view detail = {}) {
    add_measurement(id, {value.dimension, {value.value}}, detail, false);
  }

  // A fact that was found on a node, told by whichever rank knows it. `words` stand for the placeholders of
  // the limit's remedy, beside those of the subject ({node}, {wanted} and Subject::words()). A case may have
  // nothing but recorded facts: thresholds need not ask for each.
  struct Finding {
    std::size_t node;
    std::string detail = {};
    Words words = {};
  };
  void report(std::string_view id, Quantity value, const Finding& finding);
  void report(std::string_view id, const std::string& text, const Finding& finding);  // a limit with a rule
  void record(std::string_view id, Quantity value, const Finding& finding);
  void record(std::string_view id, const std::string& text, const Finding& finding);

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

  // A line for the person who reads a failure of this case ("largest size that passed: 1472 B").
  void note(std::string text);

 private:
  struct PhaseSpec {
    std::string_view name;
    std::chrono::nanoseconds deadline;
    bool measuring;
    SourcePlace where;
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
  void add_measurement(std::string_view id, SampleSet samples, std::string_view detail, bool judged);
  void add_finding(std::string_view id, SampleSet samples, std::string text, const Finding& finding,
                   bool judged);
};

// A case about one subject (HalfSubject, RailPath, ...), a GoogleTest parameter.
template <class SubjectType>
class RigTest : public RigTestBase, public testing::WithParamInterface<SubjectType> {
 protected:
  [[nodiscard]] const SubjectType& subject() const { return this->GetParam(); }
};

// The rig that cases are instantiated over: loaded before InitGoogleTest evaluates parameter lists.
[[nodiscard]] const Rig& rig_under_test();

}  // namespace rigproof

// Instantiates FIXTURE's tests for every subject that LIST(rig) returns; a rig without one has no such case.
#define RIGPROOF_CASES(PREFIX, FIXTURE, LIST)                                                      \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FIXTURE);                                          \
  INSTANTIATE_TEST_SUITE_P(PREFIX, FIXTURE, testing::ValuesIn(LIST(::rigproof::rig_under_test())), \
                           [](const auto& info) { return info.param.name(); })
