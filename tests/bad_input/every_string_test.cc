// Every string of a rig file and of a thresholds file, one after the other, made hostile. It is refused by one short message
// that names its place, or taken, and then harmless in every report. Catches: a name that reaches a report as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "framework/limits/limit_table.h"
#include "framework/rig/rig.h"
#include "framework/rig/subjects.h"
#include "reports/html/report_html.h"
#include "reports/junit/junit.h"
#include "tests/bad_input/well_formed.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

using testing::StartsWith;

constexpr std::size_t kLongestMessage = 2000;

struct Literal {
  std::size_t begin, end;  // of what stands between the quotes
};

std::vector<Literal> strings_in(const std::string& toml) {
  std::vector<Literal> literals;
  for (std::size_t at = 0; at < toml.size(); ++at) {
    if (toml[at] == '#') {
      at = toml.find('\n', at);
      if (at == std::string::npos) break;
    } else if (toml[at] == '"') {
      const std::size_t end = toml.find('"', at + 1);
      literals.push_back({at + 1, end});
      at = end;
    }
  }
  return literals;
}

const std::vector<std::string>& hostile_strings() {
  static const std::vector<std::string> strings{
      "",
      "</style></script><script>alert(1)</script>]]>&'{{}} %s {node}",
      "\\u0000\\u0001\\u001B[31m\\r\\n\\t\\\"\\\\ \\u202E\\uFFFE\\u0085",
      "../../etc/passwd $(reboot) `reboot` ; rm -rf / |",
      "\xFF\xFE\xC0\x80",
      "1e999999 Gbit/s",
      std::string(1 << 20, 'x'),
  };
  return strings;
}

// Calls `read` with the text whose n-th string is hostile, for each n and each hostile string; `taken` when it returns.
template <class Read, class Taken>
void sweep(const std::string& text, const Read& read, const Taken& taken) {
  const std::vector<Literal> literals = strings_in(text);
  ASSERT_GT(literals.size(), 10u);
  for (const Literal& literal : literals)
    for (const std::string& hostile : hostile_strings()) {
      std::string changed = text;
      changed.replace(literal.begin, literal.end - literal.begin, hostile);
      const std::string was = text.substr(literal.begin, literal.end - literal.begin);
      try {
        read(changed);
        taken(changed, was + " -> " + hostile.substr(0, 40));
      } catch (const toml::InputError& error) {
        const std::string message = error.what();
        EXPECT_THAT(message, testing::ContainsRegex("^some\\.toml(:[0-9]+:[0-9]+)?: ")) << was;
        EXPECT_EQ(text::clean(message), message) << was;
        EXPECT_LT(message.size(), kLongestMessage) << was;
      }
    }
}

TEST(EveryString, OfARigFileIsRefusedOrHarmless) {
  XmlFiles files;
  const auto read = [](const std::string& text) {
    (void)every_subject(read_rig(toml::Document::parse(text, "some.toml")));
  };
  sweep(file_text(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml"), read,
        [&](const std::string& text, const std::string& what) {
          judge::JudgedRun run = run_of({ending("A.B", {good()})});
          run.start.rig_file.text = text;
          files.add(written([&](auto& out) { html::write_report_html(run, {}, out); }), what);
        });
  files.expect_well_formed();
}

TEST(EveryString, OfAThresholdsFileIsRefusedOrHarmless) {
  XmlFiles files;
  const auto read = [](const std::string& text) {
    const auto document = toml::Document::parse(text, "some.toml");
    for (const Profile profile : {Profile::kSmoke, Profile::kAcceptance})
      (void)LimitTable::read({document}, profile, rig_fact_dimensions());
  };
  sweep(file_text(RIGPROOF_SOURCE_DIR "/tests/fuzz/seeds/toml/limits.toml"), read,
        [&](const std::string& text, const std::string& what) {
          const judge::JudgedRun run = run_of({ending("A.B", {good(), missed("tcp.bad")})}, text);
          files.add(written([&](auto& out) { html::write_report_html(run, {}, out); }), what);
          files.add(written([&](auto& out) { junit::write_junit(run, out); }), what);
        });
  files.expect_well_formed();
}

}  // namespace
}  // namespace rigproof
