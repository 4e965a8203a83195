#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "framework/record/events.h"

namespace rigproof::record {

// The keys of every event and its parts, defined once for writing and reading. fields(archive, value) calls
// archive(key, member) for each key, or archive.unless_empty(key, member) if a default value is left out.

inline constexpr int kJournalFormat = 4;

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
inline constexpr std::string_view kEventName<CableMoved> = "cable_moved";
template <>
inline constexpr std::string_view kEventName<CaseEnded> = "case_ended";
template <>
inline constexpr std::string_view kEventName<SuiteDone> = "suite_done";
template <>
inline constexpr std::string_view kEventName<SuiteEnded> = "suite_ended";
template <>
inline constexpr std::string_view kEventName<Problem> = "problem";
template <>
inline constexpr std::string_view kEventName<FilesHashed> = "files_hashed";
template <>
inline constexpr std::string_view kEventName<RunEnded> = "run_ended";
template <>
inline constexpr std::string_view kEventName<RunResumed> = "run_resumed";

template <class Archive>
void fields(Archive& archive, Of<TextFile> auto& file) {
  archive("file", file.file);
  archive("sha256", file.sha256);
  archive("text", file.text);
}

template <class Archive>
void fields(Archive& archive, Of<Asked> auto& asked) {
  archive("suites", asked.suites);
  archive("filter", asked.filter);
  archive("repeat", asked.repeat);
  archive("disabled_too", asked.disabled_too);
  archive.unless_empty("first_look", asked.first_look);
  archive("profile", asked.profile);
  archive("snapshot", asked.snapshot);
  archive.unless_empty("rounds", asked.rounds);
  archive.unless_empty("seed", asked.seed);
  archive.unless_empty("pairs_left_out", asked.pairs_left_out);
  archive.unless_empty("sample_slower", asked.sample.slower);
  archive.unless_empty("sample_power", asked.sample.power);
  archive.unless_empty("with_operator", asked.with_operator);
}

template <class Archive>
void fields(Archive& archive, Of<Program> auto& program) {
  archive("name", program.name);
  archive("version", program.version);
  archive("commit", program.commit);
  archive("sha256", program.sha256);
}

template <class Archive>
void fields(Archive& archive, Of<SuiteTraits> auto& traits) {
  archive.unless_empty("title", traits.title);
  archive.unless_empty("order", traits.order);
  archive.unless_empty("loads_rails", traits.loads_rails);
  archive.unless_empty("one_job", traits.one_job);
  archive.unless_empty("judges_facts", traits.judges_facts);
  archive.unless_empty("first_look", traits.first_look);
  archive.unless_empty("case_seconds", traits.case_seconds);
}

template <class Archive>
void fields(Archive& archive, Of<Declared> auto& declared) {
  archive("id", declared.id);
  archive("kind", declared.kind);
  archive.unless_empty("needs", declared.needs);
  archive.unless_empty("title", declared.title);
  archive.unless_empty("meaning", declared.meaning);
  archive.unless_empty("causes", declared.causes);
  archive.unless_empty("group", declared.group);
}

template <class Archive>
void fields(Archive& archive, Of<Rejudged> auto& again) {
  archive("run", again.run);
  archive("time", again.time);
  archive("user", again.user);
  archive("host", again.host);
  archive("command_line", again.command_line);
  archive.unless_empty("programs", again.programs);
  archive.unless_empty("files", again.files);
}

template <class Archive>
void fields(Archive& archive, Of<RunStarted> auto& run) {
  archive.constant("format", kJournalFormat);
  archive("id", run.id);
  archive("rig", run.rig);
  archive("rig_kind", run.rig_kind);
  archive("stand_in", run.stand_in);
  archive.unless_empty("labels", run.labels);
  archive("asked", run.asked);
  archive("rig_file", run.rig_file);
  archive("limits", run.limits);
  archive("user", run.user);
  archive("host", run.host);
  archive("command_line", run.command_line);
  archive("programs", run.programs);
  archive("declared", run.declared);
  archive.unless_empty("planned", run.planned);
  archive.unless_empty("suites", run.suites);
  archive.unless_empty("not_built", run.not_built);
  archive.unless_empty("again", run.again);
  archive.unless_empty("faults", run.faults);
}

template <class Archive>
void fields(Archive& archive, Of<SuiteStarted> auto& suite) {
  archive("suite", suite.suite);
  archive("launch", suite.launch);
  archive("command", suite.command);
  archive.unless_empty("job", suite.job);
  archive.unless_empty("jobs", suite.jobs);
  archive.unless_empty("nodes", suite.nodes);
}

template <class Archive>
void fields(Archive& archive, Of<PlannedTest> auto& test) {
  archive("name", test.name);
  archive("owes", test.owes);
  archive.unless_empty("may", test.may);
}

// Keys of the place are among the case's keys, because plans have very many cases.
template <class Archive>
void fields(Archive& archive, Of<SubjectPlace> auto& place) {
  archive("about", place.kind);
  archive.unless_empty("part", place.part);
  archive.unless_empty("nodes", place.nodes);
  archive.unless_empty("both_ways", place.both_ways);
}

template <class Archive>
void fields(Archive& archive, Of<PlannedCase> auto& test) {
  archive("name", test.name);
  archive("subject", test.subject);
  fields(archive, test.place);
  archive.unless_empty("test", test.test);
}

template <class Archive>
void fields(Archive& archive, Of<SuitePlanned> auto& plan) {
  archive("suite", plan.suite);
  archive("cases", plan.cases);
  archive.unless_empty("tests", plan.tests);
  archive.unless_empty("observes", plan.observes);
  archive.unless_empty("job", plan.job);
}

template <class Archive>
void fields(Archive& archive, Of<Lacking> auto& lacking) {
  archive("id", lacking.id);
  archive("why", lacking.why);
}

template <class Archive>
void fields(Archive& archive, Of<SuiteDescription> auto& description) {
  archive("program", description.program);
  archive("declared", description.declared);
  archive.unless_empty("lacking", description.lacking);
  archive("traits", description.traits);
  archive("plan", description.plan);
  archive.unless_empty("by_example", description.by_example);
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
  archive.unless_empty("unread", observed.unread);
  archive.unless_empty("about", observed.about);
}

template <class Archive>
void fields(Archive& archive, Of<CaseStarted> auto& test) {
  archive("suite", test.suite);
  archive("name", test.name);
  archive("iteration", test.iteration);
  archive.unless_empty("job", test.job);
}

template <class Archive>
void fields(Archive& archive, Of<PhaseStarted> auto& phase) {
  archive("suite", phase.suite);
  archive("name", phase.name);
  archive("phase", phase.phase);
  archive("deadline_s", phase.deadline_s);
  archive.unless_empty("job", phase.job);
}

template <class Archive>
void fields(Archive& archive, Of<CableMoved::Losses> auto& losses) {
  archive("node", losses.node);
  archive("netdev", losses.netdev);
  archive("times", losses.times);
}

template <class Archive>
void fields(Archive& archive, Of<CableMoved> auto& moved) {
  archive("suite", moved.suite);
  archive("name", moved.name);
  archive("cable", moved.cable);
  archive("step", moved.step);
  archive("by", moved.by);
  archive.unless_empty("within_s", moved.within_s);
  archive.unless_empty("losses", moved.losses);
  archive.unless_empty("job", moved.job);
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
void fields(Archive& archive, Of<Axis> auto& axis) {
  archive("kind", axis.kind);
  archive("of", axis.of);
  archive("x", axis.x);
}

template <class Archive>
void fields(Archive& archive, Of<Measured> auto& measured) {
  archive("id", measured.id);
  archive("node", measured.node);
  archive.unless_empty("detail", measured.detail);
  archive.unless_empty("axis", measured.axis);
  archive("samples", measured.samples);
  archive("role", measured.role);
  archive.unless_empty("text", measured.text);
  archive.unless_empty("unread", measured.unread);
  archive.unless_empty("about", measured.about);
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
  archive("measured", test.measured);
  archive("failures", test.failures);
  archive.unless_empty("notes", test.notes);
  archive.unless_empty("disturbed", test.disturbed);
  archive.unless_empty("job", test.job);
}

template <class Archive>
void fields(Archive& archive, Of<SuiteDone> auto& suite) {
  archive("suite", suite.suite);
  archive.unless_empty("job", suite.job);
}

template <class Archive>
void fields(Archive& archive, Of<SuiteEnded> auto& suite) {
  archive("suite", suite.suite);
  archive("launch", suite.launch);
  archive("complete", suite.complete);
  archive("reason", suite.reason);
  archive.unless_empty("job", suite.job);
}

template <class Archive>
void fields(Archive& archive, Of<Problem> auto& problem) {
  archive("type", problem.type);
  archive("message", problem.message);
  archive.unless_empty("nodes", problem.nodes);
}

template <class Archive>
void fields(Archive& archive, Of<RunResumed> auto& run) {
  archive("user", run.user);
  archive("host", run.host);
  archive("command_line", run.command_line);
  archive("programs", run.programs);
  archive.unless_empty("retested", run.retested);
}

template <class Archive>
void fields(Archive& archive, Of<FilesHashed> auto& hashed) {
  archive("files", hashed.files);
}

template <class Archive>
void fields(Archive& archive, Of<RunEnded> auto& run) {
  archive("seconds", run.seconds);
}

}  // namespace rigproof::record
