#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "framework/compare/comparison.h"
#include "framework/judge/judged_run.h"

namespace rigproof::terminal {

enum class Colour { kOff, kOn };

// Colour code between "\x1b[" and "m"; empty for no colour.
[[nodiscard]] std::string_view colour_of(judge::Status status);

// "PASS       ", as wide as the longest word.
[[nodiscard]] std::string status_word(judge::Status status, Colour colour);

// One line, without a newline, about the latest attempt at a case: the verdict word, the full name, the measurement with limit
// and margin, and for a failure what went wrong where. The measurement is that of the id `named` if it was measured, or else
// the deciding one.
//   PASS         tcp.EachRail/RailRate.FillsTheHalf/rail0_node_a_node_b  tcp.rate.half on node-b: 0.978 Gbit/s (...)
// Plain text for any record: no control characters except this program's colours.
[[nodiscard]] std::string case_line(const judge::JudgedCase& test, Colour colour = Colour::kOff,
                                    std::string_view named = {});

// The end of a run: counts per suite, every failure with node, limit, basis and remedy, not proven and waived cases, the
// run's own problems, the advice, the time spent, and the verdict as the last line.
[[nodiscard]] std::string verdict_table(const judge::JudgedRun& run, Colour colour = Colour::kOff);

// Writes a comparison on one screen, at most 20 lines: `verdict`, reason and changes of the rig, one line each; the most
// important measurements; the notes. `rest`: where the other measurements are ("--all").
void write_comparison_screen(const std::string& verdict, const compare::Comparison& comparison,
                             const std::string& rest, std::ostream& out);

// Writes the whole comparison as a plain-text table, worst first, with notes, method and the verdict as the last line. Keeps
// no rows, so the size is not limited.
void write_comparison_table(const compare::Comparison& comparison, std::ostream& out);

}  // namespace rigproof::terminal
