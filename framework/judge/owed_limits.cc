#include "framework/judge/owed_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "framework/judge/run_checks.h"

namespace rigproof::judge {
namespace {

using Group = record::MetricGroup;

// True if the case may have ended before it reported everything; the run does not pass then anyway.
bool has_gaps(const JudgedCase& test) { return test.status() > Status::kWaived; }

// True if the measurement counts as reported. A fact with nothing to judge on a sound rig counts, too.
bool meets_a_limit(const JudgedMeasurement& measurement) {
  return measurement.judgement.verdict != Verdict::kRecorded ||
         measurement.unread == record::Measured::Unread::kNothingThere;
}

// The devices' counts around each load, over the whole run.
class LoadCounts {
 public:
  explicit LoadCounts(const MetricGroups& groups) : groups_(groups) {}

  void see(const JudgedMeasurement& measurement) {
    if (measurement.unread == record::Measured::Unread::kNothingThere) return;
    const Group group = groups_.of(measurement.id);
    if (group != Group::kLoad && group != Group::kLoadDamage && group != Group::kLoadRdma) return;
    nodes_.insert(measurement.node);
    Sums& sums = seen_[measurement.id][measurement.node];
    const SampleSet& samples = measurement.samples;
    if (group != Group::kLoadDamage || is_failed_or_error(measurement) ||
        samples.dimension != Dimension::kCount || samples.values.empty())
      return;
    Sum& sum = sums[measurement.detail];
    sum.count += samples.values.front();
    ++sum.loads;
  }

  // `filtered`: some cases did not run, perhaps all that load a node's RDMA devices.
  void judge(const JudgeContext& context, bool filtered, std::vector<RunCase>& cases) const {
    for (const auto& [id, by_node] : seen_) {
      const Limit* limit = context.limits->find(id);
      if (limit == nullptr) continue;
      const bool by_rdma = groups_.of(id) == Group::kLoadRdma;
      for (const std::string& node : nodes_) {
        const bool is_owed = limit->enforce != Enforce::kInformative &&
                             (!by_rdma || (!filtered && context.subjects.has_rdma(node)));
        const auto seen = by_node.find(node);
        RunCase test = case_of(id, node);
        if (seen != by_node.end())
          add_sums(test, id, node, seen->second);
        else if (is_owed)
          test.not_proven(
              *limit,
              fmt::format("no card of {} shows {}, though those of {} do: another driver or firmware?", node,
                          id, by_node.begin()->first),
              node);
        if (!test.measured.empty() || !test.failures.empty()) cases.push_back(std::move(test));
      }
    }
  }

 private:
  struct Sum {
    double count = 0;
    int loads = 0;  // number of loads that met their limit
  };
  using Sums = std::map<std::string, Sum>;  // by device

  static RunCase case_of(const std::string& id, const std::string& node) {
    RunCase test;
    test.plan = {steady_name(id, node), fmt::format("{} on {} in all loads of the run", id, node),
                 place_of_node(node)};
    return test;
  }
  static void add_sums(RunCase& test, const std::string& id, const std::string& node, const Sums& sums) {
    for (const auto& [device, sum] : sums) {
      if (sum.loads < 2) continue;
      test.count(id, node, device, sum.count, {{"netdev", device}});
      if (sum.count > 0) test.notes.push_back(fmt::format("{}: in {} loads together", device, sum.loads));
    }
  }

