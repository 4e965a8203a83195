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

// The journal's events, in the order of a normal run: requests, plans, measurements, findings and problems.
// They contain no verdict: framework/judge/ makes verdicts from them. All text is UTF-8; the writer replaces
// invalid bytes.

// A copy of a file that the run used: the journal needs no other file.
struct TextFile {
  std::string file;  // its path
  std::string sha256;
  std::string text;
};
[[nodiscard]] TextFile text_file(std::string file, std::string text);

// Acceptance by a sample of the pairs: see framework/judge/sampling.h.
struct SampleAsked {
  double slower = 0;  // a node that is slower by this part is to be rejected; 0: no sample was asked for
  double power = 0;   // with this probability
};

// Options of a run.
struct Asked {
  std::vector<std::string> suites;  // empty: all
  std::string filter;               // for cases, in GoogleTest's syntax; empty: all
  int repeat = 1;
  bool disabled_too = false;
  bool first_look = false;  // only the cases of SuiteTraits::first_look
  std::string profile;      // "smoke"
  std::string snapshot;     // folder with facts that was judged instead of the rig; empty: the rig
  int rounds = 0;           // maximum number of rounds of pairs; 0: every pair
  int seed = 0;             // selects the pairs of the rounds
  int pairs_left_out = 0;
  SampleAsked sample = {};
  bool with_operator = false;  // a person pulls cables when asked
  [[nodiscard]] bool selects_cases() const { return first_look || (!filter.empty() && filter != "*"); }
};

// The traits of a suite, as it declares them.
struct SuiteTraits {
  std::string title = {};       // one line: "Facts of every node"
  int order = 0;                // suites run in this order, those of one order by name; 0: after all others
  bool loads_rails = false;     // its MPI messages are a load that is measured: they belong on the rails
  bool one_job = false;         // its pairs need no jobs of their own: it loads no link
  bool judges_facts = false;    // a snapshot can stand for the rig; a resumed run runs it again
  std::string first_look = {};  // the cases of a first look, in GoogleTest's syntax; empty: none
  std::vector<double> case_seconds = {};  // of a usual case in smoke, standard and acceptance; empty: unknown
};

// How the judge and the reports treat a metric, besides holding its values against its limit.
enum class MetricGroup {
  kOther,
  kCarrierLosses,  // how often a half lost its carrier; every node counts it, and pulls of a run do not count
  kLoad,           // counted by a node's devices around each load; every node shows it, or none does
  kLoadDamage,     // like kLoad; the sum over all loads is held against the limit, too
  kLoadRdma,       // like kLoad, on nodes with an RDMA device
  kInventory,      // a text about a part, such as its firmware; the history shows when it changes
};

// A metric: a measurement that a suite can report, by the id of its limit.
struct Declared {
  std::string id;    // or a family: "preflight.sysctl.*"
  std::string kind;  // base_unit() of its dimension; "text"; "any" if the limit decides
  // Hardware that a rig needs for it: "a second port"; empty: no more than the suite's subjects.
  std::string needs;
  // For people, see runner's Metric; empty: a record of an older version, or a suite that declares none.
  std::string title = {}, meaning = {}, causes = {};
  MetricGroup group = MetricGroup::kOther;
};

// Samples of a run that were judged again by other limits.
struct Rejudged {
  std::string run;   // the id of the run that measured
  std::string time;  // UTC, of the new judgement
  std::string user, host, command_line;
  std::vector<Program> programs = {};             // the judging programs
  std::map<std::string, std::string> files = {};  // files of this record, as in FilesHashed
};

