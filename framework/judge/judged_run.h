#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/judge/blame.h"
#include "framework/judge/judgement.h"
#include "framework/judge/sampling.h"
#include "framework/limits/limit_table.h"
#include "framework/limits/weakened.h"
#include "framework/record/events.h"
#include "framework/record/journal.h"

namespace rigproof::judge {

// One measurement as judged: the raw samples, the limit that decided and what came out.
struct JudgedMeasurement {
  std::string id;      // "tcp.rate.half"
  std::string node;    // the node that took the samples
  std::string detail;  // unique in an attempt together with id and node; includes the axis
  std::optional<record::Axis> axis = {};
  std::string line = {};  // the detail without its axis, shared by the points of a curve
  SampleSet samples;
  // A fact that is a text; the samples are then 1 (limit met) or 0.
  std::string text = {};
  // Not kNo: a fact without a value; the reason is in `text`.
  record::Measured::Unread unread = record::Measured::Unread::kNo;
  std::string unit;  // the unit to print in
  Statistic statistic = Statistic::kMedian;
  Facts facts;  // used to resolve relative bounds
  Judgement judgement;
  Basis basis;              // the limit's; empty without a limit
  Remedy remedy;            // the limit's, placeholders filled in; or how to read the fact
  toml::Place limit_where;  // the limit's place in the thresholds
  // The known fault that it follows from, "no cable on node-b"; the fault's remedy then takes the place of `remedy`.
  std::string explained_by = {};
};

// True if the limit was missed or the measurement cannot be judged.
[[nodiscard]] bool is_failed_or_error(const JudgedMeasurement& measurement);

// Failure type that voids an attempt: limits were missed while others used the CPUs under an emulated rig.
inline constexpr std::string_view kDisturbed = "disturbed";
// True if a failure has the type kDisturbed. For reports; Attempt::replaced decides what counts.
[[nodiscard]] bool is_void(const std::vector<record::Failure>& failures);

// Status of a case: its worst attempt. Replaced attempts count only if there is no other. Higher is worse.
enum class Status {
  kRecorded,  // only unjudged values and advice: no limit was met or missed
  kPassed,
  kWaived,     // failed or not proven, but waivers in force cover every reason
  kNotProven,  // skipped, or an owed measurement was not reported
  kFailed,     // a limit missed or an assertion failed
  kError,      // crash, deadline, lost peer, no limit, planned but never ended
};
// "recorded", "passed", "waived", "not proven", "failed", "error".
[[nodiscard]] std::string_view name(Status status);

struct Attempt {
  int launch, iteration;
  std::string started;  // UTC
  double seconds = 0, measuring_s = 0;
  std::vector<JudgedMeasurement> measurements;
  std::vector<record::Failure> failures;
  Status status;
  std::vector<const Waiver*> waivers = {};  // waivers from JudgedRun::limits that cover it
  // True if every problem is a limit missed by slowness (is_slowness). False on hardware if only stalls
  // missed their limits: other pairs lower a rate, they do not interrupt traffic.
  bool only_slow = false;
  // The other pairs that ran ("node-c, node-d"), if the attempt was only slow. Measured again alone, it is
  // replaced. Any other miss decides at once.
  std::string beside = {};
  // Ignored if another attempt counts: measured again alone, lost with its node, or void on an emulated rig.
  // A void attempt is replaced as soon as it ends, and can be measured again.
  bool replaced = false;
  bool lost = false;       // its launch broke off, and the next one found a node gone
  std::string alone = {};  // if sound alone: the pairs beside which it was slow
  // Place in the journal of its measurements and failures; failures that void it are also here. See whole().
  std::optional<record::LinePlace> place = {};
};

// The parts of GoogleTest's full name of a case ("EachRail/RailRate.FillsTheHalf/rail0_node_a_to_node_b").
struct CaseName {
  std::string test_class;  // "EachRail/RailRate"
  std::string test;        // "FillsTheHalf"
  std::string parameter;   // "rail0_node_a_to_node_b"; empty without a parameter
};
[[nodiscard]] CaseName case_name(std::string_view full_name);

struct JudgedCase {
  std::string suite;
  record::PlannedCase plan;
  std::vector<Attempt> attempts;  // empty: never started
  bool running = false;           // started, not ended
  std::string waiver;             // the first waived attempt's: "waived until 2026-12-31 by NAME: REASON"
  // The known fault that explains all misses and unproven facts of the deciding attempt; set by whole(), or empty.
  std::string because = {};

