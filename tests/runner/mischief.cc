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

#include "framework/runner/rig_test.h"
#include "framework/runner/suite_main.h"

namespace rigproof {
namespace {

using namespace std::chrono_literals;

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

TEST_P(Mischief, Healthy1) { whole(); }
TEST_P(Mischief, AssertsInAPhase) {
  while_peers_wait([] { ASSERT_EQ(1, 2) << "asserted"; });
}
TEST_P(Mischief, ThrowsInAPhase) {
  while_peers_wait([] { throw std::runtime_error("ibv_post_send: EIO"); });
}
TEST_P(Mischief, ThrowsAnInt) {
  while_peers_wait([] { throw 42; });
}
TEST_P(Mischief, SkipsInAPhase) {
  while_peers_wait([] { GTEST_SKIP() << "no NIC mlx5_1"; });
}
TEST_P(Mischief, NotProven) {
  while_peers_wait([this] { not_proven("the driver has no such counter"); });
}
TEST_P(Mischief, Healthy2) { whole(); }
TEST_P(Mischief, AssertsBetweenPhases) {
  phase("setup", 2s, [] {});
  ASSERT_FALSE(culprit()) << "asserted";
  phase("measure", 2s, [&] { ranks().barrier(); });
}
TEST_P(Mischief, ThrowsBetweenPhases) {
  between_phases([this] {
    if (culprit()) throw std::runtime_error("getaddrinfo: EAGAIN");
  });
}
TEST_P(Mischief, SkipsBetweenPhases) {
  phase("setup", 2s, [] {});
  if (culprit()) {
    GTEST_SKIP() << "no NIC mlx5_1";
  }
  phase("measure", 2s, [&] { ranks().barrier(); });
}
TEST_P(Mischief, ReturnsEarly) {
  phase("setup", 2s, [] {});
  if (culprit()) return;
  phase("measure", 2s, [&] { ranks().barrier(); });
}
TEST_P(Mischief, Healthy3) { whole(); }
TEST_P(Mischief, ExpectsInAPhase) {
  phase("measure", 2s, [this] { EXPECT_FALSE(culprit()) << "expected"; });
  report_rate();
}
TEST_P(Mischief, ExpectsLate) {
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
TEST_P(Mischief, Healthy4) { whole(); }
TEST_P(Mischief, MissesALimit) {
  whole();
  if (culprit()) report("mischief.rate", DataRate::gigabits_per_second(0.4), "slow");
  note("somebody is slow");
}
TEST_P(Mischief, ReportsWithoutALimit) {
  whole();
  if (culprit()) report("mischief.unheard_of", count(1));
}
TEST_P(Mischief, ReportsNaN) {
  whole();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (culprit()) report("mischief.rate", Samples<DataRate>({DataRate::bits_per_second(nan)}), "nan");
}
TEST_P(Mischief, ReportsNoSamples) {
  whole();
  if (culprit()) report("mischief.rate", Samples<DataRate>(), "none");
}
TEST_P(Mischief, ReportsAnotherDimension) {
  whole();
  if (culprit()) report("mischief.rate", count(1), "count");
}
TEST_P(Mischief, ReportsTwice) {
  whole();
  if (culprit()) report_rate();
}
TEST_P(Mischief, MeasuresNothing) {
  phase("measure", 2s, [] {});
  record("mischief.aside", count(3));
}
TEST_P(Mischief, Healthy5) { whole(); }
TEST_P(Mischief, RecordsForAnotherProfile) {
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
TEST_P(BadConstructor, Runs) { whole(); }
RIGPROOF_CASES(EachNode, BadConstructor, every_node);

class BadSetUp : public MischiefTest {
 protected:
  void SetUp() override { ASSERT_FALSE(culprit()) << "set up"; }
};
TEST_P(BadSetUp, Runs) { whole(); }
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
TEST_P(BadPhaseInSetUp, Runs) { whole(); }
RIGPROOF_CASES(EachNode, BadPhaseInSetUp, every_node);

class BadTearDown : public MischiefTest {
 protected:
  void TearDown() override { EXPECT_FALSE(culprit()) << "torn down"; }
};
TEST_P(BadTearDown, Runs) { whole(); }
RIGPROOF_CASES(EachNode, BadTearDown, every_node);

// On rank 1 only, for all of its cases.
class BadSuiteSetUp : public MischiefTest {
 protected:
  static void SetUpTestSuite() { ASSERT_STRNE(std::getenv("OMPI_COMM_WORLD_RANK"), "1") << "set up for all"; }
};
TEST_P(BadSuiteSetUp, Runs) { whole(); }
RIGPROOF_CASES(EachNode, BadSuiteSetUp, every_node);

class Well : public MischiefTest {};
TEST_P(Well, Healthy6) { whole(); }
RIGPROOF_CASES(EachNode, Well, every_node);

// --- costs a launch each ---

class Deadly : public MischiefTest {};

TEST_P(Deadly, Healthy1) { whole(); }
TEST_P(Deadly, Segfaults) {
  while_peers_wait([] { raise(SIGSEGV); });
}
TEST_P(Deadly, Aborts) {
  while_peers_wait([] { std::abort(); });
}
TEST_P(Deadly, KillsItself) {
  while_peers_wait([] { raise(SIGKILL); });
}
TEST_P(Deadly, StopsItself) {
  while_peers_wait([] { raise(SIGSTOP); });
}
TEST_P(Deadly, HangsInAPhase) {
  while_peers_wait([] {
    for (;;) pause();
  });
}
TEST_P(Deadly, Healthy2) { whole(); }
TEST_P(Deadly, HangsBetweenPhases) {
  between_phases([this] {
    while (culprit()) pause();
  });
}
TEST_P(Deadly, ExitsZero) {
  while_peers_wait([] { std::exit(0); });
}
TEST_P(Deadly, Healthy3) { whole(); }
RIGPROOF_CASES(EachNode, Deadly, every_node);

}  // namespace
}  // namespace rigproof

int main(int argc, char** argv) { return rigproof::suite_main(argc, argv, "mischief", {}); }
