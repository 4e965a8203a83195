#include <gmock/gmock.h>

#include "framework/rig/rig.h"
#include "tests/support/temp_folder.h"

namespace rigproof {
namespace {

using testing::HasSubstr;

std::string with(std::string from, const std::string& to) {
  std::string text = file_text(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  try {
    (void)read_rig(toml::Document::parse(text, "rig.toml"));
  } catch (const toml::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RigFileSwitch, KnowsWhichPortIsCabledWhere) {
  const Rig rig = load_rig(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml");
  ASSERT_EQ(rig.switches.size(), 1U);
  EXPECT_EQ(rig.switches[0].address, "https://192.168.88.1");
  ASSERT_EQ(rig.switches[0].ports.size(), 4U);
  EXPECT_EQ(rig.switches[0].ports[0].at, (PortRef{0, 0}));
  EXPECT_EQ(rig.switches[0].ports[3].interface, "qsfp56-dd-2-5");
}
TEST(RigFileSwitch, IsRefusedWithItsPlace) {
  EXPECT_THAT(refusal(with("https://192", "http://192")), HasSubstr("is not a valid address of a switch"));
  EXPECT_THAT(refusal(with("https://192.168.88.1", "https://user:pass@host")),
              HasSubstr("is not a valid address of a switch"));
  EXPECT_THAT(refusal(with("kind    = \"routeros\"", "kind    = \"ios\"")),
              HasSubstr("unknown kind of switch 'ios'"));
  EXPECT_THAT(refusal(with("name    = \"crs804\"", "name    = \"crs8\"")),
              HasSubstr("no link goes through 'crs8'"));
  EXPECT_THAT(refusal(with("\"node-b:port0\" = ", "\"node-b:port7\" = ")), HasSubstr("has no port 'port7'"));
  EXPECT_THAT(refusal(with("\"qsfp56-dd-1-5\"", "\"qsfp56-dd-1-1\"")), HasSubstr("is cabled twice"));
  EXPECT_THAT(refusal(with("address = \"https", "adress = \"https")), HasSubstr("rig.toml:"));
}

}  // namespace
}  // namespace rigproof
