#include "framework/runner/suite_inputs.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>
#include <variant>

#include "framework/record/codec.h"
#include "framework/record/files.h"
#include "framework/record/journal.h"

namespace rigproof::inline runner {
namespace {

constexpr std::chrono::seconds kJournalPatience{5};
constexpr std::chrono::seconds kSupervisorPatience{15};
constexpr std::chrono::seconds kSharing{30};

std::unique_ptr<SuiteJournal> open_journal(const std::filesystem::path& path, const std::string& host) {
  if (path.empty()) return std::make_unique<SuiteJournal>();
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw record::JournalError(
        fmt::format("{} does not exist on {}: the output folder must be visible on the rig's first node",
                    path.string(), host));
  return std::make_unique<SuiteJournal>(record::JournalWriter::append(path, kJournalPatience),
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

// Inputs that rank 0 sends to every rank.
struct Shared {
  std::string error;
  record::TextFile rig;
  std::vector<std::string> nodes;                       // of the job; empty: all
  std::optional<std::vector<channel::RankPair>> pairs;  // pairs with cases in the job; nullopt: all
  std::string profile, snapshot;
  bool with_operator = false;
};

template <class Archive>
void fields(Archive& archive, record::Of<Shared> auto& shared) {
  archive("error", shared.error);
  archive("rig", shared.rig);
  archive("nodes", shared.nodes);
  archive("pairs", shared.pairs);
  archive("profile", shared.profile);
  archive("snapshot", shared.snapshot);
  archive("with_operator", shared.with_operator);
}

// The first event of the run's journal: files may have changed since the run began, or differ on this host.
// Without a journal, the files.
record::RunStarted read_start(const SuiteOptions& options) {
  if (!options.journal.empty()) {
    const std::optional<record::Event> first = record::JournalReader(options.journal).next();
    const auto* start = first ? std::get_if<record::RunStarted>(&first->body) : nullptr;
    if (start == nullptr)
      throw record::JournalError(options.journal.string() + ":1: a journal begins with run_started");
    return *start;
  }
  record::RunStarted start;
  start.rig_file = {options.rig, {}, toml::Document::load(options.rig).text()};
  for (const std::filesystem::path& path : options.thresholds)
    start.limits.push_back({path, {}, toml::Document::load(path).text()});
  start.asked.profile = name(options.profile);
  start.asked.snapshot = options.facts;
  start.asked.with_operator = options.with_operator;
  start.rig_kind = read_rig(toml::Document::parse(start.rig_file.text, start.rig_file.file)).kind;
  return start;
}

void check_ranks(const RankGroup& ranks, std::size_t nodes, bool snapshot) {
  const std::size_t expected = snapshot ? 1 : nodes;
  if (static_cast<std::size_t>(ranks.size()) == expected) return;
  throw std::runtime_error(fmt::format(
      "expected {} rank{} ({}), got {}. Start with: mpirun -np {} ...", expected, expected == 1 ? "" : "s",
      snapshot ? "one for a snapshot" : "one per node of the rig", ranks.size(), expected));
}

void keep_pairs(Rig& rig, const std::optional<std::vector<channel::RankPair>>& pairs) {
  if (!pairs) return;
  rig.only_pairs.emplace();
  for (const channel::RankPair& pair : *pairs)
    rig.only_pairs->insert({static_cast<std::uint32_t>(pair.first), static_cast<std::uint32_t>(pair.second)});
}

// Throws toml::InputError or std::runtime_error.
Rig rig_of_job(const record::TextFile& file, const std::vector<std::string>& names) {
  Rig rig = read_rig(toml::Document::parse(file.text, file.file));
  if (names.empty()) return rig;
  std::vector<std::size_t> nodes;
  for (const std::string& name : names) {
    const auto node = rig.find_node(name);
    if (!node) throw std::runtime_error("the rig has no node " + name);
    nodes.push_back(*node);
  }
  return restricted(rig, nodes);
}

Shared read_files(const SuiteOptions& options, const RankGroup& ranks, SuiteInputs& inputs) {
  record::RunStarted start;
  std::vector<std::string> nodes;
  std::optional<std::vector<channel::RankPair>> pairs;
  if (options.report_to.empty()) {
    inputs.journal = open_journal(options.journal, ranks.host());
    start = read_start(options);
  } else {
    channel::Sender supervisor(options.report_to, *options.key, kSupervisorPatience);
    start = supervisor.order().start;
    nodes = supervisor.order().nodes;
    inputs.chosen = supervisor.order().cases;
    pairs = supervisor.order().pairs;
    inputs.journal = std::make_unique<SuiteJournal>(std::move(supervisor));
  }
  inputs.rig = rig_of_job(start.rig_file, nodes);
  inputs.judging = judge::JudgeContext::of(start, record::utc_now().substr(0, 10));
  inputs.skipped = read_names(options.skip);
  check_ranks(ranks, inputs.rig.nodes.size(), !start.asked.snapshot.empty());
  return {{},
          start.rig_file,
          nodes,
          std::move(pairs),
          start.asked.profile,
          start.asked.snapshot,
          start.asked.with_operator};
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
  const auto shared =
      record::codec::from_bytes<Shared>(ranks.broadcast("the rig", record::codec::to_bytes(mine), kSharing));
  inputs.error = shared.error;
  if (!inputs.error.empty()) return inputs;
  inputs.profile = parse_profile(shared.profile);
  inputs.snapshot = shared.snapshot;
  inputs.with_operator = shared.with_operator;
  if (ranks.rank() != 0) inputs.rig = rig_of_job(shared.rig, shared.nodes);
  keep_pairs(inputs.rig, shared.pairs);
  return inputs;
}

void SuiteJournal::put(const record::EventBody& body) {
  if (writer_) writer_->write(body);
  if (sender_) sender_->send(body);
}

void SuiteJournal::write(const record::EventBody& body) {
  const std::lock_guard lock(mutex_);
  put(body);
}

void SuiteJournal::write_last(const record::EventBody& body) noexcept {
  try {
    const std::unique_lock lock(mutex_, std::chrono::seconds(1));
    if (lock) put(body);
  } catch (...) {  // the job ends anyway, and stderr shows why
  }
}

void SuiteJournal::keep(const std::filesystem::path& name, std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (sender_) sender_->send(channel::File{name, std::string(text)});
  if (!folder_.empty()) record::keep_file(folder_, name, text);
}

void SuiteJournal::close() {
  const std::lock_guard lock(mutex_);
  writer_.reset();
  sender_.reset();
}

namespace {

bool has_address_of(const Node& node, const std::set<std::string>& local) {
  for (const Port& port : node.ports)
    for (const Half& half : port.halves)
      if (local.contains(half.address)) return true;
  return false;
}

}  // namespace

std::set<std::string> local_addresses() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) throw std::system_error(errno, std::generic_category(), "getifaddrs");
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, freeifaddrs);
  std::set<std::string> addresses;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr) continue;
    const int family = entry->ifa_addr->sa_family;
    const void* bytes = nullptr;
    if (family == AF_INET) bytes = &reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr;
    if (family == AF_INET6) bytes = &reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr)->sin6_addr;
    char text[INET6_ADDRSTRLEN];
    if (bytes != nullptr) addresses.insert(inet_ntop(family, bytes, text, sizeof text));
  }
  return addresses;
}

std::vector<std::set<std::string>> own_names() {
  std::vector<std::set<std::string>> names(3);
  if (const char* slurm = std::getenv("SLURMD_NODENAME")) names[0].insert(slurm);
  names[1] = local_addresses();
  char host[HOST_NAME_MAX + 1] = "";
  if (gethostname(host, sizeof host - 1) == 0) {
    const std::string name = host;
    names[2].insert({name, name.substr(0, name.find('.'))});
  }
  return names;
}

std::string wrong_node(const Rig& rig, std::size_t node, const std::set<std::string>& local) {
  if (has_address_of(rig.node(node), local)) return {};
  const auto other = std::ranges::find_if(rig.nodes, [&](const Node& n) { return has_address_of(n, local); });
  if (other == rig.nodes.end()) return {};
  return fmt::format(
      "this host has the addresses of {}, not of {}: the launcher must start rank N on node N of the rig",
      other->name, rig.node(node).name);
}

}  // namespace rigproof::inline runner
