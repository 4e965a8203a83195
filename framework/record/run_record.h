#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/limits/limit_table.h"
#include "framework/record/case_list.h"
#include "framework/record/events.h"
#include "framework/record/journal.h"

namespace rigproof {

struct SuiteRecord {
  std::string name;
  CaseList cases;  // in plan order
  std::string started;
  double seconds = 0;  // of all launches
  std::vector<SuiteEnded> launches;

  // Its last launch ended, and ran to the end.
  [[nodiscard]] bool complete() const { return !launches.empty() && launches.back().complete; }
};

// How a case ended, of one that was left in the journal. Throws JournalError.
using EndedCases = std::function<CaseEnded(LinePlace)>;

// A run, put together from its journal's events: a pure function of them.
struct RunRecord {
  RunStarted start;
  std::string started;  // UTC
  std::vector<SuiteRecord> suites;
  std::map<std::string, std::map<std::string, std::string>> nodes;  // node -> facts
  std::vector<Problem> problems;                                    // also: faults of the journal itself
  std::optional<RunEnded> end;
  EndedCases left = {};  // cases whose measurements were left in the journal

  // 0 qualified; 1 a limit missed; 2 error; 3 not proven. The first that applies of: 2 for a run that has not
  // ended, a problem, a suite whose last launch is not complete or a case with an error; 1 for a failed case;
  // 3 for a case not proven, or when no case passed (waived and recorded ones don't count as passed); else 0.
  [[nodiscard]] int exit_code() const;
  [[nodiscard]] int exit_code_at_its_end() const;  // as if the run had ended
  [[nodiscard]] std::string verdict() const;       // "QUALIFIED", "NOT QUALIFIED", "ERROR", "NOT PROVEN"
};

// The case with all that was measured: `test` itself, or `buffer`, filled from the journal when measurements
// were left there. Throws JournalError.
[[nodiscard]] const CaseRecord& whole(const RunRecord& run, const CaseRecord& test, CaseRecord& buffer);

// Folds events into a RunRecord. Events out of order become problems, never exceptions. What does not add up
// is a problem too: a launch that told no plan, one that broke off without a case to blame, a case nobody
// planned. A case that is running when its launch (or the run) ends gets an attempt with an error of type
// "unfinished". Observed events are left to whoever judges them: the verdict on a change arrives as a case
// like any other.
class RunAssembler {
 public:
  // With a place, what was measured in an attempt is left there once it is settled.
  void add(const Event& event, std::optional<LinePlace> place = {});
  void add_problem(Problem problem);
  // Where what is left there is read again.
  void leave_to(EndedCases left) { record_.left = std::move(left); }
  [[nodiscard]] const RunRecord& record() const { return record_; }
  [[nodiscard]] RunRecord take() && { return std::move(record_); }
  // What the record's exit code is going to be when the run ends now.
  [[nodiscard]] int exit_code_at_its_end() const;

 private:
  // The attempt that is under way.
  struct Running {
    std::size_t test;
    int iteration;
    std::string started, phase;
  };
  struct Suite {
    std::size_t index = 0;                                 // in record_.suites
    int launch = 0;                                        // of the latest
    bool open = false;                                     // the latest has not ended
    bool planned = false, done = false, to_blame = false;  // of the latest
    std::string started;                                   // of the latest
    std::optional<Running> running;
    std::unordered_multimap<std::size_t, std::uint32_t> tests;  // by the hash of their names
  };

  void fold(const RunStarted&);
  void fold(const SuiteStarted&);
  void fold(const SuitePlanned&);
  void fold(const NodeSeen&);
  void fold(const Observed&) {}
  void fold(const CaseStarted&);
  void fold(const PhaseStarted&);
  void fold(const CaseEnded&);
  void fold(const SuiteDone&);
  void fold(const SuiteEnded&);
  void fold(const Problem&);
  void fold(const RunEnded&);

  void disorder(std::string message);
  Suite& suite(const std::string& name, std::string_view event);
  SuiteRecord& record_of(const Suite& suite) { return record_.suites[suite.index]; }
  [[nodiscard]] std::optional<std::size_t> find_test(const Suite&, const std::string& name) const;
  std::size_t add_test(Suite&, PlannedCase plan);
  std::size_t planned_test(Suite&, const std::string& name, std::string_view event);
  void set_running(Suite&, std::size_t test, bool running);
  void add_attempt(Suite&, std::size_t test, Attempt);
  void close_running(Suite&, const std::string& reason);

  RunRecord record_;
  std::vector<Waiver> waivers_;
  std::map<std::string, Suite> suites_;
  std::size_t disorders_ = 0, more_ = 0;  // the problem that counts those that are not told
  std::string now_;                       // of the event being folded
  std::optional<LinePlace> place_;        // of that event
};

// Reads DIR/journal.jsonl whole. Throws JournalError when there is none or it does not begin with RunStarted;
// later faults become problems of the record (a great many of them: the first hundred, and how many more).
[[nodiscard]] RunRecord read_run(const std::filesystem::path& directory);

// The same, but the measurements stay in the journal until whole() asks for a case's: the record of a run of
// any number of measurements fits into memory.
[[nodiscard]] RunRecord open_run(const std::filesystem::path& directory);

// Those in this journal.
[[nodiscard]] EndedCases ended_cases(const std::filesystem::path& journal);

}  // namespace rigproof
