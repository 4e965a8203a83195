#include "framework/supervisor/judge_again.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "framework/record/journal.h"
#include "framework/record/run_id.h"
#include "framework/record/utc.h"
#include "framework/rig/case_names.h"
#include "framework/rig/subjects.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/judge_case_again.h"
#include "framework/supervisor/shell_words.h"
#include "framework/supervisor/suite_catalog.h"
#include "framework/supervisor/whole_run.h"

namespace rigproof {
namespace {

// Problems after which a run did not judge itself as a whole.
constexpr std::array<std::string_view, 5> kBrokeOff = {"interrupted", "disk-full", "harness", "rig-absent",
                                                       "node-absent"};

constexpr int kShownFaults = 100;

LimitTable limits_in(const ThresholdsFile& thresholds, const std::string& profile) {
  return LimitTable::read(toml::Document::parse(thresholds.text, thresholds.file), parse_profile(profile),
                          rig_fact_dimensions());
}

// The recorded rig. One that cannot be read leaves each measurement with the facts that are recorded beside it: a
// limit that needs others is then an error, never a pass.
std::optional<Rig> rig_in(const RunStarted& start) try {
  return read_rig(toml::Document::parse(start.rig_text, start.rig_file));
} catch (const toml::InputError&) {
  return std::nullopt;
}

std::optional<LimitTable> first_limits(const RunStarted& start) try {
  return limits_in({start.thresholds_file, start.thresholds_text}, start.profile);
} catch (const std::exception&) {
  return {};
}

// What stood behind each --suite, or what a snapshot is judged by.
std::vector<std::string> suites_asked(const std::string& command_line) try {
  constexpr std::string_view kOption = "--suite";
  std::vector<std::string> suites;
  std::string before;
  bool is_of_a_snapshot = false;
  for (const std::string& word : split_words(command_line)) {
    if (before == kOption) suites.push_back(word);
    if (word.starts_with("--suite=")) suites.push_back(word.substr(kOption.size() + 1));
    is_of_a_snapshot = is_of_a_snapshot || word == "--facts" || word.starts_with("--facts=");
    before = word;
  }
  if (suites.empty() && is_of_a_snapshot) suites.emplace_back(kFactsSuite);
  return suites;
} catch (const std::invalid_argument&) {
  return {};
}

// A case about the run as a whole that is decided anew from other events.
bool is_derived(const std::string& name) {
  return name.starts_with("Steady.") || name.starts_with("Suites.Built/");
}

// By what every case is judged anew.
struct Judging {
  LimitsAgain limits;
  std::map<std::string, Subject> subjects;

  [[nodiscard]] CaseEnded operator()(CaseEnded first) const {
    const auto known = subjects.find(subject_name(first.name));
    return judge_case_again(std::move(first), known == subjects.end() ? nullptr : &known->second, limits);
  }
};

class Again {
 public:
  Again(const std::filesystem::path& journal, const Event& started, const ThresholdsFile& thresholds,
        const std::string& command_line, const std::function<void(const Event&)>& keep)
      : first_(std::get<RunStarted>(started.body)), keep_(keep), time_(started.time) {
    RunStarted start = first_;
    start.id = id_again(first_.id);
    start.command_line = fmt::format("{} && {}", first_.command_line, command_line);
    start.thresholds_file = thresholds.file;
    start.thresholds_text = thresholds.text;
    scope_.asked = suites_asked(first_.command_line);
    scope_.every_suite = scope_.asked.empty();
    Judging judging{{first_limits(first_), limits_in(thresholds, first_.profile), thresholds.file}, {}};
    if (const auto rig = rig_in(first_)) {
      judging.subjects = every_subject(*rig);
      scope_.has_switch = has_switch(*rig);
    }
    judged_ = std::make_shared<const Judging>(std::move(judging));
    assembler_.leave_to([judged = judged_, first = ended_cases(journal)](LinePlace place) {
      return (*judged)(first(place));
    });
    emit(utc_now(), start);
  }

  void take(const Event& event, LinePlace place) {
    finish();
    time_ = event.time;
    place_ = place;
    whole_.see(event.body);
    std::visit([this](const auto& body) { see(body); }, event.body);
  }
  void fault(const Problem& problem) { emit(time_, problem); }
  // Faults behind the last event belong before the end that it was.
  void finish() {
    if (end_) end(*std::exchange(end_, {}));
  }
  [[nodiscard]] RunRecord take_record() { return std::move(assembler_).take(); }

 private:
  [[nodiscard]] const RunRecord& record() const { return assembler_.record(); }

