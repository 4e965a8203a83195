// netplan's files as owners and NetworkManager (Ubuntu 23.10 and later) write them; and which of several files counts.
#include "fixtures/facts/readers.h"

#include <gmock/gmock.h>

#include <fstream>

#include "fixtures/facts/read_facts.h"
#include "tests/facts/facts_of_tree.h"
#include "tests/support/temp_folder.h"

namespace rigproof::facts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

PlannedNetdev only(const std::string& text) {
  const auto plans = planned_by_netplan(text);
  EXPECT_EQ(plans.size(), 1U) << text;
  return plans.empty() ? PlannedNetdev{} : plans.front();
}

TEST(Netplan, OfNetworkManagerNamesTheNetdevUnderMatch) {
  const auto plan = only(R"(network:
  version: 2
  ethernets:
    NM-00000000-0000-4000-8000-000000000001:
      renderer: NetworkManager
      match:
        name: "enp1s0f0np0"
      addresses:
      - "198.18.1.1/24"
      mtu: 9000
      wakeonlan: true
      networkmanager:
        uuid: "00000000-0000-4000-8000-000000000001"
        name: "rail 1"
        passthrough:
          connection.timestamp: "1764594033"
          ethernet._: ""
          ipv4.address1: "198.18.1.1/24,198.18.1.254"
          ipv4.method: "manual"
)");
  EXPECT_EQ(plan.netdev, "enp1s0f0np0");
  EXPECT_THAT(plan.addresses, ElementsAre("198.18.1.1/24")) << "said twice, meant once";
  EXPECT_THAT(plan.mtu, Optional(9000));
  EXPECT_FALSE(plan.link_local);
}
TEST(Netplan, OfNetworkManagerMayKeepAllInItsPassthrough) {
  const auto plan = only(R"(network:
  ethernets:
    NM-00000000-0000-4000-8000-000000000002:
      match: {}
      networkmanager:
        passthrough:
          connection.interface-name: "enP2p1s0f0np0"
          ethernet.mtu: "9000"
          ipv4.address1: "198.18.2.1/24"
          ipv4.method: "link-local"
)");
  EXPECT_EQ(plan.netdev, "enP2p1s0f0np0");
  EXPECT_THAT(plan.addresses, ElementsAre("198.18.2.1/24"));
  EXPECT_THAT(plan.mtu, Optional(9000));
  EXPECT_TRUE(plan.link_local);
}
TEST(Netplan, GivesASetNameTheLastWord) {
  EXPECT_EQ(only("network: {ethernets: {a: {match: {name: 'enp*'}, set-name: rail0}}}").netdev, "rail0");
  EXPECT_EQ(only("network: {ethernets: {a: {match: {name: 'enp*'}}}}").netdev, "enp*");
  EXPECT_EQ(only("network: {ethernets: {a: {match: {macaddress: '02:00:00:00:00:01'}}}}").netdev, "a");
}
TEST(Netplan, OfAnOwnerInFlowStyleIsRead) {
  const auto plan = only(
      "network:\n  ethernets:\n    enp1s0f1np1: {dhcp4: no, link-local: [], mtu: 9000, addresses: "
      "[198.18.3.1/24]}\n");
  EXPECT_EQ(plan.netdev, "enp1s0f1np1");
  EXPECT_THAT(plan.addresses, ElementsAre("198.18.3.1/24"));
  EXPECT_FALSE(plan.link_local);
}
TEST(Netplan, WithAnAddressOfNothingIsRefusedAsYamlIs) {
  EXPECT_THROW((void)planned_by_netplan("network: {ethernets: {d: {addresses: [{}]}}}"), std::exception);
}
TEST(Networkd, KnowsSystemdsSuffixes) {
  const auto mtu = [](const std::string& text) {
    return planned_by_networkd("[Match]\nName=a\n[Link]\nMTUBytes=" + text + "\n").at(0).mtu;
  };
  EXPECT_EQ(mtu("9000"), 9000);
  EXPECT_EQ(mtu("9K"), 9216);
  EXPECT_EQ(mtu("9000\nMTUBytes="), std::nullopt);
  for (const char* wrong : {"9k", "9 K", "jumbo", "9Ki"})
    EXPECT_THROW((void)mtu(wrong), std::exception) << wrong;
}
TEST(Netplan, OfDhcpAloneHasNoAddress) {
  EXPECT_THAT(only("network: {ethernets: {NM-1: {match: {name: enp2s0}, dhcp4: true}}}").addresses,
              IsEmpty());
}

