#pragma once

#include <mutex>
#include <optional>

#include "framework/record/journal.h"

namespace rigproof {

// The suite's access to the run's journal: rank 0 holds it, elsewhere and without a --journal writes go
// nowhere. For the main thread, except write_last().
class SuiteJournal {
 public:
  SuiteJournal() = default;
  explicit SuiteJournal(JournalWriter writer) : writer_(std::move(writer)) {}

  // Throws JournalError.
  void write(const EventBody& body);
  // From any thread, while the job is being ended: gives up when the writer is stuck.
  void write_last(const EventBody& body) noexcept;
  // Lets go of the file: what follows goes nowhere.
  void close();

 private:
  std::timed_mutex mutex_;
  std::optional<JournalWriter> writer_;
};

}  // namespace rigproof
