#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "framework/channel/channel.h"
#include "framework/judge/run_judge.h"
#include "framework/record/journal.h"
#include "framework/supervisor/out_directory.h"
#include "framework/supervisor/run_rig.h"

namespace rigproof::supervisor {

// The supervisor's hand on the journal: it alone writes it. Every event is written, then judged as its line has it: what it
// knows and reports is what the file says. Past a million values measured it leaves them there: whole() has them.
class RunJournal {
 public:
  // Creates the file and writes `start`.
  RunJournal(OutDirectory& out, const record::RunStarted& start, RunListener& listener);

  // Of one that a run has left, by the writer that goes on with it: writes `resumed`. The listener hears of that event
  // and what follows.
  RunJournal(OutDirectory& out, record::JournalWriter writer, const record::RunResumed& resumed,
             RunListener& listener);

  // What does not fit on the disk is written in the place of the folder's reserve; throws when that is used up, too. Throws
  // record::EventTooLong.
  void write(const std::vector<record::EventBody>& events);
  void keep(const channel::File& file);
  // Has the listener rewrite what is out of date: at once when the run has ended, else as often as costs little. Nothing
  // else is done meanwhile: one hundredth of the time at most. On the head node it takes CPU time from a rank: beside a suite
  // that measures it is one thousandth of the time at most.
  void publish(bool beside_a_suite = false);
  // The reserve is in use: time for last words.
  [[nodiscard]] bool is_full() const { return !failure_.empty(); }
  // What could not be written and why, where the reserve is in use; else that a rank found no space.
  [[nodiscard]] std::string why_full() const;
  [[nodiscard]] const judge::JudgedRun& run() const { return judge_.run(); }

  // Of the attempt that ended last; nullptr before the first. Valid until the next event.
  [[nodiscard]] const judge::Attempt* last_attempt() const { return judge_.last_attempt(); }

 private:
  void take(const record::Event& event, record::LinePlace place);
  void take_history();  // what an earlier part of the run has left
  void with_reserve(const std::function<void()>& write);

  OutDirectory& out_;
  record::JournalWriter writer_;
  RunListener& listener_;
  judge::RunJudge judge_;
  std::size_t values_ = 0;  // measured so far
  std::chrono::steady_clock::time_point published_ = {};
  std::chrono::steady_clock::duration took_ = {};  // to rewrite them
  bool changed_ = false, is_history_ = false;
  std::string failure_;  // that took the reserve
};

}  // namespace rigproof::supervisor
