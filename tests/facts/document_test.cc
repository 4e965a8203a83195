#include "fixtures/facts/document.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/rig/rig_text.h"
#include "tests/scaling/linear.h"
#include "tests/support/temp_folder.h"

namespace rigproof::facts {
namespace {

using testing::HasSubstr;

std::string document(const std::string& facts, const std::string& more = "") {
  return R"({"format": 1, "node": "node-a", "host": "h", "taken": "2026-11-21T12:00:00.000Z", "seconds": 0.1, "facts": )" +
         facts + R"(, "unread": {"netdevs/eth0/module": "no permission"})" + more + "}";
}

std::string refusal(const std::string& text) {
  try {
    (void)Document::parse(text, "node-a.json");
  } catch (const FactsError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Document, AreFoundByTheirPath) {
  const Document facts = Document::parse(
      document(R"({"netdevs": {"eth0": {"mtu": 9000, "up": true, "fec": ["RS"], "mac": "x"}}})"), "f");
  EXPECT_EQ(facts.number({"netdevs", "eth0", "mtu"}), 9000);
  EXPECT_EQ(facts.text({"netdevs", "eth0", "mac"}), "x");
  EXPECT_EQ(facts.flag({"netdevs", "eth0", "up"}), true);
  EXPECT_THAT(facts.texts({"netdevs", "eth0", "fec"}), testing::ElementsAre("RS"));
  EXPECT_EQ(facts.number({"netdevs", "eth1", "mtu"}), std::nullopt);
  EXPECT_EQ(facts.number({"netdevs", "eth0", "mtu", "more"}), std::nullopt);
}
TEST(Document, SayWhyOneIsMissing) {
  const Document facts = Document::parse(document("{}"), "f");
  EXPECT_EQ(facts.why_unread({"netdevs", "eth0", "module", "part_number"}), "no permission");
  EXPECT_EQ(facts.why_unread({"netdevs", "eth0", "mtu"}), std::nullopt);
}
// Catches: an MTU of 1500.0.
TEST(Document, HasWholeNumbersWithoutAFraction) {
  Document facts("node-a");
  facts.taken = "2026-11-21T12:00:00.000Z";
  facts.put({"netdevs", "eth0", "mtu"}, 1500.0);
  facts.put({"netdevs", "eth0", "module", "temperature_c"}, 40.5);
  EXPECT_THAT(facts.dump(), testing::ContainsRegex("\"mtu\": ?1500[^.0-9]"));
  const Document again = Document::parse(facts.dump(), "f");
  EXPECT_EQ(again.number({"netdevs", "eth0", "mtu"}), 1500);
  EXPECT_EQ(again.number({"netdevs", "eth0", "module", "temperature_c"}), 40.5);
  std::string older = facts.dump();
  older.insert(older.find("1500") + 4, ".0");
  EXPECT_EQ(Document::parse(older, "f").number({"netdevs", "eth0", "mtu"}), 1500);
}

TEST(Document, SurviveWritingAndReading) {
  Document facts("node-a");
  facts.put({"kernel", "release"}, "6.1");
  facts.put_unread("rdma", "late");
  facts.taken = "2026-11-21T12:00:00.000Z";
  const Document again = Document::parse(facts.dump(), "f");
  EXPECT_EQ(again.text({"kernel", "release"}), "6.1");
  EXPECT_EQ(again.why_unread({"rdma"}), "late");
}
TEST(Document, AreRefusedWithTheirPlace) {
  EXPECT_THAT(refusal("{\"format\": 1,\n  oops}"), HasSubstr("node-a.json:2:3"));
  EXPECT_THAT(refusal("[]"), HasSubstr("not a facts document"));
  EXPECT_THAT(refusal("{}"), HasSubstr("no key 'format'"));
  EXPECT_THAT(refusal(document("{}", ", \"x\": 1")), HasSubstr("unknown key 'x'"));
  EXPECT_THAT(refusal(document(R"({"netdevs": {"eth0": {"mtu": "9000"}}})")),
              HasSubstr("facts/netdevs/eth0/mtu"));
  EXPECT_THAT(refusal(document(R"({"netdevs": {"eth0": {"mtuu": 1}}})")), HasSubstr("there is no such fact"));
  EXPECT_THAT(refusal(document(R"({"netdevs": 3})")), HasSubstr("facts/netdevs"));
  EXPECT_THAT(refusal(document(R"({"netdevs": {"eth0": {"mtu": 9000.5}}})")),
              HasSubstr("not a whole number"));
  EXPECT_EQ(refusal(document(R"({"kernel": {"uptime_s": 9.5}})")), "accepted");
  EXPECT_THAT(refusal(replaced(document("{}"), "0.1", "-1")), HasSubstr("'seconds' is below 0"));
  EXPECT_THAT(refusal(replaced(document("{}"), "2026-11-21T12:00:00.000Z", "yesterday")),
              HasSubstr("'taken': 'yesterday' is not a UTC time"));
  std::string other = document("{}");
  EXPECT_THAT(refusal(other.replace(other.find("1,"), 1, "2")), HasSubstr("format 2"));
}
// Catches: facts with two meanings, and a process that ends by SIGSEGV.
TEST(Document, WithAKeyTwiceOrNestedTooDeeplyAreRefused) {
  EXPECT_THAT(refusal(document(R"({"netdevs": {"eth0": {"mtu": 1500, "mtu": 9000}}})")),
              HasSubstr("node-a.json: key 'mtu' twice in one object"));
  constexpr std::size_t kLevels = 100'000;
  const std::string nested = std::string(kLevels, '[') + std::string(kLevels, ']');
  EXPECT_THAT(refusal(document(R"({"netdevs": )" + nested + "}")), HasSubstr("nested more than 64 deep"));
  EXPECT_THAT(refusal(document(R"({"netdevs": {"eth0": {"mtu": 1e999}}})")),
              testing::StartsWith("node-a.json: not JSON: number overflow"));
}
TEST(Document, OfASnapshotAreThoseOfTheNode) {
  const TempFolder folder;
  std::ofstream(folder.path() / "node-b.json") << document("{}");
  try {
    (void)read_facts_file(folder.path(), "node-b");
    FAIL() << "accepted";
  } catch (const FactsError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the facts of 'node-a', not of node-b"));
  }
  EXPECT_THROW((void)read_facts_file(folder.path(), "node-c"), FactsError);
}

// The page that explains the facts names every one, with its type.
TEST(Document, AreAllDocumented) {
  std::ifstream file(RIGPROOF_SOURCE_DIR "/fixtures/facts/README.md");
  std::ostringstream page;
  page << file.rdbuf();
  for (const FactKind& kind : fact_kinds())
    EXPECT_THAT(page.str(),
                HasSubstr(std::string("| `") + kind.path + "` | " + name(kind.type) + " | " + kind.meaning));
}

// As every file of ours: see tests/scaling.
TEST(Document, IsReadInLinearTime) {
  constexpr std::size_t kLength = 400;
  const auto document_of = [](std::size_t length) {
    Document facts("node-a");
    facts.taken = "2026-11-21T12:00:00.000Z";
    for (std::size_t i = 0; i < length; ++i) {
      const std::string netdev = fmt::format("netdev{}", i);
      facts.put({"netdevs", netdev, "mac"}, "02:00:00:00:00:01");
      facts.put({"netdevs", netdev, "counters", "rx_bytes"}, 1.0);
      facts.put_unread("netdevs/" + netdev + "/fec", "not permitted");
      facts.put_for_root("netdevs/" + netdev + "/fec");
    }
    return facts.dump();
  };
  const auto read = [](const std::string& text) {
    const Document facts = Document::parse(text, "node-a.json");
    for (const std::string& netdev : facts.keys({"netdevs"}))
      EXPECT_TRUE(facts.is_for_root({"netdevs", netdev, "fec"}));
  };
  const std::string small = document_of(kLength), large = document_of(10 * kLength);
  Linear::expect([&] { read(small); }, [&] { read(large); });
}

}  // namespace
}  // namespace rigproof::facts
