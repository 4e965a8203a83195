#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/ranks/rank_group.h"
#include "framework/record/journal.h"
#include "framework/rig/rig.h"
#include "framework/runner/suite_options.h"

namespace rigproof::inline runner {

// The suite's access to the run's journal: rank 0 holds it, elsewhere and without a --journal writes go
// nowhere. For the main thread, except write_last().
class SuiteJournal {
 public:
  SuiteJournal() = default;
  SuiteJournal(record::JournalWriter writer, std::filesystem::path folder)
      : folder_(std::move(folder)), writer_(std::move(writer)) {}

  // Throws JournalError.
  void write(const record::EventBody& body);
  // From any thread, while the job is being ended: gives up when the writer is stuck.
  void write_last(const record::EventBody& body) noexcept;
  // Puts a file FOLDER/NAME beside the journal; nowhere where there is none. Throws FileError.
  void keep(const std::filesystem::path& name, std::string_view text) const;
  // Lets go of the file: what follows goes nowhere.
  void close();

 private:
  std::filesystem::path folder_;  // the journal's; empty: there is none
  std::timed_mutex mutex_;
  std::optional<record::JournalWriter> writer_;
};

// What a suite runs on, by rank 0: all of it is the run's journal's, where there is one.
struct SuiteInputs {
  Rig rig = {};
  Profile profile = Profile::kStandard;
  std::filesystem::path snapshot = {};              // of a snapshot to judge, without the rig; else empty
  std::optional<judge::JudgeContext> judging = {};  // on rank 0
  std::vector<std::string> skipped = {};            // on rank 0
  std::unique_ptr<SuiteJournal> journal;            // writes on rank 0 only
  std::string error = {};  // the same on every rank; not empty: there is nothing to run
};

// Collective.
[[nodiscard]] SuiteInputs read_inputs(RankGroup& ranks, const SuiteOptions& options);

// This host's IPv4 addresses. Throws std::system_error.
[[nodiscard]] std::set<std::string> local_addresses();

// What is wrong with running `node`'s rank where these addresses are local: the message says which node this
// is, or is empty. A host with none of any node's addresses is left to the suites: its links may be down.
[[nodiscard]] std::string wrong_node(const Rig& rig, std::size_t node, const std::set<std::string>& local);

}  // namespace rigproof::inline runner
