#include "framework/runner/suite_main.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "framework/channel/channel.h"
#include "framework/ranks/rank_group.h"
#include "framework/record/codec.h"
#include "framework/record/run_identity.h"
#include "framework/rig/examples.h"
#include "framework/rig/subjects.h"
#include "framework/runner/case_listener.h"
#include "framework/runner/context.h"
#include "framework/runner/declare.h"
#include "framework/runner/rig_test.h"
#include "framework/runner/suite_inputs.h"
#include "framework/runner/suite_options.h"

namespace rigproof::inline runner {

NodeLock::NodeLock(std::chrono::milliseconds timeout, const std::string& name, uid_t user) try
    : lock_(name, timeout, user) {
} catch (const process::NameIsHeld& held) {
  throw std::runtime_error(std::string("this node is in use by another run: ") + held.what());
}

namespace {

constexpr std::chrono::seconds kGathering{30};
constexpr std::chrono::minutes kMeeting{30};  // the supervisor ends the launch earlier

// Runs a hook of the suite. An exception becomes a problem of the run; the suite goes on.
template <class Hook>
std::string attempt(const Hook& hook) {
  try {
    hook();
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

record::NodeFacts own_facts() {
  utsname system{};
  uname(&system);
  return {{"",
           {{"hostname", system.nodename},
            {"kernel", system.release},
            {"architecture", system.machine},
            {"pid", std::to_string(getpid())}}}};
}

// One rank's readings, and the error of a hook.
struct NodeReading {
  record::NodeFacts facts;
  std::vector<record::Observed> counters;
  std::string error;
};

template <class Archive>
void fields(Archive& archive, record::Of<NodeReading> auto& reading) {
  archive("facts", reading.facts);
  archive("counters", reading.counters);
  archive("error", reading.error);
}

void write_problem(SuiteContext& suite, const std::string& type, const Node& node, const std::string& error) {
  if (!error.empty()) suite.write(record::Problem{type, suite.suite + " on " + node.name + ": " + error});
}

// Collective. Records every node's facts.
void record_nodes(SuiteContext& suite, const SuiteHooks& hooks) {
  NodeReading mine{own_facts(), {}, {}};
  mine.error = attempt([&] {
    if (!hooks.facts) return;
    for (auto& [part, properties] : hooks.facts(suite.rig, static_cast<std::size_t>(suite.ranks.rank())))
      mine.facts[part].merge(std::move(properties));
  });
  const auto all = suite.ranks.gather("the nodes' facts", record::codec::to_bytes(mine), kGathering);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Node& node = suite.rig.node(rank);
    const auto reading = record::codec::from_bytes<NodeReading>(all[rank]);
    write_problem(suite, "facts", node, reading.error);
    suite.write(record::NodeSeen{suite.suite, node.name, static_cast<int>(rank), reading.facts});
  }
}

void record_observations(SuiteContext& suite, const SuiteHooks& hooks) {
  NodeReading mine;
  mine.error = attempt([&] {
    if (hooks.observe) mine.counters = hooks.observe(suite.rig, static_cast<std::size_t>(suite.ranks.rank()));
  });
  const auto all = suite.ranks.gather("the nodes' counters", record::codec::to_bytes(mine), kGathering);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto reading = record::codec::from_bytes<NodeReading>(all[rank]);
    write_problem(suite, "observe", suite.rig.node(rank), reading.error);
    for (const record::Observed& seen : reading.counters) suite.write(seen);
  }
}

constexpr int kRefused = 2;
constexpr std::chrono::seconds kLockPatience{3};
constexpr std::chrono::seconds kChecks{30};

void init_gtest(SuiteOptions& options) {
  int argc = static_cast<int>(options.rest.size());
  options.rest.push_back(nullptr);
  forget_gtest_environment();
  testing::InitGoogleTest(&argc, options.rest.data());
  const std::string& cases = declared_suite().first_look;
  if (options.first_look) GTEST_FLAG_SET(filter, cases.empty() ? "-*" : cases);
}

// Prints the suite's description, with the cases in `plan`, to stdout.
void print_description(const std::string& suite, const SuiteHooks& hooks, record::SuitePlanned plan,
                       bool by_example = false) {
  fmt::print("{}\n",
             encode(record::SuiteDescription{.program = record::this_program("rigproof-suite-" + suite),
                                             .declared = declared_of_all(hooks.observes, hooks.watches),
                                             .lacking = declared_lacking(),
                                             .traits = declared_suite(),
                                             .plan = std::move(plan),
                                             .by_example = by_example}));
  std::fflush(stdout);
}

// Prints the suite's description once GoogleTest has applied its filter, and ends the process: no case runs.
class Describer : public testing::EmptyTestEventListener {
 public:
  Describer(std::string suite, const SuiteHooks& hooks, bool by_example)
      : suite_(std::move(suite)), hooks_(hooks), by_example_(by_example) {}

