#include "framework/runner/suite_inputs.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <variant>

#include "framework/record/codec.h"
#include "framework/record/journal.h"

namespace rigproof {
namespace {

constexpr std::chrono::seconds kJournalPatience{5};
constexpr std::chrono::seconds kReading{30};

std::unique_ptr<SuiteJournal> open_journal(const std::filesystem::path& path, const std::string& host) {
  if (path.empty()) return std::make_unique<SuiteJournal>();
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw JournalError(
        fmt::format("{} is not there on {}: the output directory must be visible on the rig's first node",
                    path.string(), host));
  return std::make_unique<SuiteJournal>(JournalWriter::append(path, kJournalPatience),
                                        std::filesystem::absolute(path).parent_path());
}

std::vector<std::string> read_names(const std::filesystem::path& path) {
  std::vector<std::string> names;
  if (path.empty()) return names;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  for (std::string name; std::getline(file, name);)
    if (!name.empty()) names.push_back(name);
  return names;
}

// What every rank is told.
struct Shared {
  std::string error;
  TextFile rig;
  std::string profile, snapshot;
};

template <class Archive>
void fields(Archive& archive, Of<Shared> auto& shared) {
  archive("error", shared.error);
  archive("rig", shared.rig);
  archive("profile", shared.profile);
  archive("snapshot", shared.snapshot);
}

// The head of the run's journal: the files may have changed since it began, or be others on this host. A suite that is
// started by hand reads the files.
RunStarted read_start(const SuiteOptions& options) {
  if (!options.journal.empty()) {
    const std::optional<Event> first = JournalReader(options.journal).next();
    const auto* start = first ? std::get_if<RunStarted>(&first->body) : nullptr;
    if (start == nullptr) throw JournalError(options.journal.string() + ":1: a journal begins with run_started");
    return *start;
  }
  RunStarted start;
  start.rig_file = {options.rig, {}, toml::Document::load(options.rig).text()};
  start.limits = {{options.thresholds, {}, toml::Document::load(options.thresholds).text()}};
  start.asked.profile = name(options.profile);
  start.asked.snapshot = options.facts;
  start.rig_kind = read_rig(toml::Document::parse(start.rig_file.text, start.rig_file.file)).kind;
  return start;
}

void check_ranks(const RankGroup& ranks, std::size_t nodes, bool snapshot) {
  const std::size_t expected = snapshot ? 1 : nodes;
  if (static_cast<std::size_t>(ranks.size()) == expected) return;
  throw std::runtime_error(fmt::format(
      "expected {} rank{} ({}), got {}. Start with: mpirun -np {} ...", expected, expected == 1 ? "" : "s",
      snapshot ? "a snapshot is judged by one" : "one per node of the rig", ranks.size(), expected));
}

Shared read_files(const SuiteOptions& options, const RankGroup& ranks, SuiteInputs& inputs) {
  inputs.journal = open_journal(options.journal, ranks.host());
  const RunStarted start = read_start(options);
  inputs.rig = read_rig(toml::Document::parse(start.rig_file.text, start.rig_file.file));
  inputs.judging = JudgeContext::of(start, utc_now().substr(0, 10));
  inputs.skipped = read_names(options.skip);
  check_ranks(ranks, inputs.rig.nodes.size(), !start.asked.snapshot.empty());
  return {{}, start.rig_file, start.asked.profile, start.asked.snapshot};
}

}  // namespace

SuiteInputs read_inputs(RankGroup& ranks, const SuiteOptions& options) {
  SuiteInputs inputs{.journal = std::make_unique<SuiteJournal>()};
  Shared mine;
  if (ranks.rank() == 0) {
    try {
      mine = read_files(options, ranks, inputs);
    } catch (const std::exception& error) {
      mine.error = error.what();
    }
  }
  const auto shared = codec::from_bytes<Shared>(ranks.broadcast("the rig", codec::to_bytes(mine), kReading));
  inputs.error = shared.error;
  if (!inputs.error.empty()) return inputs;
  inputs.profile = parse_profile(shared.profile);
  inputs.snapshot = shared.snapshot;
  if (ranks.rank() != 0) inputs.rig = read_rig(toml::Document::parse(shared.rig.text, shared.rig.file));
  return inputs;
}

}  // namespace rigproof
