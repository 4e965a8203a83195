// The catalogue that comes with Rigproof, each fault both ways: it is found by its signs, and not by those of its nearest
// neighbour. Then what a known fault explains.
#include "framework/judge/known_faults.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "framework/judge/run_judge.h"
#include "framework/rig/subjects.h"
#include "tests/judge/judging.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

using judge::KnownFault;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kCatalogue = RIGPROOF_SOURCE_DIR "/thresholds/faults/known-faults.toml";

struct Seen {
  std::string id, value;  // a quantity, or a text
  std::string node = "node-b";
};

judge::JudgedMeasurement measured(const Seen& seen) {
  judge::JudgedMeasurement m = recorded(seen.id);
  m.node = seen.node;
  try {
    const Quantity quantity = parse_quantity(seen.value);
    m.samples = {quantity.dimension, {quantity.value}};
  } catch (const std::invalid_argument&) {
    m.text = seen.value;
    m.samples = {Dimension::kCount, {1}};
  }
  m.judgement.verdict = judge::Verdict::kFail;
  m.remedy = {.fix = {"type this"}};
  return m;
}

SubjectPlace place_of(const Seen& seen) {
  using Kind = SubjectPlace::Kind;
  const std::string suite = suite_of(seen.id);
  const std::string other = seen.node == "node-b" ? "node-a" : "node-b";
  if (suite == "host" || suite == "collective" || seen.id.starts_with("preflight.gpu") ||
      seen.id == "preflight.unpinnable")
    return {Kind::kNode, "", {seen.node}};
  if (suite == "preflight") return {Kind::kHalf, "enp1s0f0np0", {seen.node}};
  if (suite == "switch") return {Kind::kPort, "port0", {seen.node}};
  if (seen.id == "mtu.forwarded") return {Kind::kForwarded, "", {other, seen.node}};
  return {Kind::kRail, "rail0", {other, seen.node}};
}

// A run with one case for each measurement, all of which failed.
judge::JudgedRun run_that_saw(const std::vector<Seen>& all) {
  judge::JudgedSuite suite{.name = "tcp", .cases = {}, .started = {}, .launches = {}};
  for (const Seen& seen : all) {
    judge::JudgedCase test{
        .suite = "tcp", .plan = {seen.id, "the subject", place_of(seen)}, .attempts = {}, .waiver = {}};
    test.attempts.push_back({.launch = 1,
                             .iteration = 1,
                             .started = {},
                             .measurements = {measured(seen)},
                             .failures = {},
                             .status = judge::Status::kFailed});
    suite.cases.push_back(std::move(test));
  }
  judge::JudgedRun run;
  run.suites.push_back(std::move(suite));
  return run;
}

