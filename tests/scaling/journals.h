#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "framework/record/events.h"
#include "tests/rig/rig_text.h"

namespace rigproof {

// Events of a run, in their order.
class Events {
 public:
  void add(record::EventBody body) {
    events_.push_back({events_.size(), "2026-11-20T18:15:00.000Z", std::move(body)});
  }
  [[nodiscard]] std::string journal() const {
    std::string text;
    for (const record::Event& event : events_) text += encode(event) + "\n";
    return text;
  }

 private:
  std::vector<record::Event> events_;
};

inline std::string limit_text(std::size_t number) {
  return fmt::format(
      "[[limit]]\nid = \"tcp.figure.{0}\"\nat_least = \"0.95 Gbit/s\"\n"
      "basis = {{ kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }}\n"
      "remedy.check = \"ethtool {{netdev}} ; : limit {0}\"\n",
      number);
}

inline std::string limits_text(std::size_t limits) {
  std::string text;
  for (std::size_t i = 0; i < limits; ++i) text += limit_text(i);
  for (const char* id : {"link.down_events", "run.state"})
    text += fmt::format(
        "[[limit]]\nid = \"{}\"\nat_most = \"0 count\"\nremedy.check = \"look\"\n"
        "basis = {{ kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }}\n",
        id);
  return text;
}

inline record::RunStarted run_started(std::size_t limits = 10) {
  return {.id = "20261120T181500Z-test-rig-4f2a",
          .rig = "test-rig",
          .rig_kind = "model",
          .stand_in = "",
          .asked = {.suites = {}, .filter = {}, .profile = "smoke", .snapshot = {}},
          .rig_file = record::text_file("rig.toml", star_text(2)),
          .limits = {record::text_file("limits.toml", limits_text(limits))},
          .user = "ann",
          .host = "head",
          .command_line = "rigproof run",
          .programs = {{"rigproof", "0.1.0", "4e5f", "6a7b"}},
          .declared = {{"tcp", {{"tcp.*", "any", ""}}}}};
}

inline SubjectPlace both_nodes() { return {SubjectPlace::Kind::kNodes, "", {"node-a", "node-b"}, true}; }

inline std::string case_of(std::size_t number) { return fmt::format("Pair/Rate.Holds/{}", number); }

inline record::Measured rate(std::size_t number, std::string node, double value = 0.5e9) {
  return {.id = fmt::format("tcp.figure.{}", number % 10),
          .node = std::move(node),
          .detail = fmt::format("path {}", number / 10),
          .samples = {Dimension::kDataRate, {value, value * 1.01, value * 0.99}},
          .about = {{"netdev", "enp1s0f0np0"}}};
}

inline record::CaseEnded case_ended(std::size_t number, std::vector<record::Measured> measured) {
  return {.suite = "tcp",
          .name = case_of(number),
          .iteration = 1,
          .seconds = 1,
          .measuring_s = 1,
          .measured = std::move(measured),
          .failures = {}};
}

inline record::SuitePlanned plan(std::size_t cases) {
  record::SuitePlanned plan{
      "tcp", {}, {{"Rate.Holds", {"tcp.figure.0"}, {"tcp.figure.1"}}}, {"link.down_events"}};
  for (std::size_t i = 0; i < cases; ++i)
    plan.cases.push_back({case_of(i), "node-a <-> node-b", both_nodes(), 0});
  return plan;
}

// How a journal grows by events of one kind. add_many(): by `length` of them, which belong together as in a run where that is
// possible. add_long(): by one that is that long; a kind that cannot be long says so, and one of which something was seen to
// take more than linear time. A kind of event without such a
// description does not compile.
template <class Body>
struct Grown;

template <>
struct Grown<record::RunStarted> {
  static void add_many(Events& events, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) events.add(run_started(1));
  }
  static void add_long(Events& events, std::size_t length) {
    record::RunStarted start = run_started(length);
    start.declared["tcp"].clear();
    for (std::size_t i = 0; i < length; ++i) {
      start.declared["tcp"].push_back({fmt::format("tcp.declared.{}", i), "any", ""});
      start.planned.push_back(fmt::format("suite{}", i));
      start.asked.suites.push_back(fmt::format("suite{}", i));
      start.programs.push_back({fmt::format("program{}", i), "0.1.0", "4e5f", "6a7b"});
    }
    start.declared["tcp"].push_back({"tcp.*", "any", ""});
    events = {};
    events.add(start);
  }
};

template <>
struct Grown<record::SuiteStarted> {
  static void add_many(Events& events, std::size_t length) {
    for (std::size_t i = 0; i < length / 2; ++i) {
      events.add(record::SuiteStarted{fmt::format("suite{}", i), 1, "mpirun"});
      events.add(record::SuiteStarted{"tcp", static_cast<int>(i + 1), "mpirun", static_cast<int>(i % 7), 7});
    }
  }
  static void add_long(Events& events, std::size_t length) {
    record::SuiteStarted started{"tcp", 1, "mpirun", 1, 1};
    for (std::size_t i = 0; i < length; ++i) started.nodes.push_back(fmt::format("node-{}", i));
    events.add(started);
    for (std::size_t i = 0; i < length; ++i) events.add(record::PhaseStarted{"tcp", "y", "measure", 5, 1});
  }
};

