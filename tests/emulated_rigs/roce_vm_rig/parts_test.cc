#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "fixtures/emulated_rigs/roce_vm_rig/cable.h"
#include "fixtures/emulated_rigs/roce_vm_rig/kernel.h"
#include "fixtures/emulated_rigs/roce_vm_rig/layout.h"
#include "fixtures/emulated_rigs/roce_vm_rig/roce_vm_rig.h"
#include "framework/process/file_descriptor.h"
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
  const CableFaults faults = parse_cable_faults(" loss=5\nmtu=1500 rate=10 corrupt only=b after=100 ");
  EXPECT_TRUE(faults.corrupt);
  EXPECT_EQ(faults.after, 100u);
  EXPECT_DOUBLE_EQ(faults.loss, 0.05);
  EXPECT_EQ(faults.bits_per_second, 10e6);
  EXPECT_TRUE(faults.hit(1, 0));
  EXPECT_FALSE(faults.hit(0, 1));
  EXPECT_FALSE(parse_cable_faults("down to=c").hit(0, 1));
  EXPECT_TRUE(faults.too_long(1515));
  EXPECT_FALSE(faults.too_long(1514));
}

TEST(CableFaults, OfASoundCableAreNone) {
  const CableFaults sound = parse_cable_faults("");
  EXPECT_FALSE(sound.unplugged || sound.down || sound.loss > 0 || sound.bits_per_second || sound.corrupt);
  EXPECT_FALSE(sound.too_long(65536));
}

TEST(CableFaults, RefuseAWordThatIsNone) {
  for (const char* words : {"los=5", "loss", "loss=x", "loss=-1", "only=d", "to=", "after"})
    EXPECT_THROW((void)parse_cable_faults(words), std::invalid_argument) << words;
}

// A RoCE v2 frame of a write's middle packet: Ethernet, IPv4, UDP, base transport header, payload, ICRC.
std::string roce_frame(std::size_t payload) {
  std::string frame(14 + 20 + 8 + 12, '\0');
  frame[12] = 8;
  frame[14] = 0x45;
  const std::size_t length = frame.size() - 14 + payload + 4;
  frame[16] = static_cast<char>(length >> 8);
  frame[17] = static_cast<char>(length & 0xFF);
  frame[23] = 17;
  frame[36] = 4791 >> 8;
  frame[37] = static_cast<char>(4791 & 0xFF);
  frame[42] = 7;
  for (std::size_t i = 0; i < payload; ++i) frame += static_cast<char>(i * 31);
  return frame + "icrc";
}

// InfiniBand Architecture, annex 17: what routers may change counts as ones, and 8 B of ones come first.
std::uint32_t icrc_of(const std::string& frame) {
  std::string covered = std::string(8, '\xff') + frame.substr(14, frame.size() - 14 - 4);
  for (const std::size_t at : {1U, 8U, 10U, 11U, 26U, 27U, 32U}) covered[8 + at] = '\xff';
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : covered) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

std::string with_icrc(std::string frame) {
  const std::uint32_t icrc = icrc_of(frame);
  for (std::size_t i = 0; i < 4; ++i) frame[frame.size() - 4 + i] = static_cast<char>(icrc >> 8 * i & 0xFF);
  return frame;
}

// The receiver would drop a frame whose ICRC does not fit: data that is wrong must look right.
TEST(Corrupt, ChangesAByteOfTheDataAndTheIcrcSoThatItFits) {
  for (const std::size_t payload : {1024U, 4096U}) {
    const std::string sent = with_icrc(roce_frame(payload));
    std::string arrives = sent;
    corrupt(arrives);
    EXPECT_EQ(arrives, with_icrc(arrives));
    EXPECT_EQ(arrives.substr(0, 54), sent.substr(0, 54));
    int differ = 0;
    for (std::size_t at = 54; at < sent.size() - 4; ++at) differ += arrives[at] != sent[at] ? 1 : 0;
    EXPECT_EQ(differ, 1);
  }
}