  void OnTestProgramStart(const testing::UnitTest&) override {
    const Rig& rig = rig_under_test();
    print_description(suite_, hooks_, plan_of(suite_, rig, hooks_.observes, hooks_.watches), by_example_);
    std::_Exit(0);
  }

 private:
  std::string suite_;
  const SuiteHooks& hooks_;  // owned by suite_main()'s caller
  bool by_example_;
};

// A run of more pairs takes months.
void refuse_too_many_pairs(const Rig& rig) {
  constexpr std::size_t kMost = 1'000'000;
  const std::size_t nodes = rig.nodes.size();
  if (nodes * (nodes - 1) / 2 <= kMost) return;
  const std::size_t pairs = count_pairs(rig);
  if (pairs > kMost)
    throw std::runtime_error(
        fmt::format("the rig's {} nodes are {} pairs, more than {}: choose some of them by --rounds K (each "
                    "node then meets K others)",
                    nodes, pairs, kMost));
}

// Needs no MPI: any process can list a suite's cases.
int list_or_help(SuiteOptions& options, const std::string& suite, const SuiteHooks& hooks) {
  if (options.help) {
    fmt::print("{}", suite_usage("rigproof-suite-" + suite));
    return 0;
  }
  if (options.describe && options.rig.empty()) {
    print_description(suite, hooks, {suite, {}});
    return 0;
  }
  Rig rig = load_rig(options.rig);
  if (!declared_suite().one_job) {
    if (options.rounds.rounds == 0) refuse_too_many_pairs(rig);
    keep_rounds(rig, options.rounds);
  }
  const bool by_example = options.examples && keep_examples(rig);
  set_rig_under_test(std::move(rig));
  set_with_operator(options.with_operator);
  init_gtest(options);
  if (by_example) GTEST_FLAG_SET(filter, "*");
  if (options.describe) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Describer(suite, hooks, by_example));
  }
  return RUN_ALL_TESTS();
}

// Checks that this host is the rank's node, and locks the node. Returns the error, or "".
std::string take_node(std::optional<NodeLock>& lock, const SuiteContext& suite) {
  try {
    std::string wrong =
        wrong_node(suite.rig, static_cast<std::size_t>(suite.ranks.rank()), local_addresses());
    if (wrong.empty()) lock.emplace(kLockPatience);
    if (lock)
      for (const std::string& stranger : lock->strangers())
        fmt::print(stderr, "{}: {} uses the name of this node's lock; ignored, it blocks no run\n",
                   suite.ranks.who(suite.ranks.rank()), stranger);
    return wrong.empty() ? wrong : suite.ranks.who(suite.ranks.rank()) + ": " + wrong;
  } catch (const std::exception& error) {
    return suite.ranks.who(suite.ranks.rank()) + ": " + error.what();
  }
}

// Collective. Returns the errors of all ranks, on every rank.
std::string agree_on(RankGroup& ranks, const std::string& wrong) {
  std::string all;
  for (const std::string& one : ranks.gather("the checks of the nodes", wrong, kChecks))
    if (!one.empty()) all += (all.empty() ? "" : "\n") + one;
  return ranks.broadcast("the checks of the nodes", all, kChecks);
}

int refuse(RankGroup& ranks, SuiteJournal& journal, const std::string& suite, const std::string& error) {
  if (ranks.rank() == 0) {
    std::fprintf(stderr, "rigproof-suite-%s: %s\n", suite.c_str(), error.c_str());
    const auto kError = record::Failure::Kind::kError;  // for a supervisor that cannot be reached otherwise
    std::fputs(record::last_words({.kind = kError, .type = "refused", .message = error, .rank = 0}).c_str(),
               stderr);
    journal.write(record::Problem{"launch", fmt::format("suite {}: {}", suite, error)});
  }
  journal.close();
  ranks.finalize();
  return kRefused;
}

// Records why the job ended, as the end of the running case.
void record_end(SuiteContext& suite, const JobEnd& end) {
  const RunningCase& now = suite.now;
  const auto rank = static_cast<std::size_t>(end.rank);
  const bool known = end.rank >= 0 && rank < suite.rig.nodes.size();
  const record::Failure failure{record::Failure::Kind::kError,
                                end.type,
                                end.message,
                                known ? suite.rig.node(rank).name : "",
                                end.rank,
                                end.phase,
                                {}};
  std::fputs(record::last_words(failure).c_str(), stderr);
  if (suite.ranks.rank() != 0) return;
  if (now.name.empty())
    return suite.journal.write_last(record::Problem{end.type, "suite " + suite.suite + ": " + end.message});
  const std::chrono::duration<double> seconds = Clock::now() - now.begun, measuring = now.measuring;
  record::CaseEnded ended{.suite = suite.suite,
                          .name = now.name,
                          .iteration = now.iteration,
                          .seconds = seconds.count(),
                          .measuring_s = measuring.count(),
                          .measured = now.report.measured,  // this rank's; the others' are lost
                          .failures = now.report.failures};
  ended.failures.push_back(failure);
  suite.journal.write_last(ended);
}

