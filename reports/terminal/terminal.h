#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "framework/compare/comparison.h"
#include "framework/judge/judged_run.h"

namespace rigproof::terminal {

enum class Colour { kOff, kOn };

// What stands between "\x1b[" and "m" for it; empty for what is written plain.
[[nodiscard]] std::string_view colour_of(judge::Status status);

// One line, without a newline, about the latest attempt at a case: the verdict word, the full name, the
// measurement that decided with limit and margin, and for a failure what went wrong where.
//   PASS         tcp.EachRail/RailRate.FillsTheHalf/rail0_node_a_node_b  tcp.rate.half on node-b: 0.978 Gbit/s (...)
// Plain text whatever the record holds: no control characters but our own colours.
[[nodiscard]] std::string case_line(const judge::JudgedCase& test, Colour colour = Colour::kOff);

// The end of a run: counts a suite, every failure with node, limit, basis and remedy, what was not proven or
// waived, the run's own problems, the advice, where the time went, and the verdict as the last line.
[[nodiscard]] std::string verdict_table(const judge::JudgedRun& run, Colour colour = Colour::kOff);

// A comparison on one screen, at most 20 lines: `verdict`, why, and what changed on the rig, a line each; the measurements
// that say most; the notes. `rest`: where the others are ("--all").
void write_comparison_screen(const std::string& verdict, const compare::Comparison& comparison,
                             const std::string& rest, std::ostream& out);

// All of a comparison as a table of plain text, what is worst first, with the notes, the method and the verdict as the last
// line. Of any size: no row is kept.
void write_comparison_table(const compare::Comparison& comparison, std::ostream& out);

}  // namespace rigproof::terminal
