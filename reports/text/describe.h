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

// Texts for measurements and failures, the same in every report. All results are clean() and on one line.

// to_text() for any unit or value, also from a foreign journal.
[[nodiscard]] std::string quantity_text(Quantity quantity, const std::string& unit);

// "PASS", "INFORMATIVE", "NOT PROVEN".
[[nodiscard]] std::string_view word_of(judge::Status status);

// name() for readers: "informative" instead of the machine key "recorded".
[[nodiscard]] std::string_view shown_name(judge::Status status);
[[nodiscard]] std::string_view shown_name(judge::Verdict verdict);
[[nodiscard]] std::string_view shown_name(compare::Change change);

// "tcp.rate.half on node-b (enp1s0f0np0 tx)".
[[nodiscard]] std::string label(const judge::JudgedMeasurement& measurement);

// The judged value in base units; if not judged, the samples' statistic (NaN if a sample is). nullopt: no samples, or a text
// that could not be judged.
[[nodiscard]] std::optional<double> measured_value(const judge::JudgedMeasurement& measurement);

// "162.4 Gbit/s"; "no value" without a value.
[[nodiscard]] std::string value_text(const judge::JudgedMeasurement& measurement);

// "mean 85.5 Gbit/s": the further statistic of the limit that decided; empty if the limit's own did.
[[nodiscard]] std::string further_text(const judge::JudgedMeasurement& measurement);

// A statistic of the samples, with unit; empty without measured_value().
[[nodiscard]] std::string statistic_text(const judge::JudgedMeasurement& measurement, Statistic statistic);

// "-4.5 %"; empty without a margin.
[[nodiscard]] std::string margin_text(const judge::JudgedMeasurement& measurement);

// "162.4 Gbit/s (limit >= 170 Gbit/s, margin -4.5 %)", with the reason if it could not be judged.
[[nodiscard]] std::string result_text(const judge::JudgedMeasurement& measurement);

// 'measured: this rig, 2026-11-20: "20 runs, median 0.978 Gbit/s"; REASONING', or empty.
[[nodiscard]] std::string basis_text(const Basis& basis);
[[nodiscard]] std::string basis_text(const judge::JudgedMeasurement& measurement);

// The limit without the reasoning for its bounds: ">= 0.95 Gbit/s and <= 1.05 Gbit/s"; empty without a limit. Only the bounds
// of the further statistic if one decided.
[[nodiscard]] std::string short_limit(const judge::JudgedMeasurement& measurement);
// Bounds as above; empty without one.
[[nodiscard]] std::string bounds_text(const judge::Bounds& bounds, Dimension dimension,
                                      const std::string& unit);

// "model-rig.toml:12", without folders.
[[nodiscard]] std::string file_and_line(const toml::Place& place);

// Why a limit counts as missed, with the case's notes; otherwise empty (result_text() says why a value is not judged).
[[nodiscard]] std::string reason_text(const judge::JudgedMeasurement& measurement);

// Everything about a missed limit: label, the case's subject, result, reason, basis and remedy.
[[nodiscard]] std::string miss_text(const judge::JudgedMeasurement& measurement, const std::string& subject);

// "[node-b, rank 1, phase measure] deadline: no answer within 30 s (suites/tcp/stream_rate.cc:40)".
[[nodiscard]] std::string failure_text(const record::Failure& failure);

// The worst failure, and the number of further ones; empty without failures.
[[nodiscard]] std::string failures_text(const judge::Attempt& attempt);

// True if the measurements do not show everything: there are none, or the attempt has failures.
[[nodiscard]] bool is_more_than_measurements(const judge::Attempt& attempt);

// Missed limits and measurements that could not be judged, worst first.
[[nodiscard]] std::vector<const judge::JudgedMeasurement*> misses(const judge::Attempt& attempt);

// The measurement that best explains the attempt's status: the worst verdict, then the smallest margin. nullptr without
// measurements. `named`: an id or a family; its measurements go before all others.
[[nodiscard]] const judge::JudgedMeasurement* decisive(const judge::Attempt& attempt,
                                                       std::string_view named = {});

// Why a case did not simply pass, in one sentence: the worst miss or failure, and the number of further ones. Empty if
// passed.
[[nodiscard]] std::string headline(const judge::JudgedCase& test);
[[nodiscard]] std::string headline(const judge::Attempt& attempt);

// Machine-readable kind of fault: "limit", "assertion", "crash", "deadline", "not-run", ...
[[nodiscard]] std::string fault_type(const judge::JudgedCase& test);

// Subject of the headline: the known fault that the case follows from, id of the limit that it names, otherwise the kind of fault. Cases that miss the same limit have
// the same subject.
[[nodiscard]] std::string headline_subject(const judge::JudgedCase& test);

// Passed, but a judged value lies in its marginal band.
[[nodiscard]] bool is_marginal(const judge::Attempt& attempt);

// Calls `see(case, attempt)` for every attempt that does not count because the machine was disturbed.
template <class See>
void each_void_attempt(const judge::JudgedRun& run, const See& see) {
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases)
      for (const judge::Attempt& attempt : test.attempts)
        if (judge::is_void(attempt.failures)) see(test, attempt);
}

// Problems of the run itself: recorded problems, suites that did not complete, a missing end, no passed case. What stopped the
// run comes first, without the suites and passes that lack because of it. Empty if the verdict follows from the cases alone.
[[nodiscard]] std::vector<record::Problem> run_faults(const judge::JudgedRun& run);

