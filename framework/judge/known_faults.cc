#include "framework/judge/known_faults.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "framework/judge/declarations.h"
#include "framework/limits/remedy.h"

namespace rigproof::judge {
namespace {

using record::Measured;

bool shows(const Sign& sign, const JudgedMeasurement& m, const Facts& facts) {
  if (m.unread != Measured::Unread::kNo) return false;
  if (!sign.condition)
    return m.judgement.verdict == Verdict::kFail || m.judgement.verdict == Verdict::kAdvice;
  const Limit& condition = *sign.condition;
  if (condition.rule.has_value() != !m.text.empty()) return false;
  const Judgement judgement = condition.rule ? judge(condition, m.text) : judge(condition, m.samples, facts);
  return judgement.verdict == Verdict::kPass;
}

// The signs of one fault that one node shows.
struct Shown {
  std::vector<std::optional<JudgedMeasurement>> when;  // by sign: the first measurement that shows it
  std::vector<std::string> places;                     // of all that show the first sign
  RemedyValues values;                                 // of the first of these
  bool refuted = false;                                // shows one of `unless`
};

// Collects the signs that the nodes of a run show.
class Signs {
 public:
  explicit Signs(const JudgeContext& context) : context_(context) {
    for (std::size_t i = 0; i < context.faults.size(); ++i) {
      for (std::size_t sign = 0; sign < context.faults[i].when.size(); ++sign)
        by_id_.emplace(context.faults[i].when[sign].id, Of{i, sign, false});
      for (std::size_t sign = 0; sign < context.faults[i].unless.size(); ++sign)
        by_id_.emplace(context.faults[i].unless[sign].id, Of{i, sign, true});
    }
  }

  void add(const JudgedCase& test) {
    const Attempt* attempt = test.deciding();
    if (attempt == nullptr) return;
    for (const JudgedMeasurement& m : attempt->measurements)
      if (!m.node.empty()) add(test, m);
  }

  std::vector<KnownFault> take() && {
    std::vector<KnownFault> found;
    for (auto& [key, shown] : shown_) {
      const Fault& fault = context_.faults[key.first];
      const auto is_shown = [](const auto& sign) { return sign.has_value(); };
      if (shown.refuted || !std::ranges::all_of(shown.when, is_shown)) continue;
      KnownFault known{.name = fault.name, .certainty = fault.certainty, .node = key.second};
      known.places = std::move(shown.places);
      for (auto& sign : shown.when) known.signs.push_back(*std::move(sign));
      known.explains = fault.explains;
      known.basis = fault.basis;
      known.remedy = remedy_of_finding(fault.remedy, shown.values);
      known.where = fault.where;
      if (!is_told(found, known)) found.push_back(std::move(known));
    }
    return found;
  }

 private:
  struct Of {
    std::size_t fault, sign;
    bool refutes;
  };

  // True if the same measurements have shown the fault at another node: rates alone do not tell the ends of a path apart.
  static bool is_told(const std::vector<KnownFault>& found, const KnownFault& fault) {
    const auto is_same = [](const JudgedMeasurement& one, const JudgedMeasurement& other) {
      return one.id == other.id && one.node == other.node && one.detail == other.detail;
    };
    return std::ranges::any_of(found, [&](const KnownFault& one) {
      return one.name == fault.name && one.places == fault.places &&
             std::ranges::equal(one.signs, fault.signs, is_same);
    });
  }

  void add(const JudgedCase& test, const JudgedMeasurement& m) {
    const auto [first, last] = by_id_.equal_range(m.id);
    if (first == last) return;
    const Subject* subject = context_.subjects.find(test.plan.place);
    for (auto at = first; at != last; ++at) {
      const auto& [fault, sign, refutes] = at->second;
      const Fault& known = context_.faults[fault];
      if (!shows(refutes ? known.unless[sign] : known.when[sign], m, facts_of(subject))) continue;
      for (const std::string& node : nodes_of(test, m)) {
        Shown& shown = shown_[{fault, node}];
        shown.when.resize(known.when.size());
        if (refutes)
          shown.refuted = true;
        else
          note(shown, sign, node, test, m, subject);
      }
    }
  }

  // A rate belongs to all nodes of its case, whichever of them took it: the slow NIC can be at any end of the path.
  static std::vector<std::string> nodes_of(const JudgedCase& test, const JudgedMeasurement& m) {
    const std::vector<std::string>& all = test.plan.place.nodes;
    return m.samples.dimension == Dimension::kDataRate && !all.empty() ? all : std::vector{m.node};
  }

