#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/cli/command.h"

namespace rigproof::cli {

// Man pages of section 1 and shell completion, from the command line's own definitions: what --help prints.

struct ManualPage {
  std::string name;  // "rigproof-model-run"
  std::string text;  // roff
};
// One page for the program and one for each subcommand; what is hidden from --help has none. `date` is "2026-11-22".
[[nodiscard]] std::vector<ManualPage> manual_pages(const CLI::App& program, const std::string& version,
                                                   const std::string& date);

// What may come next on a command line: `words` are those behind the program's name, the last one (perhaps empty) is
// being typed (`rigproof complete -- WORDS...`). Cases and suites are those that --rig, RIGPROOF_RIG and --suites say. Nothing where a file is wanted.
[[nodiscard]] std::vector<std::string> completions(const CLI::App& program,
                                                   const std::vector<std::string>& words);

// The hidden subcommand: `manual DIR` writes the pages.
void add_manual_commands(CLI::App& program, std::vector<Command>& commands);

}  // namespace rigproof::cli
