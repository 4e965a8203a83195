// The runner's parts that need neither MPI nor a suite.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "framework/process/file_descriptor.h"
#include "framework/record/codec.h"
#include "framework/record/measured.h"
#include "framework/rig/rig.h"
#include "framework/runner/cable_puller.h"
#include "framework/runner/case_report.h"
#include "framework/runner/declare.h"
#include "framework/runner/suite_inputs.h"
#include "framework/runner/suite_main.h"
#include "framework/runner/suite_options.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

record::Measured measured(std::vector<double> values) {
  return {.id = "id", .node = "node-a", .detail = "tx", .samples = {Dimension::kTime, std::move(values)}};
}

TEST(CaseReport, TravelsUnchanged) {
  CaseReport report;
  report.measured.push_back(measured({1.5, -0.0}));
  report.measured[0].role = record::Measured::Role::kBeside;
  report.measured[0].axis = record::every(std::chrono::milliseconds(100));
  report.measured[0].unread = record::Measured::Unread::kNotReadable;
  report.measured[0].about = {{"netdev", "eth0"}};
  report.failures.push_back(
      {record::Failure::Kind::kSkip, "not-proven", "why", "node-a", -1, "connect", "a.cc:3"});
  report.notes = {"a note", ""};
  const CaseReport copy = record::codec::from_bytes<CaseReport>(record::codec::to_bytes(report));
  EXPECT_EQ(copy.measured.at(0).samples, report.measured.at(0).samples);
  EXPECT_EQ(copy.measured.at(0).detail, "tx");
  EXPECT_EQ(copy.measured.at(0).role, record::Measured::Role::kBeside);
  EXPECT_EQ(copy.measured.at(0).axis, report.measured.at(0).axis);
  EXPECT_EQ(copy.measured.at(0).unread, record::Measured::Unread::kNotReadable);
  EXPECT_EQ(copy.measured.at(0).about, report.measured.at(0).about);
  EXPECT_EQ(copy.failures.at(0).rank, -1);
  EXPECT_EQ(copy.failures.at(0).where, "a.cc:3");
  EXPECT_EQ(copy.notes, report.notes);
}

TEST(CaseReport, KeepsANaN) {
  CaseReport report;
  report.measured.push_back(measured({std::nan(""), 1}));
  EXPECT_TRUE(std::isnan(record::codec::from_bytes<CaseReport>(record::codec::to_bytes(report))
                             .measured.at(0)
                             .samples.values.at(0)));
}

TEST(CaseReport, RefusesWhatIsNone) {
  EXPECT_THROW((void)record::codec::from_bytes<CaseReport>(""), std::invalid_argument);
  EXPECT_THROW((void)record::codec::from_bytes<CaseReport>("{}"), std::invalid_argument);
}

TEST(TestPlan, SkippedCasesExtendTheFilter) {
  EXPECT_EQ(without_cases("*", {}), "*");
  EXPECT_EQ(without_cases("*", {"A.B", "A.C"}), "*-A.B:A.C");
  EXPECT_EQ(without_cases("A.*-A.X", {"A.B"}), "A.*-A.X:A.B");
}

// An abstract name's address.
std::pair<sockaddr_un, socklen_t> address_of(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())};
}

bool listens_at(const std::string& name) {
  const auto [address, length] = address_of(name);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  return bind(fd, reinterpret_cast<const sockaddr*>(&address), length) == 0 && listen(fd, 8) == 0;
}

