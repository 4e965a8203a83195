#include "framework/cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "framework/cli/report_files.h"

namespace rigproof::cli {
namespace {

constexpr const char* kEraseLine = "\r\033[K";
constexpr std::chrono::milliseconds kLongForReports{500};

std::optional<judge::JudgedCase> find_case(const judge::JudgedRun& run, const record::CaseEnded& ended) {
  for (const judge::JudgedSuite& suite : run.suites) {
    if (suite.name != ended.suite) continue;
    for (std::size_t index = 0; index < suite.cases.size(); ++index) {
      if (suite.cases.name_at(index) == ended.name) return suite.cases.at(index);
    }
  }
  return {};
}

std::string counted(std::size_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace

Console::Console(std::filesystem::path directory, std::FILE* out, bool terminal)
    : directory_(std::move(directory)),
      out_(out),
      terminal_(terminal),
      colour_(terminal ? terminal::Colour::kOn : terminal::Colour::kOff) {}

void Console::on_plan(std::size_t cases) {
  cases_ = cases;
  line(fmt::format("{}, record in {}", counted(cases, "case"), directory_.string()));
}

void Console::on_notice(const std::string& text) { line("NOTE  " + text); }

void Console::on_event(const judge::JudgedRun& run, const record::Event& event,
                       const judge::Attempt* attempt) {
  if (const auto* ended = std::get_if<record::CaseEnded>(&event.body))
    show_case(run, *ended, attempt != nullptr && judge::is_void(attempt->failures));
  else if (const auto* suite = std::get_if<record::SuiteStarted>(&event.body))
    show_running("starting " + suite->suite);
  else if (const auto* test = std::get_if<record::CaseStarted>(&event.body))
    show_running(test->suite + "." + test->name);
  else if (const auto* problem = std::get_if<record::Problem>(&event.body))
    line("PROBLEM  " + problem->message);
  else if (std::holds_alternative<record::RunEnded>(event.body))
    show_run_cases(run);
}

// The reports of a huge run take long: then not every case gets its own.
void Console::on_change(const judge::JudgedRun& run) {
  using Clock = std::chrono::steady_clock;
  const auto now = Clock::now();
  if (run.end) return seal_reports(run, directory_);
  if (now < reports_due_) return;
  write_reports(run, directory_);
  const auto took = Clock::now() - now;
  if (took > kLongForReports) reports_due_ = Clock::now() + 9 * took;
}

void Console::show_case(const judge::JudgedRun& run, const record::CaseEnded& ended, bool is_void) {
  const std::optional<judge::JudgedCase> test = find_case(run, ended);
  if (!test) return;
  ended_ += is_void ? 0 : 1;  // a void attempt is repeated
  judge::JudgedCase buffer;
  line(fmt::format("[{}/{}] {}", ended_, std::max(cases_, ended_),
                   case_line(whole(run, *test, buffer), colour_)));
}

// What the judge says of the run as a whole, once it has ended.
void Console::show_run_cases(const judge::JudgedRun& run) {
  for (const judge::JudgedSuite& suite : run.suites)
    if (suite.name == judge::kRunSuite)
      for (const judge::JudgedCase& test : suite.cases) line(case_line(test, colour_));
}

void Console::show_running(const std::string& what) {
  if (!terminal_) return;
  const std::string left = time_left();
  std::string text = fmt::format("[{}/{}] {}", ended_, cases_, what);
  text.resize(std::min(text.size(), width() > left.size() ? width() - left.size() : 0));
  fmt::print(out_, "{}{}{}", kEraseLine, text, left);
  std::fflush(out_);
}

// A line that wraps could not be erased.
std::size_t Console::width() const {
  winsize size{};
  return ioctl(fileno(out_), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79;
}

void Console::line(const std::string& text) {
  fmt::print(out_, "{}{}\n", terminal_ ? kEraseLine : "", text);
  std::fflush(out_);
}

std::string Console::time_left() const {
  if (ended_ == 0 || ended_ >= cases_) return "";
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
  const auto left =
      static_cast<long>(elapsed.count() / static_cast<double>(ended_) * static_cast<double>(cases_ - ended_));
  return fmt::format("  about {}:{:02} left", left / 60, left % 60);
}

void Console::show_end(const supervisor::RunOutcome& outcome, const std::string& no_pdf) {
  line("");
  line("reports:");
  for (const auto& path : report_paths(directory_)) line("  " + path.string());
  if (!no_pdf.empty()) line("  no report.pdf: " + no_pdf);
  line("");
  fmt::print(out_, "{}", verdict_table(outcome.run, colour_));
}

}  // namespace rigproof::cli