TEST(Corrupt, LeavesOtherFramesAlone) {
  std::string other_port = with_icrc(roce_frame(4096)), cut_off = roce_frame(4096).substr(0, 2000);
  other_port[37] = 1;
  for (const std::string& sent : {with_icrc(roce_frame(256)), other_port, cut_off, std::string(4000, 'x')}) {
    std::string arrives = sent;
    corrupt(arrives);
    EXPECT_EQ(arrives, sent);
  }
}

// A node's card, as QEMU's backend `stream` is: a frame has its size before it.
class StreamCard {
 public:
  explicit StreamCard(const std::filesystem::path& cable) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, cable.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }

  void send_frame(const std::string& frame) {
    const std::uint32_t size = htonl(static_cast<std::uint32_t>(frame.size()));
    const std::string text = std::string(reinterpret_cast<const char*>(&size), sizeof size) + frame;
    for (std::size_t sent = 0; sent < text.size();)
      sent += static_cast<std::size_t>(::send(socket_.get(), text.data() + sent, text.size() - sent, 0));
  }

  std::string receive_frame() {
    const std::string head = receive(4);
    std::uint32_t size = 0;
    std::memcpy(&size, head.data(), sizeof size);
    return receive(ntohl(size));
  }

 private:
  std::string receive(std::size_t size) {
    std::string bytes(size, '\0');
    EXPECT_EQ(::recv(socket_.get(), bytes.data(), size, MSG_WAITALL), static_cast<ssize_t>(size));
    return bytes;
  }

  process::FileDescriptor socket_;
};

struct OneCable {
  TempFolder folder;
  CableSpec spec{.name = "port0",
                 .ends = {folder.path() / "a", folder.path() / "b"},
                 .faults = folder.path() / "faults"};
  void has(const std::string& faults) const { std::ofstream(spec.faults) << faults; }
};

std::string frame_of(std::size_t number, std::size_t size) {
  std::string frame = fmt::format("{:08}", number);
  frame.resize(size, static_cast<char>('a' + number % 26));
  return frame;
}

