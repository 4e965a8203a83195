#include "framework/cli/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "framework/cli/report_files.h"

namespace rigproof::cli {
namespace {

// Searches from `place`, and moves `place` behind the found case: cases end nearly in the order of their plan.
std::optional<judge::JudgedCase> find_case(const judge::JudgedSuite& suite, const std::string& name,
                                           std::size_t& place) {
  const std::size_t first = place, count = suite.cases.size();
  for (std::size_t step = 0; step < count; ++step) {
    const std::size_t index = (first + step) % count;
    if (suite.cases.name_at(index) != name) continue;
    place = index + 1;
    return suite.cases.at(index);
  }
  return {};
}

std::size_t& count_of(terminal::LiveCounts& counts, judge::Status status) {
  switch (status) {
    case judge::Status::kPassed:
      return counts.passed;
    case judge::Status::kRecorded:
      return counts.recorded;
    case judge::Status::kWaived:
      return counts.waived;
    case judge::Status::kNotProven:
      return counts.not_proven;
    case judge::Status::kFailed:
      return counts.failed;
    case judge::Status::kError:
      break;
  }
  return counts.errors;
}

// Progress of this suite; adds the suite if it is new.
terminal::SuiteProgress& progress_of(std::vector<terminal::SuiteProgress>& suites, const std::string& name) {
  const auto found = std::ranges::find(suites, name, &terminal::SuiteProgress::suite);
  return found == suites.end() ? suites.emplace_back(terminal::SuiteProgress{.suite = name}) : *found;
}

// Does not throw: a closed reader does not stop the run, and the program reports a full file when it ends.
void print(std::FILE* out, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);
}

std::string counted(std::size_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace

Countdown::Countdown(std::FILE* out, const std::string& what, std::chrono::duration<double> within)
    : out_(out), thread_([out, what, within](const std::stop_token& stop) {
        const auto end = std::chrono::steady_clock::now() + within;
        while (!stop.stop_requested()) {
          const std::chrono::duration<double> left = end - std::chrono::steady_clock::now();
          print(out,
                fmt::format("\r>>>   {} ({:.0f} s left)  ", what, std::max(0.0, std::ceil(left.count()))));
          for (int slice = 0; slice < 20 && !stop.stop_requested(); ++slice)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
      }) {}

Countdown::~Countdown() {
  thread_.request_stop();
  thread_.join();
  print(out_, "\n");
}

Console::Console(std::filesystem::path directory, std::FILE* out, terminal::Colour colour, bool draws,
                 bool lists_cases)
    : directory_(std::move(directory)),
      out_(out),
      colour_(colour),
      draws_(draws),
      lists_cases_(lists_cases) {}

void Console::on_plan(const std::vector<supervisor::PlannedCount>& suites) {
  for (const supervisor::PlannedCount& planned : suites) {
    counts_.cases += planned.cases;
    terminal::SuiteProgress& progress = progress_of(counts_.suites, planned.suite);
    progress.cases = planned.cases;
    progress.usual = planned.usual;
    planned_[planned.suite] = planned.tests;
  }
  const std::string before = counts_.ended == 0 ? "" : fmt::format(", {} ended earlier", counts_.ended);
  line(fmt::format("{}{}, record in {}", counted(counts_.cases, "case"), before, directory_.string()));
}

void Console::on_notice(const std::string& text) { line("NOTE  " + text); }

void Console::on_event(const judge::JudgedRun& run, const record::Event& event,
                       const judge::Attempt* attempt) {
  if (std::holds_alternative<record::CaseEnded>(event.body) ||
      std::holds_alternative<record::SuiteEnded>(event.body))
    countdown_.reset();
  if (const auto* ended = std::get_if<record::CaseEnded>(&event.body))
    show_case(run, *ended, attempt != nullptr && attempt->replaced);
  else if (const auto* moved = std::get_if<record::CableMoved>(&event.body))
    show_cable(run, *moved);
  else if (const auto* problem = std::get_if<record::Problem>(&event.body))
    say(judge::Status::kError, "PROBLEM  " + problem->message);
  else if (std::holds_alternative<record::RunEnded>(event.body))
    show_run_cases(run);
  else if (std::holds_alternative<record::RunResumed>(event.body))
    take_up(run);
  else if (draws(run))
    show_running(run, event.body);
}

void Console::on_change(const judge::JudgedRun& run) {
  if (run.end) return seal_reports(run, directory_);
  write_reports(run, directory_);
}

void Console::count(const std::string& suite, judge::Status status) {
  ++counts_.ended;
  ++count_of(counts_, status);
  ++progress_of(counts_.suites, suite).ended;
}

void Console::take_up(const judge::JudgedRun& run) {
  for (const judge::JudgedSuite& suite : run.suites) {
    if (suite.name == judge::kRunSuite) continue;
    for (const judge::JudgedCase& test : suite.cases)
      for (const judge::Attempt& attempt : test.attempts)
        if (!attempt.replaced) count(suite.name, attempt.status);
    progress_of(counts_.suites, suite.name).spent = std::chrono::duration<double>(suite.seconds);
  }
}

bool Console::draws(const judge::JudgedRun& run) const { return draws_ && !run.start.asked.with_operator; }

// Counts what had ended before a run was resumed: all attempts that count, except the `first` that ends here.
void Console::begin_expectations(const judge::JudgedRun& run, const judge::JudgedCase& first) {
  expectations_.emplace(run.start.declared, planned_);
  judge::JudgedCase buffer;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) {
      const record::PlannedTest* of = suite.test_of(test.plan);
      std::size_t earlier = test.attempts.size() - (test.full_name() == first.full_name() ? 1 : 0);
      if (of == nullptr || earlier == 0) continue;
      judge::JudgedCase ended = whole(run, test, buffer);
      for (ended.attempts.resize(earlier); !ended.attempts.empty(); ended.attempts.pop_back())
        if (const judge::Attempt& attempt = ended.attempts.back(); !attempt.replaced && !attempt.lost)
          (void)expectations_->add(suite, *of, ended, colour_);
    }
}

// The line of a case that ended, or the line of its expectation if this was its last case; empty: neither yet.
std::string Console::lines_of(const judge::JudgedRun& run, const judge::JudgedSuite& suite,
                              const judge::JudgedCase& shown) {
  const record::PlannedTest* test = suite.test_of(shown.plan);
  if (lists_cases_ || test == nullptr || shown.attempts.empty())
    return case_line(shown, colour_, test == nullptr ? "" : terminal::named_figure(*test));
  if (!expectations_) begin_expectations(run, shown);
  return expectations_->add(suite, *test, shown, colour_);
}

void Console::show_case(const judge::JudgedRun& run, const record::CaseEnded& ended, bool replaced) {
  const auto suite = std::ranges::find(run.suites, ended.suite, &judge::JudgedSuite::name);
  if (suite == run.suites.end()) return;
  const std::optional<judge::JudgedCase> test = find_case(*suite, ended.name, place_);
  if (!test) return;
  judge::JudgedCase buffer;
  const judge::JudgedCase& shown = whole(run, *test, buffer);
  const judge::Status status = shown.attempts.empty() ? shown.status() : shown.attempts.back().status;
  if (!replaced) count(ended.suite, status);
  if (live_ == nullptr) {
    if (const std::string text = lines_of(run, *suite, shown); !text.empty()) {
      const std::string all = fmt::to_string(std::max(counts_.cases, counts_.ended));
      line(fmt::format("[{:>{}}/{}] {}", counts_.ended, all.size(), all, text));
    }
    return;
  }
  progress_of(counts_.suites, ended.suite).spent = Clock::now() - suite_began_;
  live_->change([&](terminal::LiveRun& live) { live.counts = counts_; });
  say(status, terminal::case_line(shown));
}

// Shows cable steps to an operator. In other runs nobody has to act.
void Console::show_cable(const judge::JudgedRun& run, const record::CableMoved& moved) {
  if (!run.start.asked.with_operator) return;
  countdown_.reset();
  using Step = record::CableMoved::Step;
  const std::chrono::duration<double> within(moved.within_s);
  if (moved.step == Step::kPull)
    countdown_.emplace(out_, fmt::format("PULL the cable out of {} now", moved.cable), within);
  else if (moved.step == Step::kPlug)
    countdown_.emplace(out_, fmt::format("PLUG the cable into {} again", moved.cable), within);
  else if (moved.step == Step::kPulled)
    line(fmt::format("      {}: the carrier is gone, please wait", moved.cable));
  else
    line(fmt::format("      {}: the carrier is back", moved.cable));
}

// Shows the cases about the run as a whole, once it has ended.
void Console::show_run_cases(const judge::JudgedRun& run) {
  live_.reset();
  if (expectations_)
    for (const std::string& text : expectations_->unfinished(colour_)) line(text);
  if (draws(run)) return;  // the table at the end has them
  for (const judge::JudgedSuite& suite : run.suites)
    if (suite.name == judge::kRunSuite)
      for (const judge::JudgedCase& test : suite.cases)
        if (lists_cases_ || test.status() > judge::Status::kPassed) line(case_line(test, colour_));
}

void Console::open_screen(const judge::JudgedRun& run) {
  const std::optional<Rig> rig = judge::rig_of(run.start);
  if (!rig) return;
  const auto cables =
      run.start.asked.snapshot.empty() ? LiveView::Cables::kShow : LiveView::Cables::kLeaveOut;
  live_ =
      std::make_unique<LiveView>(*rig, parse_profile(run.start.asked.profile), counts_, cables, fileno(out_));
}

void Console::show_running(const judge::JudgedRun& run, const record::EventBody& event) {
  const auto show = [this](const std::string& suite, const std::string& test, const std::string& phase) {
    live_->change([&](terminal::LiveRun& live) { live.suite = suite, live.test = test, live.phase = phase; });
  };
  if (const auto* suite = std::get_if<record::SuiteStarted>(&event)) {
    if (suite->suite != running_) {
      running_ = suite->suite;
      suite_began_ = Clock::now() -
                     std::chrono::duration_cast<Clock::duration>(progress_of(counts_.suites, running_).spent);
    }
    if (live_ == nullptr) open_screen(run);
    if (live_ != nullptr) show(suite->suite, "starting", "");
  }
  if (live_ == nullptr) return;
  if (const auto* test = std::get_if<record::CaseStarted>(&event)) show(test->suite, test->name, "");
  if (const auto* phase = std::get_if<record::PhaseStarted>(&event))
    show(phase->suite, phase->name, phase->phase);
}

void Console::say(judge::Status status, const std::string& text) {
  if (live_ != nullptr && live_->works()) return live_->add({status, text});
  live_.reset();
  line(text);
}

void Console::line(const std::string& text) { print(out_, text + '\n'); }

void Console::show_end(const supervisor::RunOutcome& outcome, const std::string& no_pdf) {
  live_.reset();
  line("");
  line("reports:");
  for (const auto& path : report_paths(directory_)) line("  " + path.string());
  if (!no_pdf.empty()) line("  no report.pdf: " + no_pdf);
  line("");
  print(out_, verdict_table(outcome.run, colour_));
}

}  // namespace rigproof::cli
