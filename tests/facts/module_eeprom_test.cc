// What cables and transceivers say of themselves, as bytes where SFF-8636 and CMIS have them.
#include "fixtures/facts/readers.h"

#include <gmock/gmock.h>

#include "fixtures/facts/file_tree.h"

namespace rigproof::facts {
namespace {

using testing::Optional;

class Page {
 public:
  explicit Page(unsigned char identifier) : bytes_(256, '\0') {
    put(0, std::string(1, static_cast<char>(identifier)));
  }
  Page& put(std::size_t at, const std::string& bytes, std::size_t padded_to = 0) {
    std::string padded = bytes;
    padded.resize(std::max(bytes.size(), padded_to), ' ');
    bytes_.replace(at, padded.size(), padded);
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

Page sff8636(unsigned char identifier) {
  return Page(identifier)
      .put(148, "A Maker", 16)
      .put(168, "CABLE-1M", 16)
      .put(184, "B2", 2)
      .put(196, "SN0001", 16);
}
Page cmis(unsigned char identifier) {
  return Page(identifier)
      .put(129, "A Maker", 16)
      .put(148, "CABLE-400G", 16)
      .put(164, "C3", 2)
      .put(166, "SN0002", 16);
}

TEST(ModuleEepromKinds, A200GigabitCopperCableCallsItselfQsfp28AndHasNoSensor) {
  const ModuleFacts module = parse_module_eeprom(sff8636(0x11).bytes());
  EXPECT_EQ(module.kind, "QSFP28");
  EXPECT_EQ(module.vendor, "A Maker");
  EXPECT_EQ(module.part_number, "CABLE-1M");
  EXPECT_EQ(module.serial, "SN0001");
  EXPECT_EQ(module.revision, "B2");
  EXPECT_EQ(module.temperature_c, std::nullopt) << "0.00 degrees of a passive cable are no temperature";
  EXPECT_EQ(module.rx_power_mw, std::nullopt);
}
TEST(ModuleEepromKinds, SensorsOfAnSff8636ModuleAreRead) {
  const ModuleFacts module = parse_module_eeprom(
      sff8636(0x11).put(22, {29, 13}).put(34, {0x20, 0, 0x10, 0, 0x30, 0, 0x40, 0}).bytes());
  EXPECT_THAT(module.temperature_c, Optional(testing::DoubleNear(29.05, 0.01)));
  EXPECT_THAT(module.rx_power_mw, Optional(testing::DoubleNear(0.4096, 1e-9))) << "of the weakest lane";
}
TEST(ModuleEepromKinds, ACableOfTheCmisFamilyHasItsTextsElsewhere) {
  for (const int identifier : {0x18, 0x19, 0x1E}) {
    const ModuleFacts module = parse_module_eeprom(cmis(static_cast<unsigned char>(identifier)).bytes());
    EXPECT_EQ(module.vendor, "A Maker") << identifier;
    EXPECT_EQ(module.part_number, "CABLE-400G") << identifier;
    EXPECT_EQ(module.serial, "SN0002") << identifier;
    EXPECT_EQ(module.revision, "C3") << identifier;
    EXPECT_EQ(module.temperature_c, std::nullopt) << identifier;
  }
  EXPECT_THAT(parse_module_eeprom(cmis(0x18).put(14, {'\xff', 0}).bytes()).temperature_c, Optional(-1.0));
}
// A bus that does not answer gives the same byte over and over: no maker, no part, no temperature.
TEST(ModuleEepromKinds, APageOfOneByteNamesNoCable) {
  for (const char byte : {'\0', '\xff', ' '}) {
    EXPECT_THROW((void)parse_module_eeprom(std::string(1, 0x11) + std::string(255, byte)), Unreadable);
    EXPECT_THROW((void)parse_module_eeprom(std::string(1, 0x18) + std::string(255, byte)), Unreadable);
  }
}
TEST(ModuleEepromKinds, ASensorThatShowsNonsenseIsNoCoolModuleAndNoPassiveCable) {
  for (const auto& [high, low] :
       {std::pair('\xff', '\xff'), std::pair('\x80', '\0'), std::pair('\x7f', '\xff')}) {
    const ModuleFacts module = parse_module_eeprom(sff8636(0x11).put(22, {high, low}).bytes());
    EXPECT_EQ(module.temperature_c, std::nullopt);
    EXPECT_THAT(module.why_no_temperature, testing::HasSubstr("does not answer"));
  }
  EXPECT_EQ(parse_module_eeprom(sff8636(0x11).bytes()).why_no_temperature, "");
}
// SFF-8472, as 10G and 25G cards have it: a sensor is told of in a bit, and shown at the module's second address.
TEST(ModuleEepromKinds, AnSfpHasItsTextsInItsFirstHalf) {
  const auto sfp = [] {
    return Page(0x03).put(20, "A Maker", 16).put(40, "CABLE-25G", 16).put(56, "A ", 4).put(68, "SN0003", 16);
  };
  const ModuleFacts cable = parse_module_eeprom(sfp().bytes());
  EXPECT_EQ(cable.kind, "SFP");
  EXPECT_EQ(cable.vendor, "A Maker");
  EXPECT_EQ(cable.part_number, "CABLE-25G");
  EXPECT_EQ(cable.serial, "SN0003");
  EXPECT_EQ(cable.revision, "A");
  EXPECT_EQ(cable.temperature_c, std::nullopt);
  EXPECT_EQ(cable.why_no_temperature, "") << "a copper cable has no sensor";
  const ModuleFacts optic = parse_module_eeprom(sfp().put(92, {0x68}).bytes());
  EXPECT_THAT(optic.why_no_temperature, testing::HasSubstr("was not read")) << "no cool module";
  const std::string both = sfp().put(92, {0x68}).bytes() + Page(0).put(96, {41, '\x80'}).bytes();
  EXPECT_THAT(parse_module_eeprom(both).temperature_c, Optional(41.5));
}
TEST(ModuleEepromKinds, NewerFormFactorsAreKnownByTheirOwnNumbers) {
  EXPECT_EQ(parse_module_eeprom(cmis(0x20).bytes()).kind, "SFP+ with CMIS");
  EXPECT_EQ(parse_module_eeprom(cmis(0x21).bytes()).kind, "OSFP-XD");
  EXPECT_THROW((void)parse_module_eeprom(cmis(0x22).bytes()), Unreadable) << "a laser without a link";
}
TEST(ModuleEepromKinds, HalfAPageIsNotEnough) {
  EXPECT_THROW((void)parse_module_eeprom(cmis(0x1E).bytes().substr(0, 128)), Unreadable);
  EXPECT_THROW((void)parse_module_eeprom(sff8636(0x11).bytes().substr(0, 200)), Unreadable);
}

}  // namespace
}  // namespace rigproof::facts
