#include "framework/runner/suite_inputs.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <variant>

#include "framework/ranks/packing.h"
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

struct InputFiles {
  toml::Document rig, thresholds;
};

// As the run has them on record: the files may have changed since it began, or be others on this host. A suite
// that is started by hand reads the files.
InputFiles read_input_files(const SuiteOptions& options) {
  if (!options.journal.empty()) {
    const std::optional<Event> first = JournalReader(options.journal).next();
    const auto* start = first ? std::get_if<RunStarted>(&first->body) : nullptr;
    if (start != nullptr && !start->rig_text.empty())
      return {toml::Document::parse(start->rig_text, start->rig_file),
              toml::Document::parse(start->thresholds_text, start->thresholds_file)};
  }
  return {toml::Document::load(options.rig), toml::Document::load(options.thresholds)};
}

// Returns the rig file's text.
std::string read_files(const SuiteOptions& options, const RankGroup& ranks, SuiteInputs& inputs) {
  inputs.journal = open_journal(options.journal, ranks.host());
  const InputFiles files = read_input_files(options);
  inputs.rig = read_rig(files.rig);
  inputs.limits = LimitTable::read(files.thresholds, options.profile, rig_fact_dimensions());
  inputs.skipped = read_names(options.skip);
  const auto nodes = options.facts.empty() ? inputs.rig.nodes.size() : 1;
  if (static_cast<std::size_t>(ranks.size()) != nodes)
    throw std::runtime_error(fmt::format(
        "the suite runs on {} rank{}, but {}: start it so often (mpirun -np {} ...)", ranks.size(),
        ranks.size() == 1 ? "" : "s",
        options.facts.empty() ? fmt::format("the rig has {} nodes", nodes) : "a snapshot is judged by one",
        nodes));
  return files.rig.text();
}

}  // namespace

SuiteInputs read_inputs(RankGroup& ranks, const SuiteOptions& options) {
  SuiteInputs inputs{.journal = std::make_unique<SuiteJournal>()};
  std::string text;
  if (ranks.rank() == 0) {
    try {
      text = read_files(options, ranks, inputs);
    } catch (const std::exception& error) {
      inputs.error = error.what();
    }
  }
  Packer packer;
  packer.put(inputs.error).put(text);
  const std::string shared = ranks.broadcast("the rig", packer.bytes(), kReading);
  Unpacker in(shared);
  inputs.error = in.text();
  text = in.text();
  if (ranks.rank() != 0 && inputs.error.empty())
    inputs.rig = read_rig(toml::Document::parse(text, options.rig));
  return inputs;
}

}  // namespace rigproof
