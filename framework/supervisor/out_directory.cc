#include "framework/supervisor/out_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <vector>

#include "framework/record/files.h"
#include "framework/supervisor/exit_code.h"
#include "framework/units/shell_words.h"

namespace rigproof::supervisor {

std::string to_go_on(const Rig& rig, const std::filesystem::path& out, std::string_view first) {
  const std::string before = first.empty() ? "; " : fmt::format("; {}, then ", first);
  return before + (rig.kind == "hardware"
                       ? "go on: rigproof run --resume " + shell_quoted(out.string())
                       : "type the same command again: an emulated rig ends with its command");
}
namespace {

constexpr std::uintmax_t kReserve = 4 << 20;
constexpr std::uintmax_t kNearlyNothing = 16 << 10;

std::string text_of(int error) { return std::generic_category().message(error); }

std::uintmax_t free_space(const std::filesystem::path& path) {
  std::error_code error;
  const auto space = std::filesystem::space(path, error);
  return error ? 0 : space.available;
}

// Throws Refused if the rig deletes this folder at its end (RoCE VM rig).
void require_kept(const std::filesystem::path& path) {
  const char* kept = std::getenv("RIGPROOF_KEPT");
  if (kept == nullptr) return;
  std::istringstream folders(kept);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (is_inside(path, folder)) return;
  throw Refused(fmt::format("--out {}: deleted with the rig; choose a folder below {}", path.string(), kept));
}

// Takes at most a quarter of the free space: the run needs the rest.
void keep_back(const std::filesystem::path& file) {
  const auto size = static_cast<off_t>(std::min(kReserve, free_space(file.parent_path()) / 4));
  // A link leads to a file of someone else; a pipe would block until it is read.
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  if (fd < 0)
    throw Refused(
        fmt::format("--out {}: cannot write there: {}", file.parent_path().string(), text_of(errno)));
  const int error = size == 0 ? ENOSPC : posix_fallocate(fd, 0, size);
  close(fd);
  if (error == 0) return;
  unlink(file.c_str());
  throw Refused(fmt::format("--out {}: no space for a run: {}", file.parent_path().string(), text_of(error)));
}

// Files of another run would be sealed as this run's, or break the folder's manifest.
void require_nothing_left(const std::filesystem::path& path) {
  const auto refuse = [&](std::string_view name) {
    throw Refused(
        fmt::format("--out {}: contains {} of another run; give another folder, nothing is overwritten",
                    path.string(), name));
  };
  std::error_code none;
  for (const char* name : {"manifest.sha256", "evidence.txt", "evidence.intoto.json", "signatures"})
    if (std::filesystem::exists(std::filesystem::symlink_status(path / name, none))) refuse(name);
  if (std::filesystem::is_directory(path / "facts", none) && !std::filesystem::is_empty(path / "facts", none))
    refuse("facts");
  // Logs of a judgement that was killed before it had a record are overwritten.
  if (std::filesystem::is_directory(path / "logs", none))
    for (const auto& entry : std::filesystem::directory_iterator(path / "logs"))
      if (!entry.path().filename().string().starts_with("thresholds-before")) refuse("logs");
}

}  // namespace

bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path));
  return *whole.lexically_relative(folder).begin() != "..";
}

void require_outside_of_runs(const std::string& option, const std::filesystem::path& path) {
  std::error_code none;
  auto folder = std::filesystem::weakly_canonical(std::filesystem::absolute(path), none);
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if ((folder.filename() == "facts" || folder.filename() == "logs") &&
        std::filesystem::exists(OutDirectory::journal_in(folder.parent_path()), none))
      throw Refused(
          fmt::format("{} {}: among the facts and logs of a run, which are sealed; give another folder",
                      option, path.string()));
}

void OutDirectory::create_folders() {
  std::error_code error;
  for (auto folder = path_ / "logs"; !folder.empty() && !std::filesystem::exists(folder, error);
       folder = folder.parent_path())
    created_.push_back(folder);
  std::filesystem::create_directories(path_ / "logs", error);
  if (error)
    throw Refused(fmt::format("--out {}: cannot create the folder: {}", path_.string(), error.message()));
}

OutDirectory::OutDirectory(const std::filesystem::path& path) : path_(path) {
  require_kept(path);
  require_outside_of_runs("--out", path);
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(journal(), ignored))) {
    throw Refused(
        fmt::format("--out {}: contains a run already ({}); give another folder, nothing is overwritten",
                    path.string(), journal().string()));
  }
  require_nothing_left(path);
  create_folders();
  keep_back(path / ".reserve");
}

OutDirectory OutDirectory::of_run(const std::filesystem::path& path) { return OutDirectory(path, OfRun()); }

void OutDirectory::require_run(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(journal_in(path), ignored))
    throw Refused(fmt::format("--resume {}: no run in it (no journal.jsonl)", path.string()));
}

OutDirectory::OutDirectory(const std::filesystem::path& path, OfRun) : path_(path) {
  require_run(path);
  create_folders();
  for (const char* folder : {".", "facts", "logs"}) record::remove_drafts(path / folder);
  keep_back(path / ".reserve");
}

void OutDirectory::abandon() {
  release_reserve();
  std::error_code ignored;
  std::filesystem::remove(journal(), ignored);
  for (const std::filesystem::path& folder : created_) std::filesystem::remove(folder, ignored);
}

void OutDirectory::unseal() const {
  std::error_code ignored;
  std::filesystem::remove(path_ / "manifest.sha256", ignored);
}

OutDirectory::~OutDirectory() { release_reserve(); }

std::filesystem::path OutDirectory::log(const std::string& suite, int job, int launch) const {
  const std::string of = job == 0 ? suite : fmt::format("{}.job-{}", suite, job);
  return path_ / "logs" / fmt::format("{}.{}.log", of, launch);
}

std::map<std::string, std::string> OutDirectory::hash_files() const {
  std::map<std::string, std::string> hashes;
  for (const char* folder : {"facts", "logs"}) {
    record::remove_drafts(path_ / folder);
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_ / folder, none))
      if (entry.symlink_status(none).type() == std::filesystem::file_type::regular)
        hashes[entry.path().lexically_relative(path_).generic_string()] =
            record::sha256_of_file(entry.path());
  }
  return hashes;
}

bool OutDirectory::release_reserve() { return unlink((path_ / ".reserve").c_str()) == 0; }

bool OutDirectory::is_full() const { return free_space(path_) < kNearlyNothing; }

}  // namespace rigproof::supervisor