  // The worst attempt's status. kError while no attempt has ended or one is running: an unfinished case never
  // passes.
  [[nodiscard]] Status status() const;
  // The attempt that decided: the first of the worst that count. nullptr if none has ended, or if the case is
  // an error only because it is still running.
  [[nodiscard]] const Attempt* deciding() const;
  // Reason for an error without a deciding attempt: "planned, but the run ended before it began"; else empty.
  [[nodiscard]] std::string open_reason() const;
  [[nodiscard]] std::string full_name() const;  // "tcp.EachRail/RailRate.FillsTheHalf/rail0_node_a_node_b"
};

// The cases of a suite in plan order. A case with few attempts and no measurements is packed into about 200
// bytes, so a million cases fit into memory. at() returns a copy; references are valid during the iteration
// only.
class CaseList {
 public:
  class Iterator;

  CaseList() = default;
  CaseList(std::initializer_list<JudgedCase> cases);

  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  [[nodiscard]] bool empty() const { return slots_.empty(); }
  [[nodiscard]] JudgedCase at(std::size_t index) const;        // throws std::out_of_range
  [[nodiscard]] std::string name_at(std::size_t index) const;  // the planned name
  [[nodiscard]] record::PlannedCase plan_at(std::size_t index) const;
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

  void push_back(JudgedCase test);
  // Changes a case: `edit` gets it by reference.
  template <class Edit>
  void change(std::size_t index, const Edit& edit) {
    if (JudgedCase* own = in_memory(index)) return void(edit(*own));
    JudgedCase test = at(index);
    edit(test);
    set(index, std::move(test));
  }

 private:
  using Slot = std::variant<std::string, std::shared_ptr<JudgedCase>>;
  [[nodiscard]] static Slot kept(JudgedCase test);
  [[nodiscard]] const JudgedCase& read(std::size_t index, JudgedCase& buffer) const;
  [[nodiscard]] JudgedCase* in_memory(std::size_t index);  // nullptr: packed, or shared with a copy
  void set(std::size_t index, JudgedCase test);

  std::vector<Slot> slots_;
};

// References are valid until the iterator moves or ends.
class CaseList::Iterator {
 public:
  using value_type = JudgedCase;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  using pointer = const JudgedCase*;
  using reference = const JudgedCase&;

  Iterator() = default;
  Iterator(const CaseList& list, std::size_t index) : list_(&list), index_(index) {}

  const JudgedCase& operator*() const { return list_->read(index_, buffer_); }
  Iterator& operator++() {
    ++index_;
    return *this;
  }
  void operator++(int) { ++index_; }
  bool operator==(const Iterator& other) const { return index_ == other.index_; }

 private:
  const CaseList* list_ = nullptr;
  std::size_t index_ = 0;
  mutable JudgedCase buffer_;
};

struct JudgedSuite {
  std::string name;
  CaseList cases;  // in plan order
  std::string started;
  double seconds = 0;  // while at least one launch ran
  std::vector<record::SuiteEnded> launches;
  std::vector<record::PlannedTest> tests = {};
  std::vector<std::string> observes = {};
  int jobs = 1;
  std::map<record::JobNumber, int> last_launch_started = {};  // by job

