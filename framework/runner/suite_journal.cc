#include "framework/runner/suite_journal.h"

#include "framework/record/replace_file.h"

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

void SuiteJournal::keep(const std::filesystem::path& name, std::string_view text) const {
  if (folder_.empty()) return;
  const std::filesystem::path path = folder_ / name;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) throw FileError(path.parent_path().string() + ": " + error.message());
  replace_file(path, text);
}

void SuiteJournal::close() {
  const std::lock_guard lock(mutex_);
  writer_.reset();
}

}  // namespace rigproof