  static void note(Shown& shown, std::size_t sign, const std::string& node, const JudgedCase& test,
                   const JudgedMeasurement& m, const Subject* subject) {
    if (sign == 0) {
      if (shown.places.empty()) shown.values = remedy_values_on(node, subject);
      if (std::ranges::find(shown.places, test.plan.subject) == shown.places.end())
        shown.places.push_back(test.plan.subject);
    }
    if (!shown.when[sign]) shown.when[sign] = m;
  }

  const JudgeContext& context_;
  std::multimap<std::string, Of, std::less<>> by_id_;
  std::map<std::pair<std::size_t, std::string>, Shown> shown_;  // by fault and node
};

bool concerns(const KnownFault& fault, const JudgedCase& test, std::string_view node) {
  const std::vector<std::string>& nodes = test.plan.place.nodes;
  return node == fault.node || std::ranges::find(nodes, fault.node) != nodes.end();
}

bool explains(const KnownFault& fault, std::string_view id) {
  return std::ranges::any_of(fault.explains,
                             [&](const std::string& known) { return is_declared_by(known, id); });
}

// True for a measurement that has a remedy for the fault's to replace.
bool is_finding(const JudgedMeasurement& m) {
  return is_failed_or_error(m) || m.judgement.verdict == Verdict::kAdvice ||
         m.unread == Measured::Unread::kNotReadable;
}

// True for a case on the fault's node, of a suite that the fault lists as a whole ("tcp.*").
bool explains_suite(const KnownFault& fault, const JudgedCase& test) {
  return concerns(fault, test, "") &&
         std::ranges::find(fault.explains, test.suite + ".*") != fault.explains.end();
}

// True if every reason of a failed or unproven attempt follows from the fault. The judge's skip names unread facts, which are
// measurements, too; other failures follow if the whole suite does.
bool is_explained(const JudgedCase& test, const Attempt& attempt, const KnownFault& fault) {
  if (attempt.status < Status::kNotProven) return false;
  const std::string name = fault.on_node();
  const bool skips = !attempt.failures.empty();
  const auto is_reason = [&](const JudgedMeasurement& m) {
    return is_failed_or_error(m) || (skips && m.unread == Measured::Unread::kNotReadable);
  };
  const auto follows = [&](const JudgedMeasurement& m) { return !is_reason(m) || m.explained_by == name; };
  const auto is_skip = [](const record::Failure& failure) {
    return failure.kind == record::Failure::Kind::kSkip && failure.type == "not-proven";
  };
  if (!std::ranges::all_of(attempt.measurements, follows)) return false;
  return explains_suite(fault, test) || (std::ranges::any_of(attempt.measurements, is_reason) &&
                                         std::ranges::all_of(attempt.failures, is_skip));
}

}  // namespace

std::vector<KnownFault> faults_of(const JudgedRun& run, const JudgeContext& context) {
  if (context.faults.empty()) return {};
  Signs signs(context);
  JudgedCase buffer;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& test : suite.cases) signs.add(whole(run, test, buffer));
  std::vector<KnownFault> found = std::move(signs).take();
  if (found.empty()) return found;
  for (const JudgedSuite& suite : run.suites)
    for (const JudgedCase& planned : suite.cases) {
      if (planned.status() < Status::kNotProven) continue;
      JudgedCase test = whole(run, planned, buffer);
      explain(test, found);
      for (KnownFault& fault : found) fault.cases += fault.on_node() == test.because ? 1 : 0;
    }
  return found;
}

void explain(JudgedCase& test, const std::vector<KnownFault>& faults) {
  for (const KnownFault& fault : faults) {
    const std::string name = fault.on_node();
    for (Attempt& attempt : test.attempts)
      for (JudgedMeasurement& m : attempt.measurements) {
        if (!m.explained_by.empty() || !is_finding(m) || !concerns(fault, test, m.node) ||
            !explains(fault, m.id))
          continue;
        m.explained_by = name;
        m.remedy = {};
      }
    const Attempt* attempt = test.deciding();
    if (test.because.empty() && attempt != nullptr && is_explained(test, *attempt, fault))
      test.because = name;
  }
}

}  // namespace rigproof::judge
