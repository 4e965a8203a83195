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
#include "framework/limits/limit_table.h"
#include "framework/limits/weakened.h"
#include "framework/record/events.h"
#include "framework/record/journal.h"

namespace rigproof::judge {

// One measurement as judged: the raw samples, the limit that decided and what came out.
struct JudgedMeasurement {
  std::string id;    // "tcp.rate.half"
  std::string node;  // the node that took the samples
  std::string
      detail;  // which of several in one case, its axis included; (id, node, detail) is unique in an attempt
  std::optional<record::Axis> axis = {};
  std::string line = {};  // the detail without its axis: what the points of a curve share
  SampleSet samples;
  // What was found, of a fact that is no number; the samples then say whether it was met.
  std::string text = {};
  record::Measured::Unread unread =
      record::Measured::Unread::kNo;  // of a fact that has no value: why is in `text`
  std::string unit;                   // the unit to print in
  Statistic statistic = Statistic::kMedian;
  Facts facts;  // those that relative bounds were resolved with
  Judgement judgement;
  Basis basis;              // of the limit; empty for a recorded measurement
  Remedy remedy;            // for this finding: the limit's, with its placeholders filled in
  toml::Place limit_where;  // where the thresholds state the limit
};

// Missed, or not to be judged.
[[nodiscard]] bool is_failed_or_error(const JudgedMeasurement& measurement);

// The type of a failure that voids its attempt: limits were missed while others took the machine under an emulated rig.
inline constexpr std::string_view kDisturbed = "disturbed";
// For reports, which name such attempts; what counts is Attempt::replaced.
[[nodiscard]] bool is_void(const std::vector<record::Failure>& failures);

// What a case came to, worst of its attempts; replaced ones count only when there is no other. Order = precedence when merging.
enum class Status {
  kRecorded,  // found and on record; no limit was met or missed but advice, so nothing is claimed
  kPassed,
  kWaived,     // failed or not proven, and a waiver in force covers every reason
  kNotProven,  // skipped, or something that it owes was not reported
  kFailed,     // a limit missed or an assertion failed
  kError,      // crash, deadline, lost peer, no limit, planned but never ended
};
// "recorded", "passed", "waived", "not proven", "failed", "error".
[[nodiscard]] std::string_view name(Status status);

// One attempt at a case.
struct Attempt {
  int launch, iteration;
  std::string started;  // UTC
  double seconds = 0, measuring_s = 0;
  std::vector<JudgedMeasurement> measurements;
  std::vector<record::Failure> failures;
  Status status;
  std::vector<const Waiver*> waivers = {};  // that cover it, of JudgedRun::limits; empty unless waived
  // All that is red is a missed limit, each for being too slow (is_slowness); on hardware not outages alone, beside a rate that
  // holds: another pair takes from a rate, it does not stop traffic now and then.
  bool only_slow = false;
  // Of one that was only slow while other pairs ran: which ("node-c, node-d"). Measured again alone, it is replaced.
  // Every other miss decides at once: what is wrong beside others is wrong.
  std::string beside = {};
  // Does not count where another attempt does: measured again alone, lost with its node, or void on an emulated rig. A
  // void one is so from its end, and open to be measured again.
  bool replaced = false;
  bool lost = false;       // its launch broke in it, and the next one found a node gone
  std::string alone = {};  // of one that was sound alone: beside which pairs it was not
  // Where the measurements were left in the journal, and the failures but for those that void it: see whole().
  std::optional<record::LinePlace> place = {};
};

// GoogleTest's full name of a case ("EachRail/RailRate.FillsTheHalf/rail0_node_a_to_node_b") by its parts.
struct CaseName {
  std::string test_class;  // "EachRail/RailRate"
  std::string test;        // "FillsTheHalf"
  std::string parameter;   // "rail0_node_a_to_node_b"; empty of a test without
};
[[nodiscard]] CaseName case_name(std::string_view full_name);

struct JudgedCase {
  std::string suite;
  record::PlannedCase plan;
  std::vector<Attempt> attempts;  // empty: never started
  bool running = false;           // started, not ended
  std::string waiver;  // of the first attempt that is waived: "waived until 2026-12-31 by NAME: REASON"

  // The worst attempt's; kError while none has ended or one is running: a case that never ends is never
  // green.
  [[nodiscard]] Status status() const;
  // The attempt that decided (the first of the worst that count). nullptr when none has ended, or when the case is an
  // error only because it is still running.
  [[nodiscard]] const Attempt* deciding() const;
  // Why status() is an error without a deciding attempt: "planned, but the run ended before it began"; else empty.
  [[nodiscard]] std::string open_reason() const;
  [[nodiscard]] std::string full_name() const;  // "tcp.EachRail/RailRate.FillsTheHalf/rail0_node_a_node_b"
};

// The cases of a suite in the order of its plan. One with few attempts and nothing measured in memory is kept packed, in some
// 200 bytes: a run of a million cases fits. So a case is returned by value, and references die with the iteration.
class CaseList {
 public:
  class Iterator;

