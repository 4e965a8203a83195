// What root alone may read reaches the facts of an ordinary user's run by root's own reading, and only while that
// still holds.
#include "fixtures/facts/read_facts.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <mutex>

#include "fixtures/facts/file_tree.h"
#include "fixtures/facts/node_facts.h"
#include "tests/facts/facts_of_tree.h"
#include "tests/support/temp_folder.h"

namespace {

// Names of the libraries that this program asked for.
std::vector<std::string>& opened_libraries() {
  static std::vector<std::string> names;
  return names;
}

}  // namespace

// In place of the C library's function.
extern "C" void* dlopen(const char* name, int flags) noexcept {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  opened_libraries().emplace_back(name == nullptr ? "" : name);
  return reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"))(name, flags);
}

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
  // As `sudo rigproof facts --for-users` does.
  [[nodiscard]] Document read_for_users() const {
    return read_facts({.node = "node-a",
                       .root = tree(),
                       .for_users = true,
                       .fact_timeout = kPatience,
                       .timeout = kPatience});
  }

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
  keep_root_facts(read_for_users(), kept());
  EXPECT_TRUE(reaches_nobody());
}
// As root: no library that a user may have built. An ordinary user's reading asks MPI's library for its version.
TEST_F(RootFacts, AreReadWithoutAnyLibraryOfAVendor) {
  // In a process without the readers of other tests, which may still run.
  const auto libraries_of_reading = [this](bool for_users) {
    const fs::path file = folder.path() / "libraries";
    const pid_t child = fork();
    if (child == 0) {
      opened_libraries().clear();
      (void)read_facts(
          {.node = "node-a", .for_users = for_users, .fact_timeout = kPatience, .timeout = kPatience});
      std::ofstream out(file);
      for (const std::string& name : opened_libraries()) out << name << "\n";
      out.close();
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    return file_text(file);
  };
  EXPECT_THAT(libraries_of_reading(false), HasSubstr("libmpi"));
  EXPECT_EQ(libraries_of_reading(true), "");
}
// Catches: settings in a folder that the user cannot enter, taken for settings that nobody made.
TEST_F(RootFacts, AFolderThatAUserCannotEnterIsNotAbsent) {
  write("etc/network/closed/interfaces.d/cx7", "");
  fs::permissions(tree() / "etc/network/closed", fs::perms{0700});
  EXPECT_TRUE(as_nobody([&] {
    try {
      (void)FileTree(tree()).names_in("/etc/network/closed/interfaces.d");
    } catch (const Forbidden&) {
      return true;
    }
    return false;
  }));
}
// The lines of ifupdown's file may name a user's folder.
TEST_F(RootFacts, OfAFolderThatAUserCanChangeRootReadsNoNames) {
  const fs::path theirs = tree() / "home/ann/net.d";
  write("home/ann/net.d/cx7", "iface enp1s0f1np1 inet static\n  mtu 9000\n");
  write("usr/sbin/ifup", "");
  write("etc/network/interfaces", "source /home/ann/net.d/*\n");
  ASSERT_EQ(chown(theirs.c_str(), kNobody, kNobody), 0);
  const FileTree roots(tree(), FileTree::Files::kRootsAlone);
  EXPECT_THROW((void)roots.names_in("/home/ann/net.d"), Unreadable);
  EXPECT_THAT(roots.names_in("/home/ann/absent"), testing::IsEmpty());
  EXPECT_THAT(read_for_users().why_unread(kPlans), Optional(HasSubstr("net.d belongs to user nobody")));
  EXPECT_TRUE(read().has({"persistence", "netdevs", "enp1s0f1np1"}));
}
// Catches: a document of root's environment, processes and settings that every user may read.
TEST_F(RootFacts, HoldNothingThatOrdinaryUsersReadThemselves) {
  write("etc/nccl.conf", "NCCL_DEBUG=INFO\n");
  write("proc/sys/kernel/osrelease", "6.1\n");
  write("sys/class/dmi/id/product_serial", "S1\n");
  for (const Document& facts : {read(), read_for_users()}) {
    const std::string text = file_text(keep_root_facts(facts, kept()));
    const Document roots = Document::parse(text, "kept");
    EXPECT_THAT(roots.keys({}), testing::ElementsAre("dmi", "kernel", "persistence"));
    EXPECT_THAT(roots.keys({"kernel"}), testing::ElementsAre("boot_id"));
    EXPECT_THAT(roots.keys({"netdevs"}), testing::IsEmpty());
  }
  struct stat status {};
  ASSERT_EQ(::stat((kept() / "node-a.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0644U);
}
// A user could make it lead to a file that is root's alone.
TEST_F(RootFacts, OfAFileThatAUserCanChangeRootReadsNothing) {
  const fs::path theirs = folder.path() / "theirs.yaml", file = tree() / "etc/netplan/50-theirs.yaml";
  write_text(theirs, "network:\n  ethernets:\n    enp1s0f1np1:\n      mtu: 9000\n");
  ASSERT_EQ(chown(theirs.c_str(), kNobody, kNobody), 0);
  fs::create_symlink(theirs, file);
  const Document facts = read_for_users();
  EXPECT_FALSE(facts.has({"persistence", "netdevs", "enp1s0f1np1"}));
  EXPECT_THAT(facts.why_unread(kPlans), Optional(HasSubstr(theirs.string() + " belongs to user nobody")));
  EXPECT_TRUE(read().has({"persistence", "netdevs", "enp1s0f1np1"}));
}
// Catches: root that follows a link of a user's, or writes into a user's folder.
TEST_F(RootFacts, AreNotKeptWhereAUserCanWrite) {
  const auto refusal = [&](const fs::path& where) -> std::string {
    try {
      keep_root_facts(read_for_users(), where);
    } catch (const FactsError& error) {
      return error.what();
    }
    return "kept";
  };
  fs::create_directory(kept());
  ASSERT_EQ(chown(kept().c_str(), kNobody, kNobody), 0);
  EXPECT_THAT(refusal(kept()), HasSubstr("belongs to user nobody"));
  EXPECT_TRUE(fs::is_empty(kept()));
  EXPECT_THAT(refusal(kept() / "below"), HasSubstr("belongs to user nobody"));
  EXPECT_TRUE(fs::is_empty(kept() / "below"));
  fs::remove(kept() / "below");
  ASSERT_EQ(chown(kept().c_str(), 0, 0), 0);
  fs::permissions(kept(), fs::perms{0777});
  EXPECT_THAT(refusal(kept()), HasSubstr("can be written by other users"));
  EXPECT_TRUE(fs::is_empty(kept()));
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
  keep_root_facts(read_for_users(), kept());
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
  mine.taken = roots.taken = "2026-11-22T12:00:00.000Z";
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
