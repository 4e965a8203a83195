#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "framework/process/process.h"
#include "framework/record/files.h"
#include "framework/record/run_identity.h"
#include "framework/units/shell_words.h"
#include "tests/judge/judging.h"
#include "tests/rig/rig_text.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {

using Words = std::vector<std::string>;

// The program's answer: its exit code, or -1 when it did not exit by itself.
struct Answer {
  int code;
  std::string output;
};

inline Answer answer_of(const Words& command) {
  const process::Captured captured = process::capture(command, std::chrono::seconds(100));
  const bool exited = captured.status && WIFEXITED(*captured.status);
  return {exited ? WEXITSTATUS(*captured.status) : -1, captured.output};
}
inline Answer rigproof_does(Words words) {
  words.insert(words.begin(), RIGPROOF_PROGRAM);
  return answer_of(words);
}

// As the program under test names itself in a record.
inline record::Program built_program() {
  record::Program program = record::this_program("rigproof");  // built of the same commit
  program.sha256 = record::sha256_of_file(RIGPROOF_PROGRAM);
  return program;
}

// A rig of two nodes, limits, and scripted suites (scripted_suite.cc); one run after the other into folders of its own.
class ProgramTest : public testing::Test {
 protected:
  ProgramTest() {
    rig(star_text(2));
    thresholds(at_most("scripted.count", "1 count"));
  }

  // What a scripted suite is too slow for when it is disturbed.
  static std::string rate_limit() {
    return "[[limit]]\nid = \"scripted.rate\"\nat_least = \"0.5 Gbit/s\"\n"
           "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";
  }
  void rig(std::string text) {
    scratch.write("rig.toml", replaced(std::move(text), "test-rig", fmt::format("test-rig-{}", getpid())));
  }
  // Absolute rates of these limits are for any rig.
  static constexpr const char* kForAnyRig = "\n[for]\nhalf.rate = { at_least = \"1 kbit/s\" }\n";
  void thresholds(const std::string& text) { scratch.write("limits.toml", text + kForAnyRig); }
  // A suite whose cases are called Something.DEED; `before` goes in front of its command.
  void suite(const std::string& name, const std::string& script, const std::string& before = {}) {
    scratch.script("bin/rigproof-suite-" + name,
                   fmt::format("{} SCRIPT='{}' exec {} {} \"$@\"", before, script, SCRIPTED_SUITE, name));
  }

  Words run_words(const Words& more = {}) const {
    Words words{RIGPROOF_PROGRAM,    "run",   "--rig",     path("rig.toml"), "--thresholds",
                path("limits.toml"), "--out", path("out"), "--suite-dir",    path("bin"),
                "--launcher",        "env",   "--no-pdf"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Answer run(const Words& more = {}) const { return answer_of(run_words(more)); }
  // With short timeouts for a rig that hangs.
  Answer run_with_short_timeouts(Words more = {}) const {
    more.insert(more.end(), {"--timeout-scale", "0.1"});
    return run(more);
  }

  std::string path(std::string_view name) const { return scratch.path(name); }

  // Case -> "pass", "failure: MESSAGE and body", "error: ...", "skipped: ..." by a report that must be well-formed.
  std::map<std::string, std::string> junit(const char* file = "out/junit.xml") const {
    pugi::xml_document document;
    const auto parsed = document.load_file(path(file).c_str());
    EXPECT_TRUE(parsed) << file << ": " << parsed.description();
    std::map<std::string, std::string> cases;
    for (const auto& found : document.select_nodes("//testcase")) {
      const pugi::xml_node test = found.node();
      const std::string name = test.attribute("name").value();
      cases[name] = "pass";
      for (const char* kind : {"failure", "error", "skipped"}) {
        if (const auto node = test.child(kind))
          cases[name] = fmt::format("{}: {}\n{}", kind, node.attribute("message").value(), node.text().get());
      }
    }
    return cases;
  }
  std::string verdict(const std::string& name) const {
    const auto cases = junit();
    const auto found = cases.find(name);
    return found == cases.end() ? "no such case" : found->second;
  }

  Scratch scratch;
};

}  // namespace rigproof
