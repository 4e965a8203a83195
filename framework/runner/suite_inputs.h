#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "framework/channel/channel.h"
#include "framework/judge/judge_case.h"
#include "framework/ranks/rank_group.h"
#include "framework/record/journal.h"
#include "framework/rig/rig.h"
#include "framework/runner/suite_options.h"

namespace rigproof::inline runner {

// The sink for the suite's events: the supervisor or a journal. Discards events on other ranks than 0, and in
// a suite started by hand without --journal. For the main thread only, except write_last().
class SuiteJournal {
 public:
  SuiteJournal() = default;
  SuiteJournal(record::JournalWriter writer, std::filesystem::path folder)
      : folder_(std::move(folder)), writer_(std::move(writer)) {}
  explicit SuiteJournal(channel::Sender sender) : sender_(std::move(sender)) {}

  // Throws JournalError or ChannelError.
  void write(const record::EventBody& body);
  // From any thread, while the job ends: gives up if the writer is stuck.
  void write_last(const record::EventBody& body) noexcept;
  // Stores a file NAME beside the journal, if there is one. Throws FileError or ChannelError.
  void keep(const std::filesystem::path& name, std::string_view text);
  // Closes the record: later events are discarded.
  void close();

 private:
  void put(const record::EventBody& body);
  std::filesystem::path folder_;  // the journal's
  std::timed_mutex mutex_;
  std::optional<record::JournalWriter> writer_;
  std::optional<channel::Sender> sender_;
};

// The inputs of a suite; rank 0 gets them from the supervisor, the journal or the command line.
struct SuiteInputs {
  Rig rig = {};  // restricted to the job's nodes
  Profile profile = Profile::kStandard;
  bool with_operator = false;                       // a person pulls cables
  std::filesystem::path snapshot = {};              // the snapshot to judge instead of the rig; else empty
  std::optional<judge::JudgeContext> judging = {};  // on rank 0
  std::vector<std::string> skipped = {};            // on rank 0
  std::optional<std::vector<std::string>> chosen = {};  // on rank 0: cases to run, if not skipped
  std::unique_ptr<SuiteJournal> journal;                // writes on rank 0 only
  std::string error = {};  // the same on every rank; not empty: the suite cannot run
};

// Collective.
[[nodiscard]] SuiteInputs read_inputs(RankGroup& ranks, const SuiteOptions& options);

// This host's addresses. Throws std::system_error.
[[nodiscard]] std::set<std::string> local_addresses();
// Names of this host, most reliable first: Slurm's, its addresses, its name with and without the domain.
[[nodiscard]] std::vector<std::set<std::string>> own_names();

// Why this host cannot run `node`'s rank: `local` are the addresses of another node. Empty if it can. A host
// without any node's address is accepted, because its links may be down.
[[nodiscard]] std::string wrong_node(const Rig& rig, std::size_t node, const std::set<std::string>& local);

}  // namespace rigproof::inline runner
