#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>

#include "framework/ranks/message.h"

namespace rigproof {

class MpiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Messages between the ranks on a private communicator, in order between any two ranks. Nothing here waits.
// For the one thread that runs the suite, except send_last(). Calls that fail throw MpiError.
class Mailbox {
 public:
  Mailbox();   // MPI is initialised; collective
  ~Mailbox();  // local
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;

  void send(int to, const Message& message);
  // Takes in what has arrived and lets sends progress.
  void pump();
  // Of `rank`, in order; aborts and last words are kept apart.
  [[nodiscard]] std::deque<Message>& from(int rank);
  // A peer that said that the phase at `point` can't succeed.
  [[nodiscard]] std::optional<int> aborted(PhaseId point) const;
  // What a rank said before it ended the job: a kFatal message, whoever it came from.
  [[nodiscard]] const std::optional<Message>& last_words() const;
  // Whether all that was sent has left.
  [[nodiscard]] bool flushed() const;

  // For any thread of a process that is about to end: the message may or may not get there.
  void send_last(int to, const Message& message) noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rigproof
