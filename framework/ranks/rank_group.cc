#include "framework/ranks/rank_group.h"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "framework/ranks/group_state.h"
#include "framework/ranks/netdev_order.h"

namespace rigproof::inline ranks {
namespace {

// For a process without a launcher: Open MPI 4 then needs no daemon and no folder in TMPDIR. It cannot create
// that folder while one of another job of the user is being removed (its issue 8510).
void need_no_launcher() {
  constexpr std::array kLaunched{"PMIX_RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK"};
  if (std::ranges::any_of(kLaunched, [](const char* name) { return std::getenv(name) != nullptr; })) return;
  ::setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  ::setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
}

}  // namespace

using std::chrono::nanoseconds;

std::string seconds_text(Clock::duration duration) {
  return fmt::format("{:.3g} s", std::chrono::duration<double>(duration).count());
}

void Backoff::sleep() const {
  using std::chrono::microseconds;
  const auto waited = std::chrono::duration_cast<microseconds>(Clock::now() - start_);
  usleep(static_cast<useconds_t>(std::clamp(waited / 16, microseconds(20), microseconds(500)).count()));
}

RankGroup::State::State(std::optional<int> place) : mail(place) {
  for (int rank = 0; rank < mail.size(); ++rank)
    if (rank != mail.rank()) others_.insert(rank);
  watchdog.emplace([this](const JobEnd& end) { end_job(end); });
}

std::string RankGroup::State::who(int rank) const {
  if (static_cast<std::size_t>(rank) >= nodes.size()) return fmt::format("rank {}", rank);
  return fmt::format("rank {} ({})", rank, nodes[static_cast<std::size_t>(rank)]);
}

std::string RankGroup::State::names(const std::set<int>& ranks) const {
  std::string text;
  for (const int rank : ranks) text += (text.empty() ? "" : ", ") + who(rank);
  return text;
}

RankGroup RankGroup::start(int* argc, char*** argv, std::optional<int> place,
                           const std::function<void()>& before_messages) {
  need_no_launcher();
  order_netdevs_for_open_mpi();
  int provided = 0;
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE)
    throw std::runtime_error("this MPI does not support MPI_THREAD_MULTIPLE");
  if (before_messages) before_messages();
  return RankGroup(std::make_unique<State>(place));
}

RankGroup::RankGroup(std::unique_ptr<State> state) : state_(std::move(state)) {}
RankGroup::RankGroup(RankGroup&&) noexcept = default;
RankGroup::~RankGroup() = default;

int RankGroup::rank() const { return state_->mail.rank(); }
int RankGroup::size() const { return state_->mail.size(); }
std::string RankGroup::who(int rank) const { return state_->who(rank); }
void RankGroup::name_ranks(std::vector<std::string> nodes) { state_->nodes = std::move(nodes); }
void RankGroup::on_fatal(std::function<void(const JobEnd&)> hook) { state_->hook = std::move(hook); }
Clock::time_point RankGroup::deadline() const { return state_->deadline; }

std::string RankGroup::host() const {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  MPI_Get_processor_name(name, &length);
  return name;
}

void RankGroup::watch(std::string_view what, nanoseconds deadline) { state_->watch(what, {}, deadline); }
void RankGroup::unwatch() { state_->watchdog->disarm(); }

void RankGroup::begin_phase(std::string_view name, nanoseconds deadline) {
  state_->begin_phase(name, deadline);
}
void RankGroup::poll() { state_->poll(); }
std::vector<std::string> RankGroup::share(std::string_view mine) { return state_->share(mine); }
void RankGroup::barrier() { (void)state_->share({}); }
std::vector<PhaseStatus> RankGroup::end_phase(PhaseStatus mine) { return state_->end_phase(mine); }

std::vector<std::string> RankGroup::gather(std::string_view what, std::string_view mine, nanoseconds deadline,
                                           PhaseStatus left_with) {
  return state_->gather(what, mine, deadline, left_with);
}

std::string RankGroup::broadcast(std::string_view what, std::string_view root_bytes, nanoseconds deadline) {
  return state_->broadcast(what, root_bytes, deadline);
}

void RankGroup::finalize() {
  using namespace std::chrono_literals;
  (void)gather("the end of the suite", {}, 10s);
  (void)broadcast("the end of the suite", {}, 10s);
  watch("MPI_Finalize", 10s);
  for (const Backoff backoff; !state_->mail.flushed(); backoff.sleep()) state_->pump();
  MPI_Finalize();
  unwatch();
}

void RankGroup::fatal(const std::string& why) { state_->end_job({"error", why, state_->phase, rank()}); }

}  // namespace rigproof::inline ranks
