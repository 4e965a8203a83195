#include "framework/cli/history_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <utility>

#include "framework/judge/run_judge.h"
#include "framework/record/replace_file.h"
#include "framework/supervisor/exit_code.h"
#include "framework/units/printable.h"
#include "reports/history/history.h"
#include "reports/text/clean.h"

namespace rigproof::cli {
namespace {

namespace fs = std::filesystem;

// Every folder below that has a journal, each once; not what a gate keeps of runs under way or killed.
std::vector<fs::path> run_folders(const std::vector<std::string>& stores) {
  std::vector<fs::path> folders;
  for (const std::string& store : stores) {
    std::error_code error;
    fs::recursive_directory_iterator entries(store, fs::directory_options::skip_permission_denied, error);
    if (error) throw supervisor::Refused(fmt::format("{}: {}", printable(store), error.message()));
    for (const fs::recursive_directory_iterator end; entries != end; entries.increment(error)) {
      if (error) throw supervisor::Refused(fmt::format("{}: {}", printable(store), error.message()));
      if (entries->path().filename() == "unfinished") entries.disable_recursion_pending();
      if (entries->path().filename() == "journal.jsonl")
        folders.push_back(fs::weakly_canonical(entries->path().parent_path()));
    }
  }
  std::ranges::sort(folders);
  const auto rest = std::ranges::unique(folders);
  folders.erase(rest.begin(), rest.end());
  return folders;
}

// The report as a page in `out` names it.
std::string link_to(const fs::path& folder, const fs::path& out) {
  if (!fs::exists(folder / "report.html")) return "";
  const std::string path = fs::proximate(folder / "report.html", out).generic_string();
  std::string link;
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/._-~").find(c) != std::string_view::npos;
    link += plain ? std::string(1, c)
                  : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return link;
}

void skip(const fs::path& folder, const std::string& why) {
  fmt::print(stderr, "rigproof: skipped {}: {}\n", text::one_line(folder.string()), text::one_line(why));
}

std::optional<history::Run> read(const fs::path& folder, const fs::path& out) try {
  const judge::JudgedRun run = judge::open_run(folder);
  if (run.is_judged_again())
    return skip(folder, "judged again: its samples are those of another run"), std::nullopt;
  return history::run_of(run, link_to(folder, out));
} catch (const std::exception& error) {
  skip(folder, error.what());
  return {};
}

}  // namespace

WrittenHistory write_history(const std::vector<std::string>& stores, const fs::path& out) {
  const fs::path folder = fs::weakly_canonical(fs::absolute(out));
  std::vector<history::Run> runs;
  std::map<std::pair<std::string, std::string>, fs::path> known;  // rig and id of a run
  for (const fs::path& each : run_folders(stores)) {
    std::optional<history::Run> run = read(each, folder);
    if (!run) continue;
    const auto [first, is_new] = known.try_emplace({run->rig, run->id}, each);
    if (is_new)
      runs.push_back(*std::move(run));
    else
      skip(each, fmt::format("a copy of {}: a run counts once", first->second.string()));
  }
  if (runs.empty())
    throw supervisor::Refused(
        "no run could be read: a store is a folder with folders of runs (journal.jsonl) in it");
  const std::size_t count = runs.size();
  const std::vector<history::History> histories = history::histories_of(std::move(runs));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw supervisor::Refused(
        fmt::format("{}: cannot create the folder: {}", printable(out.string()), error.message()));
  const WrittenHistory written{count, histories.size(), folder / "history.html", folder / "history.csv"};
  record::replace_file(written.page, [&](std::ostream& page) { write_history_page(histories, page); });
  record::replace_file(written.table, [&](std::ostream& file) { write_history_csv(histories, file); });
  return written;
}

}  // namespace rigproof::cli
