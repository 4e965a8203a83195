#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/record/measurement.h"
#include "framework/record/utc.h"

namespace rigproof {

// The journal's events, in the order a healthy run writes them. All text is UTF-8; the writer replaces what
// is not.

struct RunStarted {
  std::string version;  // of rigproof
  std::string id;       // unique: "20261120T181502Z-model-rig-4f2a"
  std::string rig, rig_kind, profile, command_line, host;
  std::string rig_file, rig_text;  // the path and the whole text: the journal stands alone
  std::string thresholds_file, thresholds_text;
  std::string stand_in;  // not empty when some part under test is a stand-in: which
};

// One launch of one suite.
struct SuiteStarted {
  std::string suite;
  int launch;  // 1, 2, ... within the suite
  std::string command;
};

// What the suite is going to run, before it runs any of it. Written once per launch, by rank 0.
struct PlannedCase {
  std::string name;     // "ManyStreams.FillTheHalf/rail0_node_a_node_b": GoogleTest's full name
  std::string subject;  // for a person
  std::vector<std::string> nodes;
};
struct SuitePlanned {
  std::string suite;
  std::vector<PlannedCase> cases;
};

// A node as its rank sees it. `facts` are name -> text ("kernel" -> "6.1.0").
struct NodeSeen {
  std::string suite, node;
  int rank;
  std::map<std::string, std::string> facts;
};

// A cumulative counter at the start and end of every suite, for what must not change during a run.
struct Observed {
  std::string id;  // "link.down_events": the limit that judges the change
  std::string node, subject;
  double value;          // count
  std::string why = {};  // not empty: it could not be read, for this reason, and the value is of no account
};

struct CaseStarted {
  std::string suite, name;
  int iteration;  // 1, 2, ... with --gtest_repeat
};

// The running case entered a phase: a sign of life, and how long to wait for the next one.
struct PhaseStarted {
  std::string suite, name, phase;
  double deadline_s;
};

struct CaseEnded {
  std::string suite, name;
  int iteration;
  double seconds;
  double measuring_s;  // inside measuring windows; the rest is overhead
  std::vector<Measurement> measurements;
  std::vector<Failure> failures;
};

// `complete` only when rank 0 reached the end of RUN_ALL_TESTS.
struct SuiteDone {
  std::string suite;
};

struct SuiteEnded {
  std::string suite;
  int launch;
  bool complete;
  std::string reason;  // empty when complete
};

// An error of the run that is no case's: a limit nobody reported, a suite that would not start.
struct Problem {
  std::string type, message;
};

struct RunEnded {
  int exit_code;
  double seconds;
};

using EventBody = std::variant<RunStarted, SuiteStarted, SuitePlanned, NodeSeen, Observed, CaseStarted,
                               PhaseStarted, CaseEnded, SuiteDone, SuiteEnded, Problem, RunEnded>;

// `sequence` is the line's index in the file: lines lost, doubled or reordered show. `time` is UTC.
struct Event {
  std::uint64_t sequence;
  std::string time;  // "2026-11-20T18:15:02.123Z"
  EventBody body;
};

// One line of JSON without the newline: {"seq":17,"time":"...","event":"case_ended",...}. Doubles survive
// exactly, those that are not finite as "nan", "inf" and "-inf"; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string encode(const Event& event);

// Throws std::invalid_argument naming the fault ("unknown event 'x'", "no key 'seconds'", "key 'seconds': not
// a number", "unknown key 'y'", "format 2, ..."). Strict: what encode() does not write is refused.
[[nodiscard]] Event decode(std::string_view line);

}  // namespace rigproof
