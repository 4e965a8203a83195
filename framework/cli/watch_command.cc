#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "framework/cli/command.h"
#include "framework/cli/live_screen.h"
#include "framework/cli/rig_rates.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/run_rig.h"

namespace rigproof::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr double kLongest = 1e9;  // seconds
constexpr milliseconds kWatchPoll{50}, kWatchRedraw{250}, kLines{1000};

struct WatchArguments {
  std::string rig;
  double seconds = 0;  // 0: until Ctrl-C
  bool plain = false;
};

// Shows the rates on stdout until Ctrl-C or the end: a screen, or lines once a second.
class Watch {
 public:
  Watch(const Rig& rig, bool draws) : rates_(rig), draws_(draws) {
    state_.title = fmt::format("rig {} ({})", rig.name, rig.kind);
    if (draws) screen_.emplace(STDOUT_FILENO);
  }

  void until(const supervisor::Interrupts& interrupts, std::optional<Clock::time_point> end) {
    const auto interval = draws_ ? kWatchRedraw : kLines;
    for (auto due = began_ + (draws_ ? milliseconds(0) : kLines); !interrupts.seen();) {
      rates_.poll();
      const auto now = Clock::now();
      if (now >= due) {
        rates_.show_in(state_);
        draws_ ? draw() : print(now);
        due += interval;
      }
      if (end && now >= *end) return;
      std::this_thread::sleep_for(kWatchPoll);
    }
  }

  // Prints what remains on the terminal.
  int close() {
    rates_.show_in(state_);
    screen_.reset();
    if (draws_) print(Clock::now());
    if (const std::string cost = rates_.cost_text(); !cost.empty()) fmt::print("{}\n", cost);
    const auto unread = rates_.unread();
    for (const std::string& why : unread) complain(why);
    return unread.empty() ? 0 : supervisor::kExitError;
  }

 private:
  void draw() {
    state_.footer = rates_.cost_text();
    state_.footer += state_.footer.empty() ? "Ctrl-C ends" : "; Ctrl-C ends";
    const terminal::LiveStyle style = screen_->style();
    screen_->draw(live_frame(state_, style), style);
  }
  void print(Clock::time_point now) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - began_).count();
    for (const terminal::LiveCable& cable : state_.cables)
      fmt::print("{:>4} s  {}\n", seconds, live_line(cable));
    fmt::print("{:>4} s  {}\n", seconds, live_totals_line(state_));
    std::fflush(stdout);
  }

  RigRates rates_;
  bool draws_;
  std::optional<LiveScreen> screen_;
  terminal::LiveState state_;
  Clock::time_point began_ = Clock::now();
};

int watch(const WatchArguments& arguments) {
  if (arguments.rig.empty())
    throw supervisor::Refused("--rig FILE is missing: the rig to watch (or set RIGPROOF_RIG)");
  const Rig rig = load_rig(arguments.rig);
  std::signal(SIGPIPE, SIG_IGN);
  const supervisor::Interrupts interrupts;
  Watch watch(rig, !arguments.plain && can_draw_on(STDOUT_FILENO));
  std::optional<Clock::time_point> end;
  if (arguments.seconds > 0)
    end = Clock::now() +
          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(arguments.seconds));
  watch.until(interrupts, end);
  return watch.close();
}

}  // namespace

Command add_watch_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "watch", "Show the current rates of a rig's ports under any load, from their counters");
  const auto arguments = std::make_shared<WatchArguments>();
  app->add_option("--rig", arguments->rig, "The rig")->envname("RIGPROOF_RIG")->type_name("FILE");
  app->add_option("--seconds", arguments->seconds, "Seconds to watch. Default: until Ctrl-C")
      ->check([](const std::string& text) {
        double number = 0;
        const bool is_time = CLI::detail::lexical_cast(text, number) && number > 0 && number <= kLongest;
        return is_time ? "" : fmt::format("'{}' is not a number of seconds above 0 and up to 1e9", text);
      });
  app->add_flag("--plain", arguments->plain,
                "Print lines once per second instead of a screen; always so if stdout is not a terminal");
  app->footer("Exit codes: 0 ended; 2 error: the counters of a node could not be read.");
  return {app, [arguments] { return watch(*arguments); }};
}

}  // namespace rigproof::cli