  CaseList() = default;
  CaseList(std::initializer_list<JudgedCase> cases);

  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  [[nodiscard]] bool empty() const { return slots_.empty(); }
  [[nodiscard]] JudgedCase at(std::size_t index) const;        // throws std::out_of_range
  [[nodiscard]] std::string name_at(std::size_t index) const;  // of its plan
  [[nodiscard]] record::PlannedCase plan_at(std::size_t index) const;
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

  void push_back(JudgedCase test);
  // Puts back what `edit` made of the case.
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
  [[nodiscard]] JudgedCase* in_memory(std::size_t index);  // nullptr: packed, or a copy shares it
  void set(std::size_t index, JudgedCase test);

  std::vector<Slot> slots_;
};

// What it points to lives as long as it stays there.
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
  double seconds = 0;  // while any of its launches ran
  std::vector<record::SuiteEnded> launches;
  std::vector<record::PlannedTest> tests = {};
  std::vector<std::string> observes = {};
  int jobs = 1;
  std::map<record::JobNumber, int> last_launch_started = {};  // of each job

  // The last launch of each of its jobs ended, and ran to the end.
  [[nodiscard]] bool complete() const;
  // The end of the last launch that left a job incomplete; nullptr where there is none.
  [[nodiscard]] const record::SuiteEnded* broken_off() const;
};

// The suite of the cases that the judge makes itself, about the run as a whole.
inline constexpr const char* kRunSuite = "run";

// A limit whose subject this rig does not have.
struct NotApplicable {
  std::string id, where;  // of the limit: "thresholds/model-rig.toml:12"
  std::string why;        // "needs a second port"
};

// A run as judged: everything that a report, an exit code or a comparison says comes from here.
struct JudgedRun {
  record::RunStarted start;
  std::string started;  // UTC
  std::vector<JudgedSuite> suites;
  std::map<std::string, record::NodeFacts> nodes;
  std::vector<record::Problem> problems;  // also: faults of the journal itself
  std::optional<record::RunEnded> end;
  std::string last_event = {};                    // UTC
  std::map<std::string, std::string> files = {};  // beside this record: name -> SHA-256; it may know of none
  struct Resumed {
    std::string time;     // UTC
    std::string stopped;  // of the last event before it
    record::RunResumed by;
  };
  std::vector<Resumed> resumed = {};     // each time that it was taken up again
  std::map<std::string, int> lost = {};  // how often a node was, in all parts of the run
  std::vector<NotApplicable> not_applicable = {};
  Blame blame = {};             // of a run that ended: which parts of the rig its rates speak against
  std::string waivers_on = {};  // the day, UTC, by which waivers are in force: of the end, or the judging
  std::shared_ptr<const LimitTable> limits = {};  // that it was judged by; nullptr when they can't be read
  std::vector<Weakened> weakened = {};            // what later files of the thresholds ask less of
  // An attempt that was left in the journal, judged again. Throws JournalError.
  std::function<Attempt(const JudgedRun&, const JudgedCase&, const Attempt&)> left = {};

  // 0 qualified; 1 a limit missed; 2 error; 3 not proven; 77 the rig was absent. The first that applies of: 77 for a
  // run that found no node of the rig and has no case; 2 for a run that has not ended, a problem, a suite whose last
  // launch is not complete or a case with an error; 1 for a failed case; 3 for a case not proven, or when no case
  // passed (waived and recorded ones don't count as passed, nor do the judge's own of the suite "run"); else 0.
  [[nodiscard]] int exit_code() const;
  // "QUALIFIED", "NOT QUALIFIED", "ERROR", "NOT PROVEN"; "PARTIAL": all of it passed, but it is a part.
  [[nodiscard]] std::string verdict() const;

  // What makes it a part of a run ("only suite host", "only cases that match A.*"): what it was asked for leaves out an
  // installed suite, or one that a required limit is of; a suite that was planned never sent its cases; a case has
  // fewer iterations than asked for; pairs were left out; a snapshot was judged instead of the rig. Empty: a whole run.
  [[nodiscard]] std::vector<std::string> parts() const;

  [[nodiscard]] bool is_judged_again() const { return start.again.has_value(); }
  // The id of the run that measured, and when it began.
  [[nodiscard]] const std::string& measured_run() const { return start.again ? start.again->run : start.id; }
};

// The case with all that was measured: `test` itself, or `buffer`, filled from the journal when measurements
// were left there. Throws JournalError.
[[nodiscard]] const JudgedCase& whole(const JudgedRun& run, const JudgedCase& test, JudgedCase& buffer);

}  // namespace rigproof::judge
