#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judged_run.h"
#include "reports/terminal/terminal.h"

namespace rigproof::terminal {

// The figure that a test's cases are named after: the first id that it owes, or else may report. Empty: none.
[[nodiscard]] std::string_view named_figure(const record::PlannedTest& test);

// Lines of a run without a screen. An expectation is a test of a suite with all its subjects; it gets one line when its last
// case has ended. A case that did not pass, or that is measured again, gets a line of its own at once.
class Expectations {
 public:
  using Titles = std::map<std::string, std::vector<record::Declared>>;  // RunStarted::declared
  // `planned`: number of cases of each test, by suite; iterations included.
  using Planned = std::map<std::string, std::map<std::string, std::size_t>>;

  Expectations() = default;
  Expectations(Titles declared, Planned planned);

  // Adds the latest attempt of a case of this test, and returns the lines to print. Empty: more cases follow.
  [[nodiscard]] std::string add(const judge::JudgedSuite& suite, const record::PlannedTest& test,
                                const judge::JudgedCase& ended, Colour colour);
  // Lines of the expectations that have begun and lack cases; they are then forgotten.
  [[nodiscard]] std::vector<std::string> unfinished(Colour colour);

 private:
  struct Progress {
    std::string title;
    std::size_t ended = 0, passed = 0, recorded = 0;
    judge::Status worst = judge::Status::kRecorded;
    std::optional<double> margin = {};  // the smallest so far
    std::string figure = {};            // with that margin; without margins one that all cases have
    bool differs = false;               // figures without a margin
  };
  void note(Progress& progress, const judge::JudgedMeasurement& measurement) const;
  [[nodiscard]] std::string line(const std::string& suite, const Progress& progress, std::size_t planned,
                                 Colour colour) const;

  Titles declared_;
  Planned planned_;
  std::map<std::string, std::map<std::string, Progress>> progress_;  // as planned_
};

}  // namespace rigproof::terminal
