// What root alone may read reaches the facts of an ordinary user's run by root's own reading, and only while that
// still holds.
#include "fixtures/facts/read_facts.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "fixtures/facts/node_facts.h"
#include "tests/facts/facts_of_tree.h"
#include "tests/support/temp_folder.h"

namespace rigproof::facts {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Optional;

constexpr uid_t kNobody = 65534;
const Document::Path kPlans{"persistence", "netdevs"};

// A node with a file of netplan that root alone may read.
class RootFacts : public testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can play both root and an ordinary user";
    fs::permissions(folder.path(), fs::perms{0755});
    write("proc/sys/kernel/random/boot_id", "one\n");
    write("etc/netplan/40-cx7.yaml",
          "network:\n  ethernets:\n    enp1s0f0np0:\n      mtu: 9000\n      addresses: [198.18.1.1/24]\n");
    fs::permissions(tree() / "etc/netplan/40-cx7.yaml", fs::perms{0600});
  }
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((tree() / path).parent_path());
    std::ofstream(tree() / path) << text;
  }
  [[nodiscard]] fs::path tree() const { return folder.path() / "tree"; }
  [[nodiscard]] fs::path kept() const { return folder.path() / "kept"; }
  [[nodiscard]] Document read() const { return facts_of_tree(tree()); }

  // Whether it holds for an ordinary user.
  static bool as_nobody(const std::function<bool()>& check) {
    const pid_t child = fork();
    if (child == 0) _exit(setgid(kNobody) == 0 && setuid(kNobody) == 0 && check() ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
  }
  [[nodiscard]] bool reaches_nobody() const {
    return as_nobody([&] {
      Document facts = read();
      add_root_facts(facts, kept());
      return facts.has({"persistence", "netdevs", "enp1s0f0np0"}) && !facts.why_unread(kPlans);
    });
  }

  TempFolder folder;
};

TEST_F(RootFacts, AreMarkedAsRootsInAReadingByAnOrdinaryUser) {
  EXPECT_TRUE(as_nobody([&] {
    const NodeFacts facts(read());
    const auto source = facts.planned("enp1s0f0np0").source;
    return source.unread && source.for_root;
  }));
}
TEST_F(RootFacts, ReachAnOrdinaryUserFromRootsOwnReading) {
  EXPECT_FALSE(reaches_nobody());
  keep_root_facts(read(), kept());
  EXPECT_TRUE(reaches_nobody());
}
TEST_F(RootFacts, HoldTheSerialsOfCards) {
  const std::string function = "sys/bus/pci/devices/0000:01:00.0/";
  write(function + "class", "0x020000\n");
  write(function + "vpd", std::string("\x90\x05\0SN\x02S1\x78", 9));
  fs::permissions(tree() / function / "vpd", fs::perms{0600});
  const auto serial = [&] {
    Document facts = read();
    add_root_facts(facts, kept());
    return NodeFacts(facts).pci_function("0000:01:00.0").serial;
  };
  EXPECT_TRUE(as_nobody([&] { return serial().unread && serial().for_root; }));
  keep_root_facts(read(), kept());
  EXPECT_TRUE(as_nobody([&] { return serial().value == "S1"; }));
}
TEST_F(RootFacts, OfBeforeARestartCountForNothing) {
  keep_root_facts(read(), kept());
  write("proc/sys/kernel/random/boot_id", "two\n");
  EXPECT_FALSE(reaches_nobody());
}
TEST_F(RootFacts, ThatOthersCouldHaveWrittenCountForNothing) {
  const fs::path file = keep_root_facts(read(), kept());
  fs::permissions(file, fs::perms{0666});
  EXPECT_FALSE(reaches_nobody());
  fs::permissions(file, fs::perms{0644});
  ASSERT_EQ(chown(kept().c_str(), kNobody, kNobody), 0);
  EXPECT_FALSE(reaches_nobody());
}
TEST_F(RootFacts, AreKeptByRootAlone) {
  EXPECT_TRUE(as_nobody([&] {
    try {
      (void)keep_root_facts(read(), kept());
      return false;
    } catch (const FactsError& error) {
      return std::string(error.what()).find("sudo") != std::string::npos;
    }
  }));
}

// A cable that was changed since has another module than root saw.
TEST(TakeForRoot, LeavesOutWhatNoLongerHolds) {
  Document mine("node-a"), roots("node-a");
  roots.taken = "2026-11-22T12:00:00.000Z";
  for (const char* netdev : {"eth0", "eth1"}) {
    const std::string path = std::string("netdevs/") + netdev + "/module";
    mine.put_unread(path, "Operation not permitted");
    mine.put_for_root(path);
    roots.put({"netdevs", netdev, "module", "part_number"}, "NJAAKK-N911");
  }
  const auto fits = [](const Document::Path& path) { return path[1] == "eth0"; };
  EXPECT_EQ(mine.take_for_root(roots, fits), 1U);
  const Document again = Document::parse(mine.dump(), "mine");  // all of it is in the file, too
  EXPECT_THAT(again.text({"netdevs", "eth0", "module", "part_number"}), Optional(std::string("NJAAKK-N911")));
  EXPECT_FALSE(again.is_for_root({"netdevs", "eth0", "module"}));
  EXPECT_TRUE(again.is_for_root({"netdevs", "eth1", "module", "part_number"}));
  EXPECT_THAT(again.dump(), HasSubstr("2026-11-22T12:00:00.000Z"));
}

}  // namespace
}  // namespace rigproof::facts
