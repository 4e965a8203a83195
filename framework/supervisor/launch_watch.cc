#include "framework/supervisor/launch_watch.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <regex>
#include <sstream>

#include "framework/process/process.h"
#include "framework/record/events.h"
#include "framework/units/printable.h"

namespace rigproof::supervisor {

Timeouts Timeouts::scaled(double factor) const {
  const auto scale = [factor](std::chrono::milliseconds time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time * factor);
  };
  return {.launch = scale(launch),
          .launch_per_node = scale(launch_per_node),
          .between_phases = scale(between_phases),
          .phase_grace = scale(phase_grace),
          .exit = scale(exit),
          .terminate = scale(terminate),
          .calm = scale(calm),
          .probe = scale(probe),
          .list = list,
          .journal = journal};
}

namespace {

using std::chrono::milliseconds;

std::string seconds(milliseconds time) {
  return fmt::format("{:.3g} s", static_cast<double>(time.count()) / 1e3);
}

// Clamps to one day: a journal may hold any number.
milliseconds to_milliseconds(double seconds) {
  constexpr double kDay = 86400;
  return milliseconds(std::llround(std::clamp(std::isfinite(seconds) ? seconds : kDay, 0.0, kDay) * 1e3));
}

// A rank that reports a lost peer also ends the job.
bool lost_a_peer(const record::CaseEnded& ended) {
  return std::ranges::any_of(ended.failures,
                             [](const record::Failure& failure) { return failure.type == "lost-peer"; });
}

}  // namespace

LaunchWatch::LaunchWatch(const Timeouts& timeouts, std::size_t nodes, Time now) : timeouts_(timeouts) {
  expect("the suite sent no list of cases (does a firewall block mpirun's TCP between the nodes?)",
         timeouts.launch + timeouts.launch_per_node * static_cast<int>(nodes), now);
}

void LaunchWatch::expect(std::string what, milliseconds within, Time now) {
  deadline_ = now + within;
  expected_ = fmt::format("{} within {}", what, seconds(within));
}

std::string LaunchWatch::overdue() const { return expected_; }

void LaunchWatch::see(const record::EventBody& event, Time now) {
  started_ = true;
  if (std::holds_alternative<record::SuitePlanned>(event)) {
    planned_ = true;
    expect("no case began", timeouts_.between_phases, now);
  } else if (const auto* started = std::get_if<record::CaseStarted>(&event)) {
    running_ = *started;
    phase_.clear();
    expect("no phase began", timeouts_.between_phases, now);
  } else if (const auto* phase = std::get_if<record::PhaseStarted>(&event)) {
    phase_ = phase->phase;
    const milliseconds deadline = to_milliseconds(phase->deadline_s);
    expect(fmt::format("phase '{}' with a deadline of {} did not end", phase_, seconds(deadline)),
           deadline + timeouts_.phase_grace, now);
  } else if (const auto* ended = std::get_if<record::CaseEnded>(&event)) {
    ++ended_;
    running_.reset();
    if (lost_a_peer(*ended))
      expect("no exit after a peer was lost", timeouts_.exit, now);
    else
      expect("no message after a case", timeouts_.between_phases, now);
  } else if (std::holds_alternative<record::Problem>(event)) {
    refused_ = !planned_;
  } else if (std::holds_alternative<record::SuiteDone>(event)) {
    done_ = true;
  }
}

namespace {

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  const char* words = strsignal(signal);
  return fmt::format("signal {} (SIG{}: {})", signal, name == nullptr ? "?" : name, words);
}

constexpr std::size_t kLongestLine = 1000;

// The log as the patterns below read it: lines of at most kLongestLine characters, one character for each row of blanks. A
// node writes the log, and std::regex needs a stack frame for each character that a repeat matches.
std::string as_text(std::string_view log) {
  std::string text;
  std::size_t length = 0;  // of the current line
  for (const char c : log) {
    const bool ends_line = c == '\n', is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (is_blank && !text.empty() && (text.back() == ' ' || text.back() == '\n')) {
      if (ends_line) text.back() = '\n', length = 0;
    } else if (ends_line) {
      text += '\n', length = 0;
    } else if (length++ < kLongestLine) {
      text += is_blank ? ' ' : c;
    }
  }
  return text;
}