struct RunStarted {
  std::string id;  // unique: "20261120T181502Z-model-rig-4f2a"
  std::string rig, rig_kind;
  std::string stand_in;  // names the part under test that is a stand-in; empty: none is
  // Texts of the person who started it: "customer" -> "Example Ltd". "step" tells the runs of one pipeline apart.
  std::map<std::string, std::string> labels = {};
  Asked asked;
  TextFile rig_file;
  std::vector<TextFile> limits;
  std::string user, host, command_line;
  std::vector<Program> programs;                          // rigproof first
  std::map<std::string, std::vector<Declared>> declared;  // by suite, for all installed suites
  // Suites that will run: requested, with cases on this rig.
  std::vector<std::string> planned = {};
  std::map<std::string, SuiteTraits> suites = {};  // all installed suites
  std::vector<std::string> not_built = {};         // suites of this version that are not installed
  std::optional<Rejudged> again = {};
  std::vector<TextFile> faults = {};  // catalogues of known faults

  [[nodiscard]] std::string version() const;       // rigproof's version
  [[nodiscard]] std::string limits_files() const;  // "thresholds/model-rig.toml"
};

// Number of a job: a suite on some of the nodes, launched as one. Events of a suite with several jobs name
// theirs. 0: the suite is one job of all nodes.
using JobNumber = int;

// One launch of one job of a suite.
struct SuiteStarted {
  std::string suite;
  int launch;  // 1, 2, ... within the job
  std::string command;
  JobNumber job = 0;                    // 1, 2, ... within the suite
  int jobs = 0;                         // number of jobs of the suite; 0: one
  std::vector<std::string> nodes = {};  // of the job, by rank; empty: all
};

// Ids that the cases of one TEST_P report on this rig. A name repeats if cases owe different ids.
struct PlannedTest {
  std::string name;               // "RailRate.FillsTheHalf"
  std::vector<std::string> owes;  // each case must report these, or it is not proven
  std::vector<std::string> may;   // reported if the hardware has it
  auto operator<=>(const PlannedTest&) const = default;
};
struct PlannedCase {
  std::string name;         // "EachRail/RailRate.FillsTheHalf/rail0_node_a_node_b": GoogleTest's full name
  std::string subject;      // for people
  SubjectPlace place = {};  // its subject
  std::optional<std::uint64_t> test = {};  // index in SuitePlanned::tests; nullopt: no declaration
};
// A suite's plan, once per launch, before its first case. For a job that could not be launched, the
// supervisor writes it.
struct SuitePlanned {
  std::string suite;
  std::vector<PlannedCase> cases;
  std::vector<PlannedTest> tests = {};
  std::vector<std::string> observes = {};  // ids of the counters that are read at its start and end
  JobNumber job = 0;
};

// Facts of a node: part -> property -> text ("enp1s0f0np0" -> "driver" -> "mlx5_core"). The node's own facts
// have an empty part ("" -> "kernel" -> "6.1.0").
using NodeFacts = std::map<std::string, std::map<std::string, std::string>>;
// Name of a fact for people: "enp1s0f0np0 driver", "kernel".
[[nodiscard]] std::string fact_name(const std::string& part, const std::string& property);

// A node's facts as its rank reads them. `rank` is -1 for an inventory, which no rank of the node reported.
struct NodeSeen {
  std::string suite, node;
  int rank;
  NodeFacts facts;
};

// A cumulative counter that must not change during a run, read at the start and end of every suite.
struct Observed {
  std::string id;  // "link.down_events": the limit that judges the change
  std::string node, subject;
  double value;             // count
  std::string unread = {};  // not empty: why it could not be read; `value` is then invalid
  RemedyValues about = {};  // values for the placeholders of the limit's remedy; and kCable
};
// Key in `about` of a switch's counter: the end of the cable that it counts at, as in CableMoved.
inline constexpr const char* kCable = "cable";

struct CaseStarted {
  std::string suite, name;
  int iteration;  // 1, 2, ... with --gtest_repeat
  JobNumber job = 0;
};

// The running case entered a phase; the next event is due before the phase's deadline.
struct PhaseStarted {
  std::string suite, name, phase;
  double deadline_s;
  JobNumber job = 0;
};

