#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/record/measured.h"
#include "framework/record/run_identity.h"
#include "framework/rig/subject_place.h"

namespace rigproof::record {

// The journal's events, in the order a healthy run writes them: what was asked, planned, measured and found, and what
// went wrong. No verdict is in it: verdicts are made of it by framework/judge/. All text is UTF-8; the writer replaces
// what is not.

// A file as the run used it: the journal stands alone.
struct TextFile {
  std::string file;  // its path
  std::string sha256;
  std::string text;
};
[[nodiscard]] TextFile text_file(std::string file, std::string text);

// What a run was asked for.
struct Asked {
  std::vector<std::string> suites;  // empty: every one
  std::string filter;               // of cases, as GoogleTest reads it; empty: every one
  int repeat = 1;
  bool disabled_too = false;
  std::string profile;   // "smoke"
  std::string snapshot;  // the folder with facts that was judged instead of the rig; empty: the rig
  int rounds = 0;        // of pairs, at most; 0: every pair
  int seed = 0;          // of which pairs meet in them
  int pairs_left_out = 0;
  bool with_operator = false;  // who pulls cables when asked to
  [[nodiscard]] bool selects_cases() const { return !filter.empty() && filter != "*"; }
};

// A measurement that a suite may report, by the id of its limit.
struct Declared {
  std::string id;    // or a family: "preflight.sysctl.*"
  std::string kind;  // base_unit() of its dimension; "text"; "any" when the limit says which
  std::string
      needs;  // what a rig must have for it: "a second port"; empty: nothing more than the suite's subjects
};

// A run's samples judged again by other limits.
struct Rejudged {
  std::string run;   // the id of the run that measured
  std::string time;  // UTC, of the new judgement
  std::string user, host, command_line;
  std::vector<Program> programs = {};             // that judged
  std::map<std::string, std::string> files = {};  // beside this record, as FilesHashed has them
};

struct RunStarted {
  std::string id;  // unique: "20261120T181502Z-model-rig-4f2a"
  std::string rig, rig_kind;
  std::string stand_in;  // not empty when some part under test is a stand-in: which
  Asked asked;
  TextFile rig_file;
  std::vector<TextFile> limits;
  std::string user, host, command_line;
  std::vector<Program> programs;                          // rigproof first
  std::map<std::string, std::vector<Declared>> declared;  // by suite, of every suite that is installed
  std::vector<std::string> planned =
      {};  // the suites that are going to run: asked for, with cases on this rig
  std::optional<Rejudged> again = {};

