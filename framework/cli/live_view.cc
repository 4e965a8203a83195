#include "framework/cli/live_view.h"

#include <utility>

#include "framework/cli/live_screen.h"
#include "framework/cli/rig_rates.h"

namespace rigproof::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPoll{50}, kRedraw{250}, kReadersStart{2000};
constexpr std::size_t kVerdicts = 200;  // more than a screen has lines

}  // namespace

std::optional<std::chrono::seconds> time_left(std::size_t ended, std::size_t cases,
                                              std::chrono::duration<double> elapsed) {
  if (ended == 0 || ended >= cases) return {};
  return std::chrono::duration_cast<std::chrono::seconds>(elapsed / static_cast<double>(ended) *
                                                          static_cast<double>(cases - ended));
}

LiveView::LiveView(Rig rig, const std::string& title, std::size_t cases, int descriptor)
    : rig_(std::move(rig)), title_(title) {
  run_.cases = cases;
  thread_ = std::jthread([this, descriptor](const std::stop_token& stop) {
    try {
      show(stop, descriptor);
    } catch (...) {
      works_ = false;
    }
  });
  (void)readers_started_.get_future().wait_for(kReadersStart);
}

LiveView::~LiveView() = default;

void LiveView::change(const std::function<void(terminal::LiveRun&)>& change) {
  const std::lock_guard lock(mutex_);
  change(run_);
  changed_ = true;
}

void LiveView::add(terminal::LiveVerdict verdict) {
  change([&](terminal::LiveRun& run) {
    if (run.verdicts.size() == kVerdicts) run.verdicts.erase(run.verdicts.begin());
    run.verdicts.push_back(std::move(verdict));
  });
}

terminal::LiveState LiveView::state(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  changed_ = false;
  terminal::LiveState state{
      .title = title_, .run = run_, .cables = {}, .tx = {}, .rx = {}, .duplex = {}, .footer = {}};
  state.run->elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - began_);
  state.run->left = time_left(run_.ended, run_.cases, now - began_);
  return state;
}

void LiveView::show(const std::stop_token& stop, int descriptor) {
  LiveScreen screen(descriptor);
  RigRates rates(rig_);
  rates.poll();
  readers_started_.set_value();
  for (auto due = Clock::now(); !stop.stop_requested(); std::this_thread::sleep_for(kPoll)) {
    const auto now = Clock::now();
    if (now < due && !changed_) continue;
    terminal::LiveState state = this->state(now);
    rates.show_in(state);
    screen.draw(live_frame(state, screen.style()));
    rates.poll();
    due = now + kRedraw;
  }
}

}  // namespace rigproof::cli