// A case pulls a cable or plugs it in again.
struct CableMoved {
  enum class Step { kPull, kPulled, kPlug, kPlugged };  // kPull, kPlug: requested
  // Carrier losses of a half between kPull and kPlugged: no fault of the rig.
  struct Losses {
    std::string node, netdev;
    double times = 0;
  };
  std::string suite, name;  // of the case
  std::string cable;        // its end: "node-a:port0"
  Step step = Step::kPull;
  std::string by;              // "the emulated rig", "the operator"
  double within_s = 0;         // kPull, kPlug: time allowed
  std::vector<Losses> losses;  // for kPlugged
  JobNumber job = 0;
};

struct CaseEnded {
  std::string suite, name;
  int iteration;
  double seconds;
  double measuring_s;  // inside measuring windows; the rest is overhead
  std::vector<Measured> measured;
  std::vector<Failure> failures;
  std::vector<std::string> notes = {};  // for the reader of a failure of this case
  // On an emulated rig: largest share of the host's CPU time that others used meanwhile.
  double disturbed = 0;
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
  std::string reason;  // empty if complete
  JobNumber job = 0;
};

// A problem of the run itself: a suite that did not start, a full disk.
struct Problem {
  std::string type, message;
  std::vector<std::string> nodes = {};  // lost with it
};

// A stopped run goes on in the same record: unfinished cases run from here on. Or nodes of a complete run are measured
// again.
struct RunResumed {
  std::string user, host, command_line;
  std::vector<Program> programs;           // rigproof first
  std::vector<std::string> retested = {};  // nodes of a complete run; empty: a stopped run goes on
};

// Hashes of the record's other files, facts and logs, which no longer change: name in the folder -> SHA-256.
struct FilesHashed {
  std::map<std::string, std::string> files;
};

struct RunEnded {
  double seconds;  // running time, without pauses between a stop and a resume
};

using EventBody =
    std::variant<RunStarted, SuiteStarted, SuitePlanned, NodeSeen, Observed, CaseStarted, PhaseStarted,
                 CableMoved, CaseEnded, SuiteDone, SuiteEnded, Problem, RunResumed, FilesHashed, RunEnded>;

// `sequence` is the line's index in the file: it reveals lost, repeated and reordered lines. `time` is UTC.
struct Event {
  std::uint64_t sequence;
  std::string time;  // "2026-11-20T18:15:02.123Z"
  EventBody body;
};

// One line of JSON without the newline: {"seq":17,"time":"...","event":"case_ended",...}. Doubles are exact;
// those that are not finite become "nan", "inf" and "-inf". Invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string encode(const Event& event);

// Throws std::invalid_argument naming the fault ("unknown event 'x'", "no key 'seconds'", "key 'seconds': not
// a number", "unknown key 'y'", "format 1, ..."). Strict: accepts only output of encode().
[[nodiscard]] Event decode(std::string_view line);
// End of the message about another journal format.
inline constexpr std::string_view kUseItsWriter = "use the rigproof that wrote it";

// An id or a family of ids that this build of a suite cannot report; the reason says what to type.
struct Lacking {
  std::string id;   // "collective.nccl.*"
  std::string why;  // "this build has no NCCL engine: ..."
};

// A suite's description of itself, without running cases: rigproof-suite-NAME --describe.
struct SuiteDescription {
  Program program;
  std::vector<Declared> declared;
  std::vector<Lacking> lacking = {};
  SuiteTraits traits = {};
  SuitePlanned plan;  // for the given rig and filter; without a rig no cases
  // The plan has only the cases of examples (rig/examples.h), whatever the filter.
  bool by_example = false;
};
// last_words(): one line for stderr from a rank that ends its job: the cause, for the supervisor and for
// readers of the log. find_last_words() returns the last such line of a launch's log.
[[nodiscard]] std::string last_words(const Failure& failure);
[[nodiscard]] std::optional<Failure> find_last_words(std::string_view log);

[[nodiscard]] std::string encode(const SuiteDescription& description);
[[nodiscard]] SuiteDescription decode_description(std::string_view text);  // throws std::invalid_argument

}  // namespace rigproof::record