template <>
struct Grown<record::SuitePlanned> {
  static void add_many(Events& events, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) {
      const int job = static_cast<int>(i + 1);
      events.add(
          record::SuiteStarted{"tcp", 1, "mpirun", job, static_cast<int>(length), {"node-a", "node-b"}});
      events.add(record::SuitePlanned{.suite = "tcp",
                                      .cases = {{case_of(i), "node-a <-> node-b", both_nodes(), 0}},
                                      .tests = {{fmt::format("Rate.Holds{}", i), {"tcp.figure.0"}, {}}},
                                      .job = job});
    }
  }
  static void add_long(Events& events, std::size_t length) {
    record::SuitePlanned all = plan(length);
    for (std::size_t i = 0; i < length; ++i) {
      all.tests.push_back({fmt::format("Rate.Holds{}", i), {"tcp.figure.0"}, {}});
      all.observes.push_back(fmt::format("counter.{}", i));
      all.cases[i].test = i;
    }
    events.add(record::SuiteStarted{"tcp", 1, "mpirun"});
    events.add(all);
  }
};

template <>
struct Grown<record::NodeSeen> {
  static void add_many(Events& events, std::size_t length) {
    events.add(record::NodeSeen{"tcp", "node-a", 0, facts(length)});
    for (std::size_t i = 0; i < length; ++i) {
      events.add(record::NodeSeen{"tcp", fmt::format("node-{}", i / 2), 1, facts(3)});
      events.add(record::NodeSeen{"tcp", "node-a", 0, facts(2)});
    }
  }
  static void add_long(Events& events, std::size_t length) {
    events.add(record::NodeSeen{"tcp", "node-a", 0, facts(length)});
    events.add(record::NodeSeen{"tcp", "node-a", 0, facts(length + length / 2)});
  }

 private:
  static record::NodeFacts facts(std::size_t count) {
    record::NodeFacts facts;
    for (std::size_t i = 0; i < count; ++i)
      facts[fmt::format("netdev{}", i / 10)][fmt::format("fact {}", i % 10)] =
          fmt::format("{} of {}", i, count);
    return facts;
  }
};

template <>
struct Grown<record::Observed> {
  static void add_many(Events& events, std::size_t length) {
    for (const double value : {0, 1})
      for (std::size_t i = 0; i < length / 2; ++i)
        events.add(
            record::Observed{"link.down_events", "node-a", fmt::format("netdev.{}", i), value, "", {}});
  }
  static void add_long(Events& events, std::size_t length) {
    record::Observed seen{"link.down_events", "node-a", std::string(length, 'x'), 0, "", {}};
    for (std::size_t i = 0; i < length; ++i) seen.about[fmt::format("word{}", i)] = "value";
    events.add(seen);
    events.add(seen);
  }
};

// A suite that has started and planned.
inline void begin(Events& events, std::size_t cases) {
  events.add(record::SuiteStarted{"tcp", 1, "mpirun"});
  events.add(plan(cases));
}

template <>
struct Grown<record::CaseStarted> {
  static void add_many(Events& events, std::size_t length) {
    begin(events, length);
    for (std::size_t i = 0; i < length; ++i) events.add(record::CaseStarted{"tcp", case_of(i), 1});
    for (std::size_t i = 0; i < length; ++i)  // of one case, again and again
      events.add(record::CaseStarted{"tcp", case_of(0), static_cast<int>(i + 2)});
  }
  static void add_long(Events& events, std::size_t length) {
    begin(events, 1);
    events.add(record::CaseStarted{"tcp", std::string(100 * length, 'x'), 1});
  }
};

template <>
struct Grown<record::PhaseStarted> {
  static void add_many(Events& events, std::size_t length) {
    begin(events, 1);
    events.add(record::CaseStarted{"tcp", std::string(50 * length, 'x'), 1});
    for (std::size_t i = 0; i < length; ++i) events.add(record::PhaseStarted{"tcp", "y", "measure", 5});
    events.add(record::CaseStarted{"tcp", case_of(0), 1});
    for (std::size_t i = 0; i < length; ++i)
      events.add(record::PhaseStarted{"tcp", case_of(0), "measure", 5});
  }
  static void add_long(Events& events, std::size_t length) {
    begin(events, 1);
    events.add(record::CaseStarted{"tcp", case_of(0), 1});
    events.add(record::PhaseStarted{"tcp", case_of(0), std::string(100 * length, 'x'), 5});
  }
};

template <>
struct Grown<record::CableMoved> {
  static void add_many(Events& events, std::size_t length) {
    begin(events, 1);
    for (std::size_t i = 0; i < length; ++i)
      events.add(moved(fmt::format("node-a:port{}", i), {{"node-a", fmt::format("netdev{}", i), 1}}));
  }
  static void add_long(Events& events, std::size_t length) {
    std::vector<record::CableMoved::Losses> losses;
    for (std::size_t i = 0; i < length; ++i) losses.push_back({"node-a", fmt::format("netdev{}", i), 1});
    begin(events, 1);
    events.add(moved("node-a:port0", losses));
  }

