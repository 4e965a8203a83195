// What changed on the rig between two sides, and what a gate says to it.
#include "framework/compare/what_changed.h"

#include <gmock/gmock.h>

namespace rigproof {
namespace {

using compare::Announced;
using compare::WhatChanged;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Facts = std::map<std::string, record::NodeFacts>;

judge::JudgedRun run_with(Facts facts, const std::string& kind = "hardware") {
  judge::JudgedRun run;
  run.start.rig_kind = kind;
  run.nodes = std::move(facts);
  return run;
}

Facts rig_with(const std::string& firmware_a, const std::string& firmware_b) {
  Facts facts;
  for (const char* node : {"node-a", "node-b"})
    facts[node] = {{"", {{"kernel", "6.11.0-1016"}, {"boot", "f00d"}, {"serial", std::string("S") + node}}},
                   {"enp1s0f0np0",
                    {{"firmware", (node[5] == 'a' ? firmware_a : firmware_b) + " (NVD0000000087)"},
                     {"permanent_mac", std::string("4c:bb:47:00:00:0") + node[5]},
                     {"link", "up"}}},
                   {"rocep1s0f0", {{"firmware", node[5] == 'a' ? firmware_a : firmware_b}}},
                   {"enp1s0f0np0-module", {{"serial", "C1"}, {"temperature", "41 C"}}}};
  return facts;
}

WhatChanged between(const Facts& before, const Facts& after, const std::string& kind = "hardware") {
  const judge::JudgedRun base = run_with(before, kind), candidate = run_with(after, kind);
  return compare::what_changed({&base}, {&candidate});
}

// "1: ..." for each objection.
std::vector<std::string> objections(const WhatChanged& changed, const std::vector<std::string>& expected) {
  std::vector<std::string> all;
  for (const compare::Objection& objection : Announced(expected).objections(changed))
    all.push_back(std::to_string(objection.exit_code) + ": " + objection.why);
  return all;
}

const char *kOld = "28.45.1200", *kNew = "28.46.1006";

TEST(WhatChanged, IsTheFirmwareOfBothNodesInOneLine) {
  const WhatChanged changed = between(rig_with(kOld, kOld), rig_with(kNew, kNew));
  EXPECT_EQ(to_text(changed), "NIC firmware 28.45.1200 -> 28.46.1006 on node-a, node-b");
  EXPECT_EQ(changed.facts.at(0).kind, "nic.firmware");
}
// Catches: a netdev with a number in its name taken for a GPU.
TEST(WhatChanged, KnowsADeviceFromAGpu) {
  const auto with = [](const char* version) {
    return Facts{{"node-a", {{"eth0", {{"firmware", version}}}, {"gpu0", {{"vbios", version}}}}}};
  };
  const WhatChanged changed = between(with("1"), with("2"));
  ASSERT_EQ(changed.facts.size(), 2U);
  EXPECT_EQ(changed.facts[0].kind, "gpu.vbios");
  EXPECT_EQ(changed.facts[1].kind, "nic.firmware");
}
TEST(WhatChanged, IsNothingWhereOnlyTheTimeOfReadingDiffers) {
  Facts later = rig_with(kOld, kOld);
  later["node-a"][""]["boot"] = "beef";
  later["node-a"]["enp1s0f0np0-module"]["temperature"] = "45 C";
  const WhatChanged changed = between(rig_with(kOld, kOld), later);
  EXPECT_THAT(changed.facts, IsEmpty());
  EXPECT_GT(changed.known, 8u);
}
TEST(WhatChanged, IsNothingThatOnlyOneSideRead) {
  Facts more = rig_with(kOld, kOld);
  more["node-a"][""]["nccl"] = "2.27.7";
  EXPECT_THAT(between(rig_with(kOld, kOld), more).facts, IsEmpty());
}
// Its addresses are made at each start.
TEST(WhatChanged, IsNoAddressOfAnEmulatedRig) {
  Facts other = rig_with(kOld, kOld);
  other["node-a"]["enp1s0f0np0"]["permanent_mac"] = "02:00:00:00:00:01";
  EXPECT_THAT(between(rig_with(kOld, kOld), other, "model").facts, IsEmpty());
  EXPECT_EQ(between(rig_with(kOld, kOld), other).facts.size(), 1u);
}
TEST(WhatChanged, NamesACableThatWasExchanged) {
  Facts other = rig_with(kOld, kOld);
  other["node-b"]["enp1s0f0np0-module"]["serial"] = "C2";
  EXPECT_EQ(to_text(between(rig_with(kOld, kOld), other)), "cable's serial C1 -> C2 on node-b");
}
TEST(WhatChanged, TellsCandidateRunsApart) {
  const judge::JudgedRun base = run_with(rig_with(kOld, kOld)), first = run_with(rig_with(kNew, kNew)),
                         second = run_with(rig_with(kNew, "28.47.1000"));
  const WhatChanged changed = compare::what_changed({&base}, {&first, &second});
  EXPECT_THAT(changed.unsteady, ElementsAre(HasSubstr("28.46.1006, then 28.47.1000")));
}
TEST(WhatChanged, KeepsHostileTextPrintable) {
  Facts hostile = rig_with(std::string("\x1b[31m") + std::string(1 << 16, 'x'), kOld);
  const std::string text = to_text(between(rig_with(kOld, kOld), hostile));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_LT(text.size(), 300u);
}

TEST(Announced, OpensForWhatWasAnnouncedAlone) {
  const WhatChanged changed = between(rig_with(kOld, kOld), rig_with(kNew, kNew));
  for (const char* word : {"nic.firmware", "nic", "any"})
    EXPECT_THAT(objections(changed, {word}), IsEmpty()) << word;
  for (const std::vector<std::string>& words : {std::vector<std::string>{}, {"nothing"}})
    EXPECT_THAT(objections(changed, words),
                ElementsAre(AllOf(HasSubstr("1: not announced: NIC firmware 28.45.1200 -> 28.46.1006"),
                                  HasSubstr("--expect nic.firmware"))));
}
TEST(Announced, AKernelThatCameWithItIsAFinding) {
  Facts after = rig_with(kNew, kNew);
  after["node-a"][""]["kernel"] = after["node-b"][""]["kernel"] = "6.14.0-1003";
  EXPECT_THAT(
      objections(between(rig_with(kOld, kOld), after), {"nic.firmware"}),
      ElementsAre(HasSubstr("1: not announced: kernel 6.11.0-1016 -> 6.14.0-1003 on node-a, node-b")));
}
TEST(Announced, APeerThatWasLeftOutIsAFinding) {
  const WhatChanged changed = between(rig_with(kOld, kOld), rig_with(kNew, kOld));
  EXPECT_THAT(objections(changed, {"nic.firmware"}),
              ElementsAre(AllOf(HasSubstr("1: "), HasSubstr("on node-a, but not on node-b"))));
  EXPECT_THAT(objections(changed, {"nic.firmware@node-a"}), IsEmpty());
  EXPECT_THAT(objections(changed, {"nic.firmware@node-b"}), Not(IsEmpty()));
}
TEST(Announced, ANodeThatCatchesUpWithItsPeerLeavesNobodyOut) {
  EXPECT_THAT(objections(between(rig_with(kOld, kNew), rig_with(kNew, kNew)), {"nic.firmware"}), IsEmpty());
}
TEST(Announced, OneExchangedMachineLeavesNobodyOut) {
  Facts after = rig_with(kOld, kOld);
  after["node-b"][""]["serial"] = "S9";
  EXPECT_THAT(objections(between(rig_with(kOld, kOld), after), {"node.hardware"}), IsEmpty());
}
TEST(Announced, NothingChangedIsNotProven) {
  const WhatChanged same = between(rig_with(kOld, kOld), rig_with(kOld, kOld));
  EXPECT_THAT(objections(same, {}), ElementsAre(AllOf(HasSubstr("3: "), HasSubstr("nothing to gate"))));
  EXPECT_THAT(objections(same, {"any"}), ElementsAre(HasSubstr("nothing to gate")));
  EXPECT_THAT(objections(same, {"nothing"}), IsEmpty());
}
TEST(Announced, AnAnnouncedChangeThatIsNotThereIsNotProven) {
  Facts after = rig_with(kOld, kOld);
  after["node-a"][""]["kernel"] = after["node-b"][""]["kernel"] = "6.14.0-1003";
  EXPECT_THAT(objections(between(rig_with(kOld, kOld), after), {"kernel", "nic.firmware"}),
              ElementsAre(HasSubstr("3: announced, but not changed: nic.firmware")));
}
TEST(Announced, WhatIsStagedAndNotActiveIsNotProven) {
  Facts after = rig_with(kNew, kNew);
  after["node-b"]["staged"]["fw.version of 0000:01:00.0"] = "28.47.1000 is stored, 28.46.1006 runs. Reboot";
  const WhatChanged changed = between(rig_with(kOld, kOld), after);
  EXPECT_THAT(objections(changed, {"nic.firmware"}),
              ElementsAre(AllOf(HasSubstr("3: staged and not active: node-b: "), HasSubstr("Reboot"))));
  EXPECT_THAT(objections(between(after, after), {"nothing"}), IsEmpty());
}
TEST(Announced, RefusesWordsThatMeanNothing) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"nic.firmwear"},
                                                {""},
                                                {"@node-a"},
                                                {"any@node-a"},
                                                {"nothing", "kernel"},
                                                {"any", "kernel"}})
    EXPECT_THROW((void)Announced(words), std::invalid_argument) << words.front();
  try {
    (void)Announced({"kernal"});
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'kernel'"));
  }
}

}  // namespace
}  // namespace rigproof
