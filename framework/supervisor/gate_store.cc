#include "framework/supervisor/gate_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <system_error>

#include "framework/record/files.h"
#include "framework/supervisor/exit_code.h"
#include "framework/units/printable.h"

namespace rigproof::supervisor {
namespace {

constexpr std::size_t kLongestName = 100;
constexpr const char *kRunPrefix = "run-", *kBaseline = "baseline", *kAnchor = "anchor", *kOrder = "order";
constexpr std::chrono::hours kLongestBreak{24};  // before a gate that goes on

bool is_plain_name(std::string_view name) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-'; };
  return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
         std::ranges::all_of(name, plain);
}

// FNV-1a: short, and the same on every machine.
std::uint32_t digest(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

void create(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Refused(fmt::format("--store: cannot create {}: {}", path.string(), error.message()));
}

std::string now_as_name() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &utc);
  return text.data();
}

// Empty for anything but a regular file: reading a pipe would block.
std::string first_line(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return {};
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.substr(0, kLongestName + 1);
}

int lock_file(const std::filesystem::path& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd < 0) {
    throw Refused(
        fmt::format("--store: cannot write {}: {}", path.string(), std::generic_category().message(errno)));
  }
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  throw Refused(fmt::format("another gate (process {}) uses the store {}: run one gate at a time",
                            printable(first_line(path)), path.parent_path().string()));
}

}  // namespace

GateKey GateKey::of(const std::string& rig, const std::string& configuration, const RunOptions& options) {
  std::vector<std::string> suites = options.suites;
  std::ranges::sort(suites);
  suites.erase(std::unique(suites.begin(), suites.end()), suites.end());
  std::string selection;
  if (!suites.empty()) selection += fmt::format("suites {} ", fmt::join(suites, " "));
  if (options.gtest.first_look)
    selection += "first look ";
  else if (options.gtest.selects())
    selection += fmt::format("filter {} ", options.gtest.filter);
  if (options.gtest.repeat != 1) selection += fmt::format("repeat {} ", options.gtest.repeat);
  if (options.gtest.disabled_too) selection += "disabled too ";
  if (options.sample.slower > 0)
    selection += fmt::format("sample {} {} ", options.sample.slower, options.sample.power);
  if (options.rounds.rounds > 0)
    selection += fmt::format("rounds {} seed {} ", options.rounds.rounds, options.rounds.seed);
  return {rig, configuration, std::string(name(options.profile)), selection};
}

std::filesystem::path GateKey::folder() const {
  if (!is_plain_name(rig))
    throw Refused(fmt::format("the rig's name {} cannot be the name of a folder", in_quotes(rig)));
  if (!is_plain_name(configuration)) {
    throw Refused(
        fmt::format("--configuration {}: 1 to {} letters, digits and . _ - only, not beginning with a dot",
                    in_quotes(configuration), kLongestName));
  }
  const std::string chosen = selection.empty() ? "" : fmt::format("-{:08x}", digest(selection));
  return std::filesystem::path(rig) / fmt::format("{}-{}{}", configuration, profile, chosen);
}

GateStore::GateStore(const std::filesystem::path& store, const GateKey& key)
    : path_(std::filesystem::absolute(store) / key.folder()), lock_(-1) {
  create(path_ / "kept");
  create(path_ / "unfinished");
  lock_ = lock_file(path_ / ".lock");
  const std::string holder = fmt::format("{}\n", getpid());
  [[maybe_unused]] const bool told =
      ftruncate(lock_, 0) == 0 && write(lock_, holder.data(), holder.size()) > 0;  // only used in messages
}

GateStore::~GateStore() { close(lock_); }

std::vector<std::string> GateStore::runs_named_in(const char* what) const {
  const std::filesystem::path pointer = path_ / what;
  if (!std::filesystem::exists(std::filesystem::symlink_status(pointer))) return {};
  const std::string name = first_line(pointer);
  const std::filesystem::path kept = path_ / "kept" / (is_plain_name(name) ? name : "?");
  std::vector<std::string> runs;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(kept, error))
    if (entry.path().filename().string().starts_with(kRunPrefix) && entry.is_directory(error))
      runs.push_back(entry.path());
  if (runs.empty()) {
    throw Refused(fmt::format(
        "{} names {}, but no such gate with runs is in {}: the store is damaged. Make a new {} (gate {})",
        pointer.string(), in_quotes(name), (path_ / "kept").string(), what,
        what == std::string_view(kBaseline) ? "--baseline" : "--baseline --anchor"));
  }
  std::ranges::sort(runs);
  return runs;
}

std::vector<std::string> GateStore::baseline() const { return runs_named_in(kBaseline); }

std::vector<std::string> GateStore::anchor() const {
  if (std::filesystem::exists(path_ / kAnchor) &&
      first_line(path_ / kAnchor) == first_line(path_ / kBaseline))
    return {};
  return runs_named_in(kAnchor);
}

std::filesystem::path GateStore::cut_off(const std::string& order) const {
  std::error_code none;
  const auto now = std::filesystem::file_time_type::clock::now();
  const std::string wanted = record::sha256(order);
  for (const auto& gate : std::filesystem::directory_iterator(path_ / "unfinished", none)) {
    if (first_line(gate.path() / kOrder) != wanted) continue;
    for (const auto& run : std::filesystem::directory_iterator(gate, none)) {
      const auto written = std::filesystem::last_write_time(run.path() / "journal.jsonl", none);
      if (!none && now - written < kLongestBreak) return gate.path();
    }
  }
  return {};
}

std::filesystem::path GateStore::begin(const std::string& order) const {
  if (std::filesystem::path found = cut_off(order); !found.empty()) return found;
  const std::string now = now_as_name();
  for (int i = 1;; ++i) {
    const std::string name = i == 1 ? now : fmt::format("{}-{}", now, i);
    if (std::filesystem::exists(path_ / "kept" / name)) continue;
    std::error_code error;
    if (std::filesystem::create_directory(path_ / "unfinished" / name, error)) {
      record::replace_file(path_ / "unfinished" / name / kOrder, record::sha256(order) + "\n");
      return path_ / "unfinished" / name;
    }
    if (error) throw Refused(fmt::format("--store: cannot write in {}: {}", path_.string(), error.message()));
  }
}

std::filesystem::path GateStore::keep(const std::filesystem::path& unfinished) const {
  std::filesystem::path kept = path_ / "kept" / unfinished.filename();
  std::filesystem::rename(unfinished, kept);
  return kept;
}

std::filesystem::path GateStore::where_kept(const std::filesystem::path& run) const {
  return path_ / "kept" / run.parent_path().filename() / run.filename();
}

void GateStore::set_baseline(const std::filesystem::path& kept, bool anchor_too) const {
  const std::string name = kept.filename().string() + "\n", before = first_line(path_ / kBaseline);
  // A store without an anchor is older than anchors: its baseline is the oldest known one.
  if (anchor_too || first_line(path_ / kAnchor).empty())
    record::replace_file(path_ / kAnchor, anchor_too || !is_plain_name(before) ? name : before + "\n");
  record::replace_file(path_ / kBaseline, name);
}

}  // namespace rigproof::supervisor
