// A suite whose cases misbehave in every way that a case, a library under it or a machine can: what the
// runner and the supervisor must survive. In each case the subject's node misbehaves, with healthy cases in
// between. By hand:
//   mpirun -np 2 --oversubscribe build/tests/bin/rigproof-suite-mischief --shared-host
//     --rig tests/runner/mischief-rig.toml --thresholds tests/runner/mischief-limits.toml
//     --gtest_filter=*Throws*
// The cases of Deadly end the job (each costs a launch); all others must leave the next case whole.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <vector>

#include "framework/runner/rig_test.h"
#include "framework/runner/suite_main.h"

namespace rigproof {
namespace {

using namespace std::chrono_literals;

[[maybe_unused]] const bool kSuite = declare_suite({.first_look = "*Mischief.Healthy1/*"});

class MischiefTest : public RigTest<NodeSubject> {
 protected:
  [[nodiscard]] bool culprit() const { return here(subject().node); }

  void report_rate(double gigabits = 1) { report("mischief.rate", DataRate::gigabits_per_second(gigabits)); }

  // The culprit acts while its peers wait for something that it does not send.
  template <class Deed>
  void while_peers_wait(Deed deed) {
    phase("setup", 2s, [] {});
    phase("measure", 2s, [&] {
      if (culprit()) return deed();
      for (;;) ranks().poll(), usleep(100);
    });
    report_rate();
  }

  // The culprit acts where no phase guards it, while its peers enter the next one.
  template <class Deed>
  void between_phases(Deed deed) {
    phase("setup", 2s, [] {});
    deed();
    phase("measure", 2s, [&] { ranks().barrier(); });
    report_rate();
  }

