#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/compare/comparison.h"
#include "framework/judge/blame.h"
#include "framework/judge/judged_run.h"
#include "framework/judge/power.h"

namespace rigproof::text {

// The words in which every report tells of measurements and failures. All results are clean() and on one
// line.

// to_text(), whatever a journal from elsewhere names as unit or value.
[[nodiscard]] std::string quantity_text(Quantity quantity, const std::string& unit);

// "PASS", "INFORMATIVE", "NOT PROVEN".
[[nodiscard]] std::string_view word_of(judge::Status status);

// name() as people read it: "informative" where machine keys say "recorded".
[[nodiscard]] std::string_view shown_name(judge::Status status);
[[nodiscard]] std::string_view shown_name(judge::Verdict verdict);
[[nodiscard]] std::string_view shown_name(compare::Change change);

// "tcp.rate.half on node-b (enp1s0f0np0 tx)".
[[nodiscard]] std::string label(const judge::JudgedMeasurement& measurement);

// The figure that its samples come to, in base units: the one that was judged, else their statistic (NaN when a
// sample is). Nothing without samples, or of a text that could not be judged.
[[nodiscard]] std::optional<double> measured_value(const judge::JudgedMeasurement& measurement);

// "162.4 Gbit/s"; "no value" when nothing came out.
[[nodiscard]] std::string value_text(const judge::JudgedMeasurement& measurement);

// A statistic of its samples in its unit; empty where there is no measured_value().
[[nodiscard]] std::string statistic_text(const judge::JudgedMeasurement& measurement, Statistic statistic);

// "-4.5 %", or empty where there is no margin.
[[nodiscard]] std::string margin_text(const judge::JudgedMeasurement& measurement);

// "162.4 Gbit/s (limit >= 170 Gbit/s, margin -4.5 %)", with the reason when it could not be judged.
[[nodiscard]] std::string result_text(const judge::JudgedMeasurement& measurement);

// 'measured: this rig, 2026-11-20: "20 runs, median 0.978 Gbit/s"; what follows from it', or empty.
[[nodiscard]] std::string basis_text(const judge::JudgedMeasurement& measurement);

// The limit without what its bounds follow from: ">= 0.95 Gbit/s and <= 1.05 Gbit/s"; empty without one.
[[nodiscard]] std::string short_limit(const judge::JudgedMeasurement& measurement);

// "model-rig.toml:12", without the folders.
[[nodiscard]] std::string file_and_line(const toml::Place& place);

// Why a limit counts as missed, with the case's notes; empty otherwise (result_text() says why one is not judged).
[[nodiscard]] std::string reason_text(const judge::JudgedMeasurement& measurement);

// All that a person needs about a missed limit: label, the case's subject, result, reason, basis and remedy.
[[nodiscard]] std::string miss_text(const judge::JudgedMeasurement& measurement, const std::string& subject);

// "[node-b, rank 1, phase measure] deadline: no answer within 30 s (suites/tcp/stream_rate.cc:40)".
[[nodiscard]] std::string failure_text(const record::Failure& failure);

// The worst of its failures, and how many more; empty without any.
[[nodiscard]] std::string failures_text(const judge::Attempt& attempt);

// Whether its measurements leave something untold: there are none, or more went wrong than the limits they missed.
[[nodiscard]] bool is_more_than_measurements(const judge::Attempt& attempt);

// Missed limits and measurements that could not be judged, worst first.
[[nodiscard]] std::vector<const judge::JudgedMeasurement*> misses(const judge::Attempt& attempt);

// The measurement that says most about how the attempt came out: the worst verdict, then the smallest margin;
// nullptr without measurements.
[[nodiscard]] const judge::JudgedMeasurement* decisive(const judge::Attempt& attempt);

// Why a case is not simply passed, in one sentence: the worst miss or failure and how many more; empty when
// passed.
[[nodiscard]] std::string headline(const judge::JudgedCase& test);
[[nodiscard]] std::string headline(const judge::Attempt& attempt);

// The machine-readable kind of what went wrong: "limit", "assertion", "crash", "deadline", "not-run", ...
[[nodiscard]] std::string fault_type(const judge::JudgedCase& test);

// What the headline is about: the id of the limit that it names, else the kind of what went wrong. Cases that miss the same
// limit have the same.
[[nodiscard]] std::string headline_subject(const judge::JudgedCase& test);

// Passed, but a judged value lies in its marginal band.
[[nodiscard]] bool is_marginal(const judge::Attempt& attempt);

// Calls `see(case, attempt)` with every attempt that does not count because the machine was disturbed.
template <class See>
void each_void_attempt(const judge::JudgedRun& run, const See& see) {
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases)
      for (const judge::Attempt& attempt : test.attempts)
        if (judge::is_void(attempt.failures)) see(test, attempt);
}

