#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "fixtures/emulated_rigs/roce_vm_rig/cable.h"
#include "fixtures/emulated_rigs/roce_vm_rig/kernel.h"
#include "fixtures/emulated_rigs/roce_vm_rig/layout.h"
#include "fixtures/emulated_rigs/roce_vm_rig/roce_vm_rig.h"
#include "framework/rig/rig.h"
#include "tests/support/temp_folder.h"

namespace rigproof::roce_vm_rig {
namespace {

std::string module_that_needs(const std::string& names) {
  return std::string(
             "\x7f"
             "ELF") +
         '\0' + "license=GPL" + '\0' + "depends=" + names + '\0' + "intree=Y" + '\0';
}

TEST(CableFaults, AreWordsOfAFile) {
  const CableFaults faults = parse_cable_faults(" loss=5\nmtu=1500 rate=10 only=b after=100 ");
  EXPECT_EQ(faults.after, 100u);
  EXPECT_DOUBLE_EQ(faults.loss, 0.05);
  EXPECT_EQ(faults.bits_per_second, 10e6);
  EXPECT_TRUE(faults.hit(1));
  EXPECT_FALSE(faults.hit(0));
  EXPECT_TRUE(faults.too_long(1515));
  EXPECT_FALSE(faults.too_long(1514));
}

TEST(CableFaults, OfASoundCableAreNone) {
  const CableFaults sound = parse_cable_faults("");
  EXPECT_FALSE(sound.unplugged || sound.down || sound.loss > 0 || sound.bits_per_second);
  EXPECT_FALSE(sound.too_long(65536));
}

TEST(CableFaults, RefuseAWordThatIsNone) {
  for (const char* words : {"los=5", "loss", "loss=x", "loss=-1", "only=c", "after"})
    EXPECT_THROW((void)parse_cable_faults(words), std::invalid_argument) << words;
}

TEST(KernelModules, AreLoadedBehindWhatTheyNeed) {
  const KernelModules modules{{"rdma_rxe", module_that_needs("ib_core,udp-tunnel")},
                              {"ib_core", module_that_needs("")},
                              {"udp_tunnel", module_that_needs("")},
                              {"unwanted", module_that_needs("")}};
  EXPECT_EQ(load_order(modules, {"overlay"}, {"overlay", "rdma_rxe", "ib_core"}),
            (std::vector<std::string>{"ib_core", "udp_tunnel", "rdma_rxe"}));
}

TEST(KernelModules, ThatAreMissingAreNamed) {
  try {
    (void)load_order({}, {}, {"rdma_rxe"});
    FAIL();
  } catch (const RoceVmRigAbsent& absent) {
    EXPECT_NE(std::string(absent.what()).find("rdma_rxe"), std::string::npos);
  }
}

TEST(KernelModules, HaveTheNameThatTheKernelGivesThem) {
  EXPECT_EQ(module_name("kernel/net/9p/9pnet-virtio.ko.xz"), "9pnet_virtio");
  EXPECT_EQ(module_name("kernel/net/9p/Makefile"), "");
}

TEST(Archive, OfSomethingElseIsRefused) {
  const TempFolder folder;
  std::ofstream(folder.path() / "no.deb") << "text";
  EXPECT_THROW(read_package(
                   folder.path() / "no.deb", [](auto&) { return true; }, [](auto&, auto) {}),
               RoceVmRigError);
  EXPECT_THROW(read_package(
                   folder.path() / "absent.deb", [](auto&) { return true; }, [](auto&, auto) {}),
               RoceVmRigError);
}

TEST(Archive, TakesTextThatIsNotPackedAsItIs) { EXPECT_EQ(unpacked("plain"), "plain"); }

TEST(Layout, IsARigOfTwoNodesWithTwinHalvesThatLoads) {
  const Rig rig = read_rig(toml::Document::parse(rig_text(), "rig.toml"));
  EXPECT_EQ(rig.kind, "roce-vm");
  EXPECT_EQ(rig.rails.size(), 4U);
  EXPECT_EQ(rig.half({0, 0, 1}).rdma, "roceP2p1s0f0");
  EXPECT_EQ(rig.half({1, 1, 0}).netdev, "enp1s0f1np1");
}

}  // namespace
}  // namespace rigproof::roce_vm_rig
