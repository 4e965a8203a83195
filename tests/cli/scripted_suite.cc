// A suite without MPI whose cases do what their names say, for tests of what a supervisor must survive:
//   SCRIPT="A.pass A.segv B.hang C.pass_bd" scripted-suite NAME --report-to ADDRESS ...
// C's nodes are node-b and node-d, those of the others node-a and node-b.
// LIE names what it sends that no suite of Rigproof would: see Suite::lie().
// It declares scripted.count, which should be at most 1, and scripted.rate, which should be at least 0.5 Gbit/s.
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "framework/channel/channel.h"

namespace rigproof {
namespace {

constexpr double kForEver = 3600;

struct Options {
  std::string suite, report_to = {}, filter = "*";
  int launch = 1;
  bool describe = false;
};

Options parse(int argc, char** argv) {
  Options options{.suite = argv[1]};
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--report-to") options.report_to = argv[++i];
    if (argument == "--launch") options.launch = std::atoi(argv[++i]);
    if (argument.starts_with("--gtest_filter=")) options.filter = argument.substr(15);
    if (argument == "--describe") options.describe = true;
  }
  return options;
}

std::vector<std::string> cases_of(const Options& options) {
  const char* script = std::getenv("SCRIPT");
  std::istringstream words(script == nullptr ? "" : script);
  std::vector<std::string> names;
  for (std::string name; words >> name;) {
    if (fnmatch(options.filter.c_str(), name.c_str(), 0) == 0) names.push_back(name);
  }
  return names;
}

std::string deed_of(const std::string& name) {
  const std::string deed = name.substr(name.find('.') + 1);
  return deed.substr(0, deed.find('_'));
}

SubjectPlace place_of(const std::string& name) {
  const auto mark = name.find('_');
  std::vector<std::string> nodes;
  for (const char letter : mark == std::string::npos ? "ab" : name.substr(mark + 1))
    nodes.push_back(std::string("node-") + letter);
  using Kind = SubjectPlace::Kind;
  const Kind kind = nodes.size() == 1 ? Kind::kNode : nodes.size() == 2 ? Kind::kNodes : Kind::kAllNodes;
  return {kind, "", std::move(nodes), nodes.size() == 2};
}

// One test for each case: it owes what its deed reports.
record::SuitePlanned plan_of(const Options& options, const std::vector<std::string>& names) {
  const std::map<std::string, std::vector<std::string>> owed{{"pass", {"scripted.count"}},
                                                             {"fail", {"scripted.count"}},
                                                             {"rate", {"scripted.rate"}},
                                                             {"forget", {"scripted.count"}}};
  record::SuitePlanned plan{options.suite, {}};
  for (const std::string& name : names) {
    const auto owes = owed.find(deed_of(name));
    plan.cases.push_back({name, "", place_of(name), plan.tests.size()});
    plan.tests.push_back({name, owes == owed.end() ? std::vector<std::string>() : owes->second, {}});
  }
  return plan;
}

// Those whose names are shipped suites' run in the order of those.
int order_of(const std::string& suite) {
  const std::map<std::string, int> orders{{"preflight", 1}, {"link", 4}, {"mtu", 5},
                                          {"tcp", 6},       {"rdma", 7}, {"phy", 9}};
  const auto found = orders.find(suite);
  return found == orders.end() ? 0 : found->second;
}

int describe(const Options& options, const std::vector<std::string>& names) {
  std::puts(
      encode(record::SuiteDescription{
                 .program = {"rigproof-suite-" + options.suite, "0", "", ""},
                 .declared = {{"scripted.count", "count", ""}, {"scripted.rate", "bit/s", ""}},
                 .traits = {.order = order_of(options.suite), .judges_facts = options.suite == "preflight"},
                 .plan = plan_of(options, names)})
          .c_str());
  return 0;
}

record::Measured counted(double number) {
  return {.id = "scripted.count", .node = "node-a", .detail = {}, .samples = {Dimension::kCount, {number}}};
}

record::Measured rate_of(double bits_per_second) {
  return {.id = "scripted.rate",
          .node = "node-a",
          .detail = {},
          .samples = {Dimension::kDataRate, {bits_per_second}}};
}

// RATE bit/s, a little more or less in every run.
record::Measured rate() {
  const char* text = std::getenv("RATE");
  return rate_of((text == nullptr ? 1e9 : std::atof(text)) * (1 + 1e-6 * (getpid() % 1000)));
}

class Suite {
 public:
  explicit Suite(const Options& options)
      : options_(options),
        supervisor_(options.report_to, channel::Key::take_from_environment(), std::chrono::seconds(5)),
        names_(supervisor_.order().cases) {}