// What is wrong with the run itself, beyond its cases: problems, suites that did not complete, no end,
// nothing that passed. Empty for a run whose verdict follows from its cases alone.
[[nodiscard]] std::vector<record::Problem> run_faults(const judge::JudgedRun& run);

// What to type, of everything that failed and is not waived, each once and in the order found.
struct RemedyLine {
  std::string id;     // the missed limit
  std::string place;  // "node-b enp1s0f0np0", "node-b, rail0: node-a -> node-b"
  std::string line;   // "sudo ip link set enp1s0f0np0 mtu 9000   # node-b: the remedy's own remark"
};
[[nodiscard]] std::vector<RemedyLine> remedies_of(const judge::JudgedRun& run);

// A limit that is advice and is missed, or could not be proven.
struct Advice {
  std::string found;   // "preflight.memlock on node-a: 8388608 (limit unlimited, advice)"
  std::string remedy;  // what to type, as a RemedyLine has it; may be empty
};
[[nodiscard]] std::vector<Advice> advice_of(const judge::Attempt& attempt);
// Of every case, each once and in the order found.
[[nodiscard]] std::vector<Advice> advice_of(const judge::JudgedRun& run);

// An attempt's measurements as an aligned plain-text table with a header; empty without measurements.
[[nodiscard]] std::string measurement_table(const judge::Attempt& attempt);

// The words that every report of a comparison uses; one clean line each.

// "WORSE: rig model-rig (model), profile smoke: 7 base runs, 7 candidate runs; 31 compared: 1 regressed, 30 unchanged"
[[nodiscard]] std::string comparison_line(const compare::Comparison& comparison);
// "tcp.rate.half on node-b in tcp.X: 0.98 Gbit/s -> 0.86 Gbit/s, -12.2 % (tolerance 2 % of base): ...".
[[nodiscard]] std::string change_sentence(const compare::ComparedMeasurement& measurement);
// Why the verdict is what it is: the objections, or the measurement that speaks most against the candidate.
[[nodiscard]] std::string why_line(const compare::Comparison& comparison);
// "nothing (of 31 facts)", "NIC firmware 28.45.1200 -> 28.46.1006 on node-a, node-b", with what is staged.
[[nodiscard]] std::string changed_line(const compare::Comparison& comparison);
// The measurements that say most first: by limits missed, verdict, and how far they got worse, in tolerances. What carries no
// decision comes last.
[[nodiscard]] std::vector<const compare::ComparedMeasurement*> worst_first(
    const compare::Comparison& comparison);

// "tcp.rate.half on node-b (rail0)"; of a case without one: "the case"
[[nodiscard]] std::string label(const compare::ComparedMeasurement& measurement);

[[nodiscard]] std::string side_text(const compare::ComparedMeasurement& measurement,
                                    const compare::ComparedSide& side);                  // "0.978 Gbit/s"
[[nodiscard]] std::string change_text(const compare::ComparedMeasurement& measurement);  // "-4.9 %"
[[nodiscard]] std::string interval_text(
    const compare::ComparedMeasurement& measurement);  // "-5.2 % to -4.6 %"
[[nodiscard]] std::string reason_text(
    const compare::ComparedMeasurement& measurement);  // with the runs that it needs

// How the verdicts were reached, in a few sentences.
[[nodiscard]] std::vector<std::string> method_text(const compare::Comparison& comparison);

// "node-c, sending side: 60 % of its peers'; confirmed with node-a and node-b". One clean line.
[[nodiscard]] std::string suspect_text(const judge::Suspect& suspect);

// A line for each suspect, what explains most first, and one where missed rates are left that no part explains. Empty
// when no rate between nodes was missed and no part stands out.
[[nodiscard]] std::vector<std::string> suspect_lines(const judge::Blame& blame);

// The operating characteristic as rows of text; the first names the columns. Two rows for each limit: everything that it
// judges is slowed, and one place alone, with the interval that so few figures leave.
[[nodiscard]] std::vector<std::vector<std::string>> power_rows(const std::vector<judge::LimitPower>& power);

// One line for each limit: "tcp.rate.half: all slower: stopped from 2 % on; one place slower: stopped from 5 % on".
// Stopped: in 95 of 100 runs.
[[nodiscard]] std::vector<std::string> power_lines(const std::vector<judge::LimitPower>& power);

// What the numbers mean and what they don't: whole sentences.
[[nodiscard]] std::vector<std::string> power_notes();

}  // namespace rigproof::text