  // True if every job's last launch ended and was complete.
  [[nodiscard]] bool complete() const;
  // The declared test of a case; nullptr if nothing is declared.
  [[nodiscard]] const record::PlannedTest* test_of(const record::PlannedCase& plan) const;
  // The end of the last launch that left a job incomplete; nullptr if there is none.
  [[nodiscard]] const record::SuiteEnded* broken_off() const;
};

// Suite of the cases that the judge itself makes about the whole run.
inline constexpr const char* kRunSuite = "run";

// A limit without a subject on this rig.
struct NotApplicable {
  std::string id, where;  // where: "thresholds/model-rig.toml:12"
  std::string why;        // "needs a second port"
};

// A fault of the catalogue (framework/faults/) whose signs a node shows.
struct KnownFault {
  std::string name, certainty;  // as in the catalogue
  std::string node;
  std::vector<std::string> places = {};       // subjects of the cases that show its first sign
  std::vector<JudgedMeasurement> signs = {};  // for each of its signs the first measurement that shows it
  std::vector<std::string> explains = {};     // ids and families whose remedies it replaces
  Basis basis = {};
  Remedy remedy = {};  // placeholders filled in
  toml::Place where = {};
  std::size_t cases = 0;  // failed or not proven, with nothing but what it explains
  [[nodiscard]] std::string on_node() const { return name + " on " + node; }
};

// A run as judged: the source of every report, exit code and comparison.
struct JudgedRun {
  record::RunStarted start;
  std::string started;  // UTC
  std::vector<JudgedSuite> suites;
  std::map<std::string, record::NodeFacts> nodes;
  std::vector<record::Problem> problems;  // including faults of the journal
  std::optional<record::RunEnded> end;
  std::string last_event = {};                    // UTC
  std::map<std::string, std::string> files = {};  // the record's other files: name -> SHA-256; may be empty
  struct Resumed {
    std::string time;     // UTC
    std::string stopped;  // time of the last event before the stop
    record::RunResumed by;
  };
  std::vector<Resumed> resumed = {};  // each time that the run was resumed
  // A node that was measured again after the run was complete, and its verdict until then.
  struct Retest {
    std::string node, time;   // UTC
    std::string before, why;  // "rejected", "9.9 % slower than the other nodes"
  };
  std::vector<Retest> retests = {};      // in the order of the record
  std::map<std::string, int> lost = {};  // node -> how often it was lost, in all parts of the run
  std::vector<NotApplicable> not_applicable = {};
  Blame blame = {};  // slow parts of the rig; filled at the run's end
  std::optional<SampleResult> sample =
      {};                               // of a run that left out pairs and was asked for a sample, at its end
  std::vector<KnownFault> faults = {};  // in the catalogue's order; filled at the run's end
  std::string waivers_on = {};          // UTC day for which waivers were checked: run's end, or judging
  std::shared_ptr<const LimitTable> limits = {};  // the limits that judged; nullptr: unreadable
  std::vector<Weakened> weakened = {};            // limits that later thresholds files weaken
  // Reads an attempt from the journal and judges it again. Throws JournalError.
  std::function<Attempt(const JudgedRun&, const JudgedCase&, const Attempt&)> left = {};

  // 0 qualified; 1 a limit missed; 2 error; 3 not proven; 77 the rig was absent. The first that applies:
  // 77  no node of the rig was found, and there is no case
  //  2  the run has not ended or has a problem; a suite is incomplete; a case is an error
  //  1  a case failed
  //  3  a case is not proven, or none passed (waived, recorded and the judge's own do not count); else 0
  [[nodiscard]] int exit_code() const;
  // "QUALIFIED", "NOT QUALIFIED", "ERROR", "NOT PROVEN"; "PARTIAL": passed, but parts() is not empty;
  // "QUALIFIED by sampling": passed by a sample of the pairs.
  [[nodiscard]] std::string verdict() const;

  // Why the run covers only a part ("only suite host", "only cases that match A.*"); empty for a whole run.
  // Reasons: it leaves out an installed suite or the suite of a required limit; a planned suite sent no
  // cases; a case has too few iterations; pairs were left out, and no sample was asked for; a snapshot was
  // judged instead of the rig.
  [[nodiscard]] std::vector<std::string> parts() const;

  [[nodiscard]] bool is_judged_again() const { return start.again.has_value(); }
  // Id of the run that measured.
  [[nodiscard]] const std::string& measured_run() const { return start.again ? start.again->run : start.id; }
};

// The case with all measurements: `test` itself, or `buffer`, filled from the journal if they were left
// there, with what the run's known faults explain. Throws JournalError.
[[nodiscard]] const JudgedCase& whole(const JudgedRun& run, const JudgedCase& test, JudgedCase& buffer);

}  // namespace rigproof::judge