  const MetricGroups& groups_;
  std::set<std::string> nodes_;                              // nodes with any load counter
  std::map<std::string, std::map<std::string, Sums>> seen_;  // by id and node
};

// Compares the limits with the declared and the reported ids.
class OwedLimits {
 public:
  OwedLimits(const JudgedRun& run, const JudgeContext& context)
      : run_(run),
        context_(context),
        loads_(context.groups),
        excused_(run.start.planned.begin(), run.start.planned.end()) {
    for (const auto& [suite, list] : run.start.declared)
      for (const record::Declared& declared : list) {
        declarations_.add(declared.id);
        declared_.emplace_back(suite, &declared);
      }
    JudgedCase buffer;
    for (const JudgedSuite& suite : run.suites) {
      suites_with_cases_.insert(suite.name);
      if (!suite.cases.empty()) excused_.erase(suite.name);
      plan(suite);
      for (const JudgedCase& left : suite.cases) {
        const JudgedCase& test = whole(run, left, buffer);
        if (has_gaps(test)) excused_.insert(suite.name);
        for (const Attempt& attempt : test.attempts)
          for (const JudgedMeasurement& measurement : attempt.measurements) {
            if (meets_a_limit(measurement)) reported_.insert(measurement.id);
            if (measurement.axis) places_[measurement.id].insert(measurement.axis->x.value);
            loads_.see(measurement);
          }
      }
    }
  }

  [[nodiscard]] const LoadCounts& loads() const { return loads_; }

  void reported_by_run(const std::vector<RunCase>& cases) {
    for (const RunCase& test : cases) {
      for (const record::Measured& measured : test.measured) reported_.insert(measured.id);
      if (!test.failures.empty()) run_gaps_ = true;
    }
  }

  // Adds to `cases`, and to the run's problems and not_applicable.
  void judge(std::vector<RunCase>& cases, JudgedRun& run) {
    if (run_.start.asked.selects_cases()) return;
    for (const std::string& suite : run_.start.asked.suites)
      if (!suites_with_cases_.contains(suite)) not_built_[suite];
    for (const Limit& limit : context_.limits->limits())
      if (limit.enforce == Enforce::kInformative)
        continue;
      else if (reported_.contains(limit.id))
        judge_places(limit, cases);
      else
        judge(limit, cases, run);
    for (const auto& [suite, ids] : not_built_) cases.push_back(not_built(suite, ids));
  }

 private:
  // Profile acceptance has all points of each sweep: there a bound at another place is a typing error, and judges nothing.
  void judge_places(const Limit& limit, std::vector<RunCase>& cases) {
    if (run_.start.asked.profile != name(Profile::kAcceptance) || !limit.is_required() || !excused_.empty())
      return;
    for (const FurtherBounds& more : limit.also)
      if (more.at && !places_[limit.id].contains(more.at->value))
        cases.push_back(not_measured_at(limit, *more.at));
  }

  void judge(const Limit& limit, std::vector<RunCase>& cases, JudgedRun& run) {
    if (limit.id == kStateLimit) return;  // every node has a case for it
    const auto declared = declaration_of(limit.id);
    if (!declared) return unknown(limit, run);
    const auto& [suite, declaration] = *declared;
    if (!asked_.empty() && !asked_.contains(suite)) return;
    if (excused_.contains(suite)) return;
    switch (planned(suite, limit.id)) {
      case Planned::kNo:
        run.not_applicable.push_back({limit.id, to_text(limit.where),
                                      declaration->needs.empty()
                                          ? fmt::format("suite {} has no case for it on this rig", suite)
                                          : fmt::format("needs {}", declaration->needs)});
        return;
      case Planned::kObserved:
        if (run_gaps_) return;
        [[fallthrough]];
      case Planned::kByCases:
        cases.push_back(not_reported(limit));
    }
  }

  // The suite that declares the id, and its declaration; nullopt if none does.
  [[nodiscard]] std::optional<std::pair<std::string, const record::Declared*>> declaration_of(
      const std::string& id) const {
    const auto place = declarations_.find(id);
    return place ? std::optional(declared_[*place]) : std::nullopt;
  }

  enum class Planned { kNo, kObserved, kByCases };
  [[nodiscard]] Planned planned(const std::string& name, const std::string& id) const {
    const auto plan = plans_.find(name);
    if (plan == plans_.end()) return Planned::kNo;
    if (plan->second.by_cases.find(id)) return Planned::kByCases;
    return plan->second.observed.find(id) ? Planned::kObserved : Planned::kNo;
  }