// Binds these names as another user: root can become one; else this test is the other user, and the lock another one's.
class Stranger {
 public:
  explicit Stranger(const std::string& name, int more = 0) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    child_ = fork();
    if (child_ == 0) {
      if (geteuid() == 0 && setuid(kNobody) != 0) _exit(1);
      bool bound = listens_at(name);
      for (int i = 1; i <= more; ++i) bound = bound && listens_at(fmt::format("{}/{}", name, i));
      (void)!write(ready[1], bound ? "y" : "n", 1);
      pause();
      _exit(0);
    }
    char bound = 'n';
    EXPECT_EQ(read(ready[0], &bound, 1), 1);
    EXPECT_EQ(bound, 'y');
    close(ready[0]);
    close(ready[1]);
  }
  ~Stranger() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;

  [[nodiscard]] static uid_t somebody_else() { return geteuid() == 0 ? 0 : geteuid() + 1; }
  [[nodiscard]] pid_t pid() const { return child_; }

 private:
  static constexpr uid_t kNobody = 65534;
  pid_t child_ = -1;
};

// Abstract names belong to whoever binds them first.
TEST(NodeLock, AnotherUsersProcessBlocksNobody) {
  const std::string name = "rigproof/stranger/" + std::to_string(getpid());
  const Stranger stranger(name);
  const uid_t user = Stranger::somebody_else();
  const NodeLock lock(std::chrono::milliseconds(0), name, user);
  ASSERT_EQ(lock.strangers().size(), 1u);
  EXPECT_THAT(lock.strangers()[0], testing::HasSubstr(fmt::format("process {} (", stranger.pid())));
}

TEST(NodeLock, BesideAStrangerItIsStillHeldByOneAtATime) {
  const std::string name = "rigproof/stranger2/" + std::to_string(getpid());
  const Stranger stranger(name);
  if (geteuid() != 0) GTEST_SKIP() << "two users are needed: only root can be both";
  std::optional<NodeLock> first(std::in_place, std::chrono::milliseconds(0), name);
  EXPECT_THROW(NodeLock(std::chrono::milliseconds(0), name), std::runtime_error);
  first.reset();
  EXPECT_NO_THROW(NodeLock(std::chrono::milliseconds(0), name));
}

TEST(NodeLock, NoNumberOfNamesThatAnotherUserBindsBlocksAnybody) {
  const std::string name = "rigproof/strangers/" + std::to_string(getpid());
  const Stranger stranger(name, 200);
  const NodeLock lock(std::chrono::milliseconds(0), name, Stranger::somebody_else());
  EXPECT_FALSE(lock.strangers().empty());
}

// Anybody may connect to the holder, and nobody accepts.
TEST(NodeLock, AFullQueueHidesNoHolder) {
  const std::string name = "rigproof/queue/" + std::to_string(getpid());
  const NodeLock lock(std::chrono::milliseconds(0), name);
  std::ifstream sockets("/proc/net/unix");
  std::string held;
  for (std::string word; sockets >> word;)
    if (word.starts_with("@" + name)) held = word.substr(1);
  ASSERT_FALSE(held.empty());
  const auto [address, length] = address_of(held);
  std::vector<process::FileDescriptor> queue;
  do {
    queue.emplace_back(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0));
    ASSERT_TRUE(queue.back());
  } while (connect(queue.back().get(), reinterpret_cast<const sockaddr*>(&address), length) == 0);
  ASSERT_EQ(errno, EAGAIN);
  EXPECT_THROW(NodeLock(std::chrono::milliseconds(0), name), std::runtime_error);
}

TEST(NodeLock, OfManyThatBeginTogetherOneHoldsItAtATime) {
  const std::string name = "rigproof/together/" + std::to_string(getpid());
  std::atomic<int> holders = 0, turns = 0;
  std::atomic<bool> overlap = false;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        const NodeLock lock(std::chrono::seconds(60), name);
        if (++holders > 1) overlap = true;
        ++turns;
        --holders;
      });
  }
  EXPECT_FALSE(overlap);
  EXPECT_EQ(turns, 4);
}

TEST(NodeLock, IsHeldByOneAtATime) {
  const std::string name = "rigproof/test/" + std::to_string(getpid());
  std::optional<NodeLock> first(std::in_place, std::chrono::milliseconds(0), name);
  try {
    const NodeLock second(std::chrono::milliseconds(0), name);
    FAIL() << "two hold it";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("process " + std::to_string(getpid())));
  }
  first.reset();
  EXPECT_NO_THROW(NodeLock(std::chrono::milliseconds(0), name));
}

