#pragma once

#include <fstream>
#include <map>
#include <string>

#include "framework/record/files.h"
#include "reports/manifest/manifest.h"
#include "tests/cli/program.h"
#include "tests/support/golden_run.h"

namespace rigproof {

// A folder with a recorded run, a log whose hash is on record, and all its reports.
class RecordedRunTest : public testing::Test {
 protected:
  RecordedRunTest() {
    std::filesystem::create_directories(folder.path() / "logs");
    write_text(folder.path() / kLog, "what the suite said\n");
    record_by(built_program());
    report();
  }
  static constexpr const char* kLog = "logs/tcp.1.log";

  void record_by(const record::Program& program, bool with_hashes = true) const {
    const Story golden = golden_run();
    std::string text;
    std::uint64_t lines = 0;
    const auto write = [&](record::Event event) {
      event.sequence = lines++;
      text += encode(event) + '\n';
    };
    for (record::Event event : golden.events()) {
      if (auto* start = std::get_if<record::RunStarted>(&event.body)) start->programs.front() = program;
      if (with_hashes && std::holds_alternative<record::RunEnded>(event.body))
        write({0, event.time, record::FilesHashed{{{kLog, record::sha256_of_file(folder.path() / kLog)}}}});
      write(event);
    }
    write_text(folder.path() / "journal.jsonl", text);
  }
  void hash_again() const {
    std::string manifest;
    for (manifest::HashedFile file : manifest::read_manifest(folder.path())) {
      file.sha256 = record::sha256_of_file(folder.path() / file.name);
      manifest += manifest::manifest_text({file});
    }
    write_text(folder.path() / "manifest.sha256", manifest);
  }
  // Of a journal that is another one now.
  Answer report_anew() const {
    std::filesystem::remove(folder.path() / "manifest.sha256");
    return report();
  }
  Answer report() const { return rigproof_does({"report", "--no-pdf", folder.path().string()}); }
  Answer verify(Words more = {}) const {
    more.insert(more.begin(), {"verify", folder.path().string()});
    return rigproof_does(more);
  }
  std::string text(const std::string& name) const { return file_text(folder.path() / name); }
  void append(const std::string& name, const std::string& more) const {
    std::ofstream(folder.path() / name, std::ios::app | std::ios::binary) << more;
  }
  // As somebody would who adds a file and hides that he did.
  void add_and_list(const std::string& name, const std::string& bytes) const {
    write_text(folder.path() / name, bytes);
    append("manifest.sha256", record::sha256(bytes) + "  " + name + "\n");
  }
  std::string hash() const {
    const std::string page = text("report.html"), mark = "name=\"rigproof-evidence\" content=\"";
    return page.substr(page.find(mark) + mark.size(), 64);
  }
  TempFolder folder, beside;  // the latter: for what is no part of the run
};

}  // namespace rigproof