  void plan(const JudgedSuite& suite) {
    Plan& plan = plans_[suite.name];
    for (const record::PlannedTest& test : suite.tests)
      for (const auto* ids : {&test.owes, &test.may})
        for (const std::string& id : *ids) plan.by_cases.add(id);
    for (const std::string& id : suite.observes) plan.observed.add(id);
  }

  void unknown(const Limit& limit, JudgedRun& run) {
    const std::string suite = suite_of(limit.id);
    const std::vector<std::string>& absent = run_.start.not_built;
    if (std::ranges::find(absent, suite) != absent.end() && !run_.start.declared.contains(suite)) {
      if (limit.is_required() && (asked_.empty() || asked_.contains(suite)))
        not_built_[suite].push_back(limit.id);
      return;
    }
    run.problems.push_back(
        {"unknown-limit", fmt::format("{}: no suite reports '{}'. A typing error, or a suite that is not "
                                      "installed?",
                                      to_text(limit.where), limit.id)});
  }

  static RunCase not_measured_at(const Limit& limit, const Quantity& at) {
    const bool is_odd =
        at.dimension == Dimension::kDataSize && at.value > (1 << 20) && std::fmod(at.value, 1 << 20) != 0;
    const std::string place = to_text(at, is_odd ? "B" : "");
    RunCase test;
    test.plan = {"Limits.Measured/" + plain_name(limit.id + "_at_" + place),
                 fmt::format("{} was measured at {}", limit.id, place)};
    test.not_proven(limit, fmt::format("no case measured '{}' at {} ({}): is the place a typing error?",
                                       limit.id, place, to_text(limit.where)));
    return test;
  }

  static RunCase not_reported(const Limit& limit) {
    RunCase test;
    test.plan = {"Limits.Reported/" + plain_name(limit.id), fmt::format("{} was reported", limit.id)};
    test.not_proven(limit,
                    fmt::format("no case reported '{}' ({}): the hardware or its driver does not show it",
                                limit.id, to_text(limit.where)));
    return test;
  }

  static RunCase not_built(const std::string& suite, const std::vector<std::string>& ids) {
    RunCase test;
    const std::string who = ids.empty() ? "--suite asks for" : "the thresholds ask for";
    test.plan = {"Suites.Built/" + suite, fmt::format("suite {} has cases", suite)};
    test.fail(record::Failure::Kind::kSkip, "not-built",
              fmt::format(
                  "no case of suite '{}', which {}: it is not installed, or the rig file lacks its keys{}{}",
                  suite, who, ids.empty() ? "" : ": ", fmt::join(ids, ", ")));
    return test;
  }

  const JudgedRun& run_;
  const JudgeContext& context_;
  LoadCounts loads_;
  std::set<std::string> reported_, suites_with_cases_;
  std::map<std::string, std::set<double>> places_;  // by id: of its curves
  std::set<std::string> excused_;  // suites that sent no plan, or with cases that may have ended early
  const std::set<std::string> asked_{run_.start.asked.suites.begin(), run_.start.asked.suites.end()};
  Declarations declarations_;
  std::vector<std::pair<std::string, const record::Declared*>> declared_;  // with suite, in the same order
  struct Plan {
    Declarations by_cases, observed;
  };
  std::map<std::string, Plan> plans_;  // by suite
  bool run_gaps_ = false;
  std::map<std::string, std::vector<std::string>> not_built_;
};

}  // namespace

void judge_owed_limits(JudgedRun& run, const JudgeContext& context, std::vector<RunCase>& cases) {
  OwedLimits owed(run, context);
  owed.loads().judge(context, run.start.asked.selects_cases(), cases);
  owed.reported_by_run(cases);
  owed.judge(cases, run);
}

}  // namespace rigproof::judge