Rig two_nodes() {
  const auto half = [](std::string address) {
    return Half{
        "eth0", {}, std::move(address), 24, {}, DataRate::gigabits_per_second(1), DataSize::bytes(9000)};
  };
  const auto node = [&](std::string name, std::string address) {
    const Port port{"port0", DataRate::gigabits_per_second(2), {}, {half(std::move(address))}};
    return Node{std::move(name), "host", {}, {port}};
  };
  Rig rig;
  rig.nodes = {node("node-a", "198.18.1.1"), node("node-b", "198.18.1.2")};
  return rig;
}

TEST(Identity, ANodeIsKnownByItsAddresses) {
  EXPECT_EQ(wrong_node(two_nodes(), 0, {"127.0.0.1", "198.18.1.1"}), "");
  EXPECT_THAT(wrong_node(two_nodes(), 1, {"127.0.0.1", "198.18.1.1"}),
              HasSubstr("has the addresses of node-a, not of node-b"));
}

TEST(Identity, AHostWithoutAnyAddressIsLeftToTheSuites) {
  EXPECT_EQ(wrong_node(two_nodes(), 1, {"127.0.0.1"}), "");
}

TEST(Identity, ReadsThisHostsAddresses) { EXPECT_TRUE(local_addresses().contains("127.0.0.1")); }

SuiteOptions parse(std::vector<std::string> arguments) {
  static std::vector<std::string> kept;
  kept = std::move(arguments);
  kept.insert(kept.begin(), "suite");
  std::vector<char*> argv;
  for (std::string& argument : kept) argv.push_back(argument.data());
  return parse_suite_options(static_cast<int>(argv.size()), argv.data());
}

TEST(PlaceAmongHosts, IsThatOfTheSurestNameThatFitsOne) {
  const std::vector<std::string> hosts{"node-b/10.0.0.2", "node-a/10.0.0.1"};
  EXPECT_EQ(place_among(hosts, {{}, {"127.0.0.1", "10.0.0.1"}, {"login"}}), 1);
  EXPECT_EQ(place_among(hosts, {{"node-b"}, {"10.0.0.1"}, {}}), 0);
  EXPECT_EQ(place_among(hosts, {{}, {"10.0.0.1", "10.0.0.2"}, {"node-a"}}), 1);
}
TEST(PlaceAmongHosts, IsNoneOfAStranger) {
  EXPECT_EQ(place_among({"node-a/10.0.0.1"}, {{}, {"10.0.0.9"}, {"node"}}), std::nullopt);
  EXPECT_EQ(place_among({}, {{"node-a"}, {}, {}}), std::nullopt);
}

TEST(SuiteOptions, TakesItsOwnAndLeavesGoogleTests) {
  const SuiteOptions options =
      parse({"--rig=r.toml", "--gtest_filter=A-B", "--thresholds", "t.toml", "--profile=smoke"});
  EXPECT_EQ(options.rig, "r.toml");
  EXPECT_EQ(options.thresholds, std::vector<std::filesystem::path>{"t.toml"});
  EXPECT_EQ(options.profile, Profile::kSmoke);
  ASSERT_EQ(options.rest.size(), 2u);
  EXPECT_STREQ(options.rest[1], "--gtest_filter=A-B");
}

TEST(SuiteOptions, RefusesWhatItCannotUse) {
  EXPECT_THROW((void)parse({}), UsageError);
  EXPECT_THROW((void)parse({"--rig", "r", "--thresholds"}), UsageError);
  EXPECT_THROW((void)parse({"--rig", "r", "--thresholds", "t", "--launch", "0"}), UsageError);
  EXPECT_THROW((void)parse({"--rig", "r", "--thresholds", "t", "--launch", "2x"}), UsageError);
  EXPECT_THROW((void)parse({"--rig", "r", "--thresholds", "t", "more"}), UsageError);
  EXPECT_THROW((void)parse({"--rig", "r", "--thresholds", "t", "--profile", "fast"}), UsageError);
}

