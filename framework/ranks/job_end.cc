// Ends a job early.
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <utility>

#include "framework/ranks/group_state.h"

namespace rigproof::inline ranks {
namespace {

constexpr int kExitCode = 70;
constexpr unsigned kLastResortSeconds = 5;

// Ends this process even if the hook or MPI hangs: a signal needs no lock and no free thread.
void arm_last_resort() {
  std::signal(SIGALRM, [](int) { _exit(kExitCode); });
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
  alarm(kLastResortSeconds);
}

}  // namespace

void RankGroup::State::pump() {
  std::optional<JobEnd> end;
  try {
    mail.pump();
    if (mail.last_words()) end = decode_job_end(mail.last_words()->text);
  } catch (const std::runtime_error& error) {  // an MPI error or a malformed message
    end = JobEnd{"error", who(mail.rank()) + ": " + error.what(), phase, mail.rank()};
  }
  if (end) end_job(*end);
}

void RankGroup::State::send(int to, const Message& message) {
  try {
    mail.send(to, message);
  } catch (const MpiError& error) {
    end_job(
        {"error", fmt::format("{} to {}: {}", who(mail.rank()), who(to), error.what()), phase, mail.rank()});
  }
}

// Rank 0 reports first: it can name the culprit and write the journal.
void RankGroup::State::watch(std::string_view what, std::string_view phase_name,
                             std::chrono::nanoseconds limit) {
  const auto grace = root() ? kGrace * 3 / 2 : kGrace * 5 / 2;
  JobEnd end{"deadline",
             fmt::format("{} has been in {} for more than {} and the grace time", who(mail.rank()), what,
                         seconds_text(limit)),
             std::string(phase_name), mail.rank()};
  watchdog->arm(std::move(end), Clock::now() + limit + grace);
}

void RankGroup::State::end_job(const JobEnd& end) {
  if (ending.exchange(true))
    for (;;) pause();
  arm_last_resort();
  std::fprintf(stderr, "[rigproof] fatal: %s\n", end.message.c_str());
  if (!root()) {
    mail.send_last(0, {.kind = MessageKind::kFatal, .point = point, .text = encode(end)});
    sleep(1);
  }
  try {
    if (hook) hook(end);
  } catch (...) {
  }
  MPI_Abort(MPI_COMM_WORLD, kExitCode);
  _exit(kExitCode);
}

void RankGroup::State::missing(const std::set<int>& ranks, std::string_view what, Clock::duration limit) {
  end_job({"lost-peer",
           fmt::format("{} did not {} within {} (and {} of grace time)", names(ranks), what,
                       seconds_text(limit), seconds_text(kGrace)),
           phase, *ranks.begin()});
}

void RankGroup::State::out_of_step(int rank, const Message& message, std::string_view ours) {
  const std::string_view theirs = message.name.empty() ? std::string_view("an unnamed step") : message.name;
  end_job({"mismatch",
           fmt::format("ranks are in different steps: {} at {}, {} at {}", who(mail.rank()), ours, who(rank),
                       theirs),
           phase, rank});
}

Watchdog::Watchdog(std::function<void(const JobEnd&)> on_expired)
    : on_expired_(std::move(on_expired)), thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watchdog::arm(JobEnd end, Clock::time_point limit) {
  {
    const std::lock_guard lock(mutex_);
    watch_ = Watch{std::move(end), limit};
  }
  changed_.notify_one();
}

void Watchdog::disarm() {
  const std::lock_guard lock(mutex_);
  watch_.reset();
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (!watch_) {
      changed_.wait(lock);
    } else if (Clock::now() >= watch_->limit) {
      const JobEnd end = std::exchange(watch_, std::nullopt)->end;
      lock.unlock();
      on_expired_(end);
      lock.lock();
    } else {
      const Clock::time_point limit = watch_->limit;
      changed_.wait_until(lock, limit);
    }
  }
}

}  // namespace rigproof::inline ranks