// A remedy as lines that a shell of the node takes, hints as comments: "ethtool eth0   # node-b: check",
// "sudo ip link set eth0 up   # node-b: fix", "# node-b: Then put in the cable.".
[[nodiscard]] std::vector<std::string> lines_of(const Remedy& remedy, const std::string& node);

// A known fault and its signs: "no cable: the NIC is off on node-b (likely): preflight.present on node-b: 0 (...)".
[[nodiscard]] std::string fault_text(const judge::KnownFault& fault);

// "23 cases failed or are not proven because of it"; empty without such cases.
[[nodiscard]] std::string followers_text(const judge::KnownFault& fault);

// True for a case that a report counts instead of listing it: it follows from a known fault, or the run ended before it began.
[[nodiscard]] bool is_counted_only(const judge::JudgedRun& run, const judge::JudgedCase& test);
// "37 cases did not begin: the run ended before"; empty if all began.
[[nodiscard]] std::string not_begun_text(const judge::JudgedRun& run);

// Remedies of the known faults, then those of everything else that failed and is not waived; each once, in the order found.
struct RemedyText {
  std::string id;                  // the missed limit, or the known fault
  std::string place;               // "node-b enp1s0f0np0", "node-b, rail0: node-a -> node-b"
  std::vector<std::string> lines;  // see lines_of()
};
[[nodiscard]] std::vector<RemedyText> remedies_of(const judge::JudgedRun& run);

// An advice limit that is missed, or could not be proven.
struct Advice {
  std::string found;  // "preflight.memlock on node-a: 8388608 (limit unlimited, advice)"
  std::string node;
  Remedy remedy;  // can be empty
};
[[nodiscard]] std::vector<Advice> advice_of(const judge::Attempt& attempt);
// Advice of all cases; each once, in the order found.
[[nodiscard]] std::vector<Advice> advice_of(const judge::JudgedRun& run);

// The measurements of an attempt in lines: those that a limit judges, then the others. Equal values of one id without a limit
// share a line, and so do zeros that passed: counters that did not grow at any place.
struct MeasurementLine {
  const judge::JudgedMeasurement* of;  // the first
  std::size_t places = 1;
  // As label(), or "load.damaged on node-a (rail0) and at 7 more places: each".
  [[nodiscard]] std::string label() const;
};
[[nodiscard]] std::vector<MeasurementLine> measurement_lines(const judge::Attempt& attempt);

// An attempt's measurements as an aligned plain-text table with a header; empty without measurements.
[[nodiscard]] std::string measurement_table(const judge::Attempt& attempt);

// Texts for all reports of a comparison; one clean line each.

// "WORSE: rig model-rig (model), profile smoke: 7 base runs, 7 candidate runs; 31 compared: 1 regressed, 30 unchanged"
[[nodiscard]] std::string comparison_line(const compare::Comparison& comparison);
// "tcp.rate.half on node-b in tcp.X: 0.98 Gbit/s -> 0.86 Gbit/s, -12.2 % (tolerance 2 % of base): ...".
[[nodiscard]] std::string change_sentence(const compare::ComparedMeasurement& measurement);
// Reason for the verdict: the objections, or the measurement with the strongest evidence against the candidate.
[[nodiscard]] std::string why_line(const compare::Comparison& comparison);
// "nothing (of 31 facts)", "NIC firmware 28.45.1200 -> 28.46.1006 on node-a, node-b", with staged changes.
[[nodiscard]] std::string changed_line(const compare::Comparison& comparison);
// Most important measurements first: by missed limits, verdict, and loss in tolerances. Measurements without a decision come
// last.
[[nodiscard]] std::vector<const compare::ComparedMeasurement*> worst_first(
    const compare::Comparison& comparison);

// "tcp.rate.half on node-b (rail0)"; "the case" if the comparison is of a case
[[nodiscard]] std::string label(const compare::ComparedMeasurement& measurement);

[[nodiscard]] std::string side_text(const compare::ComparedMeasurement& measurement,
                                    const compare::ComparedSide& side);                  // "0.978 Gbit/s"
[[nodiscard]] std::string change_text(const compare::ComparedMeasurement& measurement);  // "-4.9 %"
[[nodiscard]] std::string interval_text(
    const compare::ComparedMeasurement& measurement);  // "-5.2 % to -4.6 %"
[[nodiscard]] std::string reason_text(
    const compare::ComparedMeasurement& measurement);  // with the number of runs needed

// How the verdicts were reached, in a few sentences.
[[nodiscard]] std::vector<std::string> method_text(const compare::Comparison& comparison);

// "node-c, sending side: 60 % of its peers'; confirmed with node-a and node-b". One clean line.
[[nodiscard]] std::string suspect_text(const judge::Suspect& suspect);

// One line per suspect, the most explanatory first, and one for missed rates that no part explains. Empty if no rate between
// nodes was missed and no part stands out.
[[nodiscard]] std::vector<std::string> suspect_lines(const judge::Blame& blame);

// The operating characteristic as rows of text; the first row has the column names. Two rows per limit: everything that it
// judges is slower, and one place alone is slower, with the confidence interval of so few values.
[[nodiscard]] std::vector<std::vector<std::string>> power_rows(const std::vector<judge::LimitPower>& power);

// One line per limit: "tcp.rate.half: all slower: stopped from 2 % on; one place slower: stopped from 5 % on". Stopped: in
// 95 of 100 runs.
[[nodiscard]] std::vector<std::string> power_lines(const std::vector<judge::LimitPower>& power);

// Meaning and bounds of validity of the numbers, in whole sentences.
[[nodiscard]] std::vector<std::string> power_notes();

}  // namespace rigproof::text
