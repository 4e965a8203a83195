#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "framework/supervisor/run_rig.h"
#include "reports/terminal/terminal.h"

namespace rigproof::cli {

// A run as a person at the terminal sees it, one line a case as it ends; keeps the reports up to date. On a
// terminal a last line shows what runs and the time left.
class Console final : public supervisor::RunListener {
 public:
  Console(std::filesystem::path directory, std::FILE* out, bool terminal);

  void on_plan(std::size_t cases) override;
  void on_notice(const std::string& text) override;
  void on_event(const judge::JudgedRun& run, const record::Event& event,
                const judge::Attempt* attempt) override;
  void on_change(const judge::JudgedRun& run) override;

  void show_end(const supervisor::RunOutcome& outcome,
                const std::string& no_pdf);  // why there is no report.pdf, or empty

 private:
  void show_case(const judge::JudgedRun& run, const record::CaseEnded& ended, bool is_void);
  void show_run_cases(const judge::JudgedRun& run);
  void show_running(const std::string& what);
  void line(const std::string& text);
  [[nodiscard]] std::string time_left() const;
  [[nodiscard]] std::size_t width() const;

  std::filesystem::path directory_;
  std::FILE* out_;
  bool terminal_;
  terminal::Colour colour_;
  std::size_t cases_ = 0, ended_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now(), reports_due_ = began_;
};

}  // namespace rigproof::cli
