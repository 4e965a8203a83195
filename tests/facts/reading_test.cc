// Facts from recorded trees, and from this very machine.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>

#include "fixtures/facts/discover.h"
#include "fixtures/facts/file_tree.h"
#include "fixtures/facts/gid.h"
#include "fixtures/facts/module_eeprom.h"
#include "fixtures/facts/planned_network.h"
#include "fixtures/facts/read_facts.h"
#include "framework/rig/rig.h"
#include "tests/support/temp_folder.h"

namespace rigproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

class Tree : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const auto file = folder.path() / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  [[nodiscard]] NodeFacts read() const { return read_facts({.node = "node-a", .root = folder.path()}); }

  TempFolder folder;
};

TEST_F(Tree, GivesNetdevsAndTheirFunctions) {
  write("sys/class/net/enp1s0f0np0/mtu", "9000\n");
  write("sys/class/net/enp1s0f0np0/address", "4c:bb:47:83:75:fd\n");
  write("sys/class/net/enp1s0f0np0/operstate", "up\n");
  write("sys/class/net/enp1s0f0np0/speed", "200000\n");
  write("sys/bus/pci/devices/0000:01:00.0/class", "0x020000\n");
  write("sys/bus/pci/devices/0000:01:00.0/current_link_width", "2\n");
  write("sys/bus/pci/devices/0000:01:00.0/current_link_speed", "32.0 GT/s PCIe\n");
  const NodeFacts facts = read();
  EXPECT_EQ(facts.number({"netdevs", "enp1s0f0np0", "mtu"}), 9000);
  EXPECT_EQ(facts.number({"netdevs", "enp1s0f0np0", "speed_bits_per_s"}), 2e11);
  EXPECT_EQ(facts.number({"pci", "0000:01:00.0", "link_width"}), 2);
  EXPECT_EQ(facts.text({"pci", "0000:01:00.0", "driver"}), "none");
}
TEST_F(Tree, GivesRdmaDevicesWithTheirGids) {
  const std::string port = "sys/class/infiniband/rocep1s0f0/ports/1/";
  write(port + "state", "4: ACTIVE\n");
  write(port + "link_layer", "Ethernet\n");
  for (int i = 0; i < 256; ++i)
    write(port + "gids/" + std::to_string(i), "0000:0000:0000:0000:0000:0000:0000:0000\n");
  write(port + "gids/3", gid_of_ipv4("198.18.1.1") + "\n");
  write(port + "gid_attrs/types/3", "RoCE v2\n");
  const NodeFacts facts = read();
  EXPECT_EQ(facts.text({"rdma", "rocep1s0f0", "ports", "1", "state"}), "ACTIVE");
  EXPECT_EQ(facts.text({"rdma", "rocep1s0f0", "ports", "1", "gids", "3", "type"}), "RoCE v2");
  EXPECT_EQ(facts.number({"rdma", "rocep1s0f0", "ports", "1", "gid_count"}), 1);
}
TEST_F(Tree, WithNonsenseOfADriverNamesItAndGoesOn) {
  write("sys/class/net/eth0/mtu", "many\n");
  write("sys/class/net/eth0/address", "\xff\xfe\x01\n");
  write("sys/class/net/eth0/carrier_changes", "");
  std::filesystem::create_directories(folder.path() / "sys/class/net/eth0/phys_port_name");
  const NodeFacts facts = read();
  EXPECT_THAT(facts.why_unread({"netdevs", "eth0", "mtu"}), Optional(HasSubstr("'many' is no number")));
  EXPECT_THAT(facts.why_unread({"netdevs", "eth0", "port_name"}), Optional(HasSubstr("no regular file")));
  EXPECT_EQ(facts.text({"netdevs", "eth0", "mac"}), "\\xFF\\xFE\\x01");
  EXPECT_NO_THROW((void)NodeFacts::parse(facts.dump(), "f"));
}
TEST_F(Tree, WithAFileThatBlocksIsReadInTime) {
  std::filesystem::create_directories(folder.path() / "proc/sys/kernel");
  ASSERT_EQ(::mkfifo((folder.path() / "proc/sys/kernel/osrelease").c_str(), 0600), 0);
  EXPECT_THAT(read().why_unread({"kernel", "release"}), Optional(HasSubstr("no regular file")));
}
TEST_F(Tree, GivesWhatTheNextStartWillBring) {
  write("etc/netplan/40-cx7.yaml",
        "network:\n  ethernets:\n    enp1s0f0np0:\n      mtu: 9000\n      addresses: [198.18.1.1/24]\n");
  write("etc/sysctl.d/99-a.conf", "# tuned\nnet.core.rmem_max = 1\n-net/ipv4/conf/all/rp_filter=2\n");
  write("usr/lib/sysctl.d/99-a.conf", "net.core.rmem_max = 7\n");
  const NodeFacts facts = read();
  EXPECT_EQ(facts.number({"persistence", "netdevs", "enp1s0f0np0", "mtu"}), 9000);
  EXPECT_EQ(facts.text({"persistence", "sysctls", "net.core.rmem_max"}), "1");
  EXPECT_EQ(facts.text({"persistence", "sysctls", "net.ipv4.conf.all.rp_filter"}), "2");
}
TEST_F(Tree, WithABrokenNetplanFileSaysWhere) {
  write("etc/netplan/1.yaml", "network: [unterminated\n");
  EXPECT_THAT(read().why_unread({"persistence", "netdevs"}), Optional(HasSubstr("/etc/netplan/1.yaml: ")));
}