  void see(const auto& body) {
    if constexpr (requires { body.suite == kRunSuite; }) {
      if (body.suite == kRunSuite) return;
    }
    emit(time_, body);
  }
  void see(const RunStarted& second) { emit(time_, second); }
  void see(const SuiteStarted& suite) {
    if (suite.suite == kRunSuite) return;
    if (std::ranges::find(scope_.suites, suite.suite) == scope_.suites.end())
      scope_.suites.push_back(suite.suite);
    scope_.every_case = scope_.every_case && suite.command.find("--gtest_filter=") == std::string::npos;
    emit(time_, suite);
  }
  void see(const SuitePlanned& plan) {
    if (plan.suite != kRunSuite) return emit(time_, plan);
    for (const PlannedCase& test : plan.cases)
      if (!is_derived(test.name)) run_cases_.push_back({test, {}, {}, {}});
  }
  void see(const CaseEnded& first) {
    const CaseEnded ended = (*judged_)(first);
    if (ended.suite != kRunSuite) return emit(time_, ended, place_);
    for (RunCase& test : run_cases_) {
      if (test.plan.name != ended.name) continue;
      test.measurements = ended.measurements;
      test.failures = ended.failures;
    }
  }
  void see(const Problem& problem) {
    broke_off_ = broke_off_ || std::ranges::find(kBrokeOff, problem.type) != kBrokeOff.end();
    if (problem.type != "unused-limit") emit(time_, problem);
  }
  void see(const RunEnded& first) { end_ = first; }
  void end(const RunEnded& first) {
    if (!broke_off_)
      for (const EventBody& event : whole_.judged(record(), judged_->limits.now, scope_, run_cases_))
        emit(time_, event);
    RunEnded end = first;
    if (end.exit_code != kExitRigAbsent || has_cases()) end.exit_code = assembler_.exit_code_at_its_end();
    emit(time_, end);
  }

  [[nodiscard]] bool has_cases() const {
    return std::ranges::any_of(record().suites,
                               [](const SuiteRecord& suite) { return !suite.cases.empty(); });
  }

  // With a place in the first journal, what was measured is left there, to be judged again by whoever asks for it.
  void emit(const std::string& time, const EventBody& body, std::optional<LinePlace> place = {}) {
    const Event event{next_++, time, body};
    assembler_.add(event, place);
    if (keep_) keep_(event);
  }

  RunStarted first_;
  std::shared_ptr<const Judging> judged_;
  const std::function<void(const Event&)>& keep_;
  WholeRun whole_;
  std::vector<RunCase> run_cases_;  // of the first record, that no other event tells of
  RunScope scope_{.every_suite = true, .every_case = true, .suites = {}};
  std::optional<RunEnded> end_;  // seen, not yet judged
  RunAssembler assembler_;
  std::uint64_t next_ = 0;
  std::string time_;  // of the event in hand
  LinePlace place_;   // of that event
  bool broke_off_ = false;
};

}  // namespace

Event first_event(const std::filesystem::path& directory, JournalReader& reader) {
  std::optional<Event> event = reader.next();
  const std::string path = (directory / "journal.jsonl").string();
  if (!event) throw JournalError(path + ": the journal is empty");
  if (!std::holds_alternative<RunStarted>(event->body))
    throw JournalError(path + ":1: a journal begins with run_started");
  return *std::move(event);
}

Event first_event(const std::filesystem::path& directory) {
  JournalReader reader(directory / "journal.jsonl");
  return first_event(directory, reader);
}

ThresholdsFile ThresholdsFile::load(const std::filesystem::path& path) {
  return {path, toml::Document::load(path).text()};
}

RunRecord judge_again(const std::filesystem::path& directory, const ThresholdsFile& limits,
                      const std::string& command_line, const std::function<void(const Event&)>& keep) {
  const std::filesystem::path path = directory / "journal.jsonl";
  JournalReader reader(path);
  Again again(path, first_event(directory, reader), limits, command_line, keep);
  int faults = 0;
  for (bool more = true; more;) {
    std::optional<Event> event;
    try {
      event = reader.next();
      more = event.has_value();
    } catch (const JournalError& error) {
      if (++faults <= kShownFaults) again.fault({"journal", error.what()});
    }
    if (event) again.take(*event, reader.place());
  }
  if (reader.torn())
    again.fault({"journal", path.string() + ": the last line is torn: its writer was stopped in mid-write"});
  if (faults > kShownFaults)
    again.fault({"journal", fmt::format("{} more faults in the journal", faults - kShownFaults)});
  again.finish();
  return again.take_record();
}

}  // namespace rigproof
