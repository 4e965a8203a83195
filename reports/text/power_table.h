#pragma once

#include <string>
#include <vector>

#include "framework/judge/power.h"

namespace rigproof::text {

// The operating characteristic as rows of text; the first names the columns. Two rows for each limit: everything that it
// judges is slowed, and one place alone, with the interval that so few figures leave.
[[nodiscard]] std::vector<std::vector<std::string>> power_rows(const std::vector<judge::LimitPower>& power);

// One line for each limit: "tcp.rate.half: all slower: stopped from 2 % on; one place slower: stopped from 5 % on".
// Stopped: in 95 of 100 runs.
[[nodiscard]] std::vector<std::string> power_lines(const std::vector<judge::LimitPower>& power);

// What the numbers mean and what they don't: whole sentences.
[[nodiscard]] std::vector<std::string> power_notes();

}  // namespace rigproof::text
