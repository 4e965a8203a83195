#include "framework/cli/sealed_folder.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string_view>

#include "framework/record/files.h"

namespace rigproof::cli {

SealedFolder::SealedFolder(const std::filesystem::path& directory)
    : manifest_(manifest::read_manifest(directory)) {
  for (const manifest::HashedFile& listed : manifest_) {
    files_.push_back(read(directory, listed));
    names_.insert(listed.name);
  }
  if (!lists(manifest::kJournalName)) (void)read(directory, {manifest::kJournalName, {}});
  read_report();
}

SealedFolder::File SealedFolder::read(const std::filesystem::path& directory,
                                      const manifest::HashedFile& listed) {
  File file{listed.name, {}, {}, StatedVerdicts(listed.name)};
  record::Sha256 hash;
  std::ofstream copy;
  if (listed.name == manifest::kJournalName || listed.name == manifest::kReportName)
    copy.open(copy_.path() / listed.name, std::ios::binary);
  file.fault = record::read_once(directory, listed.name, [&](std::string_view piece) {
    hash.add(piece);
    file.stated.add(piece);
    if (copy.is_open()) copy.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  });
  file.stated.finish();
  file.sha256 = hash.hex();
  if (copy.is_open() && !copy.flush())
    throw record::FileError(fmt::format("{}: no space for a copy of {} (to use another folder, set TMPDIR)",
                                        copy_.path().string(), listed.name));
  if (copy.is_open() && !file.fault.empty()) std::filesystem::remove(copy_.path() / listed.name);
  if (file.fault.empty() && file.sha256 != listed.sha256) file.fault = manifest::kChanged;
  return file;
}

void SealedFolder::read_report() {
  std::ostringstream text;
  text << std::ifstream(copy_.path() / manifest::kReportName, std::ios::binary).rdbuf();
  const std::string page = text.str();
  constexpr std::string_view kMark = "name=\"rigproof-evidence\" content=\"";
  constexpr std::size_t kDigits = manifest::kBlank.size();
  const auto mark = page.find(kMark);
  if (mark == page.npos) return;
  carried_ = page.substr(mark + kMark.size(), kDigits);
  if (!manifest::is_digest(carried_)) return carried_.clear();
  record::Sha256 hash;
  std::size_t begin = 0;
  for (auto at = page.find(carried_); at != page.npos; at = page.find(carried_, begin)) {
    hash.add(std::string_view(page).substr(begin, at - begin));
    hash.add(manifest::kBlank);
    begin = at + kDigits;
  }
  hash.add(std::string_view(page).substr(begin));
  blank_ = hash.hex();
}

}  // namespace rigproof::cli
