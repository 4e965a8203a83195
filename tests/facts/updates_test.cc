// What is installed and does not run yet.
#include <gmock/gmock.h>

#include <fstream>

#include "fixtures/facts/file_tree.h"
#include "fixtures/facts/node_facts.h"
#include "fixtures/facts/readers.h"
#include "tests/facts/facts_of_tree.h"
#include "tests/support/temp_folder.h"

namespace rigproof::facts {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

template <class Put>
NodeFacts facts_by(Put put, const std::string& json) {
  const auto shared = std::make_shared<FactsWriter::Shared>("node-a");
  FactsWriter writer(shared, FileTree("/"), "test");
  put(writer, json);
  return NodeFacts(shared->document);
}

std::string devlink(const std::string& running, const std::string& stored) {
  return R"({"info":{"pci/0000:01:00.0":{"driver":"mlx5_core","versions":{"fixed":{"fw.psid":"NVD0000000087"},
      "running":{"fw.version":")" +
         running + R"("},"stored":{"fw.version":")" + stored + R"("}}},"pci/0000:02:00.0":{"driver":"x"}}})";
}

TEST(Devlink, FirmwareThatIsStoredAndDoesNotRunIsStaged) {
  EXPECT_THAT(
      facts_by(put_devlink_info, devlink("28.45.1200", "28.46.1006")).staged(),
      ElementsAre(Pair("fw.version of 0000:01:00.0",
                       AllOf(HasSubstr("28.46.1006 is stored, 28.45.1200 runs"), HasSubstr("Reboot")))));
}
TEST(Devlink, FirmwareThatRunsIsNot) {
  const NodeFacts facts = facts_by(put_devlink_info, devlink("28.46.1006", "28.46.1006"));
  EXPECT_THAT(facts.staged(), IsEmpty());
  EXPECT_EQ(facts.document().text({"firmware", "0000:01:00.0", "running", "fw.version"}), "28.46.1006");
}
TEST(Devlink, IsUnreadWhereItsAnswerIsNone) {
  for (const char* answer : {"", "[]", "{\"info\":3", "{}"})
    EXPECT_THROW((void)facts_by(put_devlink_info, answer), Unreadable) << answer;
  EXPECT_THROW((void)facts_by(put_devlink_info, R"({"info":)" + std::string(1 << 20, '[')), Unreadable);
  EXPECT_NO_THROW((void)facts_by(put_devlink_info, R"({"info":{"a/b":3,"c/d":{"versions":[]}}})"));
}
TEST(Fwupd, ADeviceThatWaitsForAReboot) {
  for (const char* state :
       {R"("UpdateState":4)", R"("UpdateState":"needs-reboot")", R"("Flags":["needs-reboot"])"})
    EXPECT_THAT(facts_by(
                    put_fwupd_history, std::string(R"({"Devices":[{"Name":"UEFI","Version":"1.0","Releases":
        [{"Version":"1.1"}],)") + state + "}]}")
                    .staged(),
                ElementsAre(Pair("UEFI", HasSubstr("1.1 is staged, 1.0 runs"))))
        << state;
}
TEST(Fwupd, ADeviceThatWasUpdatedWaitsForNothing) {
  EXPECT_THAT(
      facts_by(put_fwupd_history,
               R"({"Devices":[{"Name":"UEFI","Version":"1.1","UpdateState":2,"Flags":["internal"]}]})")
          .staged(),
      IsEmpty());
  EXPECT_THAT(facts_by(put_fwupd_history, "{}").staged(), IsEmpty());
  EXPECT_THROW((void)facts_by(put_fwupd_history, R"({"Devices":3)"), Unreadable);
  constexpr std::size_t kDeep = 1 << 20;  // copying such a value overflows the stack
  const std::string deep = R"({"Devices":)" + std::string(kDeep, '[') + std::string(kDeep, ']') + "}";
  EXPECT_THROW((void)facts_by(put_fwupd_history, deep), Unreadable);
}
// A library that wants a reboot changes no measurement.
TEST(Packages, AKernelThatWaitsForAReboot) {
  TempFolder folder;
  std::filesystem::create_directories(folder.path() / "run");
  std::ofstream(folder.path() / "run/reboot-required.pkgs")
      << "libc6\nlinux-image-6.14.0-1003-nvidia\nlibc6\n";
  EXPECT_THAT(NodeFacts(facts_of_tree(folder.path())).staged(),
              ElementsAre(Pair("linux-image-6.14.0-1003-nvidia", HasSubstr("waits for a reboot"))));
}

}  // namespace
}  // namespace rigproof::facts
