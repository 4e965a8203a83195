// Facts from recorded trees, and from this very machine.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "fixtures/facts/file_tree.h"
#include "fixtures/facts/read_facts.h"
#include "fixtures/facts/readers.h"
#include "tests/facts/facts_of_tree.h"
#include "tests/support/temp_folder.h"

namespace rigproof::facts {
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
  [[nodiscard]] Document read() const { return facts_of_tree(folder.path()); }

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
  const Document facts = read();
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
  write(port + "gids/3", gid_of("198.18.1.1") + "\n");
  write(port + "gid_attrs/types/3", "RoCE v2\n");
  const Document facts = read();
  EXPECT_EQ(facts.text({"rdma", "rocep1s0f0", "ports", "1", "state"}), "ACTIVE");
  EXPECT_EQ(facts.text({"rdma", "rocep1s0f0", "ports", "1", "gids", "3", "type"}), "RoCE v2");
  EXPECT_EQ(facts.number({"rdma", "rocep1s0f0", "ports", "1", "gid_count"}), 1);
}
TEST_F(Tree, WithTenThousandGidsKeepsTheFirst) {
  const std::string port = "sys/class/infiniband/rocep1s0f0/ports/1/";
  std::filesystem::create_directories(folder.path() / port / "gids");
  for (int i = 0; i < 10'000; ++i)
    std::ofstream(folder.path() / port / "gids" / std::to_string(i)) << gid_of("198.18.1.1") << '\n';
  const Document facts = read();
  EXPECT_EQ(facts.number({"rdma", "rocep1s0f0", "ports", "1", "gid_count"}), 10'000);
  EXPECT_EQ(facts.keys({"rdma", "rocep1s0f0", "ports", "1", "gids"}).size(), 64U);
}
TEST_F(Tree, TellsTheCongestionControlOfMlx5) {
  const std::string netdev = "sys/class/net/enp1s0f0np0/";
  write(netdev + "operstate", "up\n");
  std::filesystem::create_directories(folder.path() / netdev / "device");
  std::filesystem::create_symlink("/drivers/mlx5_core", folder.path() / netdev / "device/driver");
  EXPECT_THAT(read().why_unread({"netdevs", "enp1s0f0np0", "ecn"}), Optional(HasSubstr("does not show")));
  write(netdev + "ecn/roce_np/enable/3", "1\n");
  write(netdev + "ecn/roce_rp/enable/3", "0\n");
  EXPECT_THAT(read().text({"netdevs", "enp1s0f0np0", "ecn"}),
              Optional(std::string("notification points: priorities 3, reaction points: off")));
}
// The factory's build stays in the file after updates: two nodes with one of these are not alike.
TEST_F(Tree, TellsTheReleaseThatAnUpdateBrought) {
  write("etc/dgx-release", "DGX_SWBUILD_VERSION=\"7.2.3\"\n");
  EXPECT_EQ(read().text({"os", "dgx_release"}), "7.2.3");
  write("etc/dgx-release", "DGX_SWBUILD_VERSION=\"7.2.3\"\nDGX_OTA_VERSION=\"7.5.0\"\n");
  EXPECT_EQ(read().text({"os", "dgx_release"}), "7.5.0");
}

// Arm's kernels give numbers alone, of every core.
TEST_F(Tree, CountsEveryKindOfCore) {
  const auto core = [](const std::string& implementer, const std::string& part) {
    return "processor\t: 0\nCPU implementer\t: " + implementer + "\nCPU part\t: " + part + "\n\n";
  };
  write("proc/cpuinfo",
        core("0x41", "0xd87") + core("0x41", "0xd87") + core("0x41", "0xd85") + core("0x51", "0xd85"));
  EXPECT_EQ(read().text({"cpu", "model"}), "2x Cortex-A725, 1x Cortex-X925, 1x implementer 0x51 part 0xd85");
  write("proc/cpuinfo",
        "processor : 0\nmodel name : Some CPU @ 2 GHz\nprocessor : 1\nmodel name : Some CPU @ 2 GHz\n");
  EXPECT_EQ(read().text({"cpu", "model"}), "Some CPU @ 2 GHz");
}

TEST_F(Tree, TellsWhoKeepsTheClockAndMovesInterrupts) {
  write("proc/7/stat", "7 (systemd-timesyn) S 1 0 0 0 0 0 0 0 0 0 5 6 0 0\n");
  write("proc/8/stat", "8 (irqbalance) S 1 0 0 0 0 0 0 0 0 0 5 6 0 0\n");
  EXPECT_EQ(read().text({"clock", "keeper"}), "systemd-timesyncd");
  EXPECT_EQ(read().flag({"interrupts", "irqbalance"}), true);
}
TEST_F(Tree, TellsAccessControlOfEveryBridgeOnTheWay) {
  const std::string devices = "sys/devices/pci0000:00/0000:00:01.0/";
  std::filesystem::create_directories(folder.path() / "sys/bus/pci/devices");
  for (const char* function : {"0000:00:01.0", "0000:00:01.0/0000:01:00.0"})
    std::filesystem::create_directory_symlink(
        std::string("../../../devices/pci0000:00/") + function,
        folder.path() / "sys/bus/pci/devices" / std::filesystem::path(function).filename());
  write(devices + "0000:01:00.0/class", "0x020000\n");
  write(devices + "0000:01:00.0/config", std::string(4096, '\0'));
  std::string bridge(4096, '\0');
  bridge[0x100] = 0x0D, bridge[0x106] = 0x05;
  write(devices + "config", bridge);
  EXPECT_THAT(read().texts({"pci", "0000:01:00.0", "acs"}),
              ElementsAre("0000:00:01.0: SrcValid ReqRedir", "0000:01:00.0: none"));
  write(devices + "config", std::string(64, '\0'));
  EXPECT_THAT(read().why_unread({"pci", "0000:01:00.0", "acs"}),
              Optional(HasSubstr("only root can read all of it")));
}
TEST_F(Tree, TellsWhatNetworkdHeardByLldp) {
  write("sys/class/net/enp1s0f0np0/ifindex", "4\n");
  const std::string frame = std::string(14, '\x01') + std::string("\x02\x07\x04\x4c\xbb\x47\x83\x75\x01", 9) +
                            std::string(
                                "\x04\x05\x05swp1\x0a\x06"
                                "crs804\0\0",
                                17);
  write("run/systemd/netif/lldp/4",
        std::string(1, static_cast<char>(frame.size())) + std::string(7, '\0') + frame);
  const Document facts = read();
  EXPECT_EQ(facts.text({"lldp", "source"}), "systemd-networkd");
  EXPECT_EQ(facts.text({"lldp", "neighbours", "enp1s0f0np0", "system"}), "crs804");
  EXPECT_EQ(facts.text({"lldp", "neighbours", "enp1s0f0np0", "port"}), "swp1");
  EXPECT_THAT(facts.texts({"lldp", "neighbours", "enp1s0f0np0", "macs"}), ElementsAre("4c:bb:47:83:75:01"));
}
// A card's firmware speaks LLDP beside the system's; two systems at the end of one cable are none.
TEST_F(Tree, TakesOfSeveralThatNetworkdHeardTheOneThatHasAName) {
  write("sys/class/net/eth4/ifindex", "4\n");
  write("sys/class/net/eth5/ifindex", "5\n");
  const auto frame = [](const std::string& name) {
    const std::string mac = "\x02\x07\x04\x4c\xbb\x47\x83\x75\x01";
    const std::string content =
        std::string(14, '\x01') + mac +
        (name.empty() ? "" : std::string("\x0a") + static_cast<char>(name.size()) + name) +
        std::string(2, '\0');
    return std::string(1, static_cast<char>(content.size())) + std::string(7, '\0') + content;
  };
  write("run/systemd/netif/lldp/4", frame("") + frame("spark-b"));
  write("run/systemd/netif/lldp/5", frame("spark-b") + frame("spark-c"));
  const Document facts = read();
  EXPECT_EQ(facts.text({"lldp", "neighbours", "eth4", "system"}), "spark-b");
  EXPECT_FALSE(facts.has({"lldp", "neighbours", "eth5"}));
}
TEST(Lldp, OfLldpctlNamesThePortsMacBeforeTheChassis) {
  const auto heard = parse_lldpctl(
      R"({"lldp": {"interface": {"eth0": {"chassis": {"spark-b": {"id": {"type": "mac", "value": "aa"}}},
      "port": {"id": {"type": "mac", "value": "BB"}, "descr": "eth7"}}}}})");
  EXPECT_THAT(heard.at(0).neighbour.macs, ElementsAre("bb", "aa"));
}
// As NCCL takes it: the first line that sets a variable, and a comment only where it begins a line.
TEST_F(Tree, ReadsNcclsConfigurationAsNcclDoes) {
  write("etc/nccl.conf", "# NCCL_DEBUG=INFO\nNCCL_IB_HCA=mlx5_0 # both\r\nNCCL_NET=IB\nNCCL_NET=Socket\n");
  const Document facts = read();
  EXPECT_FALSE(facts.has({"nccl", "configuration", "NCCL_DEBUG"}));
  EXPECT_EQ(facts.text({"nccl", "configuration", "NCCL_IB_HCA"}), "mlx5_0 # both");
  EXPECT_EQ(facts.text({"nccl", "configuration", "NCCL_NET"}), "IB");
  EXPECT_EQ(facts.text({"nccl", "files", "NCCL_NET"}), "/etc/nccl.conf");
}
TEST_F(Tree, OfANetdevThatKnowsNoSpeedHasNone) {
  write("sys/class/net/eth0/mtu", "1500\n");
  write("sys/class/net/eth0/speed", "4294967295\n");
  write("sys/class/net/eth1/speed", "200000\n");
  EXPECT_FALSE(read().has({"netdevs", "eth0", "speed_bits_per_s"}));
  EXPECT_EQ(read().number({"netdevs", "eth1", "speed_bits_per_s"}), 2e11);
}
TEST_F(Tree, WithADriverThatHangsGivesTheRestInTime) {
  write("sys/class/net/eth0/mtu", "9000\n");
  const FileTree files(folder.path());
  std::vector<Reader> readers = every_reader(files);
  readers.push_back({"stuck", {"netdevs/eth1"}, [](FactsWriter& writer) {
                       writer.begin({"netdevs", "eth1", "module"});
                       std::this_thread::sleep_for(std::chrono::hours(1));
                     }});
  const Document facts =
      read_facts({.node = "node-a", .root = folder.path(), .fact_timeout = std::chrono::seconds(2)}, readers);
  EXPECT_EQ(facts.number({"netdevs", "eth0", "mtu"}), 9000);
  EXPECT_THAT(facts.why_unread({"netdevs", "eth1", "module"}),
              Optional(HasSubstr("no answer within 2.0 s while reading netdevs/eth1/module")));
}
TEST_F(Tree, WithNonsenseOfADriverNamesItAndGoesOn) {
  write("sys/class/net/eth0/mtu", "many\n");
  write("sys/class/net/eth0/address", "\xff\xfe\x01\n");
  write("sys/class/net/eth0/carrier_changes", "");
  std::filesystem::create_directories(folder.path() / "sys/class/net/eth0/phys_port_name");
  const Document facts = read();
  EXPECT_THAT(facts.why_unread({"netdevs", "eth0", "mtu"}), Optional(HasSubstr("'many' is not a number")));
  EXPECT_THAT(facts.why_unread({"netdevs", "eth0", "port_name"}), Optional(HasSubstr("not a regular file")));
  EXPECT_EQ(facts.text({"netdevs", "eth0", "mac"}), "\\xFF\\xFE\\x01");
  EXPECT_NO_THROW((void)Document::parse(facts.dump(), "f"));
}
// 63 lanes is all that a function shows whose bus gives ones: more than any limit asks for.
TEST_F(Tree, WithAFunctionThatAnswersNoMoreHasNoLanes) {
  const std::string function = "sys/bus/pci/devices/0000:01:00.0/";
  write(function + "class", "0x020000\n");
  write(function + "current_link_width", "63\n");
  EXPECT_EQ(read().number({"pci", "0000:01:00.0", "link_width"}), std::nullopt);
  EXPECT_THAT(read().why_unread({"pci", "0000:01:00.0", "link_width"}),
              Optional(HasSubstr("'63' is not a valid number of lanes")));
  EXPECT_FALSE(NodeFacts(read()).is_virtual_function("0000:01:00.0"));
}
// A virtual function has the link of the card; in a virtual machine, which does not see the card, nobody tells it.
TEST_F(Tree, GivesAVirtualFunctionTheLinkOfItsCard) {
  const std::string devices = "sys/bus/pci/devices/";
  write(devices + "0000:01:00.0/current_link_width", "16\n");
  write(devices + "0000:01:00.0/current_link_speed", "32.0 GT/s PCIe\n");
  for (const char* function : {"0000:01:00.2", "0000:06:00.0"}) {
    write(devices + function + "/class", "0x020000\n");
    write(devices + function + "/current_link_width", "0\n");
    write(devices + function + "/current_link_speed", "Unknown\n");
  }
  std::filesystem::create_symlink("../0000:01:00.0", folder.path() / devices / "0000:01:00.2/physfn");
  const Document facts = read();
  EXPECT_EQ(facts.number({"pci", "0000:01:00.2", "link_width"}), 16);
  EXPECT_EQ(facts.text({"pci", "0000:01:00.2", "link_speed"}), "32.0 GT/s PCIe");
  EXPECT_EQ(facts.number({"pci", "0000:06:00.0", "link_width"}), std::nullopt);
  EXPECT_EQ(facts.why_unread({"pci", "0000:06:00.0", "link_width"}), std::nullopt);
  const NodeFacts node(facts);
  EXPECT_TRUE(node.is_virtual_function("0000:01:00.2"));
  EXPECT_TRUE(node.is_virtual_function("0000:06:00.0"));
  EXPECT_FALSE(node.is_virtual_function("0000:01:00.0"));
  EXPECT_TRUE(node.pci_function("0000:01:00.2").lanes.value);
  EXPECT_THAT(node.pci_function("0000:06:00.0").lanes.lacks, HasSubstr("0000:06:00.0 is a virtual function"));
}
// Catches: a card of 16 lanes in a slot of 8 called half as wide as it could be; one that trained narrow beside it passed.
TEST_F(Tree, HoldsAPcieLinkAgainstWhatCardAndSlotCan) {
  const std::string devices = "sys/bus/pci/devices/", bridge = "sys/devices/pci0000:00/0000:00:01.0/";
  const auto link = [&](const std::string& function, const char* lanes, const char* most, const char* speed) {
    write(function + "class", "0x020000\n");
    write(function + "current_link_width", lanes);
    write(function + "current_link_speed", speed);
    write(function + "max_link_width", most);
    write(function + "max_link_speed", "32.0 GT/s PCIe\n");
  };
  link(bridge + "0000:01:00.0/", "8\n", "16\n", "16.0 GT/s PCIe\n");
  link(devices + "0000:02:00.0/", "8\n", "16\n", "32.0 GT/s PCIe\n");
  link(devices + "0000:03:00.0/", "8\n", "255\n", "32.0 GT/s PCIe\n");
  std::filesystem::create_directories(folder.path() / devices / "0000:00:01.0");
  write(devices + "0000:00:01.0/max_link_width", "8\n");
  write(devices + "0000:00:01.0/max_link_speed", "32.0 GT/s PCIe\n");
  std::filesystem::create_symlink("../../../devices/pci0000:00/0000:00:01.0/0000:01:00.0",
                                  folder.path() / devices / "0000:01:00.0");
  const NodeFacts facts(read());
  EXPECT_EQ(facts.pci_function("0000:01:00.0").lanes_used.value->of_one, 1);
  EXPECT_EQ(facts.pci_function("0000:01:00.0").lane_rate_used.value->of_one, 0.5);
  EXPECT_THAT(facts.document().texts({"pci", "0000:01:00.0", "bridges"}), ElementsAre("0000:00:01.0"));
  EXPECT_EQ(facts.pci_function("0000:02:00.0").lanes_used.value->of_one, 0.5);
  EXPECT_FALSE(facts.pci_function("0000:03:00.0").lanes_used.value);
  EXPECT_THAT(facts.pci_function("0000:03:00.0").lanes_used.why(), HasSubstr("does not tell its most"));
}
// Source validation alone sends nothing another way.
TEST(PciFunction, CountsTheBridgesThatRedirect) {
  Document document("node-a");
  const auto redirects = [&](const std::vector<std::string>& services) {
    document.put({"pci", "0000:18:00.0", "acs"}, services);
    return NodeFacts(document).pci_function("0000:18:00.0").acs_redirects.value;
  };
  EXPECT_EQ(redirects({"0000:15:01.0: SrcValid ReqRedir CmpltRedir UpstreamFwd",
                       "0000:17:00.0: SrcValid CmpltRedir", "0000:18:00.0: none"}),
            2);
  EXPECT_EQ(redirects({"0000:15:01.0: SrcValid UpstreamFwd", "0000:17:00.0: off"}), 0);
  EXPECT_EQ(NodeFacts(Document("node-b")).pci_function("0000:18:00.0").acs_redirects.value, std::nullopt);
}
// A count that is not known is not 0.
TEST_F(Tree, WithCountersThatShowNoNumberCountsNothing) {
  write("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "unknown\n");
  write("proc/loadavg", "inf nan 0 1/2 3\n");
  EXPECT_EQ(read().number({"cpu", "throttle_events"}), std::nullopt);
  EXPECT_THAT(read().why_unread({"cpu", "throttle_events"}),
              Optional(HasSubstr("'unknown' is not a number")));
  EXPECT_EQ(number_in("inf"), std::nullopt);
  EXPECT_EQ(number_in("nan"), std::nullopt);
}
// A card that was reset while the load was looked at: minus so many bits a second would be a quiet half.
TEST(Load, OfACounterThatWentBackIsNotKnown) {
  const auto shared = std::make_shared<FactsWriter::Shared>("node-a");
  FactsWriter writer(shared, FileTree("/"), "load");
  put_rate(writer, {"load", "rx"}, 1e9, 5, 0.5);
  put_rate(writer, {"load", "tx"}, 1000, 2000, 0.5);
  EXPECT_EQ(shared->document.number({"load", "rx"}), std::nullopt);
  EXPECT_THAT(shared->document.why_unread({"load", "rx"}), Optional(HasSubstr("went back")));
  EXPECT_EQ(shared->document.number({"load", "tx"}), 16'000);
}
TEST_F(Tree, WithAFileThatBlocksIsReadInTime) {
  std::filesystem::create_directories(folder.path() / "proc/sys/kernel");
  ASSERT_EQ(::mkfifo((folder.path() / "proc/sys/kernel/osrelease").c_str(), 0600), 0);
  EXPECT_THAT(read().why_unread({"kernel", "release"}), Optional(HasSubstr("not a regular file")));
}
TEST_F(Tree, GivesWhatTheNextStartWillBring) {
  write("etc/netplan/40-cx7.yaml",
        "network:\n  ethernets:\n    enp1s0f0np0:\n      mtu: 9000\n      addresses: [198.18.1.1/24]\n");
  write("etc/sysctl.d/99-a.conf", "# tuned\nnet.core.rmem_max = 1\n-net/ipv4/conf/all/rp_filter=2\n");
  write("usr/lib/sysctl.d/99-a.conf", "net.core.rmem_max = 7\n");
  const Document facts = read();
  EXPECT_EQ(facts.number({"persistence", "netdevs", "enp1s0f0np0", "mtu"}), 9000);
  EXPECT_EQ(facts.text({"persistence", "sysctls", "net.core.rmem_max"}), "1");
  EXPECT_EQ(facts.text({"persistence", "sysctls", "net.ipv4.conf.all.rp_filter"}), "2");
}
TEST_F(Tree, WithABrokenNetplanFileSaysWhere) {
  write("etc/netplan/1.yaml", "network: [unterminated\n");
  EXPECT_THAT(read().why_unread({"persistence", "netdevs"}), Optional(HasSubstr("/etc/netplan/1.yaml: ")));
}

TEST(ThisNode, IsReadWithoutAnError) {
  const Document facts = read_facts({.node = "here",
                                     .load_window = std::chrono::milliseconds(10),
                                     .fact_timeout = kPatience,
                                     .timeout = kPatience});
  EXPECT_TRUE(facts.text({"kernel", "release"}));
  EXPECT_TRUE(facts.number({"memory", "available_bytes"}));
  EXPECT_TRUE(facts.number({"limits", "memlock_soft_bytes"}));
  EXPECT_NO_THROW((void)Document::parse(facts.dump(), "f"));
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

TEST(Lldp, OfLldpctlIsReadInBothShapes) {
  const auto one =
      parse_lldpctl(R"({"lldp": {"interface": {"eth0": {"chassis": {"spark-b": {"id": {"type": "mac",
      "value": "4C:BB:47:83:75:01"}}}, "port": {"id": {"type": "ifname", "value": "eth7"}, "descr": "x"}}}}})");
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].neighbour.system, "spark-b");
  EXPECT_EQ(one[0].neighbour.port, "eth7");
  EXPECT_THAT(one[0].neighbour.macs, ElementsAre("4c:bb:47:83:75:01"));
  const auto two =
      parse_lldpctl(R"({"lldp": {"interface": [{"eth0": {"chassis": {"id": {"type": "mac", "value": "a"}},
      "port": {"descr": "eth7"}}}, {"eth1": {}}]}})");
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].neighbour.port, "eth7");
  EXPECT_TRUE(parse_lldpctl(R"({"lldp": {}})").empty());
  EXPECT_THROW((void)parse_lldpctl("<xml/>"), Unreadable);
  const std::string deep = R"({"lldp": {"interface": {"eth0": )" + std::string(100'000, '[') +
                           std::string(100'000, ']') + "}}}";  // Catches: a process that ends by SIGSEGV
  EXPECT_THROW((void)parse_lldpctl(deep), Unreadable);
}
TEST(Lldp, OfAnyBytesEndsWhereTheyDo) {
  EXPECT_EQ(parse_lldp("").system, "");
  EXPECT_EQ(parse_lldp(std::string(3, '\xff')).system, "");
  EXPECT_EQ(parse_lldp(std::string("\x02\x01\x04\x0a\x02sw", 7)).system, "sw");
}
TEST(BusyProcesses, AreNamedTheBusiestFirst) {
  const std::vector<Process> before{{"1", "init", 100}, {"2", "load", 0}},
      after{{"1", "init", 100}, {"2", "load", 90}, {"3", "fresh one", 50}};
  EXPECT_THAT(busy_processes(before, after, 1),
              ElementsAre("load (process 2): 90 % of a CPU", "fresh one (process 3): 50 % of a CPU"));
}

}  // namespace
}  // namespace rigproof::facts
