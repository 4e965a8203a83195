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

// Folds the events of a record into a judged run, in one pass. Pure: the same code judges a run live and
// afterwards. Events out of order become problems, never exceptions. Other problems: a launch without a plan,
// a launch that broke off outside its cases, an unplanned case. A case still running when its launch or the
// run ends gets an attempt with an error of type "unfinished". A run that ends in good order is also judged
// as a whole: see run_checks.h.
class RunJudge {
 public:
  // Judges a case that ended; tests pass their own.
  using CaseJudge = std::function<Attempt(const record::CaseEnded&, const Duty&, const JudgeContext&)>;
  explicit RunJudge(CaseJudge judge = judge_case) : judge_(std::move(judge)) {}

  // With a place, measurements of a judged attempt are dropped: they can be read from the journal.
  void add(const record::Event& event, std::optional<record::LinePlace> place = {});
  void add_problem(record::Problem problem);
  // Sets the journal from which dropped measurements are read and judged again.
  void leave_in(const std::filesystem::path& journal);

  [[nodiscard]] const JudgedRun& run() const { return run_; }
  [[nodiscard]] JudgedRun take() && { return std::move(run_); }
  // The attempt that ended last; nullptr before the first. Valid until the next event.
  [[nodiscard]] const Attempt* last_attempt() const { return last_ ? &*last_ : nullptr; }

 private:
  // The attempt in progress.
  struct Running {
    std::size_t test;
    int iteration;
    std::string name, started, phase;
    std::uint64_t began = 0;  // value of events_ then
  };
  struct Suite;
  // The suite on some nodes. Jobs without a common node run at the same time.
  struct Job {
    Suite* suite = nullptr;
    record::JobNumber number = 0;
    std::string name;                                      // "suite tcp, job 3 (node-a, node-c)"
    std::vector<std::string> nodes;                        // in rank order; empty: all
    int launch = 0;                                        // number of the latest
    bool open = false;                                     // the latest has not ended
    bool planned = false, done = false, to_blame = false;  // of the latest launch
    std::optional<Running> running;
  };
  struct Suite {
    std::size_t index = 0;  // index in run_.suites
    std::map<record::JobNumber, Job> jobs;
    int open = 0;  // open jobs
    std::string open_since;
    std::unordered_multimap<std::size_t, std::uint32_t> tests;  // hash of the name -> case
    std::map<record::PlannedTest, std::uint64_t> planned_tests = {};
    std::set<std::size_t> cut_short = {};  // cases that a stop or a lost node interrupted
    struct Beside {
      std::vector<std::size_t> attempts;  // not yet replaced by an attempt alone
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

  void count_time(Suite& suite);
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
  void begin_retest(const std::vector<std::string>& nodes);
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
  // A case in error, or the problem of a launch that broke off outside its cases. Cleared once a later launch
  // has reached all nodes of the job.
  struct Broken {
    std::optional<std::size_t> test, problem;  // problem: index in run_.problems
  };
  std::map<const Job*, std::vector<Broken>> broken_;
  bool nodes_are_gone_ = false;  // since the start or the last resume
  // Problems that a resume takes back: of launches whose nodes were lost.
  std::set<std::size_t> mended_;
  struct InOrder {
    bool operator()(const Job* a, const Job* b) const;
  };
  std::set<Job*, InOrder> open_jobs_, busy_;  // busy_: open, or with a running case
  std::set<Suite*> touched_;                  // to be checked when the run is resumed
  bool is_judged_whole_ = false;
  std::uint64_t events_ = 0, crowded_at_ = 0;  // crowded_at_: last event with several open jobs
  std::size_t disorders_ = 0, more_ = 0;       // more_: index of the problem that counts the rest
  std::size_t lasting_ = 0;                    // number of problems that no resume takes back
  std::string now_, before_;                   // times of the current and the previous event
  std::optional<record::LinePlace> place_;     // the current event's line
};

// True if the problem means that the run was stopped early; it can then be resumed.
[[nodiscard]] bool is_stop(const record::Problem& problem);

// Describes the rig file and limits of a record whose text does not match the SHA-256: the journal was
// changed. Readers report this as problems.
[[nodiscard]] std::vector<std::string> altered_texts(const record::RunStarted& start);

// Other limits for a record, who judges and when.
struct OtherLimits {
  std::vector<record::TextFile> limits;
  record::Rejudged by;                                       // `run` is filled in by rejudged()
  std::optional<std::vector<record::TextFile>> faults = {};  // not set: those of the record
};
// The first event of a record that is judged again by other limits.
[[nodiscard]] record::RunStarted rejudged(const record::RunStarted& start, OtherLimits other);

// The first event of this folder's journal. Throws JournalError if it is missing or not run_started.
[[nodiscard]] record::Event first_event(const std::filesystem::path& directory);

// Reads all of DIR/journal.jsonl and judges it by its own limits. Throws JournalError as first_event(). Later
// faults become problems of the run (the first hundred, and a count of the rest), as do unreadable limits.
[[nodiscard]] JudgedRun read_run(const std::filesystem::path& directory);
// Like read_run(), but measurements stay in the journal until whole() asks for a case's: memory does not grow
// with them.
[[nodiscard]] JudgedRun open_run(const std::filesystem::path& directory);
// Like open_run(), by other limits. `keep` gets every event of the new record. Throws toml::InputError for
// the limits.
[[nodiscard]] JudgedRun judge_by_other_limits(const std::filesystem::path& directory, OtherLimits other,
                                              const std::function<void(const record::Event&)>& keep = {});

}  // namespace rigproof::judge
