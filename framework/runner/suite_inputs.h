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

// Where the suite's events go: to the supervisor, or into a journal; elsewhere than on rank 0, and for a suite started by
// hand without a --journal, nowhere. For the main thread, except write_last().
class SuiteJournal {
 public:
  SuiteJournal() = default;
  SuiteJournal(record::JournalWriter writer, std::filesystem::path folder)
      : folder_(std::move(folder)), writer_(std::move(writer)) {}
  explicit SuiteJournal(channel::Sender sender) : sender_(std::move(sender)) {}

  // Throws JournalError or ChannelError.
  void write(const record::EventBody& body);
  // From any thread, while the job is being ended: gives up when the writer is stuck.
  void write_last(const record::EventBody& body) noexcept;
  // Has a file NAME kept beside the journal; nowhere where there is none. Throws FileError or ChannelError.
  void keep(const std::filesystem::path& name, std::string_view text);
  // Lets go of the record: what follows goes nowhere.
  void close();

 private:
  void put(const record::EventBody& body);
  std::filesystem::path folder_;  // the journal's
  std::timed_mutex mutex_;
  std::optional<record::JournalWriter> writer_;
  std::optional<channel::Sender> sender_;
};

// What a suite runs on, by rank 0: the supervisor says all of it, or the journal, or the command line.
struct SuiteInputs {
  Rig rig = {};  // restricted to the job's nodes
  Profile profile = Profile::kStandard;
  bool with_operator = false;                           // somebody is there who pulls cables
  std::filesystem::path snapshot = {};                  // of a snapshot to judge, without the rig; else empty
  std::optional<judge::JudgeContext> judging = {};      // on rank 0
  std::vector<std::string> skipped = {};                // on rank 0
  std::optional<std::vector<std::string>> chosen = {};  // on rank 0: the cases to run, of those not skipped
  std::unique_ptr<SuiteJournal> journal;                // writes on rank 0 only
  std::string error = {};  // the same on every rank; not empty: there is nothing to run
};

// Collective.
[[nodiscard]] SuiteInputs read_inputs(RankGroup& ranks, const SuiteOptions& options);

// This host's IPv4 addresses. Throws std::system_error.
[[nodiscard]] std::set<std::string> local_addresses();
// What this host is called, the surest first: by Slurm, its addresses, its name with and without the domain.
[[nodiscard]] std::vector<std::set<std::string>> own_names();

// What is wrong with running `node`'s rank where these addresses are local: the message says which node this
// is, or is empty. A host with none of any node's addresses is left to the suites: its links may be down.
[[nodiscard]] std::string wrong_node(const Rig& rig, std::size_t node, const std::set<std::string>& local);

}  // namespace rigproof::inline runner
