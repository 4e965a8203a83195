#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/record/run_record.h"

namespace rigproof {

// What an attempt comes to, and the waivers that cover it when that is kWaived.
struct Settlement {
  Status status;
  std::vector<const Waiver*> waivers;  // of those that were handed in, each once
};

// "waived until 2026-12-31 by Ann: cable", one after the other.
[[nodiscard]] std::string describe(const std::vector<const Waiver*>& waivers);

// An error is an error; a missed limit or a failed assertion fails; a skip leaves the case not proven, and so
// does a miss in a void attempt; what no limit judged is recorded. It is waived when a waiver in force on `date`
// covers every missed limit and every skip, and there is nothing else.
[[nodiscard]] Settlement settle(const Attempt& attempt, const std::vector<Waiver>& waivers,
                                std::string_view full_name, std::string_view date);

}  // namespace rigproof
