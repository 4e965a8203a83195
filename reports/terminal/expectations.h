#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "framework/judge/judged_run.h"
#include "reports/terminal/terminal.h"

namespace rigproof::terminal {

// The figure that a test's cases are named after: the first id that it owes, or else may report. Empty: none.
[[nodiscard]] std::string_view named_figure(const record::PlannedTest& test);

// Lines of a run without a screen. An expectation is a test of a suite with all its subjects; it gets one line when its last
// case has ended. If a case missed a limit, the line names that limit's id. A case that did not pass, or that is measured
// again, gets a line of its own at once.
class Expectations {
 public:
  using Titles = std::map<std::string, std::vector<record::Declared>>;  // RunStarted::declared
  // `planned`: number of cases of each test, by suite; iterations included.
  using Planned = std::map<std::string, std::map<std::string, std::size_t>>;

  Expectations() = default;
  Expectations(Titles declared, Planned planned);

  // Adds the latest attempt of a case of this test, and returns the lines to print. Empty: more cases follow. Counts each
  // iteration of a case once.
  [[nodiscard]] std::string add(const judge::JudgedSuite& suite, const record::PlannedTest& test,
                                const judge::JudgedCase& ended, Colour colour);
  // Lines of the expectations that have begun and lack cases; they are then forgotten.
  [[nodiscard]] std::vector<std::string> unfinished(Colour colour);

 private:
  struct Progress {
    std::string title = {};  // of the figure below, or the test's name
    std::size_t ended = 0, passed = 0, recorded = 0;
    judge::Status worst = judge::Status::kRecorded;
    std::optional<double> margin = {};             // the smallest so far, of the cases with the worst status
    std::string figure = {};                       // with that margin; without margins the first
    bool differs = false;                          // figures without a margin
    std::unordered_set<std::size_t> counted = {};  // hashes of case and iteration
  };
  void note(Progress& progress, const judge::JudgedSuite& suite, const record::PlannedTest& test,
            const judge::Attempt& latest) const;
  [[nodiscard]] std::string line(const std::string& suite, const Progress& progress, std::size_t planned,
                                 Colour colour) const;

  Titles declared_;
  Planned planned_;
  std::map<std::string, std::map<std::string, Progress>> progress_;  // as planned_
};

}  // namespace rigproof::terminal
