#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "framework/record/journal.h"
#include "framework/record/run_record.h"
#include "framework/supervisor/run_rig.h"

namespace rigproof {

// The supervisor's hand on the journal. It takes turns in writing with rank 0 of the running suite, and reads
// every line back, its own included: what it knows and reports is what the file says. Past
// a million values measured it leaves them there: whole() has them.
class RunJournal {
 public:
  // Creates the file and writes `start`. `patience`: how long a suite may take to let go of the journal.
  RunJournal(const std::filesystem::path& path, const RunStarted& start, std::chrono::milliseconds patience,
             RunListener& listener);

  // Called with every event, after the record has it.
  void subscribe(std::function<void(const Event&)> subscriber) {
    subscribers_.push_back(std::move(subscriber));
  }

  void write(const std::vector<EventBody>& events);  // and drain()s
  void drain();                                      // takes in the lines that are new
  [[nodiscard]] const RunRecord& record() const { return assembler_.record(); }

  // What the record's exit code is going to be once the run's end is written.
  [[nodiscard]] int exit_code_at_its_end() const { return assembler_.exit_code_at_its_end(); }

 private:
  void take(const Event& event);
  [[nodiscard]] std::optional<Event> next();

  std::filesystem::path path_;
  std::chrono::milliseconds patience_;
  RunListener& listener_;
  std::vector<std::function<void(const Event&)>> subscribers_;
  std::unique_ptr<JournalReader> reader_;
  RunAssembler assembler_;
  std::size_t values_ = 0;  // measured so far
  bool changed_ = false;
  int faults_ = 0;
};

}  // namespace rigproof