judge::JudgeContext context_of(const std::filesystem::path& catalogue) {
  judge::JudgeContext context;
  context.faults = read_faults({toml::Document::load(catalogue)}, rig_fact_dimensions());
  context.subjects = SubjectFinder(load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml"));
  return context;
}

std::vector<KnownFault> found(const std::vector<Seen>& all) {
  return faults_of(run_that_saw(all), context_of(kCatalogue));
}

std::vector<std::string> names(const std::vector<KnownFault>& faults) {
  std::vector<std::string> names;
  for (const KnownFault& fault : faults) names.push_back(fault.name);
  return names;
}

// Links of 200 Gbit/s with all their lanes, and two rates.
std::vector<Seen> link_that_carries(const std::string& tcp, const std::string& rdma,
                                    const std::string& lanes = "4 count") {
  return {{"tcp.rate.half", tcp},
          {"rdma.write.rate.half", rdma},
          {"preflight.rate", "200 Gbit/s"},
          {"preflight.pcie.lanes", lanes},
          {"preflight.pcie.lane_rate", "32 Gbit/s"},
          {"load.damaged", "0 count"}};
}
std::vector<Seen> with(std::vector<Seen> seen, Seen more) {
  seen.push_back(std::move(more));
  return seen;
}

struct BothWays {
  std::vector<Seen> signs;
  std::vector<std::vector<Seen>> neighbours;
};

const std::map<std::string, BothWays>& both_ways() {
  static const std::map<std::string, BothWays> all{
      {"no cable, so the ConnectX-7 is switched off",
       {{{"preflight.present", "0 count"}, {"preflight.gpu.capability", "12.1"}},
        // One function of several is gone; a host that is no Spark.
        {{{"preflight.present", "0 count"},
          {"preflight.present", "1 count"},
          {"preflight.gpu.capability", "12.1"}},
         {{"preflight.present", "0 count"}, {"preflight.gpu.capability", "9.0"}},
         {{"preflight.present", "0 count"}, {"preflight.gpu.capability", "12.1", "node-a"}}}}},
      {"ConnectX-7 left in a degraded initialization",
       {link_that_carries("12.86 Gbit/s", "13.23 Gbit/s"),
        // TCP alone is slow; too few lanes; a damaged cable; a sound link.
        {link_that_carries("13 Gbit/s", "97 Gbit/s"), link_that_carries("13 Gbit/s", "13 Gbit/s", "2 count"),
         with(link_that_carries("13 Gbit/s", "13 Gbit/s"), {"load.damaged", "9 count"}),
         link_that_carries("96 Gbit/s", "97 Gbit/s")}}},
      {"a Spark whose second NIC controller has two lanes",
       {{{"preflight.pcie.lanes", "2 count"}, {"preflight.gpu.capability", "12.1"}},
        // A bad seat in another host; a sound Spark.
        {{{"preflight.pcie.lanes", "2 count"}, {"preflight.gpu.capability", "9.0"}},
         {{"preflight.pcie.lanes", "4 count"}, {"preflight.gpu.capability", "12.1"}}}}},
      {"PCIe access control (ACS) sends what GPU and NIC exchange through the root",
       {{{"preflight.pcie.acs_redirects", "4 count"}, {"collective.nccl.all.busbw.all_reduce", "9.84 GB/s"}},
        // The wire is slow, too; ACS is off.
        {{{"preflight.pcie.acs_redirects", "4 count"},
          {"collective.nccl.all.busbw.all_reduce", "9.84 GB/s"},
          {"rdma.write.rate.half", "20 Gbit/s"}},
         {{"preflight.pcie.acs_redirects", "0 count"},
          {"collective.nccl.all.busbw.all_reduce", "9.84 GB/s"}}}}},
      {"NCCL_IB_GID_INDEX is the index of another GID since the table changed",
       {{{"preflight.nccl.gid", "1 count"}, {"preflight.rdma.gid", "1 count"}},
        // A device without the GID; no index is set.
        {{{"preflight.nccl.gid", "1 count"},
          {"preflight.rdma.gid", "1 count"},
          {"preflight.rdma.gid", "0 count"}},
         {{"preflight.nccl.gid", "0 count"}, {"preflight.rdma.gid", "1 count"}}}}},
      {"the MTU was reset, the configuration still has it",
       {{{"preflight.mtu", "1500 B"}, {"preflight.persistent.mtu", "9000 B"}},
        {{{"preflight.mtu", "1500 B"}, {"preflight.persistent.mtu", "1500 B"}},
         {{"preflight.mtu", "9000 B"}, {"preflight.persistent.mtu", "9000 B"}}}}},
      {"the kernel keeps memory for kexec handover (KHO)",
       {{{"preflight.unpinnable", "9.3 GiB"}}, {{{"preflight.unpinnable", "0 B"}}}}},
      {"the GPU is in its hidden slow state",
       {{{"host.gpu.gemv_share", "30 %"}, {"host.gpu.copy", "220 GB/s"}, {"host.gpu.clock", "97 %"}},
        {{{"host.gpu.gemv_share", "30 %"}, {"host.gpu.copy", "50 GB/s"}, {"host.gpu.clock", "97 %"}},
         {{"host.gpu.gemv_share", "90 %"}, {"host.gpu.copy", "220 GB/s"}, {"host.gpu.clock", "97 %"}}}}},
      {"the node is held in a low-power state",
       {{{"host.gpu.clock", "28 %"}, {"preflight.gpu.throttling", "none"}},
        {{{"host.gpu.clock", "28 %"}, {"preflight.gpu.throttling", "hardware thermal slowdown"}},
         {{"host.gpu.clock", "97 %"}, {"preflight.gpu.throttling", "none"}}}}},
      {"a node between does not forward: Docker drops what passes through",
       {{{"mtu.forwarded", "0 B"}, {"link.heard", "1 count"}},
        {{{"mtu.forwarded", "0 B"}, {"link.heard", "1 count"}, {"link.heard", "0 count"}},
         {{"mtu.forwarded", "9000 B"}, {"link.heard", "1 count"}}}}},
      {"one of several ways is dead: a member of a LAG, or an equal route",
       {{{"mtu.flows", "48 %"}}, {{{"mtu.flows", "0 %"}}, {{"mtu.flows", "100 %"}}}}},
      {"another machine has the half's IPv6 address",
       {{{"preflight.address.duplicate", "1 count"}}, {{{"preflight.address.duplicate", "0 count"}}}}},
      {"two machines have one address",
       {{{"link.answered", "0 count"}, {"link.heard", "1 count"}},
        {{{"link.answered", "0 count"}, {"link.heard", "0 count"}},
         {{"link.answered", "1 count"}, {"link.heard", "1 count"}}}}},
      {"the switch forwards by its CPU: the bridge is not offloaded",
       {with(link_that_carries("5 Gbit/s", "5 Gbit/s"), {"switch.status", "link-ok"}),
        // A straight cable; a NIC in a degraded initialization behind a switch finds the other fault.
        {link_that_carries("5 Gbit/s", "5 Gbit/s"),
         with(link_that_carries("5 Gbit/s", "97 Gbit/s"), {"switch.status", "link-ok"}),
         with(link_that_carries("0 bit/s", "0 bit/s"), {"switch.status", "link-ok"})}}},
      {"NCCL that can lose its proxy slots and hang on Arm",
       {{{"collective.nccl.version", "2.28.9"}, {"preflight.gpu.capability", "12.1"}},
        {{{"collective.nccl.version", "2.29.3"}, {"preflight.gpu.capability", "12.1"}},
         {{"collective.nccl.version", "2.28.9"}, {"preflight.gpu.capability", "9.0"}}}}},
  };
  return all;
}

TEST(Catalogue, HasATestForEachFault) {
  const judge::JudgeContext context = context_of(kCatalogue);
  EXPECT_EQ(context.faults.size(), both_ways().size());
  for (const Fault& fault : context.faults) EXPECT_TRUE(both_ways().contains(fault.name)) << fault.name;
}
TEST(Catalogue, EachFaultIsFoundByItsSigns) {
  for (const auto& [name, both] : both_ways()) {
    const std::vector<KnownFault> faults = found(both.signs);
    ASSERT_THAT(names(faults), ElementsAre(name));
    EXPECT_EQ(faults[0].node, "node-b");
  }
}
TEST(Catalogue, NoFaultIsFoundByTheSignsOfItsNeighbours) {
  for (const auto& [name, both] : both_ways())
    for (const std::vector<Seen>& neighbour : both.neighbours)
      EXPECT_THAT(names(found(neighbour)), IsEmpty()) << name;
}
TEST(Catalogue, ASlowNicBehindASwitchIsNoSlowSwitch) {
  EXPECT_THAT(names(found(with(link_that_carries("13 Gbit/s", "13 Gbit/s"), {"switch.status", "link-ok"}))),
              ElementsAre("ConnectX-7 left in a degraded initialization"));
}
// A word without a value would be printed in capitals.
TEST(Catalogue, EveryWordOfARemedyIsFilledIn) {
  for (const auto& [name, both] : both_ways())
    for (const KnownFault& fault : found(both.signs))
      for (const auto& [what, step] : steps_of(fault.remedy)) {
        EXPECT_THAT(step, Not(testing::ContainsRegex("NETDEV|ADDRESS|NODE|INTERFACE|FUNCTION"))) << name;
        EXPECT_LE(step.size(), 200U) << name;
      }
}
// TCP's rate is the receiver's figure, RDMA's the sender's: of a NIC that is slow one way they are on two nodes.
TEST(AFault, IsFoundByRatesThatTheOtherEndTook) {
  std::vector<Seen> seen = link_that_carries("13 Gbit/s", "13 Gbit/s");
  seen.at(0).node = "node-a";
  EXPECT_THAT(names(found(seen)), ElementsAre("ConnectX-7 left in a degraded initialization"));
}
TEST(AFault, IsFoundByAnAdviceThatWasMissed) {
  judge::JudgedRun run = run_that_saw(
      {{"preflight.pcie.acs_redirects", "4 count"}, {"collective.nccl.all.busbw.all_reduce", "9.84 GB/s"}});
  run.suites.at(0).cases.change(1, [](judge::JudgedCase& test) {
    test.attempts.at(0).measurements.at(0).judgement.verdict = judge::Verdict::kAdvice;
  });
  EXPECT_THAT(names(faults_of(run, context_of(kCatalogue))), testing::SizeIs(1));
}
// A miss is a sign only where the limit was missed.
TEST(AFault, IsNotFoundByAMissThatWasNone) {
  judge::JudgedRun run = run_that_saw({{"preflight.pcie.acs_redirects", "4 count"}});
  EXPECT_THAT(names(faults_of(run, context_of(kCatalogue))), IsEmpty());
  run = run_that_saw(
      {{"preflight.pcie.acs_redirects", "4 count"}, {"collective.nccl.all.busbw.all_reduce", "300 GB/s"}});
  run.suites.at(0).cases.change(1, [](judge::JudgedCase& test) {
    test.attempts.at(0).measurements.at(0).judgement.verdict = judge::Verdict::kPass;
  });
  EXPECT_THAT(names(faults_of(run, context_of(kCatalogue))), IsEmpty());
}
TEST(AFault, IsNotFoundByFactsOfTwoNodes) {
  EXPECT_THAT(names(found({{"link.answered", "0 count", "node-a"}, {"link.heard", "1 count", "node-b"}})),
              IsEmpty());
}
TEST(AFault, IsNotFoundByAFactThatCouldNotBeRead) {
  judge::JudgedRun run = run_that_saw({{"preflight.unpinnable", "9 GiB"}});
  run.suites[0].cases.change(0, [](judge::JudgedCase& test) {
    test.attempts[0].measurements[0].unread = record::Measured::Unread::kNotReadable;
  });
  EXPECT_THAT(faults_of(run, context_of(kCatalogue)), IsEmpty());
}

// A run on two nodes, judged: node-b's link has no MTU, and the path to it carries none. node-a has a miss of its own.
class Explained : public testing::Test {
 protected:
  Explained() {
    run = run_that_saw({{"preflight.mtu", "1500 B"},
                        {"preflight.persistent.mtu", "9000 B"},
                        {"mtu.path", "1500 B", "node-a"},
                        {"tcp.rate.half", "50 Gbit/s"}});
    run.faults = faults_of(run, context_of(kCatalogue));
  }
  judge::JudgedCase seen(std::size_t index) {
    judge::JudgedCase buffer;
    return whole(run, run.suites[0].cases.at(index), buffer);
  }
  judge::JudgedRun run;
};
TEST_F(Explained, KeepsItsVerdictAndLosesItsRemedy) {
  const judge::JudgedCase test = seen(0);
  const judge::JudgedMeasurement& m = test.attempts.at(0).measurements.at(0);
  EXPECT_EQ(m.judgement.verdict, judge::Verdict::kFail);
  EXPECT_EQ(m.explained_by, "the MTU was reset, the configuration still has it on node-b");
  EXPECT_TRUE(m.remedy.empty());
  EXPECT_EQ(test.because, m.explained_by);
  EXPECT_EQ(test.status(), judge::Status::kFailed);
}
TEST_F(Explained, ReachesThePathsOfTheNode) { EXPECT_THAT(seen(2).because, HasSubstr("on node-b")); }
TEST_F(Explained, LeavesOtherMissesAlone) {
  EXPECT_EQ(seen(3).because, "");
  EXPECT_FALSE(seen(3).attempts.at(0).measurements.at(0).remedy.empty());
}
// A run in which tcp's case between the nodes ended in an error.
judge::JudgedCase broken_case(const std::string& explains, const std::string& node) {
  judge::JudgedRun run = run_that_saw({{"tcp.rate.half", "50 Gbit/s", "node-a"}});
  run.suites[0].cases.change(0, [](judge::JudgedCase& test) {
    test.attempts[0].measurements.clear();
    test.attempts[0].failures = {failure(kError, "exception", "cannot bind")};
    test.attempts[0].status = judge::Status::kError;
  });
  judge::JudgedCase test = run.suites[0].cases.at(0);
  explain(test, {{.name = "no NIC", .certainty = "likely", .node = node, .explains = {explains}}});
  return test;
}
TEST(AFault, ThatListsASuiteExplainsItsErrorsOnTheNode) {
  EXPECT_EQ(broken_case("tcp.*", "node-b").because, "no NIC on node-b");
  EXPECT_EQ(broken_case("tcp.rate.*", "node-b").because, "");
  EXPECT_EQ(broken_case("tcp.*", "node-c").because, "");
}
TEST_F(Explained, IsCounted) { EXPECT_EQ(run.faults.at(0).cases, 2U); }

// A record with a catalogue of its own.
std::string slow_fault(std::string_view name) {
  return fmt::format(
      "[[fault]]\nname = \"{}\"\ncertainty = \"likely\"\nwhen = [{{ id = \"tcp.rate.half\", at_most = \"0.6 "
      "Gbit/s\" }}]\n"
      "basis = {{ kind = \"policy\", source = \"s\", quote = \"q\" }}\nremedy.check = \"look\"\nexplains = "
      "[\"tcp.*\"]\n",
      name);
}
judge::JudgedRun recorded_run(const std::string& catalogue) {
  Story story;
  story.begun().faults = {record::text_file("f.toml", catalogue)};
  story.launch().plan({"A.B"}).run(ending("A.B", {missed()})).done().end();
  return story.record();
}
TEST(ARecord, IsJudgedByItsOwnCatalogue) {
  const judge::JudgedRun run = recorded_run(slow_fault("slow"));
  EXPECT_THAT(names(run.faults), ElementsAre("slow"));
  EXPECT_EQ(run.faults.at(0).cases, 1U);
  EXPECT_EQ(run.exit_code(), 1);
}
TEST(ARecord, WithABrokenCatalogueHasAProblem) {
  EXPECT_THAT(problems_of(recorded_run("[[fault]]\n")), ElementsAre(HasSubstr("f.toml:1")));
}
TEST(ARecord, WithAnotherTextOfTheCatalogueWasChanged) {
  record::RunStarted start = Story().begun();
  start.faults = {record::text_file("f.toml", "a")};
  start.faults[0].text = "b";
  EXPECT_THAT(judge::altered_texts(start), ElementsAre(HasSubstr("the text of f.toml does not match")));
}
TEST(ARecord, IsJudgedAgainByOtherFaultsOrByItsOwn) {
  record::RunStarted start = Story().begun();
  start.faults = {record::text_file("f.toml", "a")};
  EXPECT_EQ(judge::rejudged(start, {.limits = {}, .by = {}}).faults.at(0).text, "a");
  EXPECT_THAT(
      judge::rejudged(start, {.limits = {}, .by = {}, .faults = std::vector<record::TextFile>()}).faults,
      IsEmpty());
}

}  // namespace
}  // namespace rigproof
