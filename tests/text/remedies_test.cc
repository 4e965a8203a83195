#include "reports/text/describe.h"

#include <gmock/gmock.h>

#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

judge::JudgedMeasurement missed_with(Remedy remedy, const std::string& node) {
  judge::JudgedMeasurement measurement = missed("tcp.rate");
  measurement.remedy = std::move(remedy);
  measurement.node = node;
  return measurement;
}

judge::JudgedRun run_with(std::vector<judge::JudgedMeasurement> measurements) {
  return run_of({ending("A.B/c", std::move(measurements))});
}

std::vector<std::string> lines_of(const judge::JudgedRun& run) {
  std::vector<std::string> lines;
  for (const text::RemedyText& remedy : text::remedies_of(run))
    lines.insert(lines.end(), remedy.lines.begin(), remedy.lines.end());
  return lines;
}

TEST(Remedies, NameTheNodeBehindTheCommand) {
  EXPECT_THAT(lines_of(run_with({missed_with({.fix = {"sudo ip link set eth0 mtu 9000"}}, "node-b")})),
              ElementsAre("sudo ip link set eth0 mtu 9000   # node-b: fix"));
}
TEST(Remedies, AreLinesThatAShellTakes) {
  EXPECT_THAT(
      lines_of(run_with({missed_with({.check = {"ethtool eth0"}, .hint = {"Then the cable."}}, "node-b")})),
      ElementsAre("ethtool eth0   # node-b: check", "# node-b: Then the cable."));
}
TEST(Remedies, SayEachThingOnce) {
  judge::JudgedMeasurement again = missed_with({.check = {"look"}}, "node-b");
  again.detail = "tx";
  EXPECT_THAT(lines_of(run_with({missed_with({.check = {"look"}}, "node-b"), again,
                                 missed_with({.check = {"look"}}, "node-a")})),
              testing::UnorderedElementsAre("look   # node-b: check", "look   # node-a: check"));
}
TEST(Remedies, NameTheirLimit) {
  judge::JudgedMeasurement other = missed_with({.check = {"ping"}}, "node-b");
  other.id = "mtu.path";
  const std::vector<text::RemedyText> remedies = text::remedies_of(run_with({other}));
  ASSERT_EQ(remedies.size(), 1u);
  EXPECT_EQ(remedies[0].id, "mtu.path");
}
TEST(Remedies, OfKnownFaultsComeFirst) {
  judge::JudgedRun run = run_with({missed_with({.check = {"ping"}}, "node-b")});
  judge::JudgedMeasurement sign = missed("tcp.rate");
  sign.detail = "tx";
  run.faults.push_back({.name = "a slow NIC",
                        .certainty = "likely",
                        .node = "node-b",
                        .signs = {sign, good()},
                        .basis = {"vendor", "a guide", "it is slow"},
                        .remedy = {.fix = {"sudo reboot"}}});
  EXPECT_THAT(
      lines_of(run),
      ElementsAre("# a slow NIC on node-b (likely): tcp.rate tx 0.51 Gbit/s, tcp.rate.half 0.978 Gbit/s",
                  "sudo reboot   # node-b: fix", "# source: vendor: a guide: \"it is slow\"",
                  "ping   # node-b: check"));
}
TEST(AdviceOf, IsWhatWasFoundAndWhatToType) {
  const std::vector<text::Advice> list = text::advice_of(run_with({advised(), good()}));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].found,
            "preflight.memlock on node-a: 0.51 Gbit/s (limit >= 0.95 Gbit/s (95 % of half.rate), margin "
            "-46.3 %, advice)");
  EXPECT_THAT(text::lines_of(list[0].remedy, list[0].node),
              ElementsAre("sudo systemctl edit ssh   # node-a: fix", "# node-a: LimitMEMLOCK"));
  EXPECT_THAT(text::advice_of(run_with({missed(), good()})), IsEmpty());
  EXPECT_THAT(lines_of(run_with({advised()})), IsEmpty());
}
// Catches: advice of the second iteration that a first without it hides.
TEST(AdviceOf, ARepeatedCaseIsThatOfEachIteration) {
  Ending again = ending("A.B", {good(), advised()});
  again.iteration = 2;
  Story story;
  story.launch().plan({"A.B"}).run(ending("A.B", {good()})).run(again).done().end();
  EXPECT_EQ(text::advice_of(story.record()).size(), 1u);
}
TEST(Remedies, AreNoneOfASoundRun) { EXPECT_THAT(lines_of(run_with({good()})), IsEmpty()); }

}  // namespace
}  // namespace rigproof
