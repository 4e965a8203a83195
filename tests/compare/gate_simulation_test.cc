// What a gate decides of rigs whose truth is known: sixty headline figures, runs that scatter by 1 %, a
// baseline of 7 runs and at most 7 more in two looks, by the very code of `rigproof gate`. Catches a level that is spent
// twice, a tolerance that lets a slow-down of 5 % through, and a gate that never opens.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <random>

#include "framework/compare/comparison.h"

namespace rigproof {
namespace {

constexpr int kFigures = 60, kGateTrials = 400, kBaseRuns = 7;
constexpr std::array kLooks{4, 7};  // candidate runs
constexpr double kScatter = 0.01;

enum class Gate { kOpen, kShut, kInconclusive };

struct Truth {
  double slower = 0;  // by so much
  int figures = 1;    // so many of them
  double tolerance = 0.03;
  bool skewed = false;
};

class Simulation {
 public:
  explicit Simulation(Truth truth) : truth_(truth) {
    limit_.id = "a";
    limit_.tolerance = {.value = truth.tolerance, .text = ""};
  }

  double share_of(Gate wanted) {
    int count = 0;
    for (int trial = 0; trial < kGateTrials; ++trial) count += pass() == wanted ? 1 : 0;
    return count / static_cast<double>(kGateTrials);
  }

 private:
  Gate pass() {
    compare::Comparison comparison{};
    comparison.measurements.resize(kFigures);
    for (compare::ComparedMeasurement& figure : comparison.measurements) {
      figure.id = "a";
      add_runs(figure.base.values, kBaseRuns, 1);
    }
    int runs = 0;
    for (std::size_t look = 0; look < kLooks.size(); ++look) {
      for (int i = 0; i < kFigures; ++i)
        add_runs(comparison.measurements[static_cast<std::size_t>(i)].candidate.values, kLooks[look] - runs,
                 i < truth_.figures ? 1 - truth_.slower : 1);
      runs = kLooks[look];
      decide(comparison, {static_cast<int>(look) + 1, static_cast<int>(kLooks.size())});
      if (!comparison.needs_more_runs()) break;
    }
    const int code = comparison.exit_code();
    return code == 0 ? Gate::kOpen : code == 1 ? Gate::kShut : Gate::kInconclusive;
  }

  void decide(compare::Comparison& comparison, compare::Look look) const {
    const compare::Levels levels = compare::levels_of(comparison.measurements.size(), look);
    for (compare::ComparedMeasurement& figure : comparison.measurements)
      compare::decide(figure,
                      {&limit_, limit_.tolerance, true, levels, kBaseRuns, figure.candidate.values.size()});
  }

  void add_runs(std::vector<double>& values, int runs, double factor) {
    for (int i = 0; i < runs; ++i) {
      const double noise =
          truth_.skewed ? 1 - exponential_(random_) : normal_(random_);  // deviation 1 either way
      values.push_back(1e9 * factor * (1 + kScatter * noise));
    }
  }

  Truth truth_;
  Limit limit_{.id = {}, .dimension = Dimension::kDataRate, .unit = {}};
  std::mt19937 random_{45};
  std::normal_distribution<double> normal_;
  std::exponential_distribution<double> exponential_;
};

double share(Gate gate, Truth truth) {
  const double share = Simulation(truth).share_of(gate);
  testing::Test::RecordProperty("share", std::to_string(share));
  return share;
}

TEST(GateBySimulation, OpensOnAnUnchangedRig) {
  EXPECT_GE(share(Gate::kOpen, {}), 0.9);
  EXPECT_LE(share(Gate::kShut, {}), 0.05);
}
TEST(GateBySimulation, ShutsOnOneFigureThatIsFivePercentSlower) {
  EXPECT_GE(share(Gate::kShut, {.slower = 0.05}), 0.9);
  EXPECT_EQ(share(Gate::kOpen, {.slower = 0.05}), 0);
}
TEST(GateBySimulation, ShutsOnAllOfThem) {
  EXPECT_GE(share(Gate::kShut, {.slower = 0.05, .figures = kFigures}), 0.99);
}
TEST(GateBySimulation, OpensInFiveOfAHundredAtMostAtTheToleranceItself) {
  EXPECT_LE(share(Gate::kOpen, {.slower = 0.03}), 0.05 + 0.02);  // and two deviations of 400 trials
}
// Without any tolerance only the level stands between chance and an alarm.
TEST(GateBySimulation, FalseAlarmsStayUnderTheLevelWhateverTheDistribution) {
  for (const bool skewed : {false, true})
    EXPECT_LE(share(Gate::kShut, {.tolerance = 0, .skewed = skewed}), compare::kFalseAlarms + 0.02) << skewed;
}

}  // namespace
}  // namespace rigproof