  void run() {
    supervisor_.send(altered(plan_of(options_, names_)));
    lie();
    send_facts();
    for (const std::string& name : names_) run_case(name);
    supervisor_.send(record::SuiteDone{options_.suite});
  }

 private:
  static bool lies(std::string_view how) {
    const char* const lie = std::getenv("LIE");
    return lie != nullptr && how == lie;
  }
  // Plans that are not what was described.
  record::SuitePlanned altered(record::SuitePlanned plan) const {
    if (lies("fewer cases")) plan.cases.pop_back();
    if (lies("more cases")) plan.cases.push_back(plan.cases.front()), plan.cases.back().name = "Z.pass";
    if (lies("a case twice")) plan.cases.push_back(plan.cases.front());
    if (lies("owes less")) plan.tests.front().owes.clear();
    if (lies("owes nothing")) plan.cases.front().test.reset();
    if (lies("another place")) plan.cases.front().place.nodes = {"node-b"};
    if (lies("another counter")) plan.observes = {"link.down_events"};
    if (lies("another suite")) plan.suite = "link";
    return plan;
  }
  // Files and events that are not a suite's, or not this one's.
  void lie() {
    const std::string other = "link";
    const char* const lie = std::getenv("LIE");
    if (lie != nullptr && std::string_view(lie).starts_with("file "))
      supervisor_.send(channel::File{lie + 5, "forged"});
    if (lies("event of another suite")) supervisor_.send(record::SuiteDone{other});
    if (lies("case of nobody")) supervisor_.send(record::CaseStarted{options_.suite, "Z.pass", 1});
    if (lies("facts of nobody")) supervisor_.send(record::NodeSeen{options_.suite, "node-z", 0, {}});
    if (lies("a counter of nobody"))
      supervisor_.send(record::Observed{"link.down_events", "node-z", "eth0", 0});
    if (lies("carrier losses of nobody")) supervisor_.send(losses_of("node-z"));
    if (lies("a measurement of nobody")) supervisor_.send(ended_on("node-z"));
    if (lies("a failure of nobody")) supervisor_.send(failed_on("node-z"));
    if (lies("end of the run")) supervisor_.send(record::RunEnded{1});
    if (lies("a lost node")) supervisor_.send(record::Problem{"node-absent", "x", {"node-a"}});
    if (lies("a stop")) supervisor_.send(record::Problem{"interrupted", "x"});
    if (lies("a second plan")) supervisor_.send(plan_of(options_, names_));
  }
  [[nodiscard]] record::CableMoved losses_of(const std::string& node) const {
    return {.suite = options_.suite,
            .name = names_.front(),
            .cable = "node-a:port0",
            .step = record::CableMoved::Step::kPlugged,
            .by = "the operator",
            .losses = {{node, "eth0", 1}}};
  }
  [[nodiscard]] record::CaseEnded ended_on(const std::string& node) const {
    record::CaseEnded ended{options_.suite, names_.front(), 1, 0.001, 0, {counted(1)}, {}};
    ended.measured.front().node = node;
    return ended;
  }
  [[nodiscard]] record::CaseEnded failed_on(const std::string& node) const {
    return {options_.suite,
            names_.front(),
            1,
            0.001,
            0,
            {},
            {{record::Failure::Kind::kError, "scripted", "as told", node, 0, "", ""}}};
  }
  // FACTS="node-a//kernel/6.1 node-b/eth0/firmware/28.45": node, part, property, text.
  void send_facts() {
    const char* text = std::getenv("FACTS");
    std::istringstream words(text == nullptr ? "" : text);
    for (std::string word; words >> word;) {
      std::istringstream parts(word);
      std::string node, part, property, value;
      std::getline(parts, node, '/'), std::getline(parts, part, '/'), std::getline(parts, property, '/');
      std::getline(parts, value);
      supervisor_.send(record::NodeSeen{options_.suite, node, -1, {{part, {{property, value}}}}});
    }
  }