void set_up_listeners(SuiteContext& suite, CaseListener* listener) {
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_xml_generator());
  if (suite.ranks.rank() != 0) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(listener);
}

// Returns false if GoogleTest did not run: an unknown flag makes it print its help, which is no error.
bool run_gtest(SuiteContext& suite, const SuiteOptions& options, const SuiteHooks& hooks) {
  if (suite.ranks.rank() == 0)
    fmt::print("suite {}, launch {}, profile {}, rig {}\n", suite.suite, options.launch, name(suite.profile),
               suite.rig.name);
  const bool live = suite.facts.empty();  // a snapshot's nodes are not this host
  if (live) record_nodes(suite, hooks);
  if (live) record_observations(suite, hooks);
  auto* listener = new CaseListener(suite, hooks.observes, hooks.watches);
  set_up_listeners(suite, listener);                      // GoogleTest owns the listener from here on
  [[maybe_unused]] const int verdicts = RUN_ALL_TESTS();  // unused: the judge makes verdicts from the journal
  if (live && listener->planned()) {
    record_nodes(suite, hooks);
    record_observations(suite, hooks);
  }
  return listener->planned();
}

int run_suite(SuiteContext& suite, SuiteInputs& inputs, SuiteOptions& options, const SuiteHooks& hooks) {
  RankGroup& ranks = suite.ranks;
  std::optional<NodeLock> lock;
  // The host of a shared-host test or a snapshot is not the node.
  const bool alone = options.shared_host || !inputs.snapshot.empty();
  const std::string wrong = agree_on(ranks, alone ? "" : take_node(lock, suite));
  if (!wrong.empty()) return refuse(ranks, suite.journal, suite.suite, wrong);

  init_gtest(options);
  share_gtest_flags(ranks, inputs.chosen, inputs.skipped);
  if (!run_gtest(suite, options, hooks))
    return refuse(ranks, suite.journal, suite.suite, "GoogleTest did not understand its options");
  lock.reset();
  (void)ranks.gather("the nodes are free", "", kChecks);
  suite.write(record::SuiteDone{suite.suite});
  suite.journal.close();
  ranks.finalize();
  return 0;
}

int run(RankGroup& ranks, SuiteOptions& options, const std::string& name, const SuiteHooks& hooks) {
  SuiteInputs inputs = read_inputs(ranks, options);
  if (!inputs.error.empty()) return refuse(ranks, *inputs.journal, name, inputs.error);
  std::vector<std::string> nodes;
  for (const Node& node : inputs.rig.nodes) nodes.push_back(node.name);
  ranks.name_ranks(nodes);
  set_rig_under_test(std::move(inputs.rig));
  set_with_operator(inputs.with_operator);

  SuiteContext suite{name,           rig_under_test(), inputs.profile,
                     ranks,          *inputs.journal,  inputs.judging ? &*inputs.judging : nullptr,
                     inputs.snapshot};
  suite.watch_disturbance = hooks.watch_disturbance;
  suite.watch_cards = hooks.watch_cards;
  suite.make_cable_puller = hooks.make_cable_puller;
  set_suite_context(&suite);
  ranks.on_fatal([&suite](const JobEnd& end) { record_end(suite, end); });
  try {
    return run_suite(suite, inputs, options, hooks);
  } catch (const std::exception& error) {  // here, because record_end() needs `suite`
    ranks.fatal(ranks.who(ranks.rank()) + ": " + error.what());
  }
}

}  // namespace

int suite_main(int argc, char** argv, const std::string& suite, const SuiteHooks& hooks) {
  std::signal(SIGPIPE, SIG_IGN);  // report the dead peer, not the failed write to its socket
  try {
    SuiteOptions options = parse_suite_options(argc, argv);
    if (!options.report_to.empty()) options.key = channel::Key::take_from_environment();
    if (options.help || options.list || options.describe) return list_or_help(options, suite, hooks);
    const auto place = options.hosts.empty() ? std::nullopt : place_among(options.hosts, own_names());
    RankGroup ranks = RankGroup::start(&argc, &argv, place, [&] {
      if (options.meets) channel::meet(options.report_to, *options.key, kMeeting);
    });
    try {
      return run(ranks, options, suite, hooks);
    } catch (const std::exception& error) {
      ranks.fatal(ranks.who(ranks.rank()) + ": " + error.what());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rigproof-suite-%s: %s\n", suite.c_str(), error.what());
    return kRefused;
  }
}

}  // namespace rigproof::inline runner
