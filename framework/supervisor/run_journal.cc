#include "framework/supervisor/run_journal.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "framework/record/files.h"

namespace rigproof::supervisor {
namespace {

constexpr int kMostFaults = 100;
constexpr std::chrono::milliseconds kBetweenReports{200};

// From this number of measured values on, measurements stay in the journal. Reports from memory are faster.
constexpr std::size_t kMostValues = 1 << 20;

std::size_t values_in(const record::EventBody& event) {
  std::size_t values = 0;
  if (const auto* ended = std::get_if<record::CaseEnded>(&event))
    for (const record::Measured& measured : ended->measured)
      values += sizeof(judge::JudgedMeasurement) / sizeof(double) + measured.samples.values.size();
  return values;
}

// Progress events change no report.
bool changes_reports(const record::EventBody& event) {
  return !std::holds_alternative<record::PhaseStarted>(event) &&
         !std::holds_alternative<record::CableMoved>(event) &&
         !std::holds_alternative<record::CaseStarted>(event) &&
         !std::holds_alternative<record::Observed>(event);
}

}  // namespace

RunJournal::RunJournal(OutDirectory& out, const record::RunStarted& start, RunListener& listener)
    : out_(out), writer_(record::JournalWriter::create(out.journal())), listener_(listener) {
  std::optional<record::JournalWriter::Written> written;
  try {
    written = writer_.write(start);
  } catch (...) {
    out.abandon();
    throw;
  }
  take(written->event, written->place);
  publish();
  judge_.leave_in(out.journal());
}

RunJournal::RunJournal(OutDirectory& out, record::JournalWriter writer, const record::RunResumed& resumed,
                       RunListener& listener)
    : out_(out), writer_(std::move(writer)), listener_(listener) {
  take_history();
  judge_.leave_in(out.journal());
  write({resumed});
  publish();
}

void RunJournal::write(const std::vector<record::EventBody>& events) {
  for (const record::EventBody& event : events) {
    std::optional<record::JournalWriter::Written> written;
    with_reserve([&] { written = writer_.write(event); });
    take(written->event, written->place);
  }
}

void RunJournal::keep(const channel::File& file) {
  with_reserve([&] { record::keep_file(out_.path(), file.name, file.text); });
}

void RunJournal::with_reserve(const std::function<void()>& write) {
  try {
    write();
  } catch (const record::EventTooLong&) {
    throw;
  } catch (const std::exception& error) {
    if (!out_.release_reserve()) throw;
    const std::string why = error.what();
    write();
    failure_ = why;
  }
}

std::string RunJournal::why_full() const {
  return is_full() ? failure_ : "no space left in " + out_.path().string();
}

void RunJournal::publish(bool beside_a_suite) {
  const auto now = std::chrono::steady_clock::now();
  const auto pause =
      std::max<std::chrono::steady_clock::duration>(kBetweenReports, (beside_a_suite ? 999 : 99) * took_);
  if (!changed_ || (!run().end && now < published_ + pause)) return;
  changed_ = false;
  with_reserve([this] { listener_.on_change(run()); });
  published_ = std::chrono::steady_clock::now();
  took_ = published_ - now;
}

// A faulty line becomes a problem of the run, as for every later reader; the lines behind it count.
void RunJournal::take_history() {
  record::JournalReader reader(out_.journal());
  int faults = 0;
  const auto next = [&]() -> std::optional<record::Event> {
    while (true) {
      try {
        return reader.next();
      } catch (const record::JournalError& error) {
        if (++faults > kMostFaults) throw;
        judge_.add_problem({"journal", record::without_folder(error.what(), out_.journal())});
        changed_ = true;
      }
    }
  };
  is_history_ = true;
  while (const auto event = next()) take(*event, reader.place());
  is_history_ = false;
}

void RunJournal::take(const record::Event& event, record::LinePlace place) {
  values_ += values_in(event.body);
  judge_.add(event, values_ > kMostValues ? std::optional(place) : std::nullopt);
  if (!is_history_)
    listener_.on_event(
        run(), event,
        std::holds_alternative<record::CaseEnded>(event.body) ? judge_.last_attempt() : nullptr);
  changed_ = changed_ || changes_reports(event.body);
}

}  // namespace rigproof::supervisor
