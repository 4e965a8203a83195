#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rigproof::cli {

struct WrittenHistory {
  std::size_t runs, rigs;
  std::filesystem::path page, table;  // history.html, history.csv
};

// Reads every run below these folders and writes the history of each rig into `out`, which is made where it is not
// there. What can't be read is skipped and named on stderr. Throws Refused: no run could be read, or `out` can't be
// made.
WrittenHistory write_history(const std::vector<std::string>& stores, const std::filesystem::path& out);

}  // namespace rigproof::cli
