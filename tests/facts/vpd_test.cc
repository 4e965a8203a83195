// What network cards say of themselves in their vital product data. Catches: a serial that is cut off or misread taken for the
// card's, data of nothing taken for a card without a serial, padding told as a part of it, a hang on zeros.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "fixtures/facts/file_tree.h"
#include "fixtures/facts/node_facts.h"
#include "fixtures/facts/read_facts.h"
#include "fixtures/facts/readers.h"
#include "tests/facts/facts_of_tree.h"
#include "tests/support/temp_folder.h"

namespace rigproof::facts {
namespace {

using testing::HasSubstr;
using testing::Optional;

std::string field(const std::string& keyword, const std::string& text) {
  return keyword + static_cast<char>(text.size()) + text;
}
std::string resource(unsigned char tag, const std::string& content) {
  return std::string{static_cast<char>(tag), static_cast<char>(content.size() & 0xFF),
                     static_cast<char>(content.size() >> 8)} +
         content;
}

// With its checksum, the end tag and what a kernel may show behind it.
std::string vpd(const std::string& fields) {
  const std::string reserve(21, '\0');
  std::string bytes = resource(0x82, "A Network Card") + resource(0x90, fields + field("RV", reserve));
  char sum = 0;
  for (const char byte : bytes) sum = static_cast<char>(sum + byte);
  bytes[bytes.size() - reserve.size()] = static_cast<char>(-sum);
  return bytes + resource(0x91, field("YA", "shelf 3")) + '\x78' + std::string(100, '\xff');
}
const std::string kFields = field("PN", "MCX-1") + field("EC", "A2") + field("SN", "MT2345X00001  ") +
                            field("V3", std::string(4, '\1'));

std::string why_not(const std::string& bytes) {
  try {
    (void)parse_vpd(bytes);
    return "it was read";
  } catch (const Unreadable& error) {
    return error.what();
  }
}

TEST(Vpd, TellsNamePartNumberAndSerial) {
  const VpdFacts facts = parse_vpd(vpd(kFields));
  EXPECT_EQ(facts.name, "A Network Card");
  EXPECT_EQ(facts.part_number, "MCX-1");
  EXPECT_EQ(facts.serial, "MT2345X00001") << "without the padding";
}
TEST(Vpd, MayLackASerialAndAChecksum) {
  EXPECT_EQ(parse_vpd(vpd(field("PN", "MCX-1"))).serial, "");
  EXPECT_EQ(parse_vpd(resource(0x90, field("SN", "S1")) + '\x78').serial, "S1");
}
TEST(Vpd, ThatIsCutOffIsUnread) {
  const std::string whole = vpd(kFields);
  const std::size_t end = whole.find("shelf 3") - 6;  // of the read-only part
  for (std::size_t size = 0; size < end; ++size)
    EXPECT_NE(why_not(whole.substr(0, size)), "it was read") << size;
  EXPECT_THAT(why_not(whole.substr(0, 40)), HasSubstr("end within a resource: 40 B"));
  EXPECT_THAT(why_not(resource(0x90,
                               "SN\x20"
                               "S1") +
                      '\x78'),
              HasSubstr("end within a field"));
}
TEST(Vpd, WithAnotherByteIsUnread) {
  std::string other = vpd(kFields);
  other[other.find("MT2345") + 3] ^= 1;
  EXPECT_THAT(why_not(other), HasSubstr("checksum"));
}
TEST(Vpd, OfNothingIsUnread) {
  EXPECT_THAT(why_not(std::string(4096, '\0')), HasSubstr("no vital product data"));
  EXPECT_THAT(why_not(std::string(4096, '\xff')), HasSubstr("end within"));
  EXPECT_THAT(why_not(""), HasSubstr("no vital product data"));
}

// A card in the files of a node.
class CardOfNode : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const auto file = folder.path() / "sys/bus/pci/devices" / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  [[nodiscard]] PciFunction card() const {
    return NodeFacts(facts_of_tree(folder.path())).pci_function("0000:01:00.0");
  }
  void SetUp() override { write("0000:01:00.0/class", "0x020000\n"); }

  TempFolder folder;
};

TEST_F(CardOfNode, HasASerial) {
  write("0000:01:00.0/vpd", vpd(kFields));
  EXPECT_THAT(card().serial.value, Optional(std::string("MT2345X00001")));
  EXPECT_THAT(card().part_number.value, Optional(std::string("MCX-1")));
}
TEST_F(CardOfNode, WithoutVpdHasNone) { EXPECT_FALSE(card().serial.value || card().serial.unread); }
TEST_F(CardOfNode, WhoseVpdIsGarbageIsUnreadWithTheReason) {
  write("0000:01:00.0/vpd", "garbage");
  EXPECT_TRUE(card().serial.unread);
  EXPECT_THAT(card().serial.reason, HasSubstr("vital product data"));
}

}  // namespace
}  // namespace rigproof::facts
