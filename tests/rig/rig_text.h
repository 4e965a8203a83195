#pragma once

#include <fmt/format.h>

#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>

#include "framework/rig/rig.h"
#include "framework/toml/document.h"

// Rig files for tests, as text.
namespace rigproof {

inline constexpr std::string_view kHalf = R"(
[[node.port.half]]
netdev = "{netdev}"
rdma = "rdma-{netdev}"
address = "10.{net}.{block}.{host}/16"
mac = "02:00:00:{net:02x}:{block:02x}:{host:02X}"
rate = "100 Gbit/s"
mtu = "9000 B"
)";

inline std::string half_text(std::string_view netdev, int net, int node) {
  return fmt::format(kHalf, fmt::arg("netdev", netdev), fmt::arg("net", net), fmt::arg("block", node / 250),
                     fmt::arg("host", node % 250 + 1));
}

inline std::string node_name(int number) {
  return number < 26 ? fmt::format("node-{}", static_cast<char>('a' + number))
                     : fmt::format("node-{}", number);
}

// Two ports of two halves; a port's halves are in its net and the next.
inline std::string node_text(int number, int net_of_port0, int net_of_port1) {
  const std::string name = node_name(number);
  std::string text =
      fmt::format("[[node]]\nname = \"{0}\"\naddress = \"{0}\"\nmanagement = \"mgmt0\"\n", name);
  for (const int port : {0, 1}) {
    const int net = port == 0 ? net_of_port0 : net_of_port1;
    text += fmt::format(
        "[[node.port]]\nname = \"port{0}\"\nrate = \"200 Gbit/s\"\n"
        "counters = {{ source = \"ethtool\", device = \"enp1s0f{0}np{0}\" }}\n",
        port);
    text += half_text(fmt::format("enp1s0f{0}np{0}", port), net, number);
    text += half_text(fmt::format("enP2p1s0f{0}np{0}", port), net + 1, number);
  }
  return text;
}

// `key` = the same device or port of every node.
inline std::string members_text(std::string_view key, int nodes, std::string_view member) {
  std::string text;
  for (int n = 0; n < nodes; ++n) text += fmt::format("{}\"{}:{}\"", n ? ", " : "", node_name(n), member);
  return fmt::format("{} = [{}]\n", key, text);
}

inline constexpr std::string_view kHead = "format = 1\nname = \"test-rig\"\nkind = \"model\"\n";

// Every port 0 on one switch, every port 1 on another.
inline std::string star_text(int nodes) {
  std::string text(kHead);
  for (int n = 0; n < nodes; ++n) text += node_text(n, 1, 3);
  for (const int port : {0, 1}) {
    text += fmt::format("[[link]]\nname = \"link{0}\"\nthrough = \"switch{0}\"\n", port);
    text += members_text("ports", nodes, fmt::format("port{}", port));
  }
  int rail = 0;
  for (const std::string_view netdev : {"enp1s0f0np0", "enP2p1s0f0np0", "enp1s0f1np1", "enP2p1s0f1np1"}) {
    text += fmt::format("[[rail]]\nname = \"rail{}\"\n", rail++) + members_text("halves", nodes, netdev);
  }
  return text;
}

// Three nodes without a switch: port 1 of each is cabled to port 0 of the next.
inline std::string ring_text() {
  std::string text = std::string(kHead) + node_text(0, 1, 3) + node_text(1, 3, 5) + node_text(2, 5, 1);
  for (int from = 0; from < 3; ++from) {
    const std::string a = node_name(from), b = node_name((from + 1) % 3), pair = a.substr(5) + b.substr(5);
    text +=
        fmt::format("[[link]]\nname = \"cable-{0}\"\nports = [\"{1}:port1\", \"{2}:port0\"]\n", pair, a, b);
    text += fmt::format(
        "[[rail]]\nname = \"rail-{0}-0\"\nhalves = [\"{1}:enp1s0f1np1\", \"{2}:enp1s0f0np0\"]\n", pair, a, b);
    text += fmt::format(
        "[[rail]]\nname = \"rail-{0}-1\"\nhalves = [\"{1}:enP2p1s0f1np1\", \"{2}:enP2p1s0f0np0\"]\n", pair, a,
        b);
  }
  return text;
}

// Four nodes in a ring: the third cable of ring_text() leads to node-d, and a fourth back.
inline std::string ring_of_four(const std::string& promise) {
  std::string text = std::string(kHead) + promise + node_text(0, 1, 3) + node_text(1, 3, 5) +
                     node_text(2, 5, 7) + node_text(3, 7, 1);
  for (int from = 0; from < 4; ++from) {
    const std::string a = node_name(from), b = node_name((from + 1) % 4);
    text +=
        fmt::format("[[link]]\nname = \"cable{0}\"\nports = [\"{1}:port1\", \"{2}:port0\"]\n", from, a, b);
    for (const char* half : {"enp1s0", "enP2p1s0"})
      text +=
          fmt::format("[[rail]]\nname = \"rail-{0}-{3}\"\nhalves = [\"{1}:{3}f1np1\", \"{2}:{3}f0np0\"]\n",
                      from, a, b, half);
  }
  return text;
}

inline Rig rig_of(std::string_view text) { return read_rig(toml::Document::parse(text, "rig.toml")); }

// The text with the first `from` replaced, which must be there.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error(fmt::format("the text has no '{}'", from));
  return text.replace(at, from.size(), to);
}

inline std::string replaced_everywhere(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The same halves with IPv6 addresses: 10.NET.BLOCK.HOST/16 becomes fd93:10:NET::1BLOCK:HOST/64.
inline std::string over_ipv6(std::string text) {
  static const std::regex kAddress(R"("10\.(\d+)\.(\d+)\.(\d+)/16")");
  return std::regex_replace(text, kAddress, R"("fd93:10:$1::1$2:$3/64")");
}

}  // namespace rigproof
