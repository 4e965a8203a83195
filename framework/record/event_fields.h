#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "framework/record/events.h"

namespace rigproof {

// The keys of every event and of what is in it, once for writing and reading: fields(archive, value) calls
// archive(key, member) for each. For the codec, and for cases that are kept packed.

inline constexpr int kJournalFormat = 1;

template <class Type, class Plain>
concept Of = std::same_as<std::remove_const_t<Type>, Plain>;

template <class Body>
inline constexpr std::string_view kEventName = "";
template <>
inline constexpr std::string_view kEventName<RunStarted> = "run_started";
template <>
inline constexpr std::string_view kEventName<SuiteStarted> = "suite_started";
template <>
inline constexpr std::string_view kEventName<SuitePlanned> = "suite_planned";
template <>
inline constexpr std::string_view kEventName<NodeSeen> = "node_seen";
template <>
inline constexpr std::string_view kEventName<Observed> = "observed";
template <>
inline constexpr std::string_view kEventName<CaseStarted> = "case_started";
template <>
inline constexpr std::string_view kEventName<PhaseStarted> = "phase_started";
template <>
inline constexpr std::string_view kEventName<CaseEnded> = "case_ended";
template <>
inline constexpr std::string_view kEventName<SuiteDone> = "suite_done";
template <>
inline constexpr std::string_view kEventName<SuiteEnded> = "suite_ended";
template <>
inline constexpr std::string_view kEventName<Problem> = "problem";
template <>
inline constexpr std::string_view kEventName<RunEnded> = "run_ended";

template <class Archive>
void fields(Archive& archive, Of<RunStarted> auto& run) {
  archive.constant("format", kJournalFormat);
  archive("version", run.version);
  archive("id", run.id);
  archive("rig", run.rig);
  archive("rig_kind", run.rig_kind);
  archive("profile", run.profile);
  archive("command_line", run.command_line);
  archive("host", run.host);
  archive("rig_file", run.rig_file);
  archive("rig_text", run.rig_text);
  archive("thresholds_file", run.thresholds_file);
  archive("thresholds_text", run.thresholds_text);
  archive("stand_in", run.stand_in);
}

template <class Archive>
void fields(Archive& archive, Of<SuiteStarted> auto& suite) {
  archive("suite", suite.suite);
  archive("launch", suite.launch);
  archive("command", suite.command);
}

template <class Archive>
void fields(Archive& archive, Of<PlannedCase> auto& test) {
  archive("name", test.name);
  archive("subject", test.subject);
  archive("nodes", test.nodes);
}

template <class Archive>
void fields(Archive& archive, Of<SuitePlanned> auto& plan) {
  archive("suite", plan.suite);
  archive("cases", plan.cases);
}

template <class Archive>
void fields(Archive& archive, Of<NodeSeen> auto& seen) {
  archive("suite", seen.suite);
  archive("node", seen.node);
  archive("rank", seen.rank);
  archive("facts", seen.facts);
}

template <class Archive>
void fields(Archive& archive, Of<Observed> auto& observed) {
  archive("id", observed.id);
  archive("node", observed.node);
  archive("subject", observed.subject);
  archive("value", observed.value);
  archive.unless_empty("why", observed.why);
}

template <class Archive>
void fields(Archive& archive, Of<CaseStarted> auto& test) {
  archive("suite", test.suite);
  archive("name", test.name);
  archive("iteration", test.iteration);
}

template <class Archive>
void fields(Archive& archive, Of<PhaseStarted> auto& phase) {
  archive("suite", phase.suite);
  archive("name", phase.name);
  archive("phase", phase.phase);
  archive("deadline_s", phase.deadline_s);
}

template <class Archive>
void fields(Archive& archive, Of<SampleSet> auto& samples) {
  archive("unit", samples.dimension);
  archive("values", samples.values);
}

template <class Archive>
void fields(Archive& archive, Of<Quantity> auto& quantity) {
  archive("unit", quantity.dimension);
  archive("value", quantity.value);
}

template <class Archive>
void fields(Archive& archive, Of<Judgement> auto& judgement) {
  archive("verdict", judgement.verdict);
  archive("value", judgement.value);
  archive("margin", judgement.margin);
  archive("limit", judgement.limit);
  archive("reason", judgement.reason);
}

template <class Archive>
void fields(Archive& archive, Of<Basis> auto& basis) {
  archive("kind", basis.kind);
  archive("source", basis.source);
  archive("quote", basis.quote);
}

template <class Archive>
void fields(Archive& archive, Of<Measurement> auto& measurement) {
  archive("id", measurement.id);
  archive("node", measurement.node);
  archive("detail", measurement.detail);
  archive("samples", measurement.samples);
  archive.unless_empty("text", measurement.text);
  archive("unit", measurement.unit);
  archive("statistic", measurement.statistic);
  archive("facts", measurement.facts);
  archive("judgement", measurement.judgement);
  archive("basis", measurement.basis);
  archive("remedy", measurement.remedy);
  archive("limit_where", measurement.limit_where);
}

template <class Archive>
void fields(Archive& archive, Of<Failure> auto& failure) {
  archive("kind", failure.kind);
  archive("type", failure.type);
  archive("message", failure.message);
  archive("node", failure.node);
  archive("rank", failure.rank);
  archive("phase", failure.phase);
  archive("where", failure.where);
}

template <class Archive>
void fields(Archive& archive, Of<CaseEnded> auto& test) {
  archive("suite", test.suite);
  archive("name", test.name);
  archive("iteration", test.iteration);
  archive("seconds", test.seconds);
  archive("measuring_s", test.measuring_s);
  archive("measurements", test.measurements);
  archive("failures", test.failures);
}

template <class Archive>
void fields(Archive& archive, Of<SuiteDone> auto& suite) {
  archive("suite", suite.suite);
}

template <class Archive>
void fields(Archive& archive, Of<SuiteEnded> auto& suite) {
  archive("suite", suite.suite);
  archive("launch", suite.launch);
  archive("complete", suite.complete);
  archive("reason", suite.reason);
}

template <class Archive>
void fields(Archive& archive, Of<Problem> auto& problem) {
  archive("type", problem.type);
  archive("message", problem.message);
}

template <class Archive>
void fields(Archive& archive, Of<RunEnded> auto& run) {
  archive("exit_code", run.exit_code);
  archive("seconds", run.seconds);
}

}  // namespace rigproof
