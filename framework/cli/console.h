#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "framework/cli/live_screen.h"
#include "framework/supervisor/run_rig.h"
#include "reports/terminal/expectations.h"
#include "reports/terminal/live_frame.h"
#include "reports/terminal/terminal.h"

namespace rigproof::cli {

// A terminal line with an instruction and the seconds left, updated every second until the object ends.
class Countdown {
 public:
  Countdown(std::FILE* out, const std::string& what, std::chrono::duration<double> within);
  ~Countdown();
  Countdown(const Countdown&) = delete;
  Countdown& operator=(const Countdown&) = delete;

 private:
  std::FILE* out_;
  std::jthread thread_;
};

// Shows a run to a person: lines (terminal::Expectations, or one per case), or a screen with the rig's cables (LiveView).
// Keeps the reports up to date.
class Console final : public supervisor::RunListener {
 public:
  // `draws`: shows a screen while suites run, except in runs with an operator; else only lines.
  // `lists_cases`: without a screen, one line per case instead of one per expectation.
  Console(std::filesystem::path directory, std::FILE* out, terminal::Colour colour, bool draws,
          bool lists_cases);

  void on_plan(const std::vector<supervisor::PlannedCount>& suites) override;
  void on_notice(const std::string& text) override;
  void on_event(const judge::JudgedRun& run, const record::Event& event,
                const judge::Attempt* attempt) override;
  void on_change(const judge::JudgedRun& run) override;

  void show_end(const supervisor::RunOutcome& outcome,
                const std::string& no_pdf);  // the reason for a missing report.pdf, or empty

 private:
  using Clock = std::chrono::steady_clock;

  void take_up(const judge::JudgedRun& run);  // counts cases of a resumed run
  void count(const std::string& suite, judge::Status status);
  [[nodiscard]] bool draws(const judge::JudgedRun& run) const;
  void open_screen(const judge::JudgedRun& run);
  void show_case(const judge::JudgedRun& run, const record::CaseEnded& ended, bool replaced);
  void begin_expectations(const judge::JudgedRun& run, const judge::JudgedCase& first);
  [[nodiscard]] std::string lines_of(const judge::JudgedRun& run, const judge::JudgedSuite& suite,
                                     const judge::JudgedCase& shown);
  void show_cable(const judge::JudgedRun& run, const record::CableMoved& moved);
  void show_run_cases(const judge::JudgedRun& run);
  void show_running(const judge::JudgedRun& run, const record::EventBody& event);
  void say(judge::Status status, const std::string& text);  // a verdict or a problem
  void line(const std::string& text);

  std::filesystem::path directory_;
  std::FILE* out_;
  terminal::Colour colour_;
  bool draws_, lists_cases_;
  std::unique_ptr<LiveView> live_;      // while suites run
  std::optional<Countdown> countdown_;  // while an operator has something to do
  terminal::LiveCounts counts_;
  terminal::Expectations::Planned planned_;
  std::optional<terminal::Expectations> expectations_;  // from the first case on
  std::string running_;                                 // suite
  Clock::time_point suite_began_ = {};
  std::size_t place_ = 0;  // index in its suite, after the case that ended last
};

}  // namespace rigproof::cli
