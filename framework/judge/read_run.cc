#include <fmt/format.h>

#include <memory>
#include <utility>
#include <variant>

#include "framework/judge/run_judge.h"
#include "framework/record/files.h"
#include "framework/record/journal.h"
#include "framework/record/run_identity.h"
#include "framework/units/printable.h"

namespace rigproof::judge {
namespace {

constexpr int kShownFaults = 100;

// Turns faults of the journal into problems of the run: lists the first ones and counts the rest.
class Faults {
 public:
  explicit Faults(RunJudge& judge) : judge_(judge) {}

  void add(const std::string& message) {
    if (++count_ <= kShownFaults) judge_.add_problem({"journal", message});
  }
  void close() {
    if (count_ > kShownFaults)
      judge_.add_problem({"journal", fmt::format("{} more problems in the journal", count_ - kShownFaults)});
  }

 private:
  RunJudge& judge_;
  int count_ = 0;
};

record::Event first_event(record::JournalReader& reader, const std::filesystem::path& path) {
  std::optional<record::Event> event = reader.next();
  if (!event)
    throw record::JournalError(path.string() + (reader.torn()
                                                    ? ": its first line is incomplete: the writer was killed"
                                                    : ": the journal is empty"));
  if (!std::holds_alternative<record::RunStarted>(event->body))
    throw record::JournalError(path.string() + ":1: a journal begins with run_started");
  return *event;
}

using Keep = std::function<void(const record::Event&)>;

struct Reading {
  bool in_memory;
  std::optional<OtherLimits> other = {};
  Keep keep = {};
};

JudgedRun judged(const std::filesystem::path& path, Reading reading) {
  record::JournalReader reader(path);
  RunJudge judge;
  Faults faults(judge);
  const auto take = [&](const record::Event& event, std::optional<record::LinePlace> place) {
    judge.add(event, place);
    if (reading.keep) reading.keep(event);
  };
  record::Event first = first_event(reader, path);
  const std::vector<std::string> altered = altered_texts(std::get<record::RunStarted>(first.body));
  if (reading.other) {
    record::RunStarted start = rejudged(std::get<record::RunStarted>(first.body), *std::move(reading.other));
    [[maybe_unused]] const JudgeContext checked = JudgeContext::of(start, start.again->time);
    first.body = std::move(start);
  }
  take(first, {});
  for (const std::string& what : altered) faults.add(fmt::format("{}:1: {}", path.filename().string(), what));
  if (!reading.in_memory) judge.leave_in(path);
  // Holds back the last event: faults found behind it must be added before it, as it may end the run.
  std::optional<std::pair<record::Event, record::LinePlace>> held;
  const auto release = [&] {
    if (held) take(held->first, reading.in_memory ? std::nullopt : std::optional(held->second));
    held.reset();
  };
  for (bool more = true; more;) try {
      std::optional<record::Event> event = reader.next();
      more = event.has_value();
      if (!event) continue;
      release();
      held.emplace(*std::move(event), reader.place());
    } catch (const record::JournalError& error) {
      faults.add(record::without_folder(error.what(), path));
    }
  if (reader.torn())
    faults.add(path.filename().string() + ": the last line is incomplete: the writer was killed");
  faults.close();
  release();
  return std::move(judge).take();
}

std::filesystem::path journal_in(const std::filesystem::path& directory) {
  return directory / "journal.jsonl";
}

}  // namespace

std::vector<std::string> altered_texts(const record::RunStarted& start) {
  std::vector<record::TextFile> files = start.limits;
  files.insert(files.end(), start.faults.begin(), start.faults.end());
  files.push_back(start.rig_file);
  std::vector<std::string> altered;
  for (const record::TextFile& file : files)
    if (record::sha256(file.text) != file.sha256)
      altered.push_back(fmt::format("the text of {} does not match its SHA-256: the line was changed",
                                    printable(file.file)));
  return altered;
}

record::RunStarted rejudged(const record::RunStarted& start, OtherLimits other) {
  record::RunStarted again = start;
  other.by.run = start.again ? start.again->run : start.id;
  again.id = record::id_again(start.id);
  again.limits = std::move(other.limits);
  if (other.faults) again.faults = *std::move(other.faults);
  again.again = std::move(other.by);
  return again;
}

record::Event first_event(const std::filesystem::path& directory) {
  const std::filesystem::path path = journal_in(directory);
  record::JournalReader reader(path);
  return first_event(reader, path);
}

JudgedRun read_run(const std::filesystem::path& directory) {
  return judged(journal_in(directory), {.in_memory = true});
}

JudgedRun open_run(const std::filesystem::path& directory) {
  return judged(journal_in(directory), {.in_memory = false});
}

JudgedRun judge_by_other_limits(const std::filesystem::path& directory, OtherLimits other, const Keep& keep) {
  return judged(journal_in(directory), {.in_memory = false, .other = std::move(other), .keep = keep});
}

}  // namespace rigproof::judge