 private:
  static record::CableMoved moved(std::string cable, std::vector<record::CableMoved::Losses> losses) {
    const auto step =
        losses.size() % 2 == 0 ? record::CableMoved::Step::kPlugged : record::CableMoved::Step::kPulled;
    return {"tcp", case_of(0), std::move(cable), step, "the operator", 60, std::move(losses)};
  }
};

template <>
struct Grown<record::CaseEnded> {
  static void add_many(Events& events, std::size_t length) {
    begin(events, length);
    for (std::size_t i = 0; i < length; ++i) {
      events.add(record::CaseStarted{"tcp", case_of(i), 1});
      events.add(case_ended(i, {rate(0, "node-a"), rate(1, "node-b", 1e9)}));
    }
    for (std::size_t i = 0; i < length; ++i)  // of one case, again and again
      events.add(case_ended(0, {rate(0, "node-a", 1e9)}));
  }
  static void add_long(Events& events, std::size_t length) {
    record::CaseEnded ended = case_ended(0, {});
    for (std::size_t i = 0; i < length; ++i)
      for (const char* node : {"node-a", "node-b"}) ended.measured.push_back(rate(i, node));
    for (std::size_t i = 0; i < length; ++i) {
      ended.notes.push_back(fmt::format("note {}", i));
      ended.failures.push_back({record::Failure::Kind::kSkip, "not-proven", fmt::format("why {}", i)});
    }
    begin(events, 1);
    events.add(record::CaseStarted{"tcp", case_of(0), 1});
    events.add(ended);
  }
};

template <>
struct Grown<record::SuiteDone> {
  static void add_many(Events& events, std::size_t length) {
    begin(events, 1);
    for (std::size_t i = 0; i < length; ++i) events.add(record::SuiteDone{"tcp"});
    for (std::size_t i = 0; i < length; ++i) events.add(record::SuiteDone{fmt::format("suite{}", i)});
  }
  static void add_long(Events& events, std::size_t length) {
    begin(events, 1);
    events.add(record::SuiteDone{std::string(100 * length, 'x')});
  }
};

template <>
struct Grown<record::SuiteEnded> {
  static void add_many(Events& events, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) {
      const int job = static_cast<int>(i % 50), launch = static_cast<int>(i / 50 + 1);
      events.add(record::SuiteStarted{"tcp", launch, "mpirun", job, 50, {"node-a", "node-b"}});
      events.add(record::SuiteEnded{"tcp", launch, false, "rank 1 died", job});
    }
  }
  static void add_long(Events& events, std::size_t length) {
    begin(events, 1);
    events.add(record::SuiteEnded{"tcp", 1, false, std::string(100 * length, 'x')});
  }
};

template <>
struct Grown<record::Problem> {
  static void add_many(Events& events, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) {
      events.add(record::Problem{
          i % 2 == 0 ? "harness" : "node-absent", fmt::format("problem {}", i), {fmt::format("node-{}", i)}});
    }
  }
  static void add_long(Events& events, std::size_t length) {
    record::Problem problem{"node-absent", std::string(100 * length, 'x')};
    for (std::size_t i = 0; i < length; ++i) problem.nodes.push_back(fmt::format("node-{}", i));
    events.add(problem);
  }
};

template <>
struct Grown<record::RunResumed> {
  static void add_many(Events& events, std::size_t length) {
    begin(events, length);
    for (std::size_t i = 0; i < length; ++i) events.add(record::CaseStarted{"tcp", case_of(i), 1});
    for (std::size_t i = 0; i < length; ++i)
      events.add(record::Observed{"link.down_events", "node-a", fmt::format("netdev.{}", i), 0, "", {}});
    for (std::size_t i = 0; i < length; ++i)
      events.add(record::Problem{"unused", fmt::format("problem {}", i)});
    for (std::size_t i = 0; i < length; ++i) events.add(resumed(1));
  }
  static void add_long(Events& events, std::size_t length) { events.add(resumed(length)); }

 private:
  static record::RunResumed resumed(std::size_t programs) {
    record::RunResumed resumed{"bob", "head", "rigproof run --resume out", {}};
    for (std::size_t i = 0; i < programs; ++i)
      resumed.programs.push_back({"rigproof", "0.1.0", "4e5f", "6a7b"});
    return resumed;
  }
};

template <>
struct Grown<record::FilesHashed> {
  static void add_many(Events& events, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) events.add(hashed(1));
  }
  static void add_long(Events& events, std::size_t length) { events.add(hashed(length)); }

 private:
  static record::FilesHashed hashed(std::size_t files) {
    record::FilesHashed hashed;
    for (std::size_t i = 0; i < files; ++i)
      hashed.files[fmt::format("logs/tcp.{}.log", i)] = std::string(64, 'a');
    return hashed;
  }
};

template <>
struct Grown<record::RunEnded> {
  static void add_many(Events& events, std::size_t length) {
    begin(events, length);
    for (std::size_t i = 0; i < length; ++i) events.add(record::RunEnded{1});
  }
  static constexpr bool kHasNoLength = true;
};

}  // namespace rigproof
