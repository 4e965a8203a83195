#include <fmt/format.h>

#include <memory>
#include <utility>
#include <variant>

#include "framework/record/journal.h"
#include "framework/record/run_record.h"

namespace rigproof {
namespace {

constexpr int kShownFaults = 100;

// Turns the journal's faults into problems of the record, and does not drown in them.
class Faults {
 public:
  explicit Faults(RunAssembler& assembler) : assembler_(assembler) {}
  void add(const std::string& message) {
    if (++count_ <= kShownFaults) assembler_.add_problem({"journal", message});
  }
  void close() {
    if (count_ > kShownFaults)
      assembler_.add_problem(
          {"journal", fmt::format("{} more faults in the journal", count_ - kShownFaults)});
  }

 private:
  RunAssembler& assembler_;
  int count_ = 0;
};

Event first_event(JournalReader& reader, const std::filesystem::path& path) {
  std::optional<Event> event = reader.next();
  if (!event) throw JournalError(path.string() + ": the journal is empty");
  if (!std::holds_alternative<RunStarted>(event->body))
    throw JournalError(path.string() + ":1: a journal begins with run_started");
  return *event;
}

enum class Measured { kInMemory, kInJournal };

RunRecord assemble(const std::filesystem::path& path, Measured measured) {
  JournalReader reader(path);
  RunAssembler assembler;
  assembler.add(first_event(reader, path));
  const bool leave = measured == Measured::kInJournal;
  if (leave) assembler.leave_to(ended_cases(path));
  Faults faults(assembler);
  for (bool more = true; more;) try {
      const std::optional<Event> event = reader.next();
      if (event) assembler.add(*event, leave ? std::optional(reader.place()) : std::nullopt);
      more = event.has_value();
    } catch (const JournalError& error) {
      faults.add(error.what());
    }
  if (reader.torn())
    faults.add(path.string() + ": the last line is torn: its writer was stopped in mid-write");
  faults.close();
  return std::move(assembler).take();
}

}  // namespace

RunRecord read_run(const std::filesystem::path& directory) {
  return assemble(directory / "journal.jsonl", Measured::kInMemory);
}

EndedCases ended_cases(const std::filesystem::path& journal) {
  return [lines = std::make_shared<const JournalLines>(journal)](LinePlace place) {
    Event event = lines->at(place);
    if (auto* ended = std::get_if<CaseEnded>(&event.body)) return std::move(*ended);
    throw JournalError("the journal was changed while it was read");
  };
}

RunRecord open_run(const std::filesystem::path& directory) {
  return assemble(directory / "journal.jsonl", Measured::kInJournal);
}

}  // namespace rigproof
