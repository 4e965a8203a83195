#include "framework/runner/suite_journal.h"

namespace rigproof {

void SuiteJournal::write(const EventBody& body) {
  const std::lock_guard lock(mutex_);
  if (writer_) writer_->write(body);
}

void SuiteJournal::write_last(const EventBody& body) noexcept {
  try {
    const std::unique_lock lock(mutex_, std::chrono::seconds(1));
    if (lock && writer_) writer_->write(body);
  } catch (...) {  // the job ends anyway, and stderr has said why
  }
}

void SuiteJournal::close() {
  const std::lock_guard lock(mutex_);
  writer_.reset();
}

}  // namespace rigproof
