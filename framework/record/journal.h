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

// Disk full, no permission, the file gone: what() names the path and the reason.
class JournalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An event whose line no reader would take: nothing of it was written.
class EventTooLong : public JournalError {
 public:
  using JournalError::JournalError;
};

// What a JournalError says of this journal, by its file's name alone: a problem on record says the same wherever the folder lies.
[[nodiscard]] std::string without_folder(const std::string& message, const std::filesystem::path& journal);

// Where a line lies in a journal's file, its newline left out.
struct LinePlace {
  std::uint64_t offset = 0, size = 0;
};

// Appends events to a journal, one write() a line. One writer at a time, by an exclusive flock()
// held as long as the writer lives: the supervisor of a run, or rank 0 of a suite that was started by hand with
// --journal.
class JournalWriter {
 public:
  // A new journal; refuses one that is there.
  [[nodiscard]] static JournalWriter create(const std::filesystem::path& path);
  // An existing one: waits up to `timeout` for its last writer to go. A torn last line (its writer was
  // killed in mid-write) is cut off by the first write(): no reader has ever been shown it as an event.
  [[nodiscard]] static JournalWriter append(const std::filesystem::path& path,
                                            std::chrono::milliseconds timeout);

  JournalWriter(JournalWriter&&) noexcept;
  JournalWriter& operator=(JournalWriter&&) noexcept;
  ~JournalWriter();

  // An event as every reader of its line will see it, and where that is.
  struct Written {
    Event event;
    LinePlace place;
  };
  // The line is in the file (not necessarily on the platter) on return. On failure (JournalError) nothing of
  // it is left behind. What readers would refuse, a line of more than 64 MiB, throws EventTooLong.
  Written write(EventBody body);

 private:
  JournalWriter(std::filesystem::path path, int fd, std::uint64_t next);
  std::filesystem::path path_;
  int fd_;
  std::uint64_t next_;
  std::int64_t torn_at_ = -1;  // where a torn last line begins
};

// Reads a journal line by line, also while it grows. Memory: one line.
class JournalReader {
 public:
  explicit JournalReader(const std::filesystem::path& path);
  ~JournalReader();
  JournalReader(const JournalReader&) = delete;
  JournalReader& operator=(const JournalReader&) = delete;

  // The next whole line's event; nothing at the end (call again later). A faulty line throws
  // JournalError("DIR/journal.jsonl:17: ..."); the reader then stands behind it. Where lines are missing, it
  // throws too, and the next call returns the event behind the gap.
  [[nodiscard]] std::optional<Event> next();

  // Of the event that next() returned last.
  [[nodiscard]] LinePlace place() const;

  // Bytes of an unfinished last line, after next() returned nothing.
  [[nodiscard]] bool torn() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Events of a journal by their places, in any order.
class JournalLines {
 public:
  explicit JournalLines(std::filesystem::path path);
  JournalLines(const JournalLines&) = delete;
  JournalLines& operator=(const JournalLines&) = delete;
  ~JournalLines();

  // Throws JournalError when the line is no longer what it was.
  [[nodiscard]] Event at(LinePlace place) const;

 private:
  std::filesystem::path path_;
  int fd_;
};

}  // namespace rigproof::record