int to_int(const std::ssub_match& digits) { return digits.length() < 9 ? std::stoi(digits.str()) : -1; }

// A rank that knew why it ended the job.
std::optional<LaunchFailure> of_last_words(std::string_view log) {
  const std::optional<record::Failure> words = record::find_last_words(log);
  if (!words) return std::nullopt;
  return LaunchFailure{words->type, words->message, words->rank, words->node, true};
}

// "mpirun noticed that process rank 1 with PID 5 on node node-b exited on signal 11 (...)"
std::optional<LaunchFailure> of_signal_notice(const std::string& log) {
  static const std::regex notice(
      R"(process rank (\d+) with PID \d+\s+on\s+node (\S+)\s+exited\s+on\s+signal (\d+))");
  std::smatch match;
  if (!std::regex_search(log, match, notice)) return {};
  return LaunchFailure{.type = "crash",
                       .reason = "crashed: " + signal_text(to_int(match[3])),
                       .rank = to_int(match[1]),
                       .host = match[2].str()};
}

// "mpirun has exited due to process rank 1 with PID 0 on node node-b exiting improperly"
std::optional<LaunchFailure> of_improper_exit(const std::string& log) {
  static const std::regex notice(
      R"(process rank (\d+) with PID \d+\s+on\s+node (\S+)\s+exiting\s+improperly)");
  std::smatch match;
  if (!std::regex_search(log, match, notice)) return {};
  return LaunchFailure{.type = "exited",
                       .reason = "left before the suite was done (exit without MPI_Finalize)",
                       .rank = to_int(match[1]),
                       .host = match[2].str()};
}

// "The first process to do so was:  Process name: [[123,1],1]  Exit code: 3"
std::optional<LaunchFailure> of_exit_code_notice(const std::string& log) {
  static const std::regex notice(R"(Process name: \[\[\d+,\d+\],(\d+)\]\s+Exit code:\s+(\d+))");
  std::smatch match;
  if (!std::regex_search(log, match, notice)) return {};
  return LaunchFailure{
      .type = "exited",
      .reason = fmt::format("exited with code {} before the suite was done", to_int(match[2])),
      .rank = to_int(match[1]),
      .host = {}};
}

std::optional<LaunchFailure> of_abort(const std::string& log) {
  static const std::regex notice(R"(MPI_ABORT was invoked on rank (\d+)[\s\S]{0,200}?errorcode (-?\d+))");
  std::smatch match;
  if (!std::regex_search(log, match, notice)) return {};
  return LaunchFailure{.type = "exited",
                       .reason = fmt::format("called MPI_Abort({})", match[2].str()),
                       .rank = to_int(match[1]),
                       .host = {}};
}

// "Remote daemon: [[298,0],1] on node node-b": mpirun's daemon there is gone.
std::optional<LaunchFailure> of_lost_daemon(const std::string& log) {
  static const std::regex notice(R"(Remote daemon: \[\[\d+,\d+\],\d+\] on node (\S+))");
  std::smatch match;
  if (!std::regex_search(log, match, notice)) return {};
  return LaunchFailure{
      .type = "lost-peer",
      .reason = fmt::format("mpirun lost its daemon on {}: the daemon ended, or its connection was lost",
                            match[1].str()),
      .rank = -1,
      .host = match[1].str()};
}

// "srun: error: node-b: task 1: Segmentation fault": names the node; Slurm's task number is not our rank.
std::optional<LaunchFailure> of_slurm_task(const std::string& log) {
  static const std::regex notice(R"(srun: error: (\S+): tasks? \S+: ([^\n]+))");
  std::smatch match;
  if (!std::regex_search(log, match, notice)) return {};
  const std::string how = match[2];
  const bool exited = how.starts_with("Exited with");
  return LaunchFailure{.type = exited ? "exited" : "crash",
                       .reason = exited ? how + " before the suite was done" : "crashed: " + how,
                       .rank = -1,
                       .host = match[1].str()};
}

