#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/rig/subjects.h"

// All of it local, and nothing throws but plan_of(). Tests and what they report are declared while static variables are made,
// before main(); cases and their subjects while GoogleTest makes them.

namespace rigproof::inline runner {

// A measurement that a case reports, by the id of its limit: what is owed is declared where the case is written.
//
//   RIGPROOF_TEST(RailRate, FillsTheHalf, Reports::rate("tcp.rate.half"),
//                 Reports::ratio("tcp.retransmits").where_there()) { ... }
//
// Each case of the test reports it, on any rank, or it is not proven. An id may be a family: "preflight.sysctl.*" owes
// every limit that the thresholds have of it.
class Reports {
 public:
  [[nodiscard]] static Reports rate(std::string id) { return {std::move(id), Dimension::kDataRate}; }
  // A rate of a load that lasts, reported as a RateSeries: with it the case owes SUITE.worst_interval and
  // SUITE.longest_gap, SUITE being what the id begins with.
  [[nodiscard]] static Reports sustained(std::string id);
  // The same of several paths at once, reported as their PathRates: with SUITE.share where there are several.
  [[nodiscard]] static Reports sum_of_paths(std::string id);
  [[nodiscard]] static Reports size(std::string id) { return {std::move(id), Dimension::kDataSize}; }
  [[nodiscard]] static Reports time(std::string id) { return {std::move(id), Dimension::kTime}; }
  [[nodiscard]] static Reports count(std::string id) { return {std::move(id), Dimension::kCount}; }
  [[nodiscard]] static Reports ratio(std::string id) { return {std::move(id), Dimension::kRatio}; }
  // A fact that is a text; one that is what its limit says.
  [[nodiscard]] static Reports text(std::string id);
  [[nodiscard]] static Reports any(std::string id);

  // Only some hardware or drivers show it: a case need not report it, but a run in which none does proves nothing of
  // its limit.
  [[nodiscard]] Reports where_there() const;
  // Only rigs that have something have it: `what` in words ("a switch"). Elsewhere its limit does not apply.
  [[nodiscard]] Reports on_rigs_with(std::string what, bool (*has)(const Rig&)) const;
  // Only nodes that have something: a case none of whose nodes has it does not owe it.
  [[nodiscard]] Reports on_nodes_with(std::string what, bool (*has)(const Node&)) const;

  // What is owed with it, to the same conditions.
  [[nodiscard]] std::vector<Reports> with() const;
  [[nodiscard]] const record::Declared& declared() const { return declared_; }
  [[nodiscard]] bool owed() const { return owed_; }
  [[nodiscard]] bool applies(const Rig& rig) const;
  // On a rig where it applies.
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

// Of a test, "RailRate.FillsTheHalf", for RIGPROOF_TEST. Returns true, for a static variable.
bool declare(std::string test, std::vector<Reports> reports);

// That GoogleTest's next case of the test suite PREFIX/FIXTURE is about this subject, for RIGPROOF_CASES. Returns what
// GoogleTest appends to the name of the case.
std::string declare_case(const std::string& prefix, const std::string& fixture, const Subject& subject);

struct DeclaredTest {
  std::string name;
  std::vector<Reports> reports;
};
// Of this program, in the order of its source files.
[[nodiscard]] const std::vector<DeclaredTest>& declared_tests();

// That this build can't report an id, or a family of them, since CMake found something missing: a run on hardware whose
// limits owe it says so before it starts. Returns true, for a static variable. Nothing when `why` is empty.
bool declare_lacking(std::string id, std::string why);
[[nodiscard]] const std::vector<record::Lacking>& declared_lacking();

// That this suite loads no wire, so that its cases about pairs of nodes run one after the other in one job of all nodes
// (else each pair has a job, and those of pairs that share no node run at once). Returns true, for a static variable.
bool declare_one_job();
[[nodiscard]] bool is_declared_one_job();

// What nodes and rigs may have, for on_nodes_with() and on_rigs_with().
[[nodiscard]] bool has_second_port(const Node& node);
[[nodiscard]] bool has_management(const Node& node);      // the rig file names its management netdev
[[nodiscard]] bool has_management(const Rig& rig);        // some node's
[[nodiscard]] bool has_rdma(const Rig& rig);              // some half has an RDMA device in the rig file
[[nodiscard]] bool has_switch(const Rig& rig);            // some link goes through one
[[nodiscard]] bool has_described_switch(const Rig& rig);  // and the rig file says how to ask it
[[nodiscard]] bool has_parallel_rails(const Rig& rig);    // some two nodes have several between them

// The cases that GoogleTest is about to run, in its order, with what they declare on this rig. Once it has applied its
// filter. `observes`: what the suite's hooks read at its start and end. Throws std::logic_error where the cases are not
// those that were declared.
[[nodiscard]] record::SuitePlanned plan_of(const std::string& suite, const Rig& rig,
                                           const std::vector<Reports>& observes,
                                           const std::vector<Reports>& watches = {});

// All that this program may report on any rig.
[[nodiscard]] std::vector<record::Declared> declared_of_all(const std::vector<Reports>& observes,
                                                            const std::vector<Reports>& watches = {});

// `filter` without these cases.
[[nodiscard]] std::string without_cases(std::string filter, const std::vector<std::string>& skipped);

// "EachRail/RailRate.FillsTheHalf/rail0_node_a_to_node_b"
[[nodiscard]] std::string full_name(const testing::TestInfo& test);

}  // namespace rigproof::inline runner

// A case of FIXTURE, as TEST_P defines it, and what it reports: any number of Reports, or one vector of them.
#define RIGPROOF_TEST(FIXTURE, NAME, ...)                                                     \
  [[maybe_unused]] static const bool rigproof_declared_##FIXTURE##_##NAME =                   \
      ::rigproof::declare(#FIXTURE "." #NAME, std::vector<::rigproof::Reports>{__VA_ARGS__}); \
  TEST_P(FIXTURE, NAME)
