#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/rig/subjects.h"

// All functions are local, and only plan_of() throws. Tests and their reports are declared while static
// variables are created, before main(); cases and their subjects while GoogleTest creates them.

namespace rigproof::inline runner {

// A measurement that a case reports, by the id of its limit. Declared where the case is written:
//
//   RIGPROOF_TEST(RailRate, FillsTheHalf, Reports::rate("tcp.rate.half"),
//                 Reports::ratio("tcp.retransmits").where_there()) { ... }
//
// Each case of the test must report it, on any rank, or the case is not proven. A family,
// "preflight.sysctl.*", stands for every limit whose id begins so.
class Reports {
 public:
  [[nodiscard]] static Reports rate(std::string id) { return {std::move(id), Dimension::kDataRate}; }
  // A rate of a load that lasts, reported as a RateSeries. The case then also owes SUITE.worst_interval and
  // SUITE.longest_gap; SUITE is the begin of the id.
  [[nodiscard]] static Reports sustained(std::string id);
  // The sum of several paths at once, reported as their RateSeries; if there are several, SUITE.share, too.
  [[nodiscard]] static Reports sum_of_paths(std::string id);
  [[nodiscard]] static Reports size(std::string id) { return {std::move(id), Dimension::kDataSize}; }
  [[nodiscard]] static Reports time(std::string id) { return {std::move(id), Dimension::kTime}; }
  [[nodiscard]] static Reports count(std::string id) { return {std::move(id), Dimension::kCount}; }
  [[nodiscard]] static Reports ratio(std::string id) { return {std::move(id), Dimension::kRatio}; }
  // text: a fact that is a text. any: of the dimension of its limit.
  [[nodiscard]] static Reports text(std::string id);
  [[nodiscard]] static Reports any(std::string id);

  // Only some hardware or drivers show it: a case may omit it. If no case of a run reports it, its limit is
  // not proven.
  [[nodiscard]] Reports where_there() const;
  // Only some rigs have it: `what` in words ("a switch"). On other rigs its limit does not apply.
  [[nodiscard]] Reports on_rigs_with(std::string what, bool (*has)(const Rig&)) const;
  // Only some nodes have it: a case about none of these nodes does not owe it.
  [[nodiscard]] Reports on_nodes_with(std::string what, bool (*has)(const Node&)) const;

  // The reports owed together with this one, under the same conditions.
  [[nodiscard]] std::vector<Reports> with() const;
  [[nodiscard]] const record::Declared& declared() const { return declared_; }
  [[nodiscard]] bool owed() const { return owed_; }
  [[nodiscard]] bool applies(const Rig& rig) const;
  // For a rig where it applies.
  [[nodiscard]] bool applies(const Node& node) const { return node_has_ == nullptr || node_has_(node); }

