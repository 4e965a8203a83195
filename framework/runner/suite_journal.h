#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>

#include "framework/record/journal.h"

namespace rigproof {

// The suite's access to the run's journal: rank 0 holds it, elsewhere and without a --journal writes go
// nowhere. For the main thread, except write_last().
class SuiteJournal {
 public:
  SuiteJournal() = default;
  SuiteJournal(JournalWriter writer, std::filesystem::path folder)
      : folder_(std::move(folder)), writer_(std::move(writer)) {}

  // Throws JournalError.
  void write(const EventBody& body);
  // From any thread, while the job is being ended: gives up when the writer is stuck.
  void write_last(const EventBody& body) noexcept;
  // Puts a file FOLDER/NAME beside the journal; nowhere where there is none. Throws FileError.
  void keep(const std::filesystem::path& name, std::string_view text) const;
  // Lets go of the file: what follows goes nowhere.
  void close();

 private:
  std::filesystem::path folder_;  // the journal's; empty: there is none
  std::timed_mutex mutex_;
  std::optional<JournalWriter> writer_;
};

}  // namespace rigproof