// What a node's files together make of it at the next start.
class NextStart : public testing::Test {
 protected:
  NextStart() {
    card("enp1s0f0np0", "02:00:00:00:00:0a");
    card("enp1s0f1np1", "02:00:00:00:00:0b");
    write("sys/class/net/enp1s0f0np0.7/address", "02:00:00:00:00:0a\n");  // a VLAN: no card of its own
  }
  void card(const std::string& netdev, const std::string& mac) {
    write("sys/class/net/" + netdev + "/address", mac + "\n");
    write("sys/class/net/" + netdev + "/device/vendor", "0x15b3\n");
  }
  void write(const std::string& path, const std::string& text) {
    const auto file = folder.path() / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  void link(const std::string& path, const std::string& target) {
    const auto file = folder.path() / path;
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::create_symlink(target, file);
  }
  [[nodiscard]] Document read() const { return facts_of_tree(folder.path()); }
  [[nodiscard]] std::optional<double> mtu(const std::string& netdev = "enp1s0f0np0") const {
    return read().number({"persistence", "netdevs", netdev, "mtu"});
  }
  [[nodiscard]] std::vector<std::string> addresses(const std::string& netdev = "enp1s0f0np0") const {
    return read().texts({"persistence", "netdevs", netdev, "addresses"});
  }

  TempFolder folder;
};

// networkd reads no further than the first file that fits: the second's jumbo frames never come.
TEST_F(NextStart, OfTwoFilesOfNetworkdTheFirstByNameCounts) {
  write("etc/systemd/network/10-first.network", "[Match]\nName=enp1s0f0np0\n[Link]\nMTUBytes=1500\n");
  write("etc/systemd/network/20-rail.network",
        "[Match]\nName=enp1s0f0np0\n[Link]\nMTUBytes=9000\n[Network]\nAddress=198.18.1.1/24\n");
  EXPECT_THAT(mtu(), Optional(1500));
  EXPECT_THAT(addresses(), IsEmpty());
}
TEST_F(NextStart, APatternStandsForTheNetdevsThatItFits) {
  write("etc/systemd/network/05-all.network", "[Match]\nName=enp1s0f*\n[Link]\nMTUBytes=1500\n");
  write("etc/systemd/network/20-rail.network", "[Match]\nName=enp1s0f1np1\n[Link]\nMTUBytes=9000\n");
  EXPECT_THAT(mtu(), Optional(1500));
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(1500));
  write("etc/netplan/1.yaml", "network: {ethernets: {cards: {match: {name: 'enP2*'}, mtu: 9000}}}");
  EXPECT_EQ(mtu("enP2p1s0f0np0"), std::nullopt) << "not here";
}
TEST_F(NextStart, AMacStandsForTheCardThatHasItAndNotForItsVlan) {
  write("etc/netplan/50-cloud-init.yaml",
        "network:\r\n  version: 2\r\n  ethernets:\r\n    rail0:\r\n      match: {macaddress: "
        "'02:00:00:00:00:0A'}\r\n      mtu: 9000\r\n      addresses: [198.18.1.1/24]\r\n");
  write("etc/systemd/network/20.network", "[Match]\nMACAddress=02:00:00:00:00:0B\n[Link]\nMTUBytes=4096\n");
  EXPECT_THAT(mtu(), Optional(9000));
  EXPECT_THAT(addresses(), ElementsAre("198.18.1.1/24"));
  EXPECT_EQ(mtu("enp1s0f0np0.7"), std::nullopt);
  EXPECT_EQ(mtu("rail0"), std::nullopt);
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(4096));
}
TEST_F(NextStart, NetplansFileStandsAmongNetworkdsByItsName) {
  write("etc/netplan/1.yaml",
        "network: {ethernets: {enp1s0f0np0: {mtu: 9000, addresses: [198.18.1.1/24]}, enp1s0f1np1: {mtu: "
        "9000}}}");
  write("etc/systemd/network/05-old.network", "[Match]\nName=enp1s0f0np0\n[Network]\nDHCP=yes\n");
  write("etc/systemd/network/20-late.network", "[Match]\nName=enp1s0f1np1\n[Link]\nMTUBytes=1500\n");
  EXPECT_EQ(mtu(), std::nullopt) << "05-old is before 10-netplan-...";
  EXPECT_THAT(addresses(), IsEmpty());
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(9000));
}
TEST_F(NextStart, WhereNetworkManagerDoesItNetworkdsFilesDoNot) {
  write("etc/netplan/01-network-manager-all.yaml", "network: {version: 2, renderer: NetworkManager}");
  write("etc/netplan/40-cx7.yaml", "network: {ethernets: {enp1s0f0np0: {mtu: 9000}}}");
  write("etc/systemd/network/05-old.network", "[Match]\nName=enp1s0f0np0\n[Link]\nMTUBytes=1500\n");
  EXPECT_THAT(mtu(), Optional(9000));
}
// Ubuntu's desktop says so in a file of its own package.
TEST_F(NextStart, NetplansFilesOfPackagesCountUnlessAFileOfThatNameReplacesThem) {
  write("lib/netplan/00-network-manager-all.yaml", "network: {version: 2, renderer: NetworkManager}");
  write("etc/netplan/40-cx7.yaml", "network: {ethernets: {enp1s0f0np0: {mtu: 9000}}}");
  write("etc/systemd/network/05-old.network", "[Match]\nName=enp1s0f0np0\n[Link]\nMTUBytes=1500\n");
  EXPECT_THAT(mtu(), Optional(9000));
  write("etc/netplan/00-network-manager-all.yaml", "network: {version: 2, renderer: networkd}");
  EXPECT_THAT(mtu(), Optional(1500));
}
TEST_F(NextStart, NetplansFilesAddUp) {
  write("etc/netplan/10.yaml",
        "network: {ethernets: {enp1s0f0np0: {mtu: 9000, addresses: [198.18.1.1/24]}}}");
  write("etc/netplan/90.yaml",
        "network: {ethernets: {enp1s0f0np0: {mtu: 1500, addresses: [198.18.9.1/24]}}}");
  write("etc/netplan/.99.yaml", "network: {ethernets: {enp1s0f0np0: {mtu: 9000}}}");
  EXPECT_THAT(mtu(), Optional(1500));
  EXPECT_THAT(addresses(), ElementsAre("198.18.1.1/24", "198.18.9.1/24"));
}
TEST_F(NextStart, DropInsSetWhatStandsBesideThem) {
  write("etc/netplan/1.yaml", "network: {ethernets: {enp1s0f0np0: {mtu: 9000}}}");
  write("etc/systemd/network/10-netplan-enp1s0f0np0.network.d/mtu.conf", "[Link]\nMTUBytes=1500\n");
  write("etc/systemd/network/20-b.network", "[Match]\nName=enp1s0f1np1\n[Link]\nMTUBytes=1500\n");
  write("etc/systemd/network/20-b.network.d/jumbo.conf", "[Link]\nMTUBytes=9000\n");
  EXPECT_THAT(mtu(), Optional(1500));
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(9000));
}
TEST_F(NextStart, WhatNobodyBringsUpIsNotThere) {
  const std::string plan = "interface-name=enp1s0f0np0\n";
  const std::string rest = "[ethernet]\nmtu=9000\n[ipv4]\naddress1=198.18.1.1/24\n";
  write("etc/NetworkManager/system-connections/rail.nmconnection",
        "[connection]\n" + plan + "autoconnect=false\n" + rest);
  EXPECT_EQ(mtu(), std::nullopt);
  EXPECT_THAT(addresses(), IsEmpty());
  write("etc/NetworkManager/system-connections/rail.nmconnection", "[connection]\n" + plan + rest);
  EXPECT_THAT(mtu(), Optional(9000));
  write("etc/netplan/1.yaml",
        "network: {ethernets: {enp1s0f1np1: {mtu: 9000, activation-mode: manual}, b: {match: {name: enp2s0}, "
        "mtu: 9000, renderer: NetworkManager, networkmanager: {passthrough: {connection.autoconnect: "
        "'false'}}}}}");
  EXPECT_EQ(mtu("enp1s0f1np1"), std::nullopt);
  EXPECT_EQ(mtu("enp2s0"), std::nullopt);
  write("etc/systemd/network/1.network",
        "[Match]\nName=enp1s0f1np1\n[Link]\nMTUBytes=9000\nActivationPolicy=manual\n");
  EXPECT_EQ(mtu("enp1s0f1np1"), std::nullopt);
}
TEST_F(NextStart, OfTwoConnectionsTheHigherPriorityCountsAndElseNobodyKnows) {
  const auto connection = [&](const std::string& name, const std::string& more, int size) {
    write("etc/NetworkManager/system-connections/" + name + ".nmconnection",
          "[connection]\ninterface-name=enp1s0f0np0\n" + more +
              "[802-3-ethernet]\nmtu=" + std::to_string(size) + "\n");
  };
  connection("a", "", 9000);
  connection("b", "", 1500);
  EXPECT_EQ(mtu(), std::nullopt);
  EXPECT_THAT(read().why_unread({"persistence", "netdevs", "enp1s0f0np0", "mtu"}),
              Optional(HasSubstr("a.nmconnection and ")));
  EXPECT_EQ(read().why_unread({"persistence", "netdevs", "enp1s0f1np1"}), std::nullopt);
  connection("b", "autoconnect-priority=10\n", 1500);
  EXPECT_THAT(mtu(), Optional(1500));
  connection("b", "autoconnect-priority=-10\n", 1500);
  EXPECT_THAT(mtu(), Optional(9000));
  connection("b", "", 9000);
  EXPECT_THAT(mtu(), Optional(9000)) << "both alike";
}
TEST_F(NextStart, LinesOfOneKeyOfNetworkdAddUp) {
  write("etc/systemd/network/1.network",
        "[Match]\nName=enp1s0f0np0\nName=enp1s0f1np1\n[Link]\nMTUBytes=9000\n");
  EXPECT_THAT(mtu(), Optional(9000));
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(9000));
}
TEST_F(NextStart, AListThatBeginsWithAnExclamationMarkMeansAllOthers) {
  write("etc/systemd/network/1.network", "[Match]\nName=!enp1s0f0np0 enP7*\n[Link]\nMTUBytes=9000\n");
  EXPECT_EQ(mtu(), std::nullopt);
  EXPECT_EQ(mtu("enP7s7"), std::nullopt);
  EXPECT_EQ(mtu("!enp1s0f0np0"), std::nullopt);
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(9000));
}
TEST_F(NextStart, AConnectionsListMayLeaveOutSomeOfWhatAPatternFits) {
  write("etc/NetworkManager/system-connections/a.nmconnection",
        "[connection]\nid=a\n[match]\ninterface-name=enp*;!enp1s0f0np0;\n[ethernet]\nmtu=9000\n");
  EXPECT_EQ(mtu(), std::nullopt);
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(9000));
}
TEST_F(NextStart, AConnectionWithoutIpv4HasNoneOfTheAddressesThatItsFileStillNames) {
  const auto with = [&](const std::string& method) {
    write("etc/NetworkManager/system-connections/a.nmconnection",
          "[connection]\nid=a\ninterface-name=enp1s0f0np0\n[ipv4]\naddress1=198.18.1.1/24\nmethod=" + method +
              "\n");
    return addresses();
  };
  EXPECT_THAT(with("manual"), ElementsAre("198.18.1.1/24"));
  EXPECT_THAT(with("auto"), ElementsAre("198.18.1.1/24"));
  EXPECT_THAT(with("disabled"), IsEmpty());
}
TEST_F(NextStart, AddressesOfIpv6AreThoseOfAnyService) {
  write("etc/NetworkManager/system-connections/a.nmconnection",
        "[connection]\nid=a\ninterface-name=enp1s0f0np0\n[ipv4]\naddress1=198.18.1.1/24\nmethod=disabled\n"
        "[ipv6]\nmethod=manual\naddress1=fd93::1/64,fd93::fe\n");
  EXPECT_THAT(addresses(), ElementsAre("fd93::1/64"));
  write("etc/sysconfig/network-scripts/ifcfg-enp1s0f1np1", "ONBOOT=yes\nIPV6ADDR=fd93:0:0:1::1/64\n");
  EXPECT_THAT(addresses("enp1s0f1np1"), ElementsAre("fd93:0:0:1::1/64"));
}
TEST_F(NextStart, IfupdownsAddressesOfIpv6AddToThoseOfIpv4) {
  write("usr/sbin/ifup", "");
  write("etc/network/interfaces",
        "auto enp1s0f0np0\niface enp1s0f0np0 inet static\n  address 198.18.1.1/24\n  mtu 9000\n"
        "iface enp1s0f0np0 inet6 static\n  address fd93::1\n  netmask 64\n  mtu 1280\n");
  EXPECT_THAT(addresses(), ElementsAre("198.18.1.1/24", "fd93::1/64"));
  EXPECT_THAT(mtu(), Optional(9000));
}
TEST_F(NextStart, AVlanHasTheMtuThatItIsMadeWith) {
  write("etc/systemd/network/20-rail.netdev",
        "[NetDev]\nName=enp1s0f0np0.7\nKind=vlan\nMTUBytes=9000\n[VLAN]\nId=7\n");
  write("etc/systemd/network/30-rail.network",
        "[Match]\nName=enp1s0f0np0.7\n[Network]\nAddress=198.18.1.1/24\n");
  EXPECT_THAT(mtu("enp1s0f0np0.7"), Optional(9000));
  write("etc/systemd/network/30-rail.network", "[Match]\nName=enp1s0f0np0.7\n[Link]\nMTUBytes=1500\n");
  EXPECT_THAT(mtu("enp1s0f0np0.7"), Optional(1500));
}
TEST_F(NextStart, AFileOfNetworkdMayGoByThePathOfTheCard) {
  link("sys/class/net/enP7s7/device", "../../../0000:07:00.0");
  write("sys/class/net/enP7s7/address", "02:00:00:00:00:0c\n");
  write("etc/systemd/network/1.network", "[Match]\nPath=pci-0000:07:00.*\n[Link]\nMTUBytes=9000\n");
  EXPECT_THAT(mtu("enP7s7"), Optional(9000));
  EXPECT_EQ(mtu(), std::nullopt);
}
TEST_F(NextStart, AConnectionMayGoByAListOfNamesOrADriver) {
  write("etc/NetworkManager/system-connections/rails.nmconnection",
        "[connection]\nid=rails\ntype=ethernet\n[ethernet]\nmtu=9000\n[match]\ninterface-name=enp1s0f0*;enp9*"
        ";\n");
  EXPECT_THAT(mtu(), Optional(9000));
  EXPECT_EQ(mtu("enp1s0f1np1"), std::nullopt);
  link("sys/class/net/enp1s0f1np1/device/driver", "../../drivers/mlx5_core");
  write("usr/lib/NetworkManager/system-connections/vendor.nmconnection",
        "[connection]\nid=vendor\n[ethernet]\nmtu=4096\n[match]\ndriver=mlx5_core;\n");
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(4096));
}
TEST_F(NextStart, ANeighboursAddressIsNotTheNetdevsOwn) {
  write("etc/systemd/network/1.network",
        "[Match]\nName=enp1s0f0np0\n[Network]\nAddress=198.18.1.2/24\n[Neighbor]\nAddress=198.18.1.1/24\n");
  EXPECT_THAT(addresses(), ElementsAre("198.18.1.2/24"));
}
TEST_F(NextStart, AMaskedFileSaysNothingAndHidesNothing) {
  link("etc/systemd/network/05-off.network", "/dev/null");
  link("etc/sysctl.d/10-off.conf", "/dev/null");
  link("etc/sysctl.d/99-sysctl.conf", "../nowhere.conf");
  write("usr/lib/sysctl.d/10-off.conf", "net.core.rmem_max = 7\n");
  write("etc/sysctl.d/20-on.conf", "net.core.wmem_max = 8\nnet/ipv4/conf/eth0.7/rp_filter = 2\n");
  write("etc/netplan/1.yaml", "network: {ethernets: {enp1s0f0np0: {mtu: 9000}}}");
  EXPECT_THAT(mtu(), Optional(9000));
  EXPECT_EQ(read().why_unread({"persistence", "netdevs"}), std::nullopt);
  EXPECT_EQ(read().why_unread({"persistence", "sysctls"}), std::nullopt);
  EXPECT_FALSE(read().has({"persistence", "sysctls", "net.core.rmem_max"}));
  EXPECT_EQ(read().text({"persistence", "sysctls", "net.core.wmem_max"}), "8");
  EXPECT_EQ(read().text({"persistence", "sysctls", "net.ipv4.conf.eth0/7.rp_filter"}), "2");
}
// Debian 13 left the file behind and the link that read it out.
TEST_F(NextStart, SysctlConfCountsWhereSystemdReadsIt) {
  write("usr/lib/systemd/systemd-sysctl", "");
  write("etc/sysctl.conf", "net.core.rmem_max = 1\n");
  EXPECT_FALSE(read().has({"persistence", "sysctls", "net.core.rmem_max"}));
  link("etc/sysctl.d/99-sysctl.conf", "../sysctl.conf");
  write("etc/sysctl.d/99-z.conf", "net.core.wmem_max = 2\n");
  EXPECT_EQ(read().text({"persistence", "sysctls", "net.core.rmem_max"}), "1");
}

