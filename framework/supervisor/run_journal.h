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

// The only writer of the journal. Writes each event, then judges it as written: reports always match the
// file. After a million measured values it keeps new ones in the journal only: see whole().
class RunJournal {
 public:
  // Creates the file and writes `start`; if that fails, abandons the folder.
  RunJournal(OutDirectory& out, const record::RunStarted& start, RunListener& listener);

  // Continues a run's journal with its writer, and writes `resumed`: the listener's first event.
  RunJournal(OutDirectory& out, record::JournalWriter writer, const record::RunResumed& resumed,
             RunListener& listener);

  // If the disk is full, writes into the folder's reserve; throws if that is used up, too. Throws
  // record::EventTooLong.
  void write(const std::vector<record::EventBody>& events);
  void keep(const channel::File& file);
  // Lets the listener rewrite outdated reports: at once after the run's end, before that at most one
  // hundredth of the time, because nothing else is done meanwhile. While a suite measures: one thousandth,
  // because a rank may share this node's CPUs.
  void publish(bool beside_a_suite = false);
  // True if the reserve is in use: time for the last events.
  [[nodiscard]] bool is_full() const { return !failure_.empty(); }
  // The failed write, if the reserve is in use; else that a rank found no space.
  [[nodiscard]] std::string why_full() const;
  [[nodiscard]] const judge::JudgedRun& run() const { return judge_.run(); }

  // The attempt that ended last; nullptr before the first. Valid until the next event.
  [[nodiscard]] const judge::Attempt* last_attempt() const { return judge_.last_attempt(); }

 private:
  void take(const record::Event& event, record::LinePlace place);
  void take_history();  // events of earlier parts of the run
  void with_reserve(const std::function<void()>& write);

  OutDirectory& out_;
  record::JournalWriter writer_;
  RunListener& listener_;
  judge::RunJudge judge_;
  std::size_t values_ = 0;  // measured so far
  std::chrono::steady_clock::time_point published_ = {};
  std::chrono::steady_clock::duration took_ = {};  // time of the last publish()
  bool changed_ = false, is_history_ = false;
  std::string failure_;  // why the reserve was used
};

}  // namespace rigproof::supervisor
