#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/judge/judged_run.h"
#include "framework/judge/run_checks.h"

namespace rigproof::judge {

// Folds the events of a record into a judged run: a pure function of them, in one pass, so that a run is judged while
// it goes on by the same code as afterwards. Events out of order become problems, never exceptions. What does not add
// up is a problem too: a launch that sent no plan, one that broke off without a case to blame, a case nobody planned. A
// case that is running when its launch (or the run) ends gets an attempt with an error of type "unfinished". When the
// run ends in good order, it is judged as a whole: see run_checks.h.
class RunJudge {
 public:
  // How a case that ended is judged; tests bring their own.
  using CaseJudge = std::function<Attempt(const record::CaseEnded&, const Duty&, const JudgeContext&)>;
  explicit RunJudge(CaseJudge judge = judge_case) : judge_(std::move(judge)) {}

  // With a place, what was measured in an attempt is left there once it is judged.
  void add(const record::Event& event, std::optional<record::LinePlace> place = {});
  void add_problem(record::Problem problem);
  // The journal where what is left there is read, and judged, again.
  void leave_in(const std::filesystem::path& journal);

  [[nodiscard]] const JudgedRun& run() const { return run_; }
  [[nodiscard]] JudgedRun take() && { return std::move(run_); }
  // Of the attempt that ended last; nullptr before the first. Valid until the next event.
  [[nodiscard]] const Attempt* last_attempt() const { return last_ ? &*last_ : nullptr; }

 private:
  // The attempt that is under way.
  struct Running {
    std::size_t test;
    int iteration;
    std::string name, started, phase;
    std::uint64_t began = 0;  // by events_
  };
  struct Suite;
  // The suite on some nodes. Jobs that share no node run at once.
  struct Job {
    Suite* suite = nullptr;
    record::JobNumber number = 0;
    std::string name;                                      // "suite tcp, job 3 (node-a, node-c)"
    std::vector<std::string> nodes;                        // by rank; empty: all
    int launch = 0;                                        // of the latest
    bool open = false;                                     // the latest has not ended
    bool planned = false, done = false, to_blame = false;  // of the latest
    std::optional<Running> running;
  };
  struct Suite {
    std::size_t index = 0;  // in run_.suites
    std::map<record::JobNumber, Job> jobs;
    int open = 0;  // jobs
    std::string open_since;
    std::unordered_multimap<std::size_t, std::uint32_t> tests;  // cases, by the hash of their names
    std::map<record::PlannedTest, std::uint64_t> planned_tests = {};
    std::set<std::size_t> cut_short = {};  // cases that a stop cut short, or a node that was lost
    struct Beside {
      std::vector<std::size_t> attempts;  // that no attempt alone has replaced yet
      std::string others;
    };
    std::map<std::pair<std::size_t, int>, Beside> beside = {};  // by case and iteration
  };

  void fold(const record::RunStarted&);
  void fold(const record::SuiteStarted&);
  void fold(const record::SuitePlanned&);
  void fold(const record::NodeSeen&);
  void fold(const record::Observed&);
  void fold(const record::CaseStarted&);
  void fold(const record::PhaseStarted&);
  void fold(const record::CableMoved&);
  void fold(const record::CaseEnded&);
  void fold(const record::SuiteDone&);
  void fold(const record::SuiteEnded&);
  void fold(const record::Problem&);
  void fold(const record::RunResumed&);
  void fold(const record::FilesHashed&);
  void fold(const record::RunEnded&);

  void disorder(std::string message);
  Job& job(const std::string& suite, record::JobNumber number, std::string_view event);
  JudgedSuite& judged(const Suite& suite) { return run_.suites[suite.index]; }
  [[nodiscard]] std::optional<std::size_t> find_test(const Suite&, const std::string& name) const;
  std::size_t add_test(Suite&, record::PlannedCase plan);
  std::size_t planned_test(Suite&, const std::string& name, std::string_view event);
  std::uint64_t merged_test(Suite& suite, const record::PlannedTest& test);
  void set_running(Suite&, std::size_t test, bool running);
  static bool replaces_those_beside(Suite&, std::size_t index, JudgedCase& test, Attempt& alone);
  void lose(Suite&, std::size_t test);
  void take_back_problems();
  // `is_alone`: no other job ran meanwhile.
  void add_attempt(Job&, std::size_t test, Attempt, bool is_alone = false);
  [[nodiscard]] std::string others_than(const Job&) const;
  void close_running(Job&, const std::string& reason);
  void hear(const Job&);
  void end_waivers();

  CaseJudge judge_;
  std::shared_ptr<JudgeContext> context_ = std::make_shared<JudgeContext>();
  JudgedRun run_;
  RunChecks checks_;
  std::map<std::string, Suite> suites_;
  std::optional<Attempt> last_;
  // A case in error, or a launch that broke off outside its cases and left this problem: since then no launch has been
  // heard from all nodes of the job.
  struct Broken {
    std::optional<std::size_t> test, problem;  // the latter: in run_.problems
  };
  std::map<const Job*, std::vector<Broken>> broken_;
  bool nodes_are_gone_ = false;  // since the run began, or went on
  // Problems of launches that are none once the run has gone on: nodes were lost.
  std::set<std::size_t> mended_;
  struct InOrder {
    bool operator()(const Job* a, const Job* b) const;
  };
  std::set<Job*, InOrder> open_jobs_, busy_;  // the latter: open, or with a case that is running
  std::set<Suite*> touched_;                  // that a resumption has to look at
  bool is_judged_whole_ = false;
  std::uint64_t events_ = 0, crowded_at_ = 0;  // the last event while several jobs ran
  std::size_t disorders_ = 0, more_ = 0;       // the problem that counts those that are not listed
  std::size_t lasting_ = 0;                    // problems that no resumption takes back
  std::string now_, before_;                   // of the event being folded, and of the one before it
  std::optional<record::LinePlace> place_;     // of that event
};

// Whether a problem is that the run was stopped before its end: then it can be taken up again.
[[nodiscard]] bool is_stop(const record::Problem& problem);

// The rig file and the limits of a record whose text is not the one with the SHA-256 beside it, in words: of a journal that
// was changed. Readers make problems of them.
[[nodiscard]] std::vector<std::string> altered_texts(const record::RunStarted& start);

// Other limits for a record: who judges, and when.
struct OtherLimits {
  std::vector<record::TextFile> limits;
  record::Rejudged by;  // its `run` is filled in
};
// The first event of a record that is judged again by them.
[[nodiscard]] record::RunStarted rejudged(const record::RunStarted& start, OtherLimits other);

// The first event of the journal in this folder. Throws JournalError when there is none or it is another.
[[nodiscard]] record::Event first_event(const std::filesystem::path& directory);

// Reads DIR/journal.jsonl whole and judges it, by its own limits or by others. Throws JournalError as first_event();
// later faults become problems of the run (a great many of them: the first hundred, and how many more). Throws
// toml::InputError for limits of `other`; the record's own, if unreadable, are a problem.
[[nodiscard]] JudgedRun read_run(const std::filesystem::path& directory);
// The same, but the measurements stay in the journal until whole() asks for a case's: a run of any number of
// measurements fits into memory.
[[nodiscard]] JudgedRun open_run(const std::filesystem::path& directory);
// The same by other limits. `keep`, where given, is called with every event of the record that holds them: a journal of
// its own.
[[nodiscard]] JudgedRun judge_by_other_limits(const std::filesystem::path& directory, OtherLimits other,
                                              const std::function<void(const record::Event&)>& keep = {});

}  // namespace rigproof::judge
