#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/rig/subject_finder.h"
#include "framework/supervisor/job_plan.h"

namespace rigproof::supervisor {

// The examples of a description do not stand for the other nodes and pairs: the suite must describe every case.
class NotByExample : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The cases of a suite on a rig, from its description. Derives the cases that a description by example leaves out, and
// makes a case only when it is requested: its size does not grow with the pairs' cases.
class CasePlan {
 public:
  // `rig`: the rig that the suite described, with the pairs of this run. `subjects` are those of the rig. `filter`: in
  // GoogleTest's syntax, used for a description by example; others have been filtered. Throws NotByExample.
  CasePlan(const Rig& rig, std::shared_ptr<const SubjectFinder> subjects,
           const record::SuiteDescription& description, std::string filter);

  [[nodiscard]] std::map<std::string, std::size_t> count_by_test()
      const;  // "": cases without a declared test
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool has_pairs() const { return !pairs().empty(); }

  // The jobs of the suite, without their cases. Each case is in one job. A case about two nodes is in the job of that
  // pair, unless other nodes forward. All other cases are in one job of all nodes, which comes first. A rig of two nodes
  // has one job, and so has a suite whose description asks for it.
  [[nodiscard]] std::vector<Job> jobs() const;
  // All cases in one job.
  [[nodiscard]] Job one_job() const;
  // The cases of a job that jobs() or one_job() returned, in the order of the description; none for a job without nodes.
  [[nodiscard]] std::vector<std::string> names_of(const Job& job) const;
  [[nodiscard]] record::SuitePlanned plan_of(const Job& job) const;

 private:
  // A case of one node or pair, from which those of the same kind are derived.
  struct Pattern {
    std::size_t index = 0;                          // in the description
    record::PlannedCase example;                    // about `own`
    NodePair own = {0, 0};                          // a node: both are equal
    bool backwards = false;                         // the path begins at the pair's second node
    std::string head = {}, middle = {}, tail = {};  // of the name, around the nodes' names
  };
  // Nodes or pairs of one kind, and their cases.
  struct Group {
    std::vector<Pattern> patterns;
    std::vector<NodePair> subjects;
  };
  struct Entry {
    const Pattern* pattern;
    NodePair subject;
  };
  using Kinds =
      std::pair<std::size_t, std::size_t>;  // of a pair; {kind, kNode} of a node, kWhole of the whole rig
  using Cases = std::map<NodePair, std::vector<Pattern>>;

  void take(const record::PlannedCase& test, std::size_t index, std::map<Kinds, Cases>& found);
  void add_group(const Kinds& kinds, const Cases& cases);
  void list_subjects(const Rig& rig);
  [[nodiscard]] Pattern pattern_of(const record::PlannedCase& test, std::size_t index) const;
  void split_name(Pattern& pattern) const;
  [[nodiscard]] bool agree(const Pattern& pattern, const Pattern& other) const;
  [[nodiscard]] Kinds kinds_of(NodePair subject) const;
  [[nodiscard]] std::string name_of(const Entry& entry) const;
  [[nodiscard]] SubjectPlace place_of(const Entry& entry) const;
  [[nodiscard]] bool is_chosen(const Entry& entry) const;
  [[nodiscard]] std::size_t count(const Pattern& pattern, const Group& group) const;
  [[nodiscard]] std::vector<NodePair> pairs() const;  // with a job of their own
  [[nodiscard]] std::vector<Entry> entries_of(const Job& job) const;

  std::shared_ptr<const SubjectFinder> subjects_;
  std::string filter_;  // empty: every case
  bool one_job_, by_example_;
  std::vector<std::string> nodes_, words_;  // names, and their form in names of cases
  std::map<std::string, std::uint32_t> index_;
  std::vector<std::size_t> kinds_;
  record::SuitePlanned frame_;  // the description's plan without its cases
  std::map<Kinds, Group> groups_;
};

}  // namespace rigproof::supervisor
