// A cable is pulled and plugged in again while MPI exchanges data between two nodes over all rails. Open MPI does not move
// data from a dead rail to another one: the data wait in TCP, and so does the collective. Proves: no rank ends, the
// collective returns to its rate when the cable is back, and all data are right. Catches: ranks that give up, connections
// that do not recover, data lost with the cable.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fixtures/cables/cable_pull.h"
#include "fixtures/collective/engine.h"
#include "fixtures/flows/probe_path.h"
#include "framework/runner/rig_test.h"

namespace rigproof::collective {

RIGPROOF_METRICS({"collective.pulled.back", "MPI goes on when a cable is back",
                  "How long after its carrier is back a collective that used it has its rate again.",
                  "A connection that does not recover."},
                 {"collective.pulled.wrong", "MPI's data survive a pulled cable",
                  "Collectives during and after the outage had right results.", "Data lost with the cable."});

namespace {

constexpr double kAsBefore = 0.8;  // MPI is back at the first operation with this part of the usual rate
constexpr std::chrono::seconds kAwaited{10};  // extra time for that, because other programs may use the CPU

bool has_pulled_cable(const Rig& rig) { return !cables::last_pulled_cables(rig).empty(); }

class PulledCableMpi : public RigTest<PortPath> {
 protected:
  using Time = net::Clock::time_point;
  using Seconds = std::chrono::duration<double>;
  struct Done {
    Time begin, end;
    [[nodiscard]] double seconds() const { return Seconds(end - begin).count(); }
  };

  // Collective. Exchanges until rank 0 reports that the cable was back for long enough and MPI is back, too.
  void exchange(CollectiveEngine& engine, cables::CablePull& pull) {
    const bool first = here(subject().from.node);
    const net::Poll poll = [&] {
      ranks().poll();
      pull.advance();
    };
    pull.start();
    for (Element salt = 0;; ++salt) {
      engine.prepare({Operation::kSendRecv, kSize}, salt);
      ranks().barrier();
      const Time begin = net::Clock::now();
      engine.run(1, poll);
      done_.push_back({begin, net::Clock::now()});
      if (const auto fault = engine.fault()) {
        ++wrong_;
        note(fmt::format("{}: {}", rig().node(node()).name, *fault));
      }
      pull.advance();
      pull.await_cable();
      if (ranks().share(first && is_over(pull) ? "over" : "").front() == "over") break;
    }
    pull.finish();
  }

  [[nodiscard]] bool is_over(const cables::CablePull& pull) {
    if (!pull.over()) return false;
    if (!awaited_until_) awaited_until_ = net::Clock::now() + kAwaited;
    const auto usual = this->usual(pull);
    return !usual || back(pull, *usual) || net::Clock::now() > *awaited_until_;
  }

  // Median duration in s of an operation before the cable was pulled. nullopt: none ended before.
  [[nodiscard]] std::optional<double> usual(const cables::CablePull& pull) const {
    std::vector<double> before;
    for (const Done& one : done_)
      if (one.end < pull.pulled()) before.push_back(one.seconds());
    if (before.empty()) return {};
    return evaluate(Statistic::kMedian, before);
  }

  [[nodiscard]] std::optional<Time> back(const cables::CablePull& pull, double usual) const {
    for (const Done& one : done_)
      if (one.end > pull.plugged() && one.seconds() * kAsBefore <= usual)
        return std::max(one.begin, pull.plugged());
    return {};
  }

  void report_course(const cables::CablePull& pull) {
    const auto usual = this->usual(pull);
    if (!usual) return note("no operation ended before the cable was pulled");
    double longest = 0;
    for (const Done& one : done_)
      if (one.begin < pull.plugged() && one.end > pull.pulled()) longest = std::max(longest, one.seconds());
    record("collective.pulled.usual", to_quantity(Seconds(*usual)), subject().link);
    record("collective.pulled.stood", to_quantity(Seconds(longest)), subject().link);
    if (const auto back = this->back(pull, *usual))
      return report("collective.pulled.back", Seconds(*back - pull.plugged()), subject().link);
    note(fmt::format(
        "no exchange was as fast as before ({:.3f} s) in the {:.1f} s after the cable was in again", *usual,
        Seconds(done_.back().end - pull.plugged()).count()));
  }

  static constexpr DataSize kSize = DataSize::mebibytes(4);
  std::vector<Done> done_;
  std::optional<Time> awaited_until_;
  int wrong_ = 0;
};

RIGPROOF_TEST(PulledCableMpi, GoesOnWhenTheCableIsBack,
              Reports::ratio("collective.rails").on_rigs_with(cables::kNeeds, has_pulled_cable),
              Reports::time("collective.pulled.back").on_rigs_with(cables::kNeeds, has_pulled_cable),
              Reports::count("collective.pulled.wrong").on_rigs_with(cables::kNeeds, has_pulled_cable)) {
  // Before the pull: MPI would wait for a silent rail until the case's deadline.
  const std::vector<RailPath> paths = cables::all_paths(rig(), subject());
  const std::vector<std::string> silent = measure("probe", std::chrono::seconds(60), [&] {
    return flows::rails_that_carry_nothing(rig(), ranks(), paths);
  });
  if (here(subject().from.node)) {
    for (const std::string& fault : silent) note(fault);
    const auto ways = static_cast<double>(2 * paths.size());
    report("collective.rails", ratio(1 - static_cast<double>(silent.size()) / ways));
  }
  if (!silent.empty()) return;
  const auto engine = phase("connect", std::chrono::seconds(30), [&] {
    return make_mpi_engine(node(), {subject().from.node, subject().to.node});
  });
  cables::CablePull pull(rig(), ranks(), subject(), cable_puller(subject().from),
                         {.before = windows().window, .out = windows().window, .after = windows().window});
  measure_pulled(subject(), "pull and plug in", pull.longest() + kAwaited + std::chrono::seconds(10),
                 [&] { exchange(*engine, pull); });
  report("collective.pulled.wrong", count(wrong_), rig().node(node()).name);
  if (!here(subject().from.node)) return;
  if (!pull.still_dead().empty()) note(pull.still_dead());
  report_course(pull);
}
RIGPROOF_CASES(EachNode, PulledCableMpi, cables::last_pulled_cables);

}  // namespace
}  // namespace rigproof::collective
