#pragma once

#include <set>
#include <string>
#include <string_view>

#include "framework/judge/judged_run.h"

namespace rigproof::cli {

// What a report says that a run came to, wherever it says so in a fixed form: its heading, and the fields that programs read.
// It takes the report's bytes piece by piece and keeps few of them.
class StatedVerdicts {
 public:
  explicit StatedVerdicts(std::string report);

  void add(std::string_view piece);
  void finish();
  // Why it does not say what the judge does: "says QUALIFIED, but the record is judged NOT QUALIFIED"; empty: it does, or it
  // says nothing that this build can read.
  [[nodiscard]] std::string fault(const judge::JudgedRun& run) const;
  [[nodiscard]] bool any() const { return !verdicts_.empty(); }

 private:
  void search(bool to_the_end);

  std::string report_, kept_;
  std::set<std::string> verdicts_, exit_codes_, results_;
};

}  // namespace rigproof::cli
