#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/record/events.h"

namespace rigproof::record {

// Disk full, no permission, file removed. what() names the path and the reason.
class JournalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The event's line would be too long for readers. It was not written.
class EventTooLong : public JournalError {
 public:
  using JournalError::JournalError;
};

// A JournalError's message with the journal's file name only: records must not depend on the folder.
[[nodiscard]] std::string without_folder(const std::string& message, const std::filesystem::path& journal);

// Place of a line in a journal's file, without its newline.
struct LinePlace {
  std::uint64_t offset = 0, size = 0;
};

// Appends events to a journal, one write() per line. An exclusive flock() allows one writer at a time, until
// it is destroyed: a run's supervisor, or rank 0 of a suite started by hand with --journal.
class JournalWriter {
 public:
  // Creates a new journal; refuses an existing file.
  [[nodiscard]] static JournalWriter create(const std::filesystem::path& path);
  // Opens an existing journal; waits up to `timeout` for its last writer. The first write() removes an
  // incomplete last line of a killed writer: no reader has returned it as an event.
  [[nodiscard]] static JournalWriter append(const std::filesystem::path& path,
                                            std::chrono::milliseconds timeout);

  JournalWriter(JournalWriter&&) noexcept;
  JournalWriter& operator=(JournalWriter&&) noexcept;
  ~JournalWriter();

  // An event as readers see it, and the place of its line.
  struct Written {
    Event event;
    LinePlace place;
  };
  // Returns when the line is in the file (not necessarily on the disk). A failure (JournalError) leaves
  // nothing behind. A line of more than 64 MiB throws EventTooLong.
  Written write(EventBody body);

 private:
  JournalWriter(std::filesystem::path path, int fd, std::uint64_t next);
  std::filesystem::path path_;
  int fd_;
  std::uint64_t next_;
  std::int64_t torn_at_ = -1;  // offset of an incomplete last line
};

// Reads a journal line by line, also while it grows. Keeps one line in memory.
class JournalReader {
 public:
  explicit JournalReader(const std::filesystem::path& path);
  ~JournalReader();
  JournalReader(const JournalReader&) = delete;
  JournalReader& operator=(const JournalReader&) = delete;

  // The event of the next complete line; nullopt at the end (call again later). A faulty line throws
  // JournalError("DIR/journal.jsonl:17: ..."), and the next call continues behind it. Missing lines throw,
  // too; the next call returns the event behind the gap.
  [[nodiscard]] std::optional<Event> next();

  // Place of the event that next() returned last.
  [[nodiscard]] LinePlace place() const;

  // True if the file ends with an incomplete line. Valid after next() returned nullopt.
  [[nodiscard]] bool torn() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Reads events of a journal by their places, in any order.
class JournalLines {
 public:
  explicit JournalLines(std::filesystem::path path);
  JournalLines(const JournalLines&) = delete;
  JournalLines& operator=(const JournalLines&) = delete;
  ~JournalLines();

  // Throws JournalError if the line has changed.
  [[nodiscard]] Event at(LinePlace place) const;

 private:
  std::filesystem::path path_;
  int fd_;
};

}  // namespace rigproof::record