  void whole() {
    for (int i = 0; i < 3; ++i) phase("exchange", 2s, [&] { ranks().barrier(); });
    const int sum = measure("measure", 2s, [&] {
      int all = 0;
      for (const std::string& text : ranks().share(std::to_string(node()))) all += std::stoi(text);
      return all;
    });
    ASSERT_EQ(sum, ranks().size() * (ranks().size() - 1) / 2);
    report_rate();
  }
};

// --- red or not proven, and the next case is whole ---

class Mischief : public MischiefTest {};

RIGPROOF_TEST(Mischief, Healthy1, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_TEST(Mischief, AssertsInAPhase, Reports::rate("mischief.rate")) {
  while_peers_wait([] { ASSERT_EQ(1, 2) << "asserted"; });
}
RIGPROOF_TEST(Mischief, ThrowsInAPhase, Reports::rate("mischief.rate")) {
  while_peers_wait([] { throw std::runtime_error("ibv_post_send: EIO"); });
}
RIGPROOF_TEST(Mischief, ThrowsAnInt, Reports::rate("mischief.rate")) {
  while_peers_wait([] { throw 42; });
}
RIGPROOF_TEST(Mischief, SkipsInAPhase, Reports::rate("mischief.rate")) {
  while_peers_wait([] { GTEST_SKIP() << "no NIC mlx5_1"; });
}
RIGPROOF_TEST(Mischief, NotProven, Reports::rate("mischief.rate")) {
  while_peers_wait([this] { not_proven("the driver has no such counter"); });
}
RIGPROOF_TEST(Mischief, Healthy2, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_TEST(Mischief, AssertsBetweenPhases, Reports::rate("mischief.rate")) {
  phase("setup", 2s, [] {});
  ASSERT_FALSE(culprit()) << "asserted";
  phase("measure", 2s, [&] { ranks().barrier(); });
}
RIGPROOF_TEST(Mischief, ThrowsBetweenPhases, Reports::rate("mischief.rate")) {
  between_phases([this] {
    if (culprit()) throw std::runtime_error("getaddrinfo: EAGAIN");
  });
}
RIGPROOF_TEST(Mischief, SkipsBetweenPhases, Reports::rate("mischief.rate")) {
  phase("setup", 2s, [] {});
  if (culprit()) {
    GTEST_SKIP() << "no NIC mlx5_1";
  }
  phase("measure", 2s, [&] { ranks().barrier(); });
}
RIGPROOF_TEST(Mischief, ReturnsEarly, Reports::rate("mischief.rate")) {
  phase("setup", 2s, [] {});
  if (culprit()) return;
  phase("measure", 2s, [&] { ranks().barrier(); });
}
RIGPROOF_TEST(Mischief, Healthy3, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_TEST(Mischief, ExpectsInAPhase, Reports::rate("mischief.rate")) {
  phase("measure", 2s, [this] { EXPECT_FALSE(culprit()) << "expected"; });
  report_rate();
}
RIGPROOF_TEST(Mischief, ExpectsLate, Reports::rate("mischief.rate")) {
  whole();
  EXPECT_FALSE(culprit()) << "expected";
}
TEST_P(Mischief, IsSilent) {
  phase("measure", 1s, [this] {
    while (culprit()) ranks().poll(), usleep(100);
  });
}
TEST_P(Mischief, OverrunsItsDeadline) {
  phase("measure", 500ms, [this] {
    if (culprit()) usleep(700'000);
  });
}
TEST_P(Mischief, SwapsPhases) {
  phase(culprit() ? "send" : "receive", 2s, [] {});
  phase(culprit() ? "receive" : "send", 2s, [] {});
}
TEST_P(Mischief, SharesAlone) {
  phase("measure", 2s, [this] {
    if (culprit()) ranks().barrier();
  });
}
TEST_P(Mischief, NestsPhases) {
  phase("outer", 2s, [this] { phase("inner", 2s, [] {}); });
}
RIGPROOF_TEST(Mischief, Healthy4, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_TEST(Mischief, MissesALimit, Reports::rate("mischief.rate")) {
  whole();
  if (culprit()) report("mischief.rate", DataRate::gigabits_per_second(0.4), "slow");
  note("somebody is slow");
}
RIGPROOF_TEST(Mischief, ReportsWithoutALimit, Reports::rate("mischief.rate"),
              Reports::count("mischief.unheard_of")) {
  whole();
  if (culprit()) report("mischief.unheard_of", count(1));
}
RIGPROOF_TEST(Mischief, ReportsNaN, Reports::rate("mischief.rate")) {
  whole();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (culprit()) report("mischief.rate", Samples<DataRate>({DataRate::bits_per_second(nan)}), "nan");
}
RIGPROOF_TEST(Mischief, ReportsNoSamples, Reports::rate("mischief.rate")) {
  whole();
  if (culprit()) report("mischief.rate", Samples<DataRate>(), "none");
}
RIGPROOF_TEST(Mischief, ReportsAnotherDimension, Reports::rate("mischief.rate")) {
  whole();
  if (culprit()) report("mischief.rate", count(1), "count");
}
RIGPROOF_TEST(Mischief, ReportsTwice, Reports::rate("mischief.rate")) {
  whole();
  if (culprit()) report_rate();
}
RIGPROOF_TEST(Mischief, OwesMore, Reports::rate("mischief.rate"), Reports::count("mischief.owed")) {
  whole();
}
TEST_P(Mischief, MeasuresNothing) {
  phase("measure", 2s, [] {});
  record("mischief.aside", count(3));
}
RIGPROOF_TEST(Mischief, MeetsStrangersTwice, Reports::rate("mischief.rate")) {
  whole();
  if (culprit()) found_strangers({"1 packet from 198.51.100.1"}), found_strangers({"2 from 198.51.100.2"});
}
RIGPROOF_TEST(Mischief, Healthy5, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_TEST(Mischief, RecordsForAnotherProfile, Reports::rate("mischief.rate"),
              Reports::count("mischief.acceptance")) {
  whole();
  if (culprit()) report("mischief.acceptance", count(0));
}
RIGPROOF_CASES(EachNode, Mischief, every_node);

// --- the same where a fixture misbehaves ---

class BadConstructor : public MischiefTest {
 protected:
  BadConstructor() {
    if (culprit()) throw std::runtime_error("no such device");
  }
};
RIGPROOF_TEST(BadConstructor, Runs, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_CASES(EachNode, BadConstructor, every_node);

class BadSetUp : public MischiefTest {
 protected:
  void SetUp() override { ASSERT_FALSE(culprit()) << "set up"; }
};
RIGPROOF_TEST(BadSetUp, Runs, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_CASES(EachNode, BadSetUp, every_node);

class BadPhaseInSetUp : public MischiefTest {
 protected:
  void SetUp() override {
    phase("set up", 2s, [this] { ASSERT_FALSE(culprit()) << "set up"; });
  }
  void TearDown() override {
    phase("tear down", 2s, [] {});
  }
};
RIGPROOF_TEST(BadPhaseInSetUp, Runs, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_CASES(EachNode, BadPhaseInSetUp, every_node);

class BadTearDown : public MischiefTest {
 protected:
  void TearDown() override { EXPECT_FALSE(culprit()) << "torn down"; }
};
RIGPROOF_TEST(BadTearDown, Runs, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_CASES(EachNode, BadTearDown, every_node);

// On rank 1 only, for all of its cases.
class BadSuiteSetUp : public MischiefTest {
 protected:
  static void SetUpTestSuite() { ASSERT_STRNE(std::getenv("OMPI_COMM_WORLD_RANK"), "1") << "set up for all"; }
};
RIGPROOF_TEST(BadSuiteSetUp, Runs, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_CASES(EachNode, BadSuiteSetUp, every_node);

std::vector<NodeSubject> every_node_unless_unlistable(const Rig& rig) {
  if (rig.name == "unlistable") throw std::runtime_error("this rig's cases can't be listed");
  return every_node(rig);
}

class Well : public MischiefTest {};
RIGPROOF_TEST(Well, Healthy6, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_CASES(EachNode, Well, every_node_unless_unlistable);

// --- costs a launch each ---

class Deadly : public MischiefTest {};

RIGPROOF_TEST(Deadly, Healthy1, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_TEST(Deadly, Segfaults, Reports::rate("mischief.rate")) {
  while_peers_wait([] { raise(SIGSEGV); });
}
RIGPROOF_TEST(Deadly, Aborts, Reports::rate("mischief.rate")) {
  while_peers_wait([] { std::abort(); });
}
RIGPROOF_TEST(Deadly, KillsItself, Reports::rate("mischief.rate")) {
  while_peers_wait([] { raise(SIGKILL); });
}
RIGPROOF_TEST(Deadly, StopsItself, Reports::rate("mischief.rate")) {
  while_peers_wait([] { raise(SIGSTOP); });
}
RIGPROOF_TEST(Deadly, HangsInAPhase, Reports::rate("mischief.rate")) {
  while_peers_wait([] {
    for (;;) pause();
  });
}
RIGPROOF_TEST(Deadly, Healthy2, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_TEST(Deadly, HangsBetweenPhases, Reports::rate("mischief.rate")) {
  between_phases([this] {
    while (culprit()) pause();
  });
}
RIGPROOF_TEST(Deadly, ExitsZero, Reports::rate("mischief.rate")) {
  while_peers_wait([] { std::exit(0); });
}
RIGPROOF_TEST(Deadly, Healthy3, Reports::rate("mischief.rate")) { whole(); }
RIGPROOF_CASES(EachNode, Deadly, every_node);

}  // namespace
}  // namespace rigproof

int main(int argc, char** argv) { return rigproof::suite_main(argc, argv, "mischief", {}); }