// Slurm lost a node, or could not start the task there.
std::optional<LaunchFailure> of_slurm_node(const std::string& log) {
  static const std::regex notice(
      R"(srun: error: (?:Node failure on (\S+)|Task launch for \S+ failed on node (\S+): ([^\n]+)))");
  std::smatch match;
  if (!std::regex_search(log, match, notice)) return {};
  return LaunchFailure{
      .type = "lost-peer",
      .reason = match[1].matched ? "Slurm says: node failure" : "Slurm could not start it: " + match[3].str(),
      .rank = -1,
      .host = match[1].matched ? match[1].str() : match[2].str()};
}

// "[node-a][[30443,1],0][...]: writev failed: Connection reset by peer (104)": messages of the surviving
// ranks, if they end the job before mpirun finds the cause.
std::optional<LaunchFailure> of_broken_connection(const std::string& log) {
  static const std::regex notice(
      R"(\[\[\d+,\d+\],(\d+)\][^\n]*(Connection reset by peer|Broken pipe|readv failed|peer \S+ closed))");
  LaunchFailure failure{.type = "lost-peer", .reason = {}};
  for (std::sregex_iterator match(log.begin(), log.end(), notice), end; match != end; ++match) {
    failure.survivors.insert(to_int((*match)[1]));
    failure.reason = fmt::format("ended, or its connections were lost (rank {}: {})", to_int((*match)[1]),
                                 (*match)[2].str());
  }
  if (failure.survivors.empty()) return {};
  return failure;
}

bool is_ruler(std::string_view line) { return line.size() > 9 && line.find_first_not_of("-= ") == line.npos; }

bool states_an_error(const std::string& line) {
  static const std::regex words(
      R"(\b(error|fatal|failed|cannot|could not|unable|denied|not found|no such)\b)", std::regex::icase);
  return std::regex_search(line, words);
}

// The first line that states an error, or that is in one of mpirun's messages, which are between rulers. Empty: none.
std::string error_line(const std::string& log) {
  constexpr std::size_t kLongest = 300;
  std::istringstream lines(log);
  bool is_framed = false;
  for (std::string line; std::getline(lines, line);) {
    if (is_ruler(line))
      is_framed = !is_framed;
    else if (is_framed || states_an_error(line))
      return shortened(line, kLongest);
  }
  return {};
}

LaunchFailure of_status(std::string_view launcher, std::optional<int> status) {
  LaunchFailure failure{.type = "exited", .reason = {}, .rank = -1, .host = {}};
  if (!status) {
    failure.reason = fmt::format("{} could not be killed", launcher);
  } else if (WIFEXITED(*status) && WEXITSTATUS(*status) > 128 && WEXITSTATUS(*status) < 128 + SIGRTMIN) {
    failure = {
        "crash", fmt::format("a rank crashed: {}", signal_text(WEXITSTATUS(*status) - 128)), -1, {}, true};
  } else {
    failure.reason =
        fmt::format("{} {} before the suite was done", launcher, process::describe_status(*status));
    if (WIFSIGNALED(*status)) failure.type = "crash";
  }
  return failure;
}

}  // namespace

LaunchFailure examine(std::string_view launcher, std::optional<int> status, std::string_view log) {
  if (status && WIFSIGNALED(*status)) return of_status(launcher, status);
  if (const auto words = of_last_words(log)) return *words;
  const std::string text = as_text(log);
  for (const auto account : {of_signal_notice, of_improper_exit, of_abort, of_exit_code_notice,
                             of_lost_daemon, of_slurm_node, of_slurm_task, of_broken_connection}) {
    if (const auto failure = account(text)) return *failure;
  }
  LaunchFailure failure = of_status(launcher, status);
  if (const std::string words = error_line(text); !words.empty()) failure.reason += ": " + words;
  return failure;
}

}  // namespace rigproof::supervisor
