// A node may say anything of itself. Every text and every name in its facts, one kind after the other, made hostile: the
// document is refused, or discover refuses the rig and names the node, or the rig file holds the keys of a rig and
// nothing else. Catches: a text that closes its quotes in the rig file and adds a [[switch]], escape sequences on a
// terminal, a document that speaks for another node.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "fixtures/facts/discover.h"
#include "framework/rig/rig.h"
#include "framework/units/printable.h"
#include "tests/support/temp_folder.h"

namespace rigproof::facts {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts{
      "",
      "x\" }\n[[switch]]\nname = \"s\"\naddress = \"https://192.0.2.66\"\ncredentials = \"/root/.login\"\n#",
      "x\", evil = \"$(reboot)", "\x1b]0;title\x07\x1b[31mred \u202egnp.exe"};
  return texts;
}

// With one sysctl of hundreds.
Json document_of(const char* node) {
  Json document =
      Json::parse(file_text(std::string(RIGPROOF_SOURCE_DIR "/tests/preflight/sparks/") + node + ".json"));
  Json& sysctls = document["facts"]["sysctls"];
  while (sysctls.size() > 1) sysctls.erase(std::prev(sysctls.end()));
  return document;
}

// One of each kind of text and of name.
struct Place {
  Json::json_pointer at;
  bool is_name;  // of the key, which stands in the object at `at`
  std::string key;
};
std::vector<Place> places_in(const Json& document) {
  std::vector<Place> places;
  std::map<std::string, int> seen;
  const auto is_new = [&](const Json::json_pointer& at, const std::string& end) {
    const std::string path = at.to_string();
    const auto parts = std::ranges::count(path, '/');
    const bool alike = path.ends_with("/sysctls") || path.ends_with("/counters");  // hundreds of a kind
    return ++seen[fmt::format("{} {} {}", path.substr(0, 14), parts, alike ? "" : end)] == 1;
  };
  const std::function<void(const Json&, const Json::json_pointer&, const std::string&)> visit =
      [&](const Json& value, const Json::json_pointer& at, const std::string& key) {
        if (value.is_string() && is_new(at.parent_pointer(), key)) places.push_back({at, false, ""});
        if (value.is_array())
          for (std::size_t i = 0; i < value.size(); ++i) visit(value[i], at / i, key);
        if (!value.is_object()) return;
        for (const auto& [name, element] : value.items()) {
          if (is_new(at, "name")) places.push_back({at, true, name});
          visit(element, at / name, name);
        }
      };
  visit(document, Json::json_pointer(), "");
  return places;
}

Json changed(Json document, const Place& place, const std::string& text) {
  if (!place.is_name) {
    document[place.at] = text;
    return document;
  }
  Json& object = document[place.at];
  Json moved = object.at(place.key);
  object.erase(place.key);
  object[text] = std::move(moved);
  return document;
}

void expect_plain_rig(const std::string& text, const std::string& of) {
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    EXPECT_EQ(printable(line), line) << of;
  }
  const toml::Document document = toml::Document::parse(text, "found");
  static const std::set<std::string> kKeys{"format", "name", "kind", "node", "link", "rail"};
  for (const std::string& key : document.root().keys())
    EXPECT_TRUE(kKeys.contains(key)) << key << " by " << of;
  try {
    const Rig rig = read_rig(document);
    EXPECT_TRUE(rig.switches.empty()) << of;
    EXPECT_EQ(rig.kind, "hardware") << of;
    EXPECT_EQ(rig.nodes.size(), 2U) << of;
    for (const Port& port : rig.node(1).ports) EXPECT_EQ(port.counters->name_space, std::nullopt) << of;
  } catch (const toml::InputError&) {  // a value that no rig can have, such as an MTU of 1 B
  }
}

