#include "framework/supervisor/run_journal.h"

#include <utility>

namespace rigproof::supervisor {
namespace {

constexpr int kMostFaults = 100;

// Reports of what is in memory are made sooner; a long run leaves what it measures in the journal from here on.
constexpr std::size_t kMostValues = 1 << 20;

std::size_t values_in(const record::EventBody& event) {
  std::size_t values = 0;
  if (const auto* ended = std::get_if<record::CaseEnded>(&event))
    for (const record::Measured& measured : ended->measured)
      values += sizeof(judge::JudgedMeasurement) / sizeof(double) + measured.samples.values.size();
  return values;
}

// Signs of life change no report.
bool changes_reports(const record::EventBody& event) {
  return !std::holds_alternative<record::PhaseStarted>(event) &&
         !std::holds_alternative<record::CaseStarted>(event) &&
         !std::holds_alternative<record::Observed>(event);
}

}  // namespace

RunJournal::RunJournal(const std::filesystem::path& path, const record::RunStarted& start,
                       std::chrono::milliseconds timeout, RunListener& listener)
    : path_(path), timeout_(timeout), listener_(listener) {
  record::JournalWriter::create(path).write(start);
  reader_ = std::make_unique<record::JournalReader>(path);
  drain();
  judge_.leave_in(path);
}

void RunJournal::write(const std::vector<record::EventBody>& events) {
  {
    record::JournalWriter writer = record::JournalWriter::append(path_, timeout_);
    for (const record::EventBody& event : events) writer.write(event);
  }
  drain();
}

void RunJournal::drain() {
  while (const auto event = next()) take(*event);
  if (std::exchange(changed_, false)) listener_.on_change(run());
}

// A faulty line is a problem of the run, as it will be for every later reader; the lines behind it count.
std::optional<record::Event> RunJournal::next() {
  while (true) {
    try {
      return reader_->next();
    } catch (const record::JournalError& error) {
      if (++faults_ > kMostFaults) throw;
      judge_.add_problem({"journal", error.what()});
      changed_ = true;
    }
  }
}

void RunJournal::take(const record::Event& event) {
  values_ += values_in(event.body);
  judge_.add(event, values_ > kMostValues ? std::optional(reader_->place()) : std::nullopt);
  for (const auto& subscriber : subscribers_) subscriber(event);
  listener_.on_event(run(), event,
                     std::holds_alternative<record::CaseEnded>(event.body) ? judge_.last_attempt() : nullptr);
  changed_ = changed_ || changes_reports(event.body);
}

}  // namespace rigproof::supervisor