// systemd's own 50-default.conf (Debian 13, Ubuntu 24.04) sets rp_filter so.
TEST_F(NextStart, APatternOfSysctlDStandsForWhatIsThereAndNoLineOfItsOwnNames) {
  for (const char* name : {"all", "default", "enp1s0f0np0", "enp1s0f1np1", "enp1s0f0np0.7"})
    write(std::string("proc/sys/net/ipv4/conf/") + name + "/rp_filter", "0\n");
  write("usr/lib/sysctl.d/50-default.conf",
        "net.ipv4.conf.default.rp_filter = 2\nnet.ipv4.conf.*.rp_filter = 2\n-net.ipv4.conf.all.rp_filter\n");
  const auto planned = [&](const std::string& name) {
    return read().text({"persistence", "sysctls", "net.ipv4.conf." + name + ".rp_filter"});
  };
  EXPECT_EQ(planned("enp1s0f0np0"), "2");
  EXPECT_EQ(planned("enp1s0f0np0/7"), "2");
  EXPECT_EQ(planned("default"), "2");
  EXPECT_EQ(planned("all"), std::nullopt);
  EXPECT_EQ(planned("*"), std::nullopt);
  write("etc/sysctl.d/10-rail.conf", "net/ipv4/conf/enp1s0f0np0/rp_filter = 1\n");
  EXPECT_EQ(planned("enp1s0f0np0"), "1") << "its own line counts, though the pattern comes later";
  EXPECT_EQ(planned("enp1s0f1np1"), "2");
  write("etc/sysctl.d/90-off.conf", "net.ipv4.conf.*p1.rp_filter = 0\nnet.ipv4.conf.all.rp_filter = 0\n");
  EXPECT_EQ(planned("enp1s0f1np1"), "0") << "the later pattern";
  EXPECT_EQ(planned("all"), "0");
}
TEST_F(NextStart, ADriverStandsForTheCardsThatItRuns) {
  card("enP7s7", "02:00:00:00:00:0c");
  link("sys/class/net/enp1s0f0np0/device/driver", "../../drivers/mlx5_core");
  link("sys/class/net/enp1s0f1np1/device/driver", "../../drivers/mlx5_core");
  link("sys/class/net/enP7s7/device/driver", "../../drivers/r8127");
  write("etc/netplan/1.yaml", "network: {ethernets: {rails: {match: {driver: [ice, 'mlx5*']}, mtu: 9000}}}");
  EXPECT_THAT(mtu(), Optional(9000));
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(9000));
  EXPECT_EQ(mtu("enP7s7"), std::nullopt);
  EXPECT_EQ(mtu("rails"), std::nullopt);
  EXPECT_EQ(mtu("enp1s0f0np0.7"), std::nullopt);
  write("etc/systemd/network/05-all.network", "[Match]\nDriver=r81* mlx4_en\n[Link]\nMTUBytes=4096\n");
  EXPECT_THAT(mtu("enP7s7"), Optional(4096));
  write("etc/systemd/network/01-both.network",
        "[Match]\nDriver=mlx5_core\nName=enp1s0f1*\n[Link]\nMTUBytes=1500\n");
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(1500)) << "both must fit";
  EXPECT_THAT(mtu(), Optional(9000));
}
TEST_F(NextStart, ATypeStandsForEveryCardOfIt) {
  write("sys/class/net/enp1s0f0np0/type", "1\n");
  write("sys/class/net/enp1s0f1np1/type", "1\n");
  write("sys/class/net/enp1s0f1np1/uevent", "DEVTYPE=wlan\nINTERFACE=enp1s0f1np1\n");
  write("etc/systemd/network/05-ether.network", "[Match]\nType=ether\n[Network]\nDHCP=yes\n");
  write("etc/systemd/network/20.network", "[Match]\nName=enp1s0f*\n[Link]\nMTUBytes=9000\n");
  EXPECT_EQ(mtu(), std::nullopt) << "05-ether is the first that fits";
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(9000));
}
// udev sets a card's name and MTU by the first .link file that fits it, before anybody gives it an address.
TEST_F(NextStart, ALinkFileSetsTheMtuThatNobodySetsLater) {
  write("sys/class/net/cable0/address", "4c:bb:47:83:75:fd\n");
  link("sys/class/net/cable0/device", "../../../0000:01:00.0");
  write("etc/systemd/network/10-cable0.link",
        "[Match]\nPermanentMACAddress=4C:BB:47:83:75:FD\n[Link]\nName=cable0\nMTUBytes=9000\n");
  write("usr/lib/systemd/network/99-default.link", "[Match]\nOriginalName=*\n[Link]\nNamePolicy=keep\n");
  EXPECT_THAT(mtu("cable0"), Optional(9000));
  EXPECT_EQ(mtu(), std::nullopt);
  write("etc/netplan/1.yaml", "network: {ethernets: {cable0: {addresses: [198.18.1.1/24]}}}");
  EXPECT_THAT(mtu("cable0"), Optional(9000)) << "netplan sets no other";
  EXPECT_THAT(addresses("cable0"), ElementsAre("198.18.1.1/24"));
  EXPECT_EQ(read().text({"persistence", "netdevs", "cable0", "source"}), "/etc/netplan/1.yaml");
  write("etc/systemd/network/05-path.link", "[Match]\nPath=pci-0000:01:00.*\n[Link]\nMTUBytes=4096\n");
  EXPECT_THAT(mtu("cable0"), Optional(4096)) << "the first that fits";
  write("etc/systemd/network/01-path.link", "[Match]\nPath=pci-0000:02:00.*\n[Link]\nMTUBytes=1500\n");
  EXPECT_THAT(mtu("cable0"), Optional(4096)) << "another slot";
  write("etc/netplan/1.yaml", "network: {ethernets: {cable0: {mtu: 9216}}}");
  EXPECT_THAT(mtu("cable0"), Optional(9216)) << "networkd sets it later";
}
TEST_F(NextStart, ALinkFileThatNamesANetdevNamesNoOther) {
  card("enp1s0f0np0", "4c:bb:47:83:75:fd");
  write("etc/systemd/network/10-a.link", "[Match]\nOriginalName=enp9*\n[Link]\nMTUBytes=9000\n");
  EXPECT_EQ(mtu(), std::nullopt);
  write("etc/systemd/network/20-b.link",
        "[Match]\nOriginalName=eth0\n[Link]\nName=enp1s0f0np0\nMTUBytes=9000\n");
  EXPECT_THAT(mtu(), Optional(9000)) << "it has its new name now";
}
// Red Hat's and SUSE's files, where NetworkManager or wicked reads them.
TEST_F(NextStart, IfcfgFilesCountWhereTheyLie) {
  write("etc/sysconfig/network-scripts/ifcfg-rail0",
        "# rail "
        "0\nTYPE=Ethernet\nDEVICE=\"enp1s0f0np0\"\nONBOOT=yes\nIPADDR=198.18.1.1\nNETMASK=255.255.255.0\nMTU="
        "'9000'\n");
  EXPECT_THAT(mtu(), Optional(9000));
  EXPECT_THAT(addresses(), ElementsAre("198.18.1.1/24"));
  EXPECT_EQ(read().text({"persistence", "netdevs", "enp1s0f0np0", "source"}),
            "/etc/sysconfig/network-scripts/ifcfg-rail0");
  write("etc/sysconfig/network-scripts/ifcfg-rail0",
        "DEVICE=enp1s0f0np0\nONBOOT=no\nIPADDR0=198.18.1.1\nPREFIX0=24\nMTU=9000\n");
  EXPECT_EQ(mtu(), std::nullopt) << "nobody starts it";
  write("etc/sysconfig/network/ifcfg-enp1s0f1np1",
        "BOOTPROTO='static'\nSTARTMODE='auto'\nIPADDR='198.18.3.1/"
        "24'\nIPADDR_2='198.18.9.1'\nPREFIXLEN_2='25'\nMTU='9000'\n");
  write("etc/sysconfig/network/ifcfg-enp1s0f1np1.rpmsave", "IPADDR='198.18.77.1/24'\n");
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(9000));
  EXPECT_THAT(addresses("enp1s0f1np1"), ElementsAre("198.18.3.1/24", "198.18.9.1/25"));
  write("etc/sysconfig/network/ifcfg-enp1s0f1np1", "STARTMODE='manual'\nMTU='9000'\n");
  EXPECT_EQ(mtu("enp1s0f1np1"), std::nullopt);
}
TEST_F(NextStart, IfupdownsFilesCountWhereItIsThere) {
  write("etc/network/interfaces",
        "# rails\nsource interfaces.d/*\nauto lo\niface lo inet loopback\nauto enp1s0f1np1\n"
        "iface enp1s0f1np1 inet static\n  netmask 255.255.255.0\n  address 198.18.3.1\n"
        "  post-up ip link set dev $IFACE \\\n    mtu 9000\n");
  write("etc/network/interfaces.d/rail0",
        "allow-hotplug enp1s0f0np0\niface enp1s0f0np0 inet static\n  address 198.18.1.1/24\n  mtu 9000\n"
        "iface enp1s0f0np0 inet static\n  address 198.18.9.1/24\niface enp1s0f0np0 inet6 auto\n  mtu 1280\n");
  EXPECT_EQ(mtu(), std::nullopt) << "no ifup";
  write("usr/sbin/ifup", "");
  write("etc/NetworkManager/system-connections/a.nmconnection",
        "[connection]\ninterface-name=enp1s0f0np0\n[ethernet]\nmtu=1500\n");
  EXPECT_THAT(mtu(), Optional(9000)) << "NetworkManager leaves it alone";
  EXPECT_THAT(addresses(), ElementsAre("198.18.1.1/24", "198.18.9.1/24"));
  EXPECT_EQ(read().text({"persistence", "netdevs", "enp1s0f0np0", "source"}),
            "/etc/network/interfaces.d/rail0");
  EXPECT_THAT(mtu("enp1s0f1np1"), Optional(9000));
  EXPECT_THAT(addresses("enp1s0f1np1"), ElementsAre("198.18.3.1/24"));
}
TEST_F(NextStart, WhatIfupdownDoesNotStartIsNotThere) {
  write("sbin/ifup", "");
  write("etc/network/interfaces", "iface enp1s0f0np0 inet static\naddress 198.18.1.1/24\nmtu 9000\n");
  EXPECT_EQ(mtu(), std::nullopt);
  EXPECT_EQ(read().text({"persistence", "netdevs", "enp1s0f0np0", "source"}), "/etc/network/interfaces");
  write("etc/systemd/network/1.network", "[Match]\nName=enp1s0f0np0\n[Link]\nMTUBytes=1500\n");
  EXPECT_THAT(mtu(), Optional(1500)) << "networkd starts it";
}

}  // namespace
}  // namespace rigproof::facts