// Far more than fits between the two: the sender has to wait for the receiver, in both directions at once.
TEST(Cables, LoseNothingWhenACardIsSlowerThanItsPeer) {
  const OneCable one;
  Cables cables({one.spec});
  cables.start([](auto&, bool) {});
  constexpr std::size_t kFrames = 500;
  StreamCard a(one.spec.ends[0]), b(one.spec.ends[1]);
  const auto send_all = [](StreamCard& card) {
    for (std::size_t i = 0; i < kFrames; ++i) card.send_frame(frame_of(i, 60 + i * 17));
  };
  const std::jthread from_a([&] { send_all(a); }), from_b([&] { send_all(b); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (std::size_t i = 0; i < kFrames; ++i) ASSERT_EQ(b.receive_frame(), frame_of(i, 60 + i * 17));
  for (std::size_t i = 0; i < kFrames; ++i) ASSERT_EQ(a.receive_frame(), frame_of(i, 60 + i * 17));
}

TEST(Cables, LoseTheFramesThatAreTooLong) {
  const OneCable one;
  one.has("mtu=1500 only=a");
  Cables cables({one.spec});
  cables.start([](auto&, bool) {});
  StreamCard a(one.spec.ends[0]), b(one.spec.ends[1]);
  for (const std::size_t size : {1514U, 1515U, 60U}) a.send_frame(frame_of(size, size));
  b.send_frame(frame_of(1, 9014));
  EXPECT_EQ(b.receive_frame(), frame_of(1514, 1514));
  EXPECT_EQ(b.receive_frame(), frame_of(60, 60));
  EXPECT_EQ(a.receive_frame(), frame_of(1, 9014));
}

// A node that has gone, and its cable's other end, which goes on.
TEST(Cables, CarryOnWhenANodeIsGoneAndComesBack) {
  const OneCable one;
  Cables cables({one.spec});
  cables.start([](auto&, bool) {});
  StreamCard a(one.spec.ends[0]);
  std::optional<StreamCard> b(std::in_place, one.spec.ends[1]);
  a.send_frame("first");
  EXPECT_EQ(b->receive_frame(), "first");
  b.reset();
  for (std::size_t i = 0; i < 200; ++i) a.send_frame(frame_of(i, 9014));
  b.emplace(one.spec.ends[1]);
  b->send_frame("again");
  EXPECT_EQ(a.receive_frame(), "again");
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

// Three cards: what one sends to another does not reach the third, what it sends to all does. Two that send to a slow third
// share its rate.
TEST(Cables, OfMoreThanTwoNodesAreASwitch) {
  const TempFolder folder;
  const CableSpec spec{.name = "port0",
                       .ends = {folder.path() / "a", folder.path() / "b", folder.path() / "c"},
                       .faults = folder.path() / "faults"};
  std::ofstream(spec.faults) << "rate=10 to=c";
  Cables cables({spec});
  cables.start([](auto&, bool) {});
  StreamCard a(spec.ends[0]), b(spec.ends[1]), c(spec.ends[2]);
  const auto frame_to = [](char node, char from) {
    return std::string("\x02\0\0\0", 4) + node + std::string(9000, from);
  };
  a.send_frame(frame_to('\x02', 'a'));
  EXPECT_EQ(b.receive_frame(), frame_to('\x02', 'a'));
  a.send_frame(std::string(6, '\xff') + "all");
  EXPECT_EQ(b.receive_frame(), std::string(6, '\xff') + "all");
  EXPECT_EQ(c.receive_frame(), std::string(6, '\xff') + "all");
  const auto begin = std::chrono::steady_clock::now();
  constexpr int kEach = 50;  // 7.2 Mbit together
  const auto send_all = [&](StreamCard& card, char from) {
    for (int i = 0; i < kEach; ++i) card.send_frame(frame_to('\x03', from));
  };
  const std::jthread from_a([&] { send_all(a, 'a'); }), from_b([&] { send_all(b, 'b'); });
  int of_a = 0;
  for (int i = 0; i < 2 * kEach; ++i) of_a += c.receive_frame().back() == 'a' ? 1 : 0;
  EXPECT_EQ(of_a, kEach);
  EXPECT_GT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(600));
}

TEST(Layout, IsARigOfTwoNodesWithTwinHalvesThatLoads) {
  const Rig rig = read_rig(toml::Document::parse(rig_text(2), "rig.toml"));
  EXPECT_EQ(rig.kind, "roce-vm");
  EXPECT_EQ(rig.rails.size(), 4U);
  EXPECT_EQ(rig.half({0, 0, 1}).rdma, "roceP2p1s0f0");
  EXPECT_EQ(rig.half({1, 1, 0}).netdev, "enp1s0f1np1");
}

// A virtual machine sees this machine's files as root: what it boots must be nobody else's. Catches: a kernel from a folder
// whose name everybody knows, made by another user.
TEST(Kernel, IsNotTakenFromWhereOthersCanWrite) {
  const TempFolder folder;
  const auto refusal = [&]() -> std::string {
    try {
      (void)prepare_kernel({});
    } catch (const RoceVmRigError& error) {
      return error.what();
    }
    return "taken";
  };
  ASSERT_EQ(::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1), 0);
  std::filesystem::create_directory(folder.path() / "rigproof");
  std::filesystem::permissions(folder.path() / "rigproof", std::filesystem::perms{0777});
  EXPECT_THAT(refusal(), testing::HasSubstr("rigproof can be written by other users (mode 777)"));
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0777});
  std::filesystem::permissions(folder.path() / "rigproof", std::filesystem::perms{0755});
  EXPECT_THAT(refusal(), testing::HasSubstr("name a folder of your own in XDG_CACHE_HOME"));
  ::unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace rigproof::roce_vm_rig