TEST(HostileFacts, AddNothingToARigFile) {
  const DiscoveredNode sound{
      NodeFacts(Document::parse(document_of("node-a").dump(), "node-a")), "spark-a", {}};
  const Json document = document_of("node-b");
  const std::vector<Place> places = places_in(document);
  EXPECT_GT(places.size(), 100U);
  EXPECT_LT(places.size(), 300U);
  std::size_t taken = 0;
  const std::vector<std::string> texts = hostile_texts();
  for (std::size_t p = 0; p < places.size(); ++p)
    for (std::size_t t = p % 3; t < texts.size();
         t += 3) {  // a third of them in turn: all would take a minute
      const Place& place = places[p];
      const std::string& text = texts[t];
      const std::string of = fmt::format("{}{} {}", place.at.to_string(),
                                         place.is_name ? " name " + place.key : "", shortened(text));
      try {
        Document facts = Document::answer_of("node-b", changed(document, place, text).dump());
        expect_plain_rig(found_rig("found", {sound, {NodeFacts(std::move(facts)), "spark-b", {}}}).text, of);
        ++taken;
      } catch (const FactsError& error) {
        EXPECT_THAT(error.what(), testing::StartsWith("node-b: ")) << of;
        EXPECT_EQ(printable(error.what()), error.what()) << of;
      } catch (const NoRig& error) {
        EXPECT_EQ(printable(error.what()), error.what()) << of;
      }
    }
  EXPECT_GT(taken, places.size() / 3) << "most texts say nothing that a rig file has, and are as they may be";
}

// As above, of facts that no parser has looked at.
class Unchecked : public testing::Test {
 protected:
  [[nodiscard]] std::string found() const {
    return found_rig("found", {{NodeFacts(a), "spark-a", {}}, {NodeFacts(b), "spark-b", {}}}).text;
  }
  const Document a = Document::parse(document_of("node-a").dump(), "node-a");
  Document b = Document::parse(document_of("node-b").dump(), "node-b");
  const std::string hostile = hostile_texts()[1];
};

TEST_F(Unchecked, ALowerNetdevAddsNoSwitch) {
  b.put({"netdevs", "enp1s0f0np0", "kind"}, "vlan");
  b.put({"netdevs", "enp1s0f0np0", "lower"}, std::vector<std::string>{hostile});
  EXPECT_THAT(
      [&] { (void)found(); },
      testing::ThrowsMessage<NoRig>(HasSubstr("node-b: the card of enp1s0f0np0: 'x\" }\\x0A[[switch]]")));
}
TEST_F(Unchecked, ARdmaDeviceAddsNoSwitch) {
  b.put({"rdma", hostile, "netdevs"}, std::vector<std::string>{"enp1s0f0np0"});
  b.put({"rdma", "rocep1s0f0", "netdevs"}, std::vector<std::string>{});
  EXPECT_THAT([&] { (void)found(); }, testing::ThrowsMessage<NoRig>(HasSubstr("node-b: the RDMA device of")));
}
TEST_F(Unchecked, WordsOfLldpStayComments) {
  b.put({"lldp", "neighbours", "enp1s0f0np0", "system"}, hostile);
  b.put({"lldp", "neighbours", "enp1s0f0np0", "port"}, hostile);
  expect_plain_rig(found(), "lldp");
}

TEST(Forms, OfTextsAreChecked) {
  const auto refusal = [](const std::string& facts) -> std::string {
    try {
      (void)Document::parse(
          R"({"format": 1, "node": "n", "host": "h", "taken": "2026-11-21T12:00:00.000Z", "seconds": 0, "unread": {}, "facts": )" +
              facts + "}",
          "n");
    } catch (const FactsError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto netdev = [&](const std::string& fact) {
    return refusal(R"({"netdevs": {"eth0": {)" + fact + "}}}");
  };
  EXPECT_EQ(
      netdev(
          R"("mac": "4c:bb:47:83:75:fd", "ipv4": ["10.0.0.1/24"], "lower": ["a.7"], "driver": "mlx5_core")"),
      "accepted");
  EXPECT_EQ(netdev(R"("mac": "", "kind": "veth")"), "accepted");
  EXPECT_THAT(netdev(R"("mac": "4c:bb 47")"),
              HasSubstr("'facts/netdevs/eth0/mac': '4c:bb 47' is not a valid name"));
  EXPECT_THAT(netdev(R"("ipv4": ["10.0.0.1"])"), HasSubstr("is not a valid IPv4 address with a prefix"));
  EXPECT_THAT(netdev(R"("lower": ["a b"])"), HasSubstr("is not a valid name"));
  EXPECT_THAT(netdev(R"("kind": "a\"b")"), HasSubstr("has characters that are not allowed here"));
  EXPECT_THAT(netdev(R"("firmware": "a\u001bb")"), HasSubstr("'a\\x1Bb' has control characters"));
  EXPECT_THAT(refusal(R"({"rdma": {"a\"b": {"part": "x"}}})"),
              HasSubstr("has characters that are not allowed here"));
}

}  // namespace
}  // namespace rigproof::facts