TEST(SuiteOptions, AListAndADescriptionNeedNoLimits) {
  EXPECT_TRUE(parse({"--rig", "r", "--gtest_list_tests"}).list);
  EXPECT_TRUE(parse({"--rig", "r", "--describe"}).describe);
}

TEST(SuiteOptions, AJournalSaysTheRest) {
  const SuiteOptions options = parse({"--journal", "out/journal.jsonl"});
  EXPECT_EQ(options.journal, "out/journal.jsonl");
  EXPECT_TRUE(options.rig.empty());
}

TEST(ConsoleLine, NamesTheMeasurementTheLimitAndTheVerdict) {
  judge::JudgedMeasurement measurement;
  measurement.id = "tcp.rate.half";
  measurement.node = "node-b";
  measurement.detail = "tx";
  measurement.samples = {Dimension::kDataRate, {0.9e9}};
  measurement.unit = "Gbit/s";
  measurement.remedy = {.hint = {"Check the cable."}};
  measurement.judgement = {judge::Verdict::kFail, 0.9e9, -0.053, ">= 0.95 Gbit/s", "too slow"};
  EXPECT_EQ(
      console_line(measurement),
      "tcp.rate.half on node-b (tx): 0.9 Gbit/s fail (limit >= 0.95 Gbit/s, margin -5.3 %)\n    too slow\n"
      "    remedy: Check the cable.");
}

TEST(ConsoleLine, AnAdviceHasItsRemedyToo) {
  judge::JudgedMeasurement measurement;
  measurement.id = "preflight.memlock";
  measurement.node = "node-b";
  measurement.text = "not read: no such file";
  measurement.unread = record::Measured::Unread::kNotReadable;
  measurement.remedy = {.check = {"ulimit -l"}};
  measurement.judgement = {judge::Verdict::kAdvice, 0, {}, "unlimited", "not read: no such file"};
  EXPECT_EQ(console_line(measurement),
            "preflight.memlock on node-b: advice (limit unlimited)\n    not read: no such file\n    remedy: "
            "check: ulimit -l");
}

// What damaged frames the cards at a pulled cable count is no fault; another cable's cards are held to theirs.
TEST(PulledCable, LeavesTheCardsOfOthersWatched) {
  const auto seen = [](const char* device) {
    return record::Watched{.id = "load.damaged", .subject = device};
  };
  Port port{
      .name = "port0",
      .rate = DataRate::gigabits_per_second(200),
      .counters = CounterSource{.kind = CounterSource::Kind::kEthtool, .device = "p0", .name_space = {}},
      .halves = {}};
  for (const char* name : {"0", "1"})
    port.halves.push_back({.netdev = std::string("eth") + name,
                           .rdma = std::string("mlx5_") + name,
                           .address = "198.18.1.1",
                           .prefix_length = 24,
                           .mac = {},
                           .rate = DataRate::gigabits_per_second(100),
                           .mtu = DataSize::bytes(9000)});
  record::Watched of_bond = seen("card0");
  of_bond.halves = {"eth0"};
  const std::vector<record::Watched> left =
      seen_of_others({seen("p0"), seen("eth1"), seen("mlx5_0"), of_bond, seen("eth2"), seen("mlx5_2")}, port);
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].subject, "eth2");
  EXPECT_EQ(left[1].subject, "mlx5_2");
}

TEST(SuiteOptions, TakesSeveralThresholds) {
  EXPECT_EQ(parse({"--rig", "r", "--thresholds", "a", "--thresholds", "b"}).thresholds,
            (std::vector<std::filesystem::path>{"a", "b"}));
}

}  // namespace
}  // namespace rigproof
