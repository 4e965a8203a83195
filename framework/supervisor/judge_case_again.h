#pragma once

#include <optional>
#include <string>

#include "framework/limits/limit_table.h"
#include "framework/limits/remedy.h"
#include "framework/record/events.h"
#include "framework/rig/subjects.h"

namespace rigproof {

// By what a recorded case was judged, and by what it is going to be.
struct LimitsAgain {
  std::optional<LimitTable> before;  // nothing when they cannot be read any more
  LimitTable now;
  std::string file;  // of the latter
};

// The case with every measurement judged anew, by the facts that are recorded beside it and those of its subject
// (nullptr: not known). Failures remain. What was found out then remains where it still says something: the notes of
// the case stand beside the first limit missed now, and the words of a finding fill the remedy of its limit.
[[nodiscard]] CaseEnded judge_case_again(CaseEnded ended, const Subject* subject, const LimitsAgain& limits);

// The words that filled() has put into this remedy; none when it was not made of it. For the first that fit.
[[nodiscard]] Words words_behind(std::string_view remedy, std::string_view filled_in);

}  // namespace rigproof
