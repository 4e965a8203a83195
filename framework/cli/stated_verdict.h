#pragma once

#include <set>
#include <string>
#include <string_view>

#include "framework/judge/judged_run.h"

namespace rigproof::cli {

// The verdict of a run as stated in a report in a fixed form: in its heading, and in fields for programs. Takes the
// report's bytes piece by piece and keeps few of them.
class StatedVerdicts {
 public:
  explicit StatedVerdicts(std::string report);

  void add(std::string_view piece);
  void finish();
  // The difference to the judge's verdict: "says QUALIFIED, but the record is judged NOT QUALIFIED". Empty: no
  // difference, or no statement that this build can read.
  [[nodiscard]] std::string fault(const judge::JudgedRun& run) const;
  [[nodiscard]] bool any() const { return !verdicts_.empty(); }

 private:
  void search(bool to_the_end);

  std::string report_, kept_;
  std::set<std::string> verdicts_, exit_codes_, results_;
};

}  // namespace rigproof::cli