  void run_case(const std::string& name) {
    ended_ = {options_.suite, name, 1, 0.001, 0, {}, {}};
    supervisor_.send(record::CaseStarted{options_.suite, name, 1});
    enter("measure", 0.05);
    deeds().at(deed_of(name))();
    const std::string node = place_of(name).nodes.front();
    for (record::Measured& measured : ended_.measured) measured.node = node;
    for (record::Failure& failure : ended_.failures) failure.node = node;
    supervisor_.send(ended_);
  }

  void enter(const std::string& phase, double deadline_s) {
    supervisor_.send(record::PhaseStarted{options_.suite, ended_.name, phase, deadline_s});
  }
  void fail(record::Failure::Kind kind) {
    ended_.failures = {{kind, "scripted", "as told", "node-a", 0, "", ""}};
  }
  void pass() { ended_.measured = {counted(1)}; }
  // Too slow, on a machine of which others took half.
  void disturbed() {
    ended_.measured = {rate_of(1e6)};
    ended_.disturbed = 0.5;
  }
  // Passes once the file GATE is there.
  void gate() {
    enter("gate", kForEver);
    while (access(std::getenv("GATE"), F_OK) != 0) usleep(1000);
    pass();
  }
  void be_silent() {
    for (;;) pause();
  }
  // Announces a long phase and waits there for whatever comes from outside.
  void wait() {
    enter("wait", kForEver);
    be_silent();
  }
  void tear() {
    constexpr std::string_view kTorn = R"({"seq":)";
    for (int fd = 3; fd < 16; ++fd) send(fd, kTorn.data(), kTorn.size(), 0);  // the only socket
    raise(SIGKILL);
  }
  void fill_the_disk() {
    const int fd = open(std::getenv("BALLAST"), O_WRONLY | O_CREAT, 0600);
    const std::string block(4096, 'x');
    while (write(fd, block.data(), block.size()) > 0) continue;
  }

  std::map<std::string, std::function<void()>> deeds() {
    return {
        {"pass", [this] { pass(); }},
        {"rate", [this] { ended_.measured = {rate()}; }},
        {"forget", [] {}},
        {"fail", [this] { ended_.measured = {counted(2)}; }},
        {"disturbed", [this] { disturbed(); }},
        {"recovered", [this] { options_.launch == 1 ? disturbed() : pass(); }},
        {"slow", [this] { ended_.measured = {options_.launch == 1 ? rate_of(1e6) : rate_of(1e9)}; }},
        {"gate", [this] { gate(); }},
        {"skip", [this] { fail(record::Failure::Kind::kSkip); }},
        {"error", [this] { fail(record::Failure::Kind::kError); }},
        {"segv", [] { signal(SIGSEGV, SIG_DFL), raise(SIGSEGV); }},  // not a sanitizer's exit
        {"exit", [] { std::_Exit(0); }},
        {"kill", [] { raise(SIGKILL); }},
        {"stop", [] { raise(SIGSTOP); }},
        {"hang", [this] { be_silent(); }},
        {"wait", [this] { wait(); }},
        {"torn", [this] { tear(); }},
        {"fill", [this] { fill_the_disk(); }},
        {"orphan", [this] { kill(getppid(), SIGKILL), be_silent(); }},
        {"fatal",
         [] {
           const record::Failure end{.kind = record::Failure::Kind::kError,
                                     .type = "lost-peer",
                                     .message = "rank 1 (node-b) did not arrive in time",
                                     .node = "node-b",
                                     .rank = 1};
           std::fputs(record::last_words(end).c_str(), stderr), std::_Exit(5);
         }},
    };
  }

  const Options& options_;
  channel::Sender supervisor_;
  std::vector<std::string> names_;

  record::CaseEnded ended_{};
};

int suite_main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const std::vector<std::string> names = cases_of(options);
  if (options.describe) return describe(options, names);
  if (std::getenv("DUMB") != nullptr) return std::fputs("cannot find libfoo.so\n", stderr), 3;
  try {
    Suite(options).run();
    return 0;
  } catch (const channel::ChannelError& error) {
    const record::Failure end{
        .kind = record::Failure::Kind::kError, .type = "error", .message = error.what(), .rank = 0};
    std::fputs(record::last_words(end).c_str(), stderr);
    return 70;
  }
}

}  // namespace
}  // namespace rigproof

int main(int argc, char** argv) { return rigproof::suite_main(argc, argv); }
