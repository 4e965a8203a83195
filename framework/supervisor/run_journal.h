#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "framework/judge/run_judge.h"
#include "framework/record/journal.h"
#include "framework/supervisor/run_rig.h"

namespace rigproof::supervisor {

// The supervisor's hand on the journal. It takes turns in writing with rank 0 of the running suite, and reads
// every line back, its own included, and judges it: what it knows and reports is what the file says. Past
// a million values measured it leaves them there: whole() has them.
class RunJournal {
 public:
  // Creates the file and writes `start`. `timeout`: how long a suite may take to let go of the journal.
  RunJournal(const std::filesystem::path& path, const record::RunStarted& start,
             std::chrono::milliseconds timeout, RunListener& listener);

  // Called with every event, after the record has it.
  void subscribe(std::function<void(const record::Event&)> subscriber) {
    subscribers_.push_back(std::move(subscriber));
  }

  void write(const std::vector<record::EventBody>& events);  // and drain()s
  void drain();                                              // takes in the lines that are new
  [[nodiscard]] const judge::JudgedRun& run() const { return judge_.run(); }

  // Of the attempt that ended last; nullptr before the first. Valid until the next event.
  [[nodiscard]] const judge::Attempt* last_attempt() const { return judge_.last_attempt(); }

 private:
  void take(const record::Event& event);
  [[nodiscard]] std::optional<record::Event> next();

  std::filesystem::path path_;
  std::chrono::milliseconds timeout_;
  RunListener& listener_;
  std::vector<std::function<void(const record::Event&)>> subscribers_;
  std::unique_ptr<record::JournalReader> reader_;
  judge::RunJudge judge_;
  std::size_t values_ = 0;  // measured so far
  bool changed_ = false;
  int faults_ = 0;
};

}  // namespace rigproof::supervisor