  [[nodiscard]] std::string version() const;       // of rigproof
  [[nodiscard]] std::string limits_files() const;  // "thresholds/model-rig.toml"
};

// The suite on some of the nodes: what is launched as one. Events of a suite that runs as several jobs name theirs;
// 0: the suite is one job, of all nodes.
using JobNumber = int;

// One launch of one job of a suite.
struct SuiteStarted {
  std::string suite;
  int launch;  // 1, 2, ... within the job
  std::string command;
  JobNumber job = 0;                    // 1, 2, ... within the suite
  int jobs = 0;                         // how many the suite has; 0: one
  std::vector<std::string> nodes = {};  // of the job, by rank; empty: all
};

// What cases of one TEST_P report on this rig; more than one of a name where cases about other nodes owe other things.
struct PlannedTest {
  std::string name;               // "RailRate.FillsTheHalf"
  std::vector<std::string> owes;  // each case reports these, or it is not proven
  std::vector<std::string> may;   // where the hardware has it
  auto operator<=>(const PlannedTest&) const = default;
};
struct PlannedCase {
  std::string name;         // "EachRail/RailRate.FillsTheHalf/rail0_node_a_node_b": GoogleTest's full name
  std::string subject;      // for a person
  SubjectPlace place = {};  // what it is about
  std::optional<std::uint64_t> test = {};  // index into SuitePlanned::tests; none: nothing is declared
};
// What the suite is going to run, before it runs any of it: once a launch. Of a job that could not be launched the
// supervisor says it.
struct SuitePlanned {
  std::string suite;
  std::vector<PlannedCase> cases;
  std::vector<PlannedTest> tests = {};
  std::vector<std::string> observes = {};  // ids of the counters that are read at its start and end
  JobNumber job = 0;
};

// Facts of a node: part -> property -> text ("enp1s0f0np0" -> "driver" -> "mlx5_core"); those of the node itself stand under
// an empty part ("" -> "kernel" -> "6.1.0").
using NodeFacts = std::map<std::string, std::map<std::string, std::string>>;
// For a person: "enp1s0f0np0 driver", "kernel".
[[nodiscard]] std::string fact_name(const std::string& part, const std::string& property);

// A node as its rank sees it. `rank` is -1 of facts that no rank of its
// own reported: they are compared with nothing.
struct NodeSeen {
  std::string suite, node;
  int rank;
  NodeFacts facts;
};

// A cumulative counter at the start and end of every suite, for what must not change during a run.
struct Observed {
  std::string id;  // "link.down_events": the limit that judges the change
  std::string node, subject;
  double value;             // count
  std::string unread = {};  // not empty: it could not be read, for this reason, and the value means nothing
  RemedyValues about = {};  // for the placeholders of the limit's remedy; and kCable
};
// Of what a switch counts at a cable: its end, as CableMoved names it.
inline constexpr const char* kCable = "cable";

struct CaseStarted {
  std::string suite, name;
  int iteration;  // 1, 2, ... with --gtest_repeat
  JobNumber job = 0;
};

// The running case entered a phase: a sign of life, and how long to wait for the next one.
struct PhaseStarted {
  std::string suite, name, phase;
  double deadline_s;
  JobNumber job = 0;
};

// A case pulls a cable, or plugs it in again.
struct CableMoved {
  enum class Step { kPull, kPulled, kPlug, kPlugged };  // kPull, kPlug: it is to be done from now on
  // How often a half lost its carrier from kPull to kPlugged: no fault of the rig.
  struct Losses {
    std::string node, netdev;
    double times = 0;
  };
  std::string suite, name;  // of the case
  std::string cable;        // its end: "node-a:port0"
  Step step = Step::kPull;
  std::string by;              // "the emulated rig", "the operator"
  double within_s = 0;         // of kPull and kPlug: how long that may take
  std::vector<Losses> losses;  // of kPlugged
  JobNumber job = 0;
};

struct CaseEnded {
  std::string suite, name;
  int iteration;
  double seconds;
  double measuring_s;  // inside measuring windows; the rest is overhead
  std::vector<Measured> measured;
  std::vector<Failure> failures;
  std::vector<std::string> notes = {};  // for the person who reads a failure of this case
  double disturbed =
      0;  // of an emulated rig: the largest share of its machine's CPU time that others took meanwhile
  JobNumber job = 0;
};

// Rank 0 reached the end of RUN_ALL_TESTS.
struct SuiteDone {
  std::string suite;
  JobNumber job = 0;
};

struct SuiteEnded {
  std::string suite;
  int launch;
  bool complete;
  std::string reason;  // empty when complete
  JobNumber job = 0;
};

// Something that went wrong with the run itself: a suite that would not start, a full disk.
struct Problem {
  std::string type, message;
  std::vector<std::string> nodes = {};  // that were lost with it
};

// A run that had stopped goes on in the same record: what was not finished is run from here on.
struct RunResumed {
  std::string user, host, command_line;
  std::vector<Program> programs;  // rigproof first
};

// What lies beside the record now that nothing writes there any more, facts and logs: name in the folder -> SHA-256.
struct FilesHashed {
  std::map<std::string, std::string> files;
};

struct RunEnded {
  double seconds;  // of all that ran, without the time between a stop and a resumption
};

using EventBody =
    std::variant<RunStarted, SuiteStarted, SuitePlanned, NodeSeen, Observed, CaseStarted, PhaseStarted,
                 CableMoved, CaseEnded, SuiteDone, SuiteEnded, Problem, RunResumed, FilesHashed, RunEnded>;

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
// a number", "unknown key 'y'", "format 1, ..."). Strict: what encode() does not write is refused.
[[nodiscard]] Event decode(std::string_view line);
// How it ends what it says of another format.
inline constexpr std::string_view kUseItsWriter = "use the rigproof that wrote it";

// What this build of a suite can't report: an id or a family of them, and why, with what to type.
struct Lacking {
  std::string id;   // "collective.nccl.*"
  std::string why;  // "this build has no NCCL engine: ..."
};

// What a suite says of itself without being run: rigproof-suite-NAME --describe.
struct SuiteDescription {
  Program program;
  std::vector<Declared> declared;
  std::vector<Lacking> lacking = {};
  bool one_job = false;  // its pairs need no jobs of their own: nothing in it loads a wire
  SuitePlanned plan;     // for the rig and the filter that were given; no case without a rig
};
// What a rank that ends its job says last, on one line of stderr: what went wrong, for the supervisor and for a person
// who reads the log. find_last_words() takes the last such line of a launch's log.
[[nodiscard]] std::string last_words(const Failure& failure);
[[nodiscard]] std::optional<Failure> find_last_words(std::string_view log);

[[nodiscard]] std::string encode(const SuiteDescription& description);
[[nodiscard]] SuiteDescription decode_description(std::string_view text);  // throws std::invalid_argument

}  // namespace rigproof::record