 private:
  Reports(std::string id, Dimension dimension);
  Reports(std::string id, std::string kind);
  record::Declared declared_;
  bool owed_ = true;
  bool (*has_)(const Rig&) = nullptr;
  bool (*node_has_)(const Node&) = nullptr;
  std::vector<record::Declared> with_ = {};
};

// What a metric is, for people: the same in reports, `rigproof explain` and the man page. Declared once, in the file of
// the cases that report it:
//
//   RIGPROOF_METRICS({"tcp.rate.half", "One half, one way",
//                     "What parallel TCP streams carry over one half, in one direction.",
//                     "Losses, a narrow PCIe link, an MTU that is too small, or a busy CPU."});
struct Metric {
  std::string_view id;       // or a family for ids without a text of their own: "host.gpu.*", "*.share"
  std::string_view title;    // a few words
  std::string_view meaning;  // one sentence
  std::string_view causes;   // faults that make it miss its limit
  record::MetricGroup group = record::MetricGroup::kOther;
};

// Declares metrics, for RIGPROOF_METRICS. Returns true, for a static variable.
bool declare_metrics(std::initializer_list<Metric> metrics);

// Declares a test, "RailRate.FillsTheHalf", for RIGPROOF_TEST. Returns true, for a static variable.
bool declare(std::string test, std::vector<Reports> reports);

// Declares the subject of GoogleTest's next case of the test suite PREFIX/FIXTURE, for RIGPROOF_CASES.
// Returns the ending of the case's name.
std::string declare_case(const std::string& prefix, const std::string& fixture, const Subject& subject);

struct DeclaredTest {
  std::string name;
  std::vector<Reports> reports;
};
// All tests of this program, in the order of its source files.
[[nodiscard]] const std::vector<DeclaredTest>& declared_tests();

// Declares that this build cannot report an id or a family, because CMake found something missing. A run on
// hardware with such limits warns before it starts. Returns true, for a static variable. Empty `why`: no
// effect.
bool declare_lacking(std::string id, std::string why);
[[nodiscard]] const std::vector<record::Lacking>& declared_lacking();

// Declares the traits of this suite, once in one of its files. With `one_job` its cases about pairs run in one job of
// all nodes, one after the other. Otherwise each pair has a job, and pairs without a common node run at once. Returns
// true, for a static variable.
bool declare_suite(record::SuiteTraits traits);
[[nodiscard]] const record::SuiteTraits& declared_suite();

// Conditions for on_nodes_with() and on_rigs_with().
[[nodiscard]] bool has_second_port(const Node& node);
[[nodiscard]] bool has_management(const Node& node);      // the rig file names its management netdev
[[nodiscard]] bool has_management(const Rig& rig);        // a node's
[[nodiscard]] bool has_rdma(const Rig& rig);              // some half has an RDMA device in the rig file
[[nodiscard]] bool has_switch(const Rig& rig);            // a link goes through one
[[nodiscard]] bool has_described_switch(const Rig& rig);  // and the rig file says how to query it
[[nodiscard]] bool has_parallel_rails(const Rig& rig);    // two nodes have several compute rails between them

// The cases that GoogleTest will run, in its order, with their declarations on this rig. Call after
// GoogleTest has applied its filter. `observes`: what the suite's hooks read at its start and end. Throws
// std::logic_error if the cases differ from the declared ones.
[[nodiscard]] record::SuitePlanned plan_of(const std::string& suite, const Rig& rig,
                                           const std::vector<Reports>& observes,
                                           const std::vector<Reports>& watches = {});

// All ids that this program may report on any rig, with their texts. Throws std::logic_error for a metric whose id
// nothing reports.
[[nodiscard]] std::vector<record::Declared> declared_of_all(const std::vector<Reports>& observes,
                                                            const std::vector<Reports>& watches = {});

// `filter` without these cases.
[[nodiscard]] std::string without_cases(std::string filter, const std::vector<std::string>& skipped);

// "EachRail/RailRate.FillsTheHalf/rail0_node_a_to_node_b"
[[nodiscard]] std::string full_name(const testing::TestInfo& test);

}  // namespace rigproof::inline runner

#define RIGPROOF_JOINED(A, B) A##B
#define RIGPROOF_UNIQUE(NAME, NUMBER) RIGPROOF_JOINED(NAME, NUMBER)
#define RIGPROOF_METRICS(...)                                                          \
  [[maybe_unused]] static const bool RIGPROOF_UNIQUE(rigproof_metrics_, __COUNTER__) = \
      ::rigproof::declare_metrics({__VA_ARGS__})

// Defines a case of FIXTURE, as TEST_P does, and its reports: any number of Reports, or one vector of them.
#define RIGPROOF_TEST(FIXTURE, NAME, ...)                                                     \
  [[maybe_unused]] static const bool rigproof_declared_##FIXTURE##_##NAME =                   \
      ::rigproof::declare(#FIXTURE "." #NAME, std::vector<::rigproof::Reports>{__VA_ARGS__}); \
  TEST_P(FIXTURE, NAME)
