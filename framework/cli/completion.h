#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rigproof::cli {

// What may come next on a command line: `words` are those behind the program's name, the last one (perhaps empty) is
// being typed (`rigproof complete -- WORDS...`). Cases and suites are those that --rig, RIGPROOF_RIG and --suites say. Nothing where a file is wanted.
[[nodiscard]] std::vector<std::string> completions(const CLI::App& program,
                                                   const std::vector<std::string>& words);

}  // namespace rigproof::cli