TEST(ThisNode, IsReadWithinItsDeadline) {
  const NodeFacts facts = read_facts({.node = "here", .load_window = std::chrono::milliseconds(10)});
  EXPECT_TRUE(facts.text({"kernel", "release"}));
  EXPECT_TRUE(facts.number({"memory", "available_bytes"}));
  EXPECT_TRUE(facts.number({"limits", "memlock_soft_bytes"}));
  EXPECT_NO_THROW((void)NodeFacts::parse(facts.dump(), "f"));
}

std::string sff8636(const std::string& vendor, const std::string& part) {
  std::string bytes(256, '\0');
  bytes[0] = 0x11;
  bytes.replace(148, 16, vendor + std::string(16 - vendor.size(), ' '));
  bytes.replace(168, 16, part + std::string(16 - part.size(), ' '));
  bytes[22] = 48, bytes[23] = static_cast<char>(0x80);
  return bytes;
}

TEST(ModuleEeprom, TellsTheCable) {
  const ModuleFacts module = parse_module_eeprom(sff8636("Amphenol", "NJAAKK-N911"));
  EXPECT_EQ(module.kind, "QSFP28");
  EXPECT_EQ(module.part_number, "NJAAKK-N911");
  EXPECT_THAT(module.temperature_c, Optional(48.5));
  EXPECT_EQ(module.rx_power_mw, std::nullopt);
}
TEST(ModuleEeprom, MayHoldAnyBytes) {
  EXPECT_EQ(parse_module_eeprom(sff8636("\xff\xfe", "\x80")).vendor, "\xff\xfe");
  EXPECT_THROW((void)parse_module_eeprom(""), Unreadable);
  EXPECT_THROW((void)parse_module_eeprom(std::string(1, 0x11)), Unreadable);
  EXPECT_THROW((void)parse_module_eeprom(std::string(256, '\xff')), Unreadable);
}

TEST(PlannedNetwork, IsReadInEveryDialect) {
  const auto networkd =
      planned_by_networkd("[Match]\nName=a b\n[Link]\nMTUBytes=9000\n[Network]\nAddress=1.2.3.4/24\n");
  ASSERT_EQ(networkd.size(), 2U);
  EXPECT_EQ(networkd[1].netdev, "b");
  EXPECT_THAT(networkd[1].addresses, ElementsAre("1.2.3.4/24"));
  const auto manager = planned_by_network_manager(
      "[connection]\ninterface-name=c\n[ethernet]\nmtu=9000\n[ipv4]\naddress1=1.2.3.4/24,1.2.3.1\n");
  ASSERT_EQ(manager.size(), 1U);
  EXPECT_THAT(manager[0].addresses, ElementsAre("1.2.3.4/24"));
  const auto netplan = planned_by_netplan("network: {ethernets: {d: {link-local: [ipv4]}}}");
  ASSERT_EQ(netplan.size(), 1U);
  EXPECT_TRUE(netplan[0].link_local);
  EXPECT_TRUE(planned_by_netplan("a: b").empty());
}

NodeFacts spark(const char* node) { return load_facts(RIGPROOF_SOURCE_DIR "/tests/preflight/sparks", node); }

TEST(Discover, MakesARigOfTwoSparks) {
  const std::string text = rig_of("found", {{spark("node-a"), "spark-a", {"192.168.88.1"}},
                                            {spark("node-b"), "spark-b", {"192.168.88.2"}}});
  const Rig rig = read_rig(toml::Document::parse(text, "found"));
  EXPECT_EQ(rig.rails.size(), 4U);
  EXPECT_EQ(rig.links.size(), 2U);
  EXPECT_EQ(rig.node(0).management, "enP7s7");
  EXPECT_EQ(rig.half({0, 0, 0}).rdma.has_value(), true);
  EXPECT_EQ(rig.port(PortRef{1, 1}).rate, DataRate::gigabits_per_second(200));
}
TEST(Discover, SaysWhatItLeftOut) {
  NodeFacts lonely = spark("node-b");
  lonely.put({"netdevs", "enp1s0f0np0", "ipv4"}, std::vector<std::string>{"10.9.8.7/24"});
  const std::string text = rig_of("found", {{spark("node-a"), "spark-a", {}}, {lonely, "spark-b", {}}});
  EXPECT_THAT(text, HasSubstr("# left out: enp1s0f0np0 with 10.9.8.7/24: no other node has that subnet"));
  EXPECT_THROW((void)rig_of("none", {{NodeFacts("a"), "a", {}}, {NodeFacts("b"), "b", {}}}), NoRig);
}

}  // namespace
}  // namespace rigproof
