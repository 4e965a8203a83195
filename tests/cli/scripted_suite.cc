// A suite without MPI whose cases do what their names say, for tests of what a supervisor must survive:
//   SCRIPT="A.pass A.segv B.hang" scripted-suite NAME --rig R --thresholds T --journal J ...
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "framework/record/journal.h"

namespace rigproof {
namespace {

constexpr double kForEver = 3600;

struct Options {
  std::string suite, journal, filter = "*";
  std::set<std::string> skipped;
  int launch = 1;
  bool list = false;
};

Options parse(int argc, char** argv) {
  Options options{.suite = argv[1], .journal = {}, .skipped = {}};
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--journal") options.journal = argv[++i];
    if (argument == "--launch") options.launch = std::atoi(argv[++i]);
    if (argument.starts_with("--gtest_filter=")) options.filter = argument.substr(15);
    if (argument == "--gtest_list_tests") options.list = true;
    if (argument != "--skip") continue;
    std::ifstream file(argv[++i]);
    for (std::string name; std::getline(file, name);) options.skipped.insert(name);
  }
  return options;
}

std::vector<std::string> cases_of(const Options& options) {
  const char* script = std::getenv("SCRIPT");
  std::istringstream words(script == nullptr ? "" : script);
  std::vector<std::string> names;
  for (std::string name; words >> name;) {
    if (fnmatch(options.filter.c_str(), name.c_str(), 0) == 0 && !options.skipped.contains(name))
      names.push_back(name);
  }
  return names;
}

int list(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    std::printf("%s.\n  %s\n", name.substr(0, name.find('.')).c_str(),
                name.substr(name.find('.') + 1).c_str());
  }
  return 0;
}

Measurement measured(Verdict verdict) {
  Measurement measurement;
  measurement.id = "scripted.count";
  measurement.node = "node-a";
  measurement.samples = {Dimension::kCount, {1}};
  measurement.unit = "count";
  measurement.judgement = {verdict, 1, {}, "<= 1", verdict == Verdict::kPass ? "" : "too many"};
  return measurement;
}

// RATE bit/s, a little more or less in every run.
Measurement rate() {
  const char* text = std::getenv("RATE");
  Measurement measurement = measured(Verdict::kPass);
  measurement.id = "scripted.rate";
  const double rate = text == nullptr ? 1e9 : std::atof(text);
  measurement.samples = {Dimension::kDataRate, {rate * (1 + 1e-6 * (getpid() % 1000))}};
  measurement.unit = "Gbit/s";
  measurement.judgement = {Verdict::kPass, measurement.samples.values[0], {}, ">= 0.5 Gbit/s", ""};
  measurement.limit_where = "limits.toml:1";
  return measurement;
}

class Suite {
 public:
  Suite(const Options& options, std::vector<std::string> names)
      : options_(options),
        names_(std::move(names)),
        journal_(JournalWriter::append(options.journal, std::chrono::seconds(5))) {}

  void run() {
    SuitePlanned plan{options_.suite, {}};
    for (const std::string& name : names_) plan.cases.push_back({name, "", {"node-a", "node-b"}});
    journal_.write(plan);
    for (const std::string& name : names_) run_case(name);
    journal_.write(SuiteDone{options_.suite});
  }

 private:
  void run_case(const std::string& name) {
    ended_ = {options_.suite, name, 1, 0.001, 0, {}, {}};
    journal_.write(CaseStarted{options_.suite, name, 1});
    enter("measure", 0.05);
    const std::string deed = name.substr(name.find('.') + 1);
    deeds().at(deed.substr(0, deed.find('_')))();
    journal_.write(ended_);
  }

  void enter(const std::string& phase, double deadline_s) {
    journal_.write(PhaseStarted{options_.suite, ended_.name, phase, deadline_s});
  }
  void fail(Failure::Kind kind) { ended_.failures = {{kind, "scripted", "as told", "node-a", 0, "", ""}}; }
  void pass() { ended_.measurements = {measured(Verdict::kPass)}; }
  void disturbed() {
    fail(Failure::Kind::kSkip);
    ended_.failures.front().type = kDisturbed;
    ended_.measurements = {measured(Verdict::kFail)};
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
    std::ofstream(options_.journal, std::ios::app) << R"({"seq":)" << std::flush;
    raise(SIGKILL);
  }
  void fill_the_disk() {
    const int fd = open((options_.journal + ".ballast").c_str(), O_WRONLY | O_CREAT, 0600);
    const std::string block(4096, 'x');
    while (write(fd, block.data(), block.size()) > 0) continue;
  }

  std::map<std::string, std::function<void()>> deeds() {
    return {
        {"pass", [this] { pass(); }},
        {"rate", [this] { ended_.measurements = {rate()}; }},
        {"fail", [this] { ended_.measurements = {measured(Verdict::kFail)}; }},
        {"disturbed", [this] { disturbed(); }},
        {"recovered", [this] { options_.launch == 1 ? disturbed() : pass(); }},
        {"skip", [this] { fail(Failure::Kind::kSkip); }},
        {"error", [this] { fail(Failure::Kind::kError); }},
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
           std::fputs("[rigproof] fatal: rank 1 (node-b) did not arrive in time\n", stderr), std::_Exit(5);
         }},
    };
  }

  const Options& options_;
  std::vector<std::string> names_;
  JournalWriter journal_;
  CaseEnded ended_{};
};

int suite_main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const std::vector<std::string> names = cases_of(options);
  if (options.list) return list(names);
  if (std::getenv("DUMB") != nullptr) return std::fputs("cannot find libfoo.so\n", stderr), 3;
  try {
    Suite(options, names).run();
    return 0;
  } catch (const JournalError& error) {
    std::fprintf(stderr, "[rigproof] fatal: rank 0 (node-a): %s\n", error.what());
    return 70;
  }
}

}  // namespace
}  // namespace rigproof

int main(int argc, char** argv) { return rigproof::suite_main(argc, argv); }
